#!/bin/bash
# Makes the pictures of docs/elements/mgpuremap.md: a chessboard before and after its correction,
# four views of a fisheye frame, and a street from above.
#
#   lens-pictures.sh FOLDER     which gets the pictures
set -euo pipefail
. "$(dirname "$0")/need-mgpu.sh"
[ $# -eq 1 ] || usage
to=$1
[ -d "$to" ] || fail "$to is not a folder; name the folder that gets the pictures"
data=/usr/share/doc/opencv-doc/examples/data

# show NAME PIPELINE...: writes the first frame of a pipeline to the picture NAME.jpg
show () {
  local name=$1
  shift
  check_output "$to/$name.jpg" jpg
  gst-launch-1.0 -q "$@" ! videoconvert ! jpegenc quality=75 snapshot=true ! \
    filesink location="$work/$name.jpg"
  write_output "$work/$name.jpg" "$to/$name.jpg"
}

size=video/x-raw,format=RGB,width=320,height=240,pixel-aspect-ratio=1/1
small=video/x-raw,format=RGB,width=156,height=156,pixel-aspect-ratio=1/1

show chessboard filesrc location=$data/left12.jpg ! jpegdec ! tee name=t \
  t. ! queue ! videoconvert ! videoscale ! $size ! mixer.sink_0 \
  t. ! queue ! mgpuremap location=$data/left_intrinsics.yml interpolation=cubic ! videoconvert ! \
  videoscale ! $size ! mixer.sink_1 \
  compositor name=mixer background=white sink_1::xpos=328

# view PAN TILT N: prints the elements that make view N of the fisheye frame. The frame itself
# is computed from a photograph, as if the photograph had a field of view of 130 degrees.
view () {
  echo "t. ! queue ! mgpuremap input=fisheye input-fov=130 fov=60 pan=$1 tilt=$2 interpolation=cubic" \
    "samples=2 ! $small ! mixer.sink_$3"
}
# shellcheck disable=SC2046
show fisheye filesrc location=$data/building.jpg ! jpegdec ! videoconvert ! \
  mgpuremap input=perspective input-fov=130 projection=fisheye fov=130 interpolation=cubic ! \
  video/x-raw,format=RGB,width=640,height=640,pixel-aspect-ratio=1/1 ! tee name=t \
  t. ! queue ! videoscale ! video/x-raw,width=320,height=320 ! mixer.sink_0 \
  $(view -30 20 1) $(view 30 20 2) $(view -30 -20 3) $(view 30 -20 4) \
  compositor name=mixer background=white sink_1::xpos=328 sink_2::xpos=492 \
  sink_3::xpos=328 sink_3::ypos=164 sink_4::xpos=492 sink_4::ypos=164

show birds-eye filesrc location=$data/vtest.avi ! decodebin ! identity eos-after=30 ! \
  videoconvert ! tee name=t \
  t. ! queue ! videoscale ! $size ! mixer.sink_0 \
  t. ! queue ! mgpuremap corners=0.42,0.2,0.72,0.2,1.0,1,0.1,1 interpolation=cubic ! \
  video/x-raw,width=180,height=240 ! videoconvert ! mixer.sink_1 \
  compositor name=mixer background=white sink_1::xpos=328
