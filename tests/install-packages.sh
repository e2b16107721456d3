#!/bin/sh
# install-packages.sh PURPOSE... installs those of tests/packages that are
# missing, and says which of them this release of Debian does not have. Does
# nothing more, and needs no root, when none can be installed.
set -eu

# is_known PACKAGE: apt's lists have it.
is_known () {
  [ -n "$(apt-cache madison "$1" 2>/dev/null)" ]
}

missing=
while read -r purpose package _; do
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

# choose: sorts those that are missing by whether this release has them.
choose () {
  wanted=''
  absent=''
  for package in $missing; do
    if is_known "$package"; then
      wanted="$wanted $package"
    else
      absent="$absent $package"
    fi
  done
}

choose
# New lists are needed when something is to be installed, and where there are
# none, which is where they lack what every release has.
if [ -n "$wanted" ] || ! is_known gcc; then
  sudo=
  [ "$(id -u)" = 0 ] || sudo=sudo
  # Old lists may do: an unreachable mirror is not yet a failure.
  $sudo apt-get -qq update || true
  choose
fi

for package in $absent; do
  while read -r purpose name what; do
    [ "$name" = "$package" ] || continue
    if [ "$purpose" = build ] || ! is_known gcc; then
      echo "apt-get knows no package $package: is a mirror configured, and can it be reached?" >&2
      exit 1
    fi
    echo "This release of Debian has no package $package; not tested: ${what:-what needs it}"
    break
  done < "$(dirname "$0")/packages"
done

[ -n "$wanted" ] || exit 0
echo "Installing:$wanted"
# shellcheck disable=SC2086
$sudo env DEBIAN_FRONTEND=noninteractive \
  apt-get -qq -y --no-install-recommends install $wanted >/dev/null
