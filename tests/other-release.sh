#!/bin/bash
# Runs tests/run.sh --releases in a root of the other release of Debian: 13 on 12, 12 on 13; with
# --short, run.sh --short. The root, 2 GB, is made by tests/roots.sh and reused. Requires root or
# sudo. The last line is like the last line of run.sh; if no root can be made, it counts one
# skipped test.
set -u
cd "$(dirname "$0")/.." || exit 1

skip () {
  echo "SKIPPED: $*"
  printf '\n0 passed, 0 failed, 1 skipped\n'
  exit 0
}

. tests/roots.sh
case $this in
  bookworm) other=trixie;;
  trixie) other=bookworm;;
  *) skip "this is neither Debian 12 nor Debian 13";;
esac
case $*:$# in
  :0|--short:1) what=${1:---releases};;
  *) echo "usage: tests/other-release.sh [--short]" >&2; exit 2;;
esac
root=$roots/$other
make_root $other
copy_host_files "$root"
in_root "$root" true || skip "nothing can be mounted in $root"

# Copies the source tree with uncommitted changes and all files that git does not ignore, but
# without build results.
"${sudo[@]}" rm -rf "$root/src"
"${sudo[@]}" mkdir -p "$root/src"
list_source |
  tar -c --null --ignore-failed-read -T - |
  "${sudo[@]}" tar -x --no-same-owner -C "$root/src" || exit 1

echo "== Debian $other"
echo "time: $(printf '%5d' $SECONDS) s for a root of $other"
in_root "$root" /src/tests/run.sh "$what" </dev/null
