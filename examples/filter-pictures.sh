#!/bin/bash
# Makes the pictures of docs/filters.md: for each filter, its input frame on the left, and its
# output frame on the right.
#
#   filter-pictures.sh FOLDER     which gets the pictures
set -euo pipefail
. "$(dirname "$0")/need-mgpu.sh"
[ $# -eq 1 ] || usage
to=$1
[ -d "$to" ] || fail "$to is not a folder; name the folder that gets the pictures"
data=/usr/share/doc/opencv-doc/examples/data

# show NAME PICTURE FILTER...
show () {
  local name=$1 picture=$2
  shift 2
  check_output "$to/$name.jpg" jpg
  gst-launch-1.0 -q filesrc location=$data/$picture ! jpegdec ! \
    videoconvert ! aspectratiocrop aspect-ratio=5/4 ! videoscale add-borders=false ! \
    video/x-raw,format=RGB,width=320,height=256,pixel-aspect-ratio=1/1 ! tee name=t \
    t. ! queue ! mixer.sink_0 \
    t. ! queue ! "$@" ! videoconvert ! mixer.sink_1 \
    compositor name=mixer background=white sink_1::xpos=328 ! videoconvert ! \
    jpegenc quality=75 snapshot=true ! filesink location="$work/$name.jpg"
  echo "$*"
  write_output "$work/$name.jpg" "$to/$name.jpg"
}

show bilateral baboon.jpg mgpubilateral sigma-color=60 sigma-space=4
show bilateral-grid baboon.jpg mgpubilateral method=grid sigma-color=60 sigma-space=16
show histeq aero1.jpg mgpuhisteq
show clahe leuvenB.jpg mgpuhisteq method=clahe clip-limit=4
show levels aero1.jpg mgpuhisteq method=levels low-clip=0.08 high-clip=0.05
show sharpen building.jpg mgpusharpen sigma=2 amount=1.5
show blur building.jpg mgpusharpen sigma=6 amount=-1
show box fruits.jpg mgpuintegral box-radius=8
show blur-part messi5.jpg mgpublur rectangle=94,15,77,90 mask-feather=8
show pixelate messi5.jpg mgpublur method=pixelate block-size=16
show localcontrast leuvenB.jpg mgpulocalcontrast detail=2 shadows=1 sigma=20
show convert fruits.jpg mgpuconvert video-direction=ul-lr ! video/x-raw,width=320,height=256,pixel-aspect-ratio=1/1

check_output "$to/denoise.jpg" jpg
# Shows frame 30 of a noisy video: the snow of videotestsrc is blended into the frames.
gst-launch-1.0 -q filesrc location=$data/vtest.avi ! decodebin ! identity eos-after=30 ! \
  videoconvert ! videocrop left=300 right=148 top=130 bottom=190 ! \
  video/x-raw,format=I420,width=320,height=256 ! noisy.sink_0 \
  videotestsrc pattern=snow ! video/x-raw,format=I420,width=320,height=256,framerate=10/1 ! \
  noisy.sink_1 \
  compositor name=noisy sink_1::alpha=0.15 ! video/x-raw,format=I420 ! \
  identity eos-after=30 ! tee name=t \
  t. ! queue ! mixer.sink_0 \
  t. ! queue ! mgpudenoise ! mixer.sink_1 \
  compositor name=mixer background=white sink_1::xpos=328 ! videoconvert ! \
  jpegenc quality=75 ! multifilesink location="$work/denoise.jpg"
echo mgpudenoise
write_output "$work/denoise.jpg" "$to/denoise.jpg"
