#!/bin/bash
# Looks for local arrays of kernels that PoCL made one for all work-groups: they are
# variables of the process in the machine code, and work-groups that run at the same time
# overwrite each other's values. PoCL does so with an array that is passed to a function
# which is called several times and not inlined.
#
#   tests/kernels/locals.sh KERNELS   KERNELS: the file with the kernels. Looks at the
#                                     programs that were used since it was written, in
#                                     POCL_CACHE_DIR
set -u
kernels=$1
status=0 n=0

while read -r used; do
  while read -r code; do
    n=$((n + 1))
    kernel=$(basename "$code" .so)
    arrays=$(nm "$code" | awk -v kernel="$kernel" \
      'index ($NF, kernel ".") == 1 && $(NF - 1) ~ /^[bBdD]$/ { print $NF }')
    if [ -n "$arrays" ]; then
      echo "$kernel: all work-groups share the local array" $arrays": inline the" \
        "functions it is passed to"
      status=1
    fi
  done < <(find "$(dirname "$used")" -name '*.so')
done < <(find "${POCL_CACHE_DIR:?}" -name last_accessed -newer "$kernels")

if [ $n = 0 ]; then
  echo "PoCL used no program since the kernels were written: run the other tests first"
  exit 77
fi
echo "looked at the machine code of $n kernels"
exit $status
