#!/bin/bash
# Draws the keypoints of a video's frames on them and keeps the last picture:
# that of docs/elements/mgpuoverlay.md.
#
#   examples/keypoints.sh [PICTURE] [FRAMES] [VIDEO]
#   default: keypoints.jpg, 20 frames of Debian's vtest.avi, people walking
set -euo pipefail
. "$(dirname "$0")/need-mgpu.sh"
picture=${1:-keypoints.jpg}
frames=${2:-20}
video=${3:-/usr/share/doc/opencv-doc/examples/data/vtest.avi}

gst-launch-1.0 -q filesrc location="$video" ! decodebin ! videoconvert ! \
  identity eos-after="$frames" ! mgpusift max-features=500 ! mgpuoverlay ! \
  videoconvert ! jpegenc quality=80 ! multifilesink location="$picture"
[ -s "$picture" ]
echo "$picture"
