#!/bin/sh
# install-packages.sh PURPOSE... installs those of tests/packages that are
# missing. Does nothing, and needs no root, when none is.
set -eu

missing=
while read -r purpose package; do
  case " build $* " in
    *" $purpose "*) ;;
    *) continue;;
  esac
  if ! dpkg-query -W -f '${Status}' "$package" 2>/dev/null |
    grep -q '^install ok installed'; then
    missing="$missing $package"
  fi
done < "$(dirname "$0")/packages"

[ -n "$missing" ] || exit 0
if ! command -v apt-get >/dev/null; then
  echo "This system has no apt-get. Install what these Debian packages hold:$missing" >&2
  exit 0
fi
sudo=
[ "$(id -u)" = 0 ] || sudo=sudo
echo "Installing:$missing"
# Old lists may do: an unreachable mirror is not yet a failure.
$sudo apt-get -qq update || true
# shellcheck disable=SC2086
$sudo env DEBIAN_FRONTEND=noninteractive \
  apt-get -qq -y --no-install-recommends install $missing >/dev/null
