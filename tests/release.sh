#!/bin/bash
# Makes a release of the commit that is checked out: looks whether all files name its version,
# runs all tests, and makes a tag with the notes of CHANGELOG.md.
#
#   tests/release.sh VERSION              everything, which takes two hours on two processors
#   tests/release.sh --versions VERSION   looks at the versions alone
set -eu
cd "$(dirname "$0")/.."

only_versions=
if [ "${1:-}" = --versions ]; then
  only_versions=yes
  shift
fi
[ $# = 1 ] || { echo "usage: tests/release.sh [--versions] VERSION" >&2; exit 2; }
version=$1

# names FILE WORDS: FILE has a line that begins with WORDS.
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
for file in examples/desktop/*.metainfo.xml; do
  names "$file" "    <release version=\"$version\""
done
[ -z "$wrong" ] || exit 1
echo "all files name version $version"
[ -z "$only_versions" ] || exit 0

[ -z "$(git status --porcelain)" ] || { echo "there are changes that are not committed"; exit 1; }
! git rev-parse -q --verify "refs/tags/v$version" || { echo "there is a tag v$version"; exit 1; }
tests/install-packages.sh demo test peer release
reuse lint --quiet
.ci/run
tests/site.py build/docs/html out/site
tests/packages.sh
tests/abi.sh || [ $? = 77 ]

# The notes are what stands between the heading of the version and the next one.
awk -v heading="## [$version]" 'index ($0, heading) == 1 { shown = 1; next }
  /^## / { shown = 0 } shown' CHANGELOG.md |
  git tag --annotate --cleanup=whitespace --file=- "v$version"
git show --no-patch "v$version"
