#!/bin/sh
# run.sh TARGET CORPUS SEEDS...: runs a fuzz target for MGPU_FUZZ_SECONDS (60). The folders SEEDS
# have the first inputs; what the target finds beside them is kept in CORPUS for the next run. An
# input that fails is also left there: run the target with its path to see it again.
set -eu
target=$1 corpus=$2
shift 2
mkdir -p "$corpus"
# Write files of targets to memory where the system has a folder for this.
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm
exec "$target" -max_total_time="${MGPU_FUZZ_SECONDS:-60}" -seed=1 -timeout=20 \
  -rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix="$corpus-" \
  "$corpus" "$@"
