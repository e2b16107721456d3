#!/bin/sh
# unsound.sh PROGRAM
#
# Checks that a test that fails, hangs or crashes while a pipeline plays ends within its time
# limit, is named with the reason, and does not prevent other tests from running.
set -eu
output=$(mktemp)
trap 'rm -f "$output"' EXIT
status=0
timeout 100 "$1" >"$output" 2>&1 || status=$?

# says WORDS
says () {
  if ! grep -q -e "$1" "$output"; then
    cat "$output"
    echo "no \"$1\""
    exit 1
  fi
}

says ':F:general:test_fails_while_playing:0: nothing stops the pipeline'
says ':F:general:test_pulls_nothing:0: f:src pushes no buffer after the first 0 in 4 minutes'
says ':F:general:test_fails_in_another_thread:0: in the streaming thread'
says ':E:general:test_crashes:0: '
says ':E:slow:test_hangs:0: .*Test timeout expired'
says ':P:general:test_passes:0:'
says 'Checks: 6, Failures: 3, Errors: 2'
[ "$status" -eq 5 ] || { cat "$output"; echo "status $status, not 5"; exit 1; }

# If all tests run in one process, the first failed assertion ends the process.
status=0
CK_FORK=no timeout 60 "$1" >"$output" 2>&1 || status=$?
says 'unsound.c:[0-9]*: nothing stops the pipeline'
says 'failed without a fork'
[ "$status" -eq 1 ] || { cat "$output"; echo "status $status, not 1"; exit 1; }
echo ok
