#!/bin/bash
# Makes a picture of the pyramid levels of a frame: the Gaussian pyramid above, the Laplacian
# pyramid below.
#
#   pyramid-montage.sh VIDEO PICTURE.png
set -euo pipefail
. "$(dirname "$0")/need-mgpu.sh"
[ $# -eq 2 ] || usage
video=$1 picture=$2
check_output "$picture" png "$video"

# pads PYRAMID ROW: prints the links of levels 0 to 3 of a pyramid to the mixer's pads for a row
# of the picture.
pads () {
  local level
  for level in 0 1 2 3; do
    echo "$1.src_$level ! queue ! videoconvert ! mixer.sink_$(($2 * 4 + level))"
  done
}

# place ROW: prints the positions of the levels in a row of the picture; level 0 has 320x240
# pixels.
place () {
  local level x=0 width=320
  for level in 0 1 2 3; do
    echo "sink_$(($1 * 4 + level))::xpos=$x sink_$(($1 * 4 + level))::ypos=$(($1 * 248))"
    x=$((x + width + 8)) width=$((width / 2))
  done
}

# shellcheck disable=SC2046
launch -q filesrc location="$video" ! decodebin ! videoconvert ! videoscale ! \
  video/x-raw,format=GRAY8,width=320,height=240,pixel-aspect-ratio=1/1 ! \
  identity eos-after=2 ! tee name=t \
  t. ! queue ! mgpupyramid name=gaussian levels=4 \
  t. ! queue ! mgpupyramid name=laplacian levels=4 type=laplacian \
  $(pads gaussian 0) $(pads laplacian 1) \
  compositor name=mixer background=white $(place 0) $(place 1) ! \
  videoconvert ! video/x-raw,format=GRAY8 ! pngenc compression-level=9 snapshot=true ! \
  filesink location="$work/picture.png"
write_output "$work/picture.png" "$picture"
