#!/bin/bash
# Removes people who walk past a camera that stands still: they are found in each
# frame, and what is behind them is what was there when they were not. Keeps the last
# picture, with and without.
#
#   examples/remove-people.sh [PICTURE] [FRAMES] [VIDEO]
#   default: people.jpg, 60 frames of Debian's vtest.avi
set -euo pipefail
. "$(dirname "$0")/need-mgpu.sh"
picture=${1:-people.jpg}
frames=${2:-60}
video=${3:-/usr/share/doc/opencv-doc/examples/data/vtest.avi}

# A decoder that is stopped may leave its last frame half done; one more is decoded.
gst-launch-1.0 -q filesrc location="$video" ! decodebin ! videoconvert ! \
  identity eos-after=$((frames + 1)) ! tee name=t \
  t. ! queue ! mixer.sink_0 \
  t. ! queue ! mgpuhog detector=people box=window ! \
  mgpuinpaint mode=temporal mask-source=roi roi-type=person mask-dilate=8 mask-hold=5 search-factor=0.2 \
  background=true smooth-seams=true ! mixer.sink_1 \
  compositor name=mixer sink_1::xpos=768 ! identity eos-after="$frames" ! videoconvert ! \
  jpegenc quality=80 ! multifilesink location="$picture"
[ -s "$picture" ]
echo "$picture"
