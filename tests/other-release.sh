#!/bin/bash
# Runs tests/run.sh --short in a root of the other release of Debian: 13 on 12,
# 12 on 13. The root, 2 GB, is made with debootstrap from the mirror that apt
# uses here, in MGPU_TEST_ROOTS or the user's cache directory, and used again.
# Needs root or sudo. The last line is as that of run.sh; one is skipped where
# there can be no root.
set -u
cd "$(dirname "$0")/.." || exit 1
PATH=$PATH:/usr/sbin:/sbin

skip () {
  echo "SKIPPED: $*"
  printf '\n0 passed, 0 failed, 1 skipped\n'
  exit 0
}

sudo=()
[ "$(id -u)" = 0 ] || sudo=(sudo -n)
case $(. /etc/os-release && echo "${VERSION_CODENAME:-}") in
  bookworm) this=bookworm other=trixie;;
  trixie) this=trixie other=bookworm;;
  *) skip "this is neither Debian 12 nor Debian 13";;
esac
roots=${MGPU_TEST_ROOTS:-${XDG_CACHE_HOME:-$HOME/.cache}/gst-mgpu-roots}
root=$roots/$other

# make_root: a root that is not finished has another name.
make_root () {
  local mirror new=$root.new proxy
  if ! command -v debootstrap >/dev/null; then
    "${sudo[@]}" apt-get -qq update
    "${sudo[@]}" apt-get -qq -y install debootstrap >/dev/null ||
      skip "debootstrap cannot be installed"
  fi
  mirror=$(apt-get indextargets --format '$(CODENAME) $(RELEASE) $(REPO_URI)' \
    'Created-By: Packages' |
    awk -v this=$this '$1 == this || $2 == this { print $3; exit }')
  [ -n "$mirror" ] || skip "apt knows no mirror of Debian's $this"
  /usr/lib/apt/apt-helper -qq -o APT::Sandbox::User=root download-file "${mirror}dists/$other/InRelease" \
    "$roots/$other.release" || skip "$mirror cannot be reached or has no release $other"
  rm -f "$roots/$other.release"
  proxy=$(apt-config shell p Acquire::http::Proxy | sed "s/^p='\(.*\)'$/\1/")
  "${sudo[@]}" rm -rf --one-file-system "$new"
  "${sudo[@]}" unshare --mount env ${proxy:+"http_proxy=$proxy"} debootstrap \
    --variant=minbase --include=ca-certificates $other "$new" "$mirror" \
    >"$roots/$other.log" 2>&1 || {
    tail -n 5 "$roots/$other.log"
    skip "debootstrap makes no root of $other here"
  }
  # The same way to the mirror.
  apt-config dump | grep -E '^Acquire::[^ ]*(Proxy|CaInfo|Verify)' |
    "${sudo[@]}" tee "$new/etc/apt/apt.conf.d/90host" >/dev/null
  "${sudo[@]}" mv "$new" "$root"
}

# in_root COMMAND...: the mounts end with it.
in_root () {
  "${sudo[@]}" unshare --mount sh -c 'root=$1 && shift &&
    mount --rbind /dev "$root/dev" && mount --rbind /sys "$root/sys" &&
    mount -t proc proc "$root/proc" && exec chroot "$root" "$@"' sh "$root" \
    /usr/bin/env -i HOME=/root LANG=C.UTF-8 CI="${CI:-}" \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
}

mkdir -p "$roots" || skip "$roots cannot be made"
if [ ! -d "$root" ]; then
  echo "== making a root of $other in $root"
  make_root
fi
for file in /etc/resolv.conf /etc/hosts /etc/ssl/certs/ca-certificates.crt; do
  [ ! -e $file ] || "${sudo[@]}" cp -L $file "$root$file"
done
in_root true || skip "nothing can be mounted in $root"

# The tree as it is, with what git does not ignore; what was built stays behind,
# but for the kernels.
"${sudo[@]}" rm -rf "$root/src"
"${sudo[@]}" mkdir -p "$root/src/build" "$root/var/cache/gst-mgpu-kernels"
git ls-files -z --cached --others --exclude-standard --deduplicate |
  tar -c --null --ignore-failed-read -T - |
  "${sudo[@]}" tar -x --no-same-owner -C "$root/src" || exit 1
"${sudo[@]}" ln -s /var/cache/gst-mgpu-kernels "$root/src/build/cache"

echo "== Debian $other"
in_root /src/tests/run.sh --short </dev/null
