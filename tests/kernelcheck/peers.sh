#!/bin/sh
# Tests what kernelcheck prints about peers: the background subtractors, if there are any, and what
# it prints if there is no Python library to measure. $1: kernelcheck; $2: whether it was built with
# OpenCV's module video
set -eu

# expect FUNCTION NAME WORDS...: runs the benchmark NAME, which has to succeed and print all WORDS.
expect () {
  function=$1 name=$2
  shift 2
  out=$("$kernelcheck" --device portable --class cpu --quick --bench --peers \
    --function "$function" --only "$name" 2>&1) || { echo "FAILED: $out"; exit 1; }
  for words in "$@" "$name *ours *[0-9.]* ms"; do
    if ! echo "$out" | grep -q -- "$words"; then
      echo "FAILED: \"$words\" is missing in: $out"
      exit 1
    fi
  done
}

kernelcheck=$1
flip='flip up-down GRAY8 1920x1080'
unset MGPU_PEER_PYTHON
expect convert "$flip" 'not measured, because MGPU_PEER_PYTHON names no python3'
export MGPU_PEER_PYTHON=/nonsense
expect convert "$flip" 'peer in Python: not measured: Failed to execute'
MGPU_PEER_PYTHON=$(command -v false)
expect convert "$flip" 'peer in Python: not measured: its process ended'
MGPU_PEER_PYTHON=$(command -v echo)
expect convert "$flip" 'peer in Python: not measured: '
if [ "$2" = true ]; then
  moving='moving NV12 640x480'
  folder=$(mktemp -d)
  trap 'rm -r "$folder"' EXIT
  # Stands for the library pybgs, and for the calls of OpenCV that peers-python.py makes by itself.
  cat >"$folder/cv2.py" <<-END
	__version__ = "0"
	def setNumThreads(n): pass
	class ocl:
	    def setUseOpenCL(is_used): pass
	END
  echo 'raise ModuleNotFoundError("no pybgs")' >"$folder/pybgs.py"
  export PYTHONPATH="$folder" PYTHONDONTWRITEBYTECODE=1 MGPU_PEER_PYTHON=/usr/bin/python3
  reason=
  if "$MGPU_PEER_PYTHON" -c 'import numpy'; then
    reason='error no pybgs'
  fi
  expect moving "$moving" 'ours *recall' 'OpenCV MOG2 *recall' 'OpenCV KNN *recall' \
    'OpenCV MOG2 *[0-9.]* ms, ratio' 'OpenCV KNN *[0-9.]* ms, ratio' \
    "peer in Python: not measured: $reason"
  if [ -n "$reason" ]; then
    cat >"$folder/pybgs.py" <<-END
	class SuBSENSE:
	    def apply(self, frame):
	        assert frame.shape == (480, 640, 3), frame.shape
	        return frame
	END
    expect moving "$moving" 'pybgs *[0-9.]* ms, ratio'
  fi
fi
echo ok
