#!/bin/sh
# Checks that fault.c can make every OpenCL function fail that the project calls, except those that
# only count references, whose failures have no consequence.
set -eu
fault=$1
shift
status=0
for name in $(nm -D --undefined-only "$@" |
  sed -n 's/.* U \(cl[A-Z][A-Za-z]*\).*/\1/p' | sort -u); do
  case $name in
    clRetain*|clRelease*) continue;;
  esac
  if ! nm -D --defined-only "$fault" | grep -q " T $name\$"; then
    echo "fault.c does not have $name"
    status=1
  fi
done
exit $status
