#!/bin/bash
# Compares the functions that the library exports with those of debian's symbols file. Other
# exported functions are for the plugin, and have the prefix mgpu_, or are the linker's.
#
#   symbols.sh LIBRARY FILE
set -eu
exported=$(nm -D --defined-only --format=posix "$1" | cut -d ' ' -f 1 |
  grep -E '^gst_' | sort)
listed=$(sed -n 's/^ \(gst_[a-z0-9_]*\)@Base [0-9.]*$/\1/p' "$2" | sort)
[ -n "$exported" ]
others=$(nm -D --defined-only --format=posix "$1" | cut -d ' ' -f 1 | grep -vE '^(gst|mgpu)_|^(_end|_edata|__bss_start)$' || true)
[ -z "$others" ] || { echo "exported under names that other libraries may have:" $others; exit 1; }
diff <(echo "$listed") <(echo "$exported") || {
  echo "A line with < is missing in the library: programs that call it break."
  echo "A line with > is new: add it to $2, with the version of the next release."
  exit 1
}
echo "$(echo "$exported" | wc -l) functions"
