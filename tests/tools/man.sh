#!/bin/bash
# Compares the options in manual pages with those that programs print for --help.
#
#   man.sh FOLDER PROGRAM...     FOLDER has a page with the name of each program
set -eu
pages=$1
shift
failed=0
for program in "$@"; do
  page=$pages/$(basename "$program").1
  # The options of GTK+ and GStreamer are listed by --help-all.
  printed=$("$program" --help | grep -oE '^ +(-[a-z], )?--[a-z-]+' | grep -oE -- '--[a-z-]+' |
    grep -vE '^--(help.*|gst-.*|display|gapplication.*)$' | sort)
  documented=$(sed -n '/^\.SH OPTIONS/,/^\.SH E/p' "$page" |
    grep -A1 '^\.TP' | sed 's/\\-/-/g' | grep -oE '^(\\fB-[a-z]\\fR, )?\\fB--[a-z-]+' | grep -oE -- '--[a-z-]+' | sort)
  [ -n "$printed" ]
  diff <(echo "$printed") <(echo "$documented") || {
    echo "$page: other options than $program --help, <"
    failed=1
  }
done
exit $failed
