#!/bin/sh
# run.sh SCENARIO LOGS: compares the buffers and events that pass the pads in a scenario of
# gst-validate with the files in its folder "flow-expectations". Ends with 77 if gst-validate is
# missing.
set -eu
if ! command -v gst-validate-1.0 >/dev/null; then
  echo "not run: there is no gst-validate-1.0, which Debian 12 and 13 do not package"
  exit 77
fi
export GST_VALIDATE_LOGSDIR="$2"
exec gst-validate-1.0 --set-test-file "$1"
