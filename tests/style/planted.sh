#!/bin/bash
# Tests that style.sh finds violations, each planted in a small source tree.
set -eu
style=$(realpath "$1")
here=$(dirname "$style")/style
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failed=0

# plant FILE: makes a tree with this one file, from the standard input.
plant () {
  rm -rf "${tree:?}"/*
  mkdir -p "$tree/tests/style" "$tree/$(dirname "$1")"
  cp "$here"/words "$here"/exceptions "$tree/tests/style"
  : > "$tree/tests/style/unindented"
  cat > "$tree/$1"
}

# expect TEXT: checks that style.sh fails and prints TEXT; if TEXT is empty, that it passes.
expect () {
  local out status=0
  out=$(MGPU_STYLE_ROOT=$tree "$style" 2>&1) || status=$?
  if [ -z "$1" ]; then
    [ $status -eq 0 ] && return
  else
    [ $status -ne 0 ] && grep -qF -- "$1" <<< "$out" && return
  fi
  printf 'expected "%s", got status %d and:\n%s\n' "$1" $status "$out"
  failed=1
}

good='/* The licence
 */
/* Says what the file is. */
int
f (int a)
{
  return a;
}'

plant gst/a.c <<< "$good"
expect ''
plant gst/a.c <<< "${good/$'/* Says what the file is. */\n'/}"
expect 'gst/a.c'
plant kernels/a/a.cl <<< "${good/$'/* Says what the file is. */\n'/$'#define A 1\n'}"
expect 'kernels/a/a.cl'
plant gst/a.c <<< "${good/return a;/$(yes '  f (a);' | head -n 79)}"
expect 'gst/a.c:6: 81 lines'
plant gst/a.h < <(echo "$good"; yes '' | head -n 800)
expect 'gst/a.h: 808 lines'
plant kernels/a/a.cl < <(echo "$good"; yes '' | head -n 400)
expect 'kernels/a/a.cl: 408 lines'
plant tests/a.py <<< '#!/usr/bin/python3'
expect 'tests/a.py: chmod +x'
chmod +x "$tree/tests/a.py"
expect ''
plant docs/a.md <<< 'It also blurs, and sharpens, too.'
expect 'docs/a.md:1'
plant gst/a.c <<< "${good/Says/Says about memory of CUDA}"
expect 'gst/a.c:3'
plant docs/a.md <<< 'It maps the colours of frames.'
expect 'docs/a.md:1'
plant docs/a.md <<< '    n = e.get_property("stats").get_value("frames")'
expect 'docs/a.md:1'
plant docs/a.md <<< '    width = caps.get_structure(0).get_int("width")[1]'
expect 'docs/a.md:1'
plant gst/a.c <<< "${good/Says/Sets @colour to}"
expect ''
plant docs/notes/a.md <<< 'It also blurs, and sharpens, too.'
expect ''
if [ "$(indent --version 2>/dev/null)" = 'GNU indent 2.2.12' ]; then
  plant gst/a.c <<< "${good/return a;/return(a+1);}"
  expect 'tests/style.sh --indent gst/a.c'
  echo gst/a.c > "$tree/tests/style/unindented"
  expect ''
  MGPU_STYLE_ROOT=$tree "$style" --indent
  expect ''
  grep -q 'return (a + 1);' "$tree/gst/a.c" || failed=1
  echo gst/a.c > "$tree/tests/style/unindented"
  expect 'is formatted now'
else
  echo 'not run: gst-indent, which needs GNU indent 2.2.12 of Debian 12'
fi
exit $failed
