#!/bin/sh
# run.sh TARGET CORPUS SEEDS...: runs a fuzz target for MGPU_FUZZ_SECONDS (60). The folders SEEDS
# contain the first inputs; further inputs that the target finds are stored in CORPUS for the next
# run. An input that fails is also stored there: run the target with its path to reproduce the
# failure.
set -eu
target=$1 corpus=$2
shift 2
mkdir -p "$corpus"
# Writes the targets' files to memory if the system has a folder for this.
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm
exec "$target" -max_total_time="${MGPU_FUZZ_SECONDS:-60}" -seed=1 -timeout=20 \
  -rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix="$corpus-" \
  "$corpus" "$@"
