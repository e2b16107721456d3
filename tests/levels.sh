#!/bin/bash
# Checks the layers of the source (rooms): no file includes a file of a higher layer, and no two
# files of gst/ depend on each other, by includes or by calls. All symbols that the library and the
# plugin export have the prefix of the project.
#
#   tests/levels.sh [BUILD]    BUILD: folder with the objects whose calls are checked, the
#                              library and the plugin
set -u
build=${1:+$(realpath "$1")}
cd "$(dirname "$0")/.." || exit 1
status=0

# The layers, from the lowest to the highest. Folders in one line do not include each other, except
# the algorithms.
rooms='
kernels/base
kernels
gst/mgpu
gst/mgpu/metas
gst/vision/base
gst/vision
gst/methods gst/models
gst/tools
gst/frame
gst/elements
gst/elements/*/
'

# room FILE: sets room to the file's folder and level to the number of its line.
room () {
  local line number=0
  level=0
  while read -r line; do
    number=$((number + 1))
    for folder in $line; do
      folder=${folder%/}
      case $1 in
        "$folder"/*)
          if [ ${#folder} -gt ${#room} ] || [ $level = 0 ]; then
            room=$folder level=$number
          fi;;
      esac
    done
  done <<< "$rooms"
}

# includes: prints lines "FILE INCLUDED", only of the project's files.
includes () {
  grep -noE '^#include [<"][^>"]+' -r gst kernels --include=*.[ch] --include=*.cl |
    sed -E 's/^([^:]+):[0-9]+:#include [<"](.*)/\1 \2/' |
    while read -r file included; do
      for path in "${file%/*}/$included" "$included" "kernels/$included"; do
        [ -f "$path" ] && echo "$file $path" && break
      done
    done
}

# circles WHAT: prints which of the pairs on the standard input form a circle.
circles () {
  local out
  if ! out=$(awk '$1 != $2' | tsort 2>&1 >/dev/null); then
    echo "These $1 each other in a circle:"
    echo "$out" | sed -n 's/^tsort: \([^-].*[^:]\)$/  \1/p'
    return 1
  fi
}

list=$(includes | sort -u)
[ -n "$list" ] || { echo "no includes found"; exit 1; }
while read -r file included; do
  room='' && room "$file" && from=$room from_level=$level
  room='' && room "$included" && to=$room to_level=$level
  if [ "$to_level" -gt "$from_level" ] ||
    { [ "$to_level" = "$from_level" ] && [ "$to" != "$from" ]; }; then
    echo "$file includes $included, which is of a higher room"
    status=1
  fi
  # Kernels of one algorithm do not include files of another algorithm.
  if [ "$to" = kernels ] && [ "$from" = kernels ] &&
    [ "${file%/*}" != "${included%/*}" ]; then
    echo "$file includes $included, which is another algorithm's"
    status=1
  fi
done <<< "$list"

echo "$list" | circles include || status=1

if [ -n "$build" ]; then
  objects=$(find "$build"/gst -name '*.o')
  [ -n "$objects" ] || { echo "no objects in $build"; exit 1; }
  # Prints lines "OBJECT KIND SYMBOL", then pairs of the objects that call and are called.
  nm -A --format=posix $objects | awk '
    { sub (/.*\//, "", $1); sub (/\.o.*/, "", $1) }
    $3 == "T" || $3 == "D" || $3 == "R" || $3 == "B" { defined[$2] = $1 }
    $3 == "U" { n++; caller[n] = $1; symbol[n] = $2 }
    END { for (i = 1; i <= n; i++)
            if (symbol[i] in defined) print caller[i], defined[symbol[i]] }' |
    sort -u | circles call || status=1

  # Allows mgpu_*, gst_mgpu_*, and functions for a type of GStreamer such as
  # gst_buffer_add_mgpu_hog_meta. A sanitized library has __odr_asan.* for each variable. The
  # linker exports names of its own, such as _end, if another library refers to them.
  for library in "$build"/gst/mgpu/libgstmgpu-*.so "$build"/gst/elements/libgstmgpu.so; do
    symbols=$(nm -D --defined-only --format=posix "$library" | cut -d ' ' -f 1)
    [ -n "$symbols" ] || { echo "no symbols in $library"; status=1; }
    if grep -vE '^(gst_([a-z]+_)*)?mgpu_|^__odr_asan|^(_end|_edata|__bss_start)$' <<< "$symbols"; then
      echo "The symbols above are exported by $library and lack the prefix mgpu_ or gst_mgpu_."
      status=1
    fi
  done
fi
exit $status
