# Makes roots of releases of Debian, for scripts that source this file. Requires root or sudo, and
# a function skip, which gets the reason why there can be no root, and ends the script. Roots are
# made with debootstrap from the mirror that apt uses on this machine, in MGPU_TEST_ROOTS or the
# user's cache directory, and reused.
# shellcheck shell=bash
PATH=$PATH:/usr/sbin:/sbin
roots=${MGPU_TEST_ROOTS:-${XDG_CACHE_HOME:-$HOME/.cache}/gst-mgpu-roots}
sudo=()
[ "$(id -u)" = 0 ] || sudo=(sudo -n)
this=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")

# make_root RELEASE: makes $roots/RELEASE unless it exists. A root that is not finished has another
# name.
make_root () {
  local release=$1 mirror new=$roots/$1.new proxy
  mkdir -p "$roots" || skip "$roots cannot be made"
  [ ! -d "$roots/$release" ] || return 0
  echo "== making a root of $release in $roots/$release"
  if ! command -v debootstrap >/dev/null; then
    "${sudo[@]}" apt-get -qq update
    "${sudo[@]}" apt-get -qq -y install debootstrap >/dev/null ||
      skip "debootstrap cannot be installed"
  fi
  mirror=$(apt-get indextargets --format '$(CODENAME) $(RELEASE) $(REPO_URI)' \
    'Created-By: Packages' |
    awk -v this="$this" '$1 == this || $2 == this { print $3; exit }')
  [ -n "$mirror" ] || skip "apt knows no mirror of Debian's $this"
  /usr/lib/apt/apt-helper -qq -o APT::Sandbox::User=root download-file "${mirror}dists/$release/InRelease" \
    "$roots/$release.release" || skip "$mirror cannot be reached or has no release $release"
  rm -f "$roots/$release.release"
  proxy=$(apt-config shell p Acquire::http::Proxy | sed "s/^p='\(.*\)'$/\1/")
  "${sudo[@]}" rm -rf --one-file-system "$new"
  "${sudo[@]}" unshare --mount env ${proxy:+"http_proxy=$proxy"} debootstrap \
    --variant=minbase --include=ca-certificates "$release" "$new" "$mirror" \
    >"$roots/$release.log" 2>&1 || {
    tail -n 5 "$roots/$release.log"
    skip "debootstrap makes no root of $release here"
  }
  # Tells dpkg not to wait for the disk, because a root that is lost is made again.
  echo force-unsafe-io | "${sudo[@]}" tee "$new/etc/dpkg/dpkg.cfg.d/90unsafe-io" >/dev/null
  # Makes the root use the mirror with the same network settings as the host.
  apt-config dump | grep -E '^Acquire::[^ ]*(Proxy|CaInfo|Verify)' |
    "${sudo[@]}" tee "$new/etc/apt/apt.conf.d/90host" >/dev/null
  "${sudo[@]}" mv "$new" "$roots/$release"
}

# copy_host_files ROOT: copies what programs in the root need to reach the network as programs on
# the host do.
copy_host_files () {
  local file
  for file in /etc/resolv.conf /etc/hosts /etc/ssl/certs/ca-certificates.crt; do
    [ ! -e $file ] || "${sudo[@]}" cp -L $file "$1$file"
  done
}

# in_root ROOT COMMAND...: runs the command in the root; the mounts disappear when it ends.
in_root () {
  "${sudo[@]}" unshare --mount sh -c 'root=$1 && shift &&
    mount --rbind /dev "$root/dev" && mount --rbind /sys "$root/sys" &&
    mount -t proc proc "$root/proc" && exec chroot "$root" "$@"' sh "$1" \
    /usr/bin/env -i HOME=/root LANG=C.UTF-8 CI="${CI:-}" DEBIAN_FRONTEND=noninteractive \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "${@:2}"
}

# in_layer RELEASE LAYER COMMAND...: runs a command in the root of RELEASE. Its changes are stored
# in $roots/RELEASE.LAYER, so that the root stays as debootstrap made it. Packages that apt
# downloads are kept for all layers.
in_layer () {
  local base=$roots/$1 layer=$roots/$1.$2
  "${sudo[@]}" mkdir -p "$layer/up" "$layer/work" "$layer/root" "$base.archives/partial"
  "${sudo[@]}" unshare --mount sh -c 'base=$1 layer=$2 && shift 2 &&
    mount -t overlay overlay -o "lowerdir=$base,upperdir=$layer/up,workdir=$layer/work" "$layer/root" &&
    root=$layer/root &&
    mount --rbind /dev "$root/dev" && mount --rbind /sys "$root/sys" &&
    mount -t proc proc "$root/proc" &&
    mount --bind "$base.archives" "$root/var/cache/apt/archives" && exec chroot "$root" "$@"' \
    sh "$base" "$layer" \
    /usr/bin/env -i HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "${@:3}"
}

# remove_layer RELEASE LAYER
remove_layer () {
  "${sudo[@]}" rm -rf --one-file-system "$roots/$1.$2"
}

# list_source: prints the names of the files of the source tree, and of those that git does not
# ignore, separated by zero bytes.
list_source () {
  git ls-files -z --cached --others --exclude-standard --deduplicate
}
