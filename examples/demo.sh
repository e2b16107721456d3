#!/bin/bash
# Filters the first frames of a real video with OpenCL and shows the results, which are written
# to out/. Installs missing packages on Debian 12 or 13, and builds in build-demo/.
#
#   examples/demo.sh [VIDEO]     default: Debian's vtest.avi, people walking
set -euo pipefail
video=$(realpath -m -- "${1:-/usr/share/doc/opencv-doc/examples/data/vtest.avi}")
cd "$(dirname "$0")/.."

filters='mgpubilateral ! mgpuhisteq'
first=200                       # number of frames that are filtered
out=out

say () {
  printf '\n== %s\n' "$*"
}

say "packages"
tests/install-packages.sh demo
if [ ! -f "$video" ]; then
  echo "There is no $video; name a video: examples/demo.sh VIDEO" >&2
  exit 1
fi

say "building"
if [ ! -f build-demo/build.ninja ]; then
  meson setup build-demo --buildtype=release -Dtests=disabled -Dexamples=disabled \
    -Dintrospection=disabled >build-demo.log || { cat build-demo.log >&2; exit 1; }
  rm -f build-demo.log
fi
ninja -C build-demo

mkdir -p $out
export GST_PLUGIN_PATH=$PWD/build-demo/gst/elements GST_REGISTRY=$PWD/build-demo/demo-registry.bin
. examples/need-mgpu.sh
check_output $out/demo.png png "$video"
check_output $out/demo.webm webm "$video"
# gst-launch-1.0 prints the progress every 2 seconds; all other output goes to the log.
filter () {
  GST_DEBUG_NO_COLOR=1 GST_DEBUG='mgpu*:4' GST_DEBUG_FILE="$work/gst.log" \
    launch -e filesrc location="$video" ! decodebin ! "$@"
}

say "a picture before and after"
filter videoconvert ! videoscale ! \
  'video/x-raw,format=BGRx,width=768,pixel-aspect-ratio=1/1' ! tee name=t \
  t. ! queue ! mixer.sink_0 \
  t. ! queue ! mgpubilateral ! mgpuhisteq ! mixer.sink_1 \
  compositor name=mixer sink_1::xpos=768 ! videoconvert ! pngenc snapshot=true ! \
  filesink location="$work/demo.png" >/dev/null || {
  echo "demo.sh: see above what failed; is $video a video?" >&2
  exit 1
}
write_output "$work/demo.png" $out/demo.png

say "the first $first frames: $filters"
start=$(date +%s%N)
# shellcheck disable=SC2046
filter $(first_frames $first) ! progressreport update-freq=2 silent=false ! $filters ! fakesink |
  sed -un '/^progress/p'
end=$(date +%s%N)
sed -n 's/.*context_new:<[^>]*> \(.*\)/device: \1/p' "$work/gst.log" | sort -u
sed -n 's/.*<\([a-z]*\)[0-9]*> mgpu-stats, \(.*\);/\1: \2/p' "$work/gst.log" |
  sed 's/(guint64)//g'
frames=$(sed -n 's/.*frames=(guint64)\([0-9]*\).*/\1/p' "$work/gst.log" | head -n 1)
awk "BEGIN { printf \"%d frames, %.0f frames per second with decoding\\n\",
  $frames, $frames / (($end - $start) / 1e9) }"

say "encoding the result"
# shellcheck disable=SC2046
filter $(first_frames $first) ! progressreport update-freq=2 ! $filters ! videoconvert ! \
  vp8enc deadline=1 cpu-used=16 threads=2 target-bitrate=4000000 ! webmmux ! \
  filesink location="$work/demo.webm" | sed -un '/^progress/p'
write_output "$work/demo.webm" $out/demo.webm

say "done; look at"
ls -l $out/demo.png $out/demo.webm
