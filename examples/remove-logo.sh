#!/bin/bash
# Removes a logo that stays in its place from a video: a mask of the size of the
# frames says where it is. The video has none, so one is put on it first, and
# drawn once more on black: the mask. Keeps the last picture, with and without.
#
#   remove-logo.sh VIDEO PICTURE.jpg [FRAMES]     default: 20 frames
set -euo pipefail
. "$(dirname "$0")/need-mgpu.sh"
[ $# -ge 2 ] && [ $# -le 3 ] || usage
video=$1 picture=$2 frames=${3:-20}
check_count "$frames"
check_output "$picture" jpg "$video"
mask=$work/mask.png
logo='mgpuoverlay text=CHANNEL-5'

launch -q filesrc location="$video" ! decodebin ! videoconvert ! \
  videobalance brightness=-1 saturation=0 ! $logo ! \
  pngenc snapshot=true ! filesink location="$mask"
# The letters have a dark box as background.
# shellcheck disable=SC2046
launch -q filesrc location="$video" ! decodebin ! videoconvert ! \
  $(first_frames "$frames") ! $logo ! tee name=t \
  t. ! queue ! mixer.sink_0 \
  t. ! queue ! mgpuinpaint mode=temporal mask-location="$mask" mask-dilate=8 \
  smooth-seams=true patch-size=15 ! mixer.sink_1 \
  compositor name=mixer sink_1::xpos=768 ! videoconvert ! \
  jpegenc quality=80 ! multifilesink location="$work/picture.jpg"
write_output "$work/picture.jpg" "$picture"
