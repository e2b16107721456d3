#!/bin/bash
# Searches for local arrays of kernels that PoCL compiled into one variable of the process for all
# work-groups, so that work-groups that run at the same time overwrite each other's values. PoCL
# does so with an array that is passed to a function that is called several times and not inlined.
#
#   tests/kernels/locals.sh KERNELS   KERNELS: the file with the kernels. Reads the
#                                     programs in POCL_CACHE_DIR that were used since
#                                     KERNELS was written
set -u
kernels=$1
code=$(mktemp)
trap 'rm -f "$code"' EXIT

find "${POCL_CACHE_DIR:?}" -name last_accessed -newer "$kernels" -printf '%h\0' |
  xargs -0 -r sh -c 'find "$@" -name "*.so" -print0' find > "$code"
n=$(tr -dc '\0' < "$code" | wc -c)
if [ "$n" = 0 ]; then
  echo "PoCL used no program since the kernels were written: run the other tests first"
  exit 77
fi
echo "looking at the machine code of $n kernels"

# Lines of nm have the form FILE:ADDRESS TYPE NAME.
xargs -0 nm -A < "$code" | awk '
  $(NF - 1) ~ /^[bBdD]$/ {
    kernel = $1
    sub (/\.so:[^:]*$/, "", kernel)
    sub (/.*\//, "", kernel)
    if (index ($NF, kernel ".") == 1) {
      print kernel ": all work-groups share the local array " $NF ": inline the functions it is passed to"
      found = 1
    }
  }
  END { exit found }'
