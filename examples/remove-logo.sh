#!/bin/bash
# Removes a logo that does not move from a video. A mask of the size of the frames marks the
# pixels of the logo. As the video has no logo, the script draws a logo on its frames first, and
# on a black frame to get the mask. Keeps the last frame, with and without the logo.
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
# The overlay text has a dark box as background, so the mask covers only the letters;
# mask-dilate adds the box.
# shellcheck disable=SC2046
launch -q filesrc location="$video" ! decodebin ! videoconvert ! \
  $(first_frames "$frames") ! $logo ! tee name=t \
  t. ! queue ! mixer.sink_0 \
  t. ! queue ! mgpuinpaint mode=temporal mask-location="$mask" mask-dilate=8 \
  smooth-seams=true patch-size=15 ! mixer.sink_1 \
  compositor name=mixer sink_1::xpos=768 ! videoconvert ! \
  jpegenc quality=80 ! multifilesink location="$work/picture.jpg"
write_output "$work/picture.jpg" "$picture"
