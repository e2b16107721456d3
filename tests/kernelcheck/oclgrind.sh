#!/bin/sh
# Runs one function's quick set under Oclgrind, which looks for races, accesses
# out of bounds and wrong calls. $1: kernelcheck, $2: the function, then the
# classes of devices
#
# Without --uninitialized: Oclgrind 21.10 crashes in its own bookkeeping there,
# and takes vector lanes that nobody stores for errors. LABELS_PLAIN=0: see
# kernels/base/labels.h. With the local memory of PoCL, flow uses its kernels of
# processors.
set -eu
command -v oclgrind > /dev/null || exit 77
kernelcheck=$1 function=$2
shift 2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
for class; do
  local=32768
  [ "$function $class" != "flow cpu" ] || local=1048576
  oclgrind --data-races --check-api --log "$log" \
    --local-mem-size "$local" --build-options -DLABELS_PLAIN=0 \
    "$kernelcheck" --quick --class "$class" --function "$function"
  if [ -s "$log" ]; then
    head -n 60 "$log"
    exit 1
  fi
done
