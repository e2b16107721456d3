# SPDX-License-Identifier: LGPL-2.1-or-later
# Functions of the examples in shell. A script that sources this file ends if GStreamer does not
# find the plugin mgpu. The functions implement the rules of all examples: the input is the
# first argument, an output is written only to a file that the caller named, and it may only
# replace an older output.
# shellcheck shell=bash

# fail WORDS...
fail () {
  echo "${0##*/}: $*" >&2
  exit 1
}

# usage: prints the comment at the head of the script.
usage () {
  sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" >&2
  exit 2
}

gst-inspect-1.0 mgpu >/dev/null 2>&1 ||
  fail "GStreamer finds no plugin mgpu. Install the package gstreamer1.0-mgpu, or run this" \
    "script in the shell that \`meson devenv -C build -w .\` opens."

# Outputs are written to this folder first and then copied, so that an older output is kept if
# the script fails.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# check_count N
check_count () {
  [[ $1 =~ ^[1-9][0-9]{0,8}$ ]] || fail "$1 is not a number of frames: 1 to 999999999"
}

# launch ARGUMENT...: runs gst-launch-1.0. In GStreamer 1.24 and later, gst-launch-1.0 may hang
# after an error that occurs before its main loop runs; it is therefore ended if it prints nothing
# for 5 seconds after an error.
launch () {
  local out errors pid line seconds=()
  # LANGUAGE=en, because an error is recognized by its first word in English.
  exec {out}>&1 {errors}< <(LANGUAGE=en exec gst-launch-1.0 "$@" 2>&1 >&"$out")
  pid=$!
  while IFS= read -r "${seconds[@]}" line <&"$errors"; do
    echo "$line" >&2
    [[ $line != ERROR:* ]] || seconds=(-t 5)
  done
  exec {out}>&- {errors}<&-
  if [ ${#seconds[@]} -gt 0 ]; then
    kill "$pid" 2>/dev/null || true
    return 1
  fi
  wait "$pid"
}

# first_frames N: prints two elements that together pass N frames and then end the stream. An
# identity element drops the frame with which it reaches eos-after, hence N + 1 for the second
# element. A decoder that is stopped may push one more frame, from elsewhere in the video, which
# the first element drops.
first_frames () {
  echo "identity eos-after=$(($1 + 2)) ! identity eos-after=$(($1 + 1))"
}

# check_output FILE TYPE INPUT...: ends the script if writing FILE would replace anything but an
# older output. TYPE is jpg, png or webm. The name FILE has to end in TYPE. An existing file may
# be replaced if it is empty, or if it is of this type and not one of the inputs.
check_output () {
  local file=$1 type=$2 input head
  shift 2
  [[ $file == ?*.$type ]] || fail "$file: the output is a .$type; name a file that ends in it"
  [ -d "$(dirname -- "$file")" ] || fail "$file: there is no such folder; make it first"
  for input; do
    [ ! "$file" -ef "$input" ] || fail "$file is the input; name another file for the output"
  done
  [ -s "$file" ] || return 0
  [ -f "$file" ] || fail "$file is not a file; name another one for the output"
  head=$(head -c 64 -- "$file" | od -An -v -tx1 | tr -d ' \n')
  case $type:$head in
    jpg:ffd8ff*|png:89504e470d0a1a0a*|webm:1a45dfa3*7765626d*) ;;
    *) fail "$file is there and is not a .$type; remove it, or name another file for the output";;
  esac
}

# write_output MADE FILE: copies MADE to FILE; ends the script if MADE does not exist or is empty.
write_output () {
  [ -s "$1" ] || fail "$2 is not written: there were too few frames"
  cp -- "$1" "$2"
  echo "$2"
}
