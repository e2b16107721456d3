#!/bin/bash
# Compares the library's ABI with the last release's: types and arguments of functions, by abidiff
# of libabigail. Builds both. Ends with 77 if there was no release yet, or if the major version has
# grown since, so that programs may break.
#
#   tests/abi.sh [COMMIT]     default: the last tag before this commit; in a copy without tags
#                             the commit that CHANGELOG.md names first
set -eu
cd "$(dirname "$0")/.."

if ! command -v abidiff >/dev/null; then
  echo "not run: there is no abidiff"
  exit 77
fi
tag=${1:-$(git describe --tags --abbrev=0 --match 'v*' HEAD 2>/dev/null || true)}
tag=${tag:-$(sed -n 's/.*Commit `\([0-9a-f]*\)`.*/\1/p' CHANGELOG.md | head -n 1)}
if ! git cat-file -e "$tag^{commit}" 2>/dev/null; then
  echo "not run: there is neither a tag nor the commit of a release"
  exit 77
fi
if git diff --quiet "$tag" -- gst kernels meson.build; then
  echo "nothing has changed since $tag"
  exit 0
fi
number () {
  sed -n "s/^  version : '\([0-9]*\).*/\1/p"
}
if [ "$(number <meson.build)" != "$(git show "$tag:meson.build" | number)" ]; then
  echo "not run: programs may break since $tag"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# build SOURCE NAME: builds the library with debug information about its types.
build () {
  meson setup "$work/$2" "$1" --buildtype=debug --prefix=/usr --libdir=lib -Dtests=disabled \
    -Dexamples=disabled -Dintrospection=disabled >"$work/$2.log" || { cat "$work/$2.log"; exit 1; }
  meson compile -C "$work/$2" gstmgpu-1.0 >"$work/$2.log" 2>&1 || { tail -n 30 "$work/$2.log"; exit 1; }
}

mkdir "$work/source"
git archive "$tag" | tar -x -C "$work/source"
build "$work/source" old
build "$PWD" new
# Types that no installed header declares are private.
for name in source new; do
  mkdir "$work/$name.headers"
done
cp "$work"/source/gst/mgpu/*.h "$work/source.headers"
cp gst/mgpu/*.h "$work/new.headers"
rm -f "$work"/*.headers/*-private.h
# Functions without the prefix gst_ are for the plugin of the same version. The number of counters
# grows with them.
cat >"$work/private" <<'S'
[suppress_function]
  name_regexp = ^mgpu_
[suppress_variable]
  name_regexp = ^mgpu_
[suppress_type]
  type_kind = enum
  changed_enumerators = GST_MGPU_N_COUNTERS
# Only the library allocates these types, so members may be added at the end.
[suppress_type]
  name = _GstMgpuTraits
  has_data_member_inserted_between = {offset_after(imports_cuda), end}
S
cat >"$work/reserved" <<'S'
[suppress_type]
  type_kind = struct
  has_data_member_inserted_between = {offset_of(reserved), offset_after(reserved)}
S

# compare OPTION...
compare () {
  abidiff --suppressions "$work/private" "$@" --no-added-syms --drop-private-types \
    --headers-dir1 "$work/source.headers" --headers-dir2 "$work/new.headers" \
    "$work"/old/gst/mgpu/libgstmgpu-1.0.so.0 "$work"/new/gst/mgpu/libgstmgpu-1.0.so.0
}

echo "the library since $tag:"
compare >"$work/all" || true
if grep -B 3 '^ *type size changed' "$work/all" || ! compare --suppressions "$work/reserved"; then
  echo "docs/stability.md says what may change"
  exit 1
fi
echo "nothing that programs use has changed, but for reserved fields"
