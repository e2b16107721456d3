#!/bin/sh
# Tunes a function that takes seconds. Tests that an interrupted run continues, that slow knobs in
# a file are replaced, and that other programs' elements read the file. $1: kernelcheck, $2:
# gst-mgpu-info
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export GST_MGPU_KNOBS_DIR="$folder/knobs"

fail () {
  echo "FAILED: $1"
  cat "$folder/out"
  exit 1
}

says () {
  grep -q -- "$1" "$folder/out" || fail "\"$1\" is missing in:"
}

tune () {
  "$kernelcheck" --device portable --tune --quick --function overlay "$@" > "$folder/out" 2>&1
}
kernelcheck=$1

# Ends the run after the first candidate, by closing the pipe.
"$kernelcheck" --device portable --tune --quick --function overlay 2>&1 |
  grep -m 1 'class=discrete' > "$folder/out" || fail 'no candidate'
file=$(echo "$GST_MGPU_KNOBS_DIR"/*.journal)
[ -f "$file" ] || fail 'no journal'
grep -q '^tried=class=discrete' "$file" || fail 'no candidate in the journal'

tune || fail 'the second run'
says '^overlay: goes on with'
! grep -q 'class=discrete' "$folder/out" || fail 'a candidate is tried twice'
says '^overlay: .*the knobs stay\|^overlay: before'
[ ! -f "$file" ] || fail 'a journal is left'
file=${file%.journal}
grep -q '^overlay=' "$file" || fail 'no knobs in the file'

# On PoCL, the knob LANES=4 takes twice as long as LANES=16. Other load of the machine can hide
# that from one run, but not from several.
for try in 1 2 3 4 5 6; do
  sed -i 's/^overlay=.*/overlay=LANES=4/' "$file"
  tune || fail "the third run, try $try"
  ! grep -q '^overlay=.*LANES=16' "$file" || break
done
says '^overlay: before "LANES=4"'
says '^  overlay .*LANES=16 .* kept$'
says 'before .* ms, after .* ms, factor'
grep -q '^overlay=.*LANES=16' "$file" || fail 'LANES=16 is not in the file'

"$2" > "$folder/out"
says "overlay: .*LANES=16.* ($file)"

if RUSTICL_ENABLE=llvmpipe "$kernelcheck" --device rusticl --tune --quick > "$folder/out" 2>&1; then
  fail 'llvmpipe is tuned'
fi
says 'this device cannot be tuned: llvmpipe'
if "$kernelcheck" --device nonsense --tune --quick > "$folder/out" 2>&1; then
  fail 'no device is tuned'
fi
says 'no OpenCL device matches'

# Uses a folder that cannot be created.
touch "$folder/none"
if GST_MGPU_KNOBS_DIR="$folder/none" tune; then
  fail 'nothing is written'
fi
echo ok
