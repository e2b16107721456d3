#!/bin/bash
# Tests that find-object finds Debian's box.png where it is known to be, and finds nothing in other
# images.
#
#   find-object.sh PROGRAM DIRECTORY     pictures are written to DIRECTORY
set -euo pipefail
program=$1 directory=$2
data=/usr/share/doc/opencv-doc/examples/data
[ -f $data/box_in_scene.png ] || exit 77
status=0

fail () {
  echo "FAILED: $*"
  status=1
}

# expect STATUS WORDS ARGUMENT...: runs the program, and checks its exit status and its output,
# which is stored in text.
expect () {
  local want=$1 words=$2 got=0
  shift 2
  text=$("$program" "$@" 2>&1) || got=$?
  echo "$text"
  [ $got -eq "$want" ] || fail "$*: exit status $got, not $want"
  case $text in
    *"$words"*) ;;
    *) fail "$*: no \"$words\"";;
  esac
}

# Corners of box.png in the photograph, checked by eye, clockwise from the upper left.
known='118 161 284 175 267 298 90 272'

picture=$directory/find-object.png
rm -f "$picture"
found=$("$program" --output "$picture" $data/box.png $data/box_in_scene.png)
echo "$found"
echo "$known $(sed 's/.*corners//; s/,/ /g' <<< "$found")" | awk '{
  for (i = 1; i <= 8; i++) {
    d = $i - $(i + 8)
    if (NF != 16 || d > 3 || d < -3)
      exit 1
  }
}' || fail "the corners are not at $known"
[ "$(sed 's/.* \([0-9]*\) inliers.*/\1/' <<< "$found")" -ge 30 ] || fail "few inliers"
# Checks that the outline is green in a gray picture.
gst-launch-1.0 -q filesrc location="$picture" ! pngdec ! videoconvert ! \
  video/x-raw,format=RGB ! filesink location="$picture.rgb"
od -An -v -tu1 -w3 "$picture.rgb" | grep -c '^ *0 255 *0$' > "$picture.green" || true
[ "$(cat "$picture.green")" -gt 500 ] || fail "no outline in $picture"

# Searches each frame of a video, and writes another video.
video=$directory/find-object
gst-launch-1.0 -q filesrc location=$data/box_in_scene.png ! pngdec ! imagefreeze num-buffers=3 ! \
  videoconvert ! vp8enc deadline=1 target-bitrate=4000000 ! webmmux ! filesink location="$video-in.webm"
rm -f "$video-out.webm"
expect 0 'frame 2: ' --output "$video-out.webm" $data/box.png "$video-in.webm"
case $text in
  *'not found'*) fail "not found in each frame";;
esac
[ -s "$video-out.webm" ] || fail "no video"

# Writes pictures of all frames, if none of their names belongs to another file.
rm -rf "$video-frames"
mkdir "$video-frames"
echo words >"$video-frames/frame-100.png"
expect 0 'frame 2: ' --output "$video-frames/frame-%03d-.png" $data/box.png "$video-in.webm"
[ "$(find "$video-frames" -size +10k | wc -l)" = 3 ] || fail "pictures: $(ls "$video-frames")"
expect 2 'frame-100.png is there' --output "$video-frames/frame-%03d.png" $data/box.png "$video-in.webm"
expect 2 'may have one %' --output "$video-frames/a%d-%%.png" $data/box.png "$video-in.webm"
expect 2 'frame-002-.png is the input' --output "$video-frames/frame-%03d-.png" $data/box.png \
  "$video-frames/frame-002-.png"

expect 1 'not found' $data/box.png $data/messi5.jpg
# No keypoints at all.
expect 1 '0 matches, not found' $data/box.png $data/gradient.png
# Checks that the error names the one of the two files that is wrong.
expect 2 '/nowhere.png: source: Resource not found' $data/box.png /nowhere.png
expect 2 '/nowhere.png: source: Resource not found' /nowhere.png $data/box_in_scene.png
expect 2 'OBJECT SCENE' $data/box.png
# Tests truncated pictures for either argument.
empty=$directory/find-object-empty.png
head -c 300 $data/box.png > "$empty"
expect 2 "$empty: there is no picture in it" "$empty" $data/box_in_scene.png
expect 2 "$empty: there is no picture in it" $data/box.png "$empty"
# Without any plugins.
GST_PLUGIN_PATH_1_0= GST_PLUGIN_SYSTEM_PATH_1_0=/nowhere GST_REGISTRY_1_0=$directory/none.reg \
  expect 2 'package gstreamer1.0-mgpu' $data/box.png $data/box_in_scene.png
exit $status
