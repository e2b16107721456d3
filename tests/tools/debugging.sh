#!/bin/sh
# debugging.sh PAGE
#
# Runs the commands of docs/debugging.md as a reader would paste them. Each has to print what the
# page says.
set -eu
page=$1
output=$(mktemp)
trap 'rm -f "$output"' EXIT
export GST_DEBUG_NO_COLOR=1
checked=0

# check COMMAND WORDS...: runs the one command of the page that matches COMMAND, and checks that it
# prints WORDS
check () {
  command=$(grep -e '^    .*gst-launch-1.0 ' "$page" | grep -e "$1")
  shift
  if ! timeout 60 sh -c "$command" >"$output" 2>&1; then
    cat "$output"
    echo "fails: $command"
    exit 1
  fi
  for words; do
    if ! grep -q -e "$words" "$output"; then
      cat "$output"
      echo "no \"$words\" from: $command"
      exit 1
    fi
  done
  checked=$((checked + 1))
}

check 'mgpu\*:4.* mgpubilateral ! ' '<mgpubilateral0> mgpu-stats, frames=(guint64)30, ' \
  ' uploads=' ' downloads=' ' upload-bytes=' ' download-bytes=' ' device-time=' ' wait-time='
check 'profile=true' '<smooth> bilateral_expand: 30 launches, .* ms, .* ms each' \
  '<smooth> copy: 30 launches' '<smooth> bilateral_filter: 30 launches'
check 'mgpu\*:6.*name=smooth' 'mgpubilateral .*<smooth> enqueued frame 0:00:00.900000000 in .* us' \
  'mgpuhisteq .*<mgpuhisteq0> enqueued frame 0:00:00.900000000 in ' \
  'mgpumemory .*waited for the device: .* us' 'mgpuprogram .*\(built\|loaded\) bilateral/bilateral in .* us'
# Checks log lines that report decisions and their reasons.
check 'mgpu\*:6.*mgpusift' 'INFO *mgpudevice .*: chose ".*" on ".*": of [0-9]* usable devices, the best one that matches' \
  'INFO *mgpucontext .*<mgpuoverlay0> made <mgpucontext0> for <pipeline0>' \
  'INFO *mgpucontext .*<mgpusift0> found the context of the neighbor linked to <mgpusift0:src>' \
  'INFO *mgpubilateral .*<mgpubilateral0> caps in: video/x-raw, format=(string)NV12' \
  'INFO *mgpusift .*<mgpusift0> pushing frames in <mgpubufferpool[0-9]*> (a pool of the next element), with 460800 bytes' \
  'DEBUG *mgpubilateral .*<mgpubilateral0> from now on, each frame is in memory of the device' \
  'DEBUG *mgpusift .*<mgpusift0> from frame 0:00:00.000000000 on, each frame is pushed unchanged, with results' \
  'DEBUG *mgpubilateral .*<mgpubilateral0> from frame 0:00:00.000000000 on, each frame is replaced by a new' \
  'LOG *mgpubilateral .*<mgpubilateral0> frame 0:00:00.066666666 is replaced by a new frame' \
  'LOG *mgpusift .*<mgpusift0> read the counts of an earlier frame: [0-9]* keypoints' \
  'DEBUG *mgpuoverlay .*<mgpuoverlay0> pushed 3 frames'
check 'mktemp' 'mgpu-building, program=(string)histeq/histeq, built=(uint)0, total=(uint)' \
  'mgpu-building, program=(string)histeq/histeq, built=(uint)1'
check 'GST_TRACERS' 'element-latency, .*element=(string)smooth, .* time=' \
  'element-latency, .*element=(string)mgpuhisteq0, ' 'element-latency, .*element=(string)wait, ' \
  ' latency, .*src-element=(string)videotestsrc0, .*sink-element=(string)fakesink0, .* time='

# Checks log lines about maps, tags, motion and other elements' metas.
line='videotestsrc num-buffers=3 ! video/x-raw,width=320,height=240 ! mgpusift ! mgpuflow
  ! mgpuremap input=fisheye input-fov=120 ! mgpuconvert ! video/x-raw,width=160,height=120
  ! mgputags ! mgpumotion ! fakesink'
GST_DEBUG=mgpu*:6 gst-launch-1.0 $line >"$output" 2>&1 || { cat "$output"; exit 1; }
for words in '<mgpuremap0> made map 1 with .* of the view are inside the input frame' \
    'mgpumeta .* not copying to buffer .* the GstMgpuFlowMetaAPI' \
    '<mgputags0> searching frames of 160x120' '<mgpumotion0> forgetting the background: segment'; do
  grep -q -e "$words" "$output" || { cat "$output"; echo "no \"$words\" from: $line"; exit 1; }
done

there=$(grep -c -e '^    .*gst-launch-1.0 ' "$page")
[ "$checked" -eq "$there" ] || { echo "$there commands, $checked checked"; exit 1; }
# Checks that each element has a debug category of its name.
gst-launch-1.0 --gst-debug-help >"$output"
elements=$(gst-inspect-1.0 mgpu | sed -n 's/^  \(mgpu[a-z]*\): .*/\1/p')
[ "$elements" ] || { echo "no elements"; exit 1; }
for name in $elements; do
  grep -q -e "$name " "$output" || { cat "$output"; echo "no category $name"; exit 1; }
done

echo "$checked commands print what the page says"
