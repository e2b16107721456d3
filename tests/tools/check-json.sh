#!/bin/bash
# Checks the lines of JSON of a pipeline with check-json.py, and that check-json.py refuses lines
# with mistakes.
set -u
check=$(dirname "$0")/check-json.py
gst-launch-1.0 -q videotestsrc num-buffers=3 pattern=snow ! video/x-raw,width=160,height=200 ! \
  mgpuhog threshold=-9 group-threshold=0 max-detections=20 ! mgputrack min-frames=1 ! \
  mgpumetajson location=- source=snow tags='{"a":[1,null]}' ! fakesink |
  "$check" --least 3 || exit 1

good='{"version":1,"timestamp":0,"running_time":null,"resolution":{"width":9,"height":9},"objects":[]}'
echo "$good" | "$check" || exit 1
status=0
# refuse WHAT FROM TO: checks that a valid line in which FROM is replaced by TO is refused
refuse () {
  if echo "${good/$2/$3}" | "$check" >/dev/null; then
    echo "FAILED: check-json.py does not see $1"
    status=1
  fi
}
refuse "another version" '"version":1' '"version":2'
refuse "a number out of range" '"timestamp":0' '"timestamp":-1'
refuse "a number that is none" '"timestamp":0' '"timestamp":NaN'
refuse "a wrong type" '"width":9' '"width":"9"'
refuse "a missing key" '"running_time":null,' ''
refuse "an unknown key" '"objects"' '"things":[],"objects"'
refuse "a box without places" '[]' '[{"x":1}]'
refuse "a cut line" '[]}' ''
if printf '%s' "$good" | "$check" >/dev/null || "$check" </dev/null >/dev/null; then
  echo "FAILED: check-json.py does not see a missing end or missing lines"
  status=1
fi
exit $status
