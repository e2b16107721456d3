#!/bin/bash
# Makes the picture of docs/elements/mgpuoverlay.md: draws the keypoints of each frame of a video
# on the frame, and keeps the last frame.
#
#   keypoints.sh VIDEO PICTURE.jpg [FRAMES]     default: 20 frames
set -euo pipefail
. "$(dirname "$0")/need-mgpu.sh"
[ $# -ge 2 ] && [ $# -le 3 ] || usage
video=$1 picture=$2 frames=${3:-20}
check_count "$frames"
check_output "$picture" jpg "$video"

# shellcheck disable=SC2046
launch -q filesrc location="$video" ! decodebin ! videoconvert ! \
  $(first_frames "$frames") ! mgpusift max-features=500 ! mgpuoverlay ! \
  videoconvert ! jpegenc quality=80 ! multifilesink location="$work/picture.jpg"
write_output "$work/picture.jpg" "$picture"
