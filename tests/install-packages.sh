#!/bin/sh
# install-packages.sh PURPOSE... installs the packages of tests/packages that are missing, and
# prints which of them this release of Debian does not have. If none can be installed, it does
# nothing more, and does not require root.
set -eu

# is_known PACKAGE: returns whether apt's package lists have it.
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

# choose: divides the missing packages into those that this release has and those that it does not.
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
# Updates the package lists if a package has to be installed, or if there are no lists, in which
# case they lack a package that every release has.
if [ -n "$wanted" ] || ! is_known gcc; then
  sudo=
  [ "$(id -u)" = 0 ] || sudo=sudo
  # Continues with old lists if the update fails, because they may be sufficient.
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
