#!/bin/sh
# devenv.sh BUILD
#
# Tests that "meson devenv" finds what was built, from the folder in which the README calls it, and
# that the README's program can be compiled there.
set -eu
build=$1
unset GST_PLUGIN_PATH GST_PLUGIN_PATH_1_0
export GST_REGISTRY_1_0="$build/tests/tools/devenv.registry"
cd "$build/.."
meson devenv -C "$build" gst-inspect-1.0 mgpubilateral | grep -q 'Factory Details'
there=$(meson devenv -C "$build" -w . pwd)
[ "$there" = "$PWD" ] || { echo "$there, not $PWD"; exit 1; }
awk '/^```c$/ { inside = 1; next } /^```$/ { exit } inside' README.md >"$build/tests/tools/people.c"
# shellcheck disable=SC2016
meson devenv -C "$build" -w "$build/tests/tools" sh -c \
  'cc people.c -o people $(pkg-config --cflags --libs gstmgpu-1.0) && ldd people' | grep libgstmgpu
