#!/bin/sh
# Tests what kernelcheck prints if there is no Python OpenCV to measure. $1: kernelcheck
set -eu

# expect WORDS: runs one benchmark, which has to succeed and print WORDS.
expect () {
  out=$("$1" --device portable --class cpu --quick --bench --peers --function convert \
    --only 'flip up-down GRAY8' 2>&1) || { echo "FAILED: $out"; exit 1; }
  for words in "$2" 'flip up-down GRAY8 1920x1080 *ours *[0-9.]* ms'; do
    if ! echo "$out" | grep -q -- "$words"; then
      echo "FAILED: \"$words\" is missing in: $out"
      exit 1
    fi
  done
}

unset MGPU_PEER_PYTHON
expect "$1" 'not measured, because MGPU_PEER_PYTHON names no python3'
export MGPU_PEER_PYTHON=/nonsense
expect "$1" 'OpenCV of Python: not measured: Failed to execute'
MGPU_PEER_PYTHON=$(command -v false)
expect "$1" 'OpenCV of Python: not measured: its process ended'
MGPU_PEER_PYTHON=$(command -v echo)
expect "$1" 'OpenCV of Python: '
echo ok
