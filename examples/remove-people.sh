#!/bin/bash
# Removes people who walk past a fixed camera: finds them in each frame, and fills their area
# with the background, which other frames show. Keeps the last frame, with and without the
# people.
#
#   remove-people.sh VIDEO PICTURE.jpg [FRAMES]     default: 60 frames
set -euo pipefail
. "$(dirname "$0")/need-mgpu.sh"
[ $# -ge 2 ] && [ $# -le 3 ] || usage
video=$1 picture=$2 frames=${3:-60}
check_count "$frames"
check_output "$picture" jpg "$video"

# shellcheck disable=SC2046
launch -q filesrc location="$video" ! decodebin ! videoconvert ! \
  $(first_frames "$frames") ! tee name=t \
  t. ! queue ! mixer.sink_0 \
  t. ! queue ! mgpuhog detector=people ! \
  mgpuinpaint mode=temporal mask-source=roi roi-type=person mask-dilate=8 mask-hold=5 search-factor=0.2 \
  background=true smooth-seams=true ! mixer.sink_1 \
  compositor name=mixer sink_1::xpos=768 ! videoconvert ! \
  jpegenc quality=80 ! multifilesink location="$work/picture.jpg"
write_output "$work/picture.jpg" "$picture"
