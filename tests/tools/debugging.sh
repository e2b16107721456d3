#!/bin/sh
# debugging.sh PAGE
#
# Runs the commands of docs/debugging.md as they can be pasted; each has to print
# what the page says that it prints.
set -eu
page=$1
output=$(mktemp)
trap 'rm -f "$output"' EXIT
export GST_DEBUG_NO_COLOR=1
checked=0

# check COMMAND WORDS...: of the one command that COMMAND matches
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
check 'mgpu\*:6' 'mgpubilateral .*<smooth> enqueued frame 0:00:00.900000000 in .* us' \
  'mgpuhisteq .*<mgpuhisteq0> enqueued frame 0:00:00.900000000 in ' \
  'mgpumemory .*waited for the device: .* us' 'mgpuprogram .*\(built\|loaded\) bilateral/bilateral in .* us'
check 'mktemp' 'mgpu-building, program=(string)histeq/histeq, built=(uint)0, total=(uint)' \
  'mgpu-building, program=(string)histeq/histeq, built=(uint)1'
check 'GST_TRACERS' 'element-latency, .*element=(string)smooth, .* time=' \
  'element-latency, .*element=(string)mgpuhisteq0, ' 'element-latency, .*element=(string)wait, ' \
  ' latency, .*src-element=(string)videotestsrc0, .*sink-element=(string)fakesink0, .* time='

there=$(grep -c -e '^    .*gst-launch-1.0 ' "$page")
[ "$checked" -eq "$there" ] || { echo "$there commands, $checked checked"; exit 1; }
echo "$checked commands print what the page says"
