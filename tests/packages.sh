#!/bin/bash
# Builds the Debian packages of debian/ in clean roots, checks them with lintian, installs them in
# other clean roots, and runs the tests of debian/tests and the first launch lines of README.md
# there. The packages are stored in out/packages/RELEASE.
#
#   tests/packages.sh [RELEASE...]     default: bookworm trixie
#
# Requires root or sudo, and network. Takes about 20 minutes per release on two processors. The
# last line is like the last line of run.sh.
set -u
cd "$(dirname "$0")/.." || exit 1

passed=0 failed=0 skipped=0

skip () {
  echo "SKIPPED: $*"
  printf '\n%d passed, %d failed, %d skipped\n' $passed $failed $((skipped + 1))
  [ $failed -eq 0 ]
  exit
}

. tests/roots.sh
# Uses separate roots, because the roots of other-release.sh are not clean.
roots=$roots/bare
export MGPU_TEST_ROOTS=$roots

# check NAME COMMAND...
check () {
  local name=$1 log
  shift
  log=out/packages/$(echo "$name" | tr ' /' '--').log
  if "$@" >"$log" 2>&1; then
    echo "ok: $name"
    passed=$((passed + 1))
  else
    tail -n 40 "$log"
    echo "failed: $name ($log)"
    failed=$((failed + 1))
    return 1
  fi
}

# build RELEASE: runs dpkg-buildpackage in a root that has only the packages that debian/control
# requires. ccache stores objects for the next run.
build () {
  local release=$1 layer=$roots/$1.build
  local source=$layer/up/src/gst-mgpu-$version
  cmp -s debian/control "$layer/control" || remove_layer "$release" build
  in_layer "$release" build rm -rf /src
  in_layer "$release" build mkdir -p "/src/gst-mgpu-$version"
  "${sudo[@]}" cp debian/control "$layer/control"
  list_source | tar -c --null --ignore-failed-read -T - |
    "${sudo[@]}" tar -x --no-same-owner -C "$source" || return 1
  "${sudo[@]}" tar -c -J -C "$source/.." --exclude=debian \
    -f "$source/../gst-mgpu_$version.orig.tar.xz" "gst-mgpu-$version" || return 1
  in_layer "$release" build sh -e -c "cd /src/gst-mgpu-$version
    apt-get -qq update
    apt-get -qq -y --no-install-recommends install ccache dpkg-dev lintian >/dev/null
    apt-get -qq -y --no-install-recommends build-dep ./ >/dev/null
    export CCACHE_DIR=/var/cache/apt/archives/ccache
    export PATH=/usr/lib/ccache:/usr/sbin:/usr/bin:/sbin:/bin
    dpkg-buildpackage -us -uc"
}

# lint RELEASE: runs lintian, without tags that do not apply. The packages are not uploaded to
# Debian, where an upload has to close a bug. The project has no home page, which a tag for
# AppStream metadata of Debian 13's lintian requires; Debian 12's lintian does not know this tag.
# Between two releases the symbols file already lists functions of the next release.
lint () {
  local tags=initial-upload-closes-no-bugs newest
  [ "$1" = bookworm ] || tags=$tags,appstream-metadata-validation-failed
  newest=$(sed -n 's/.*@Base //p' debian/libgstmgpu-1.0-0.symbols | sort -V | tail -n 1)
  dpkg --compare-versions "$newest" le "$debian_version" ||
    tags=$tags,symbols-file-contains-current-version-with-debian-revision
  in_layer "$1" build sh -c "cd /src && lintian --allow-root --info --show-overrides \
    --suppress-tags $tags --fail-on error,warning *.changes"
}

