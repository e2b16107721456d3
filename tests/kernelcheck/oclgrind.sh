#!/bin/sh
# Runs the quick set of one function under Oclgrind, which finds races, accesses out of bounds and
# invalid calls. $1: kernelcheck, $2: the function, then the device classes
#
# Runs without --uninitialized: with it, Oclgrind 21.10 crashes in its own bookkeeping, and reports
# vector lanes that nobody stores as errors. LABELS_PLAIN=0: see kernels/base/labels.h. With the
# local memory of PoCL, flow uses its kernels for CPUs.
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
