#!/bin/bash
# Makes a release of the commit that is checked out: checks that all files name its version, runs
# all tests, and creates a tag with the notes of CHANGELOG.md.
#
#   tests/release.sh VERSION              makes the release, which takes three hours on two processors
#   tests/release.sh --versions VERSION   only checks the version in all files
set -euo pipefail
cd "$(dirname "$0")/.."

only_versions=
if [ "${1:-}" = --versions ]; then
  only_versions=yes
  shift
fi
[ $# = 1 ] || { echo "usage: tests/release.sh [--versions] VERSION" >&2; exit 2; }
version=$1

# names FILE WORDS: checks that FILE has a line that begins with WORDS.
names () {
  awk -v words="$2" 'index ($0, words) == 1 { found = 1 } END { exit !found }' "$1" || {
    echo "$1 has no line that begins with: $2"
    wrong=yes
  }
}

wrong=
names meson.build "  version : '$version',"
names CHANGELOG.md "## [$version]"
names CITATION.cff "version: $version"
names debian/changelog "gst-mgpu ($version-"
names docs/tuning.md "    gst-mgpu=$version"
for file in examples/desktop/*.metainfo.xml; do
  names "$file" "    <release version=\"$version\""
done
tests/tools/packaging.sh "$PWD" "$version" || wrong=yes
[ -z "$wrong" ] || exit 1
echo "all files name version $version"
[ -z "$only_versions" ] || exit 0

[ -z "$(git status --porcelain)" ] || { echo "there are changes that are not committed"; exit 1; }
! git rev-parse -q --verify "refs/tags/v$version" || { echo "there is a tag v$version"; exit 1; }

# Steps that have passed with the same files are not repeated.
passed=out/release/$(git rev-parse 'HEAD^{tree}')
mkdir -p "$passed"

# step NAME COMMAND...
step () {
  local name=$1
  shift
  if [ -e "$passed/$name" ]; then
    echo "== $name: passed before"
    return
  fi
  echo "== $name"
  "$@"
  touch "$passed/$name"
}

# Builds the packages, without skipping anything where a root can be made.
build_packages () {
  tests/packages.sh | tee "$passed/packages.log"
  ! tail -n 1 "$passed/packages.log" | grep skipped
}

# Before the first release there is nothing to compare with.
compare_library () {
  command -v abidiff >/dev/null || { echo "there is no abidiff"; return 1; }
  tests/abi.sh || [ $? = 77 ]
}

tests/install-packages.sh demo test whole peer release
step licences reuse lint --quiet
step tests .ci/run
step "other release" tests/other-release.sh --short
step site tests/site.py --show build/docs/html out/site
step packages build_packages
step library compare_library

# The notes are the text between the heading of the version and the next heading.
awk -v heading="## [$version]" 'index ($0, heading) == 1 { shown = 1; next }
  /^## / { shown = 0 } shown { lines = lines $0 "\n" }
  END { gsub (/^\n+|\n+$/, "", lines); print "gst-mgpu " version "\n\n" lines }' \
  version="$version" CHANGELOG.md |
  git tag --annotate --cleanup=whitespace --file=- "v$version"
git show --no-patch "v$version"