# install_packages RELEASE: installs the packages into a root that has nothing else.
install_packages () {
  local packages=$roots/$1.install/up/packages
  remove_layer "$1" install
  in_layer "$1" install mkdir -p /packages /tests/debian /tests/docs /tests/tests/tools
  "${sudo[@]}" cp "out/packages/$1"/*.deb "$packages/" || return 1
  "${sudo[@]}" cp README.md tests/packages tests/readme.sh "$packages/../tests/"
  # Copies the tests also to the positions at which they lie in the source tree.
  "${sudo[@]}" cp -r debian/tests "$packages/../tests/debian/"
  "${sudo[@]}" cp tests/tools/{example.sh,launch.py,recipes.py} "$packages/../tests/tests/tools/"
  "${sudo[@]}" cp -r docs/recipes docs/from-peers.md "$packages/../tests/docs/"
  in_layer "$1" install sh -e -c 'apt-get -qq update
    cd /packages
    for p in *.deb; do case $p in *-dbgsym_*) ;; *) packages="$packages ./$p";; esac; done
    apt-get -qq -y --no-install-recommends install $packages >/dev/null
    dpkg -l "*mgpu*"'
}

# run_test RELEASE NAME: runs a test with the packages that debian/tests/control requires.
run_test () {
  local depends
  depends=$(awk -v name="$2" '/^Tests:/ { is = $2 == name } is && /^Depends:/ {
    sub (/^Depends: /, ""); gsub (/,/, ""); print }' debian/tests/control)
  in_layer "$1" install sh -e -c "
    apt-get -qq -y --no-install-recommends install $depends >/dev/null
    cd / && AUTOPKGTEST_TMP=\$(mktemp -d) /tests/debian/tests/$2"
}

# removal RELEASE: checks that removed packages leave nothing behind.
removal () {
  in_layer "$1" install sh -e -c 'apt-get -qq -y purge "gst*mgpu*" "libgstmgpu*" "gir1.2-gstmgpu*" "python3-gstmgpu*" >/dev/null
    found=$(find /usr /etc /var/lib -name "*mgpu*" ! -path "/var/lib/dpkg/*")
    echo "left: $found"
    [ -z "$found" ]'
}

version=$(sed -n "s/^  version : '\(.*\)',/\1/p" meson.build)
debian_version=$(sed -n '1s/.*(\(.*\)-.*/\1/p' debian/changelog)
mkdir -p out/packages

# Compares tests/packages, the list of packages that are needed to build, with debian/control.
build_depends () {
  local wanted known
  [ "$version" = "$debian_version" ] || {
    echo "meson.build has version $version and debian/changelog $debian_version"
    return 1
  }
  wanted=$(sed -n '/^Build-Depends:/,/^[A-Z].*:/p' debian/control |
    sed -n 's/^\(Build-Depends:\)\? *\([a-z0-9.+-]*\).*/\2/p' |
    grep -vE '^(debhelper-compat|dh-sequence-.*|python3)?$' | sort)
  known=$(sed -n 's/^\(build\|test\|whole\) \([^ ]*\).*/\2/p' tests/packages | sort -u)
  comm -23 <(echo "$wanted") <(echo "$known") | sed 's/^/not in tests\/packages: /' | (! grep .)
}
check "debian-control and tests-packages" build_depends

for release in "${@:-bookworm trixie}"; do for release in $release; do
  make_root "$release"
  copy_host_files "$roots/$release"
  in_layer "$release" build true || skip "nothing can be mounted over $roots/$release"
  check "$release build" build "$release" || continue
  rm -rf "out/packages/$release"
  mkdir -p "out/packages/$release"
  cp "$roots/$release.build/up/src"/gst-mgpu_* "$roots/$release.build/up/src"/*.deb "out/packages/$release/"
  check "$release lintian" lint "$release"
  check "$release install" install_packages "$release" || continue
  for name in $(sed -n 's/^Tests: //p' debian/tests/control); do
    check "$release $name" run_test "$release" "$name"
  done
  check "$release README" in_layer "$release" install /tests/readme.sh /tests/README.md
  check "$release removal" removal "$release"
done; done

if [ $skipped -gt 0 ]; then
  printf '\n%d passed, %d failed, %d skipped\n' $passed $failed $skipped
else
  printf '\n%d passed, %d failed\n' $passed $failed
fi
[ $failed -eq 0 ]
