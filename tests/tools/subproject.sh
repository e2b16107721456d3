#!/bin/sh
# Builds a small project that has this project as a subproject, which leaves out tests, examples
# and pages, and runs its program. The wrap file of packaging/meson names the dependency that the
# subproject provides. $1: the source
set -eu
source=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/subprojects"
ln -s "$source" "$folder/subprojects/gst-mgpu"
cp "$source/packaging/meson/gst-mgpu.wrap" "$folder/subprojects/"
cat > "$folder/meson.build" <<'END'
project('parent', 'c', default_options : ['buildtype=debug', 'default_library=both'])
mgpu_dep = dependency('gstmgpu-1.0', default_options : ['introspection=disabled'])
executable('program', 'program.c', dependencies : mgpu_dep)
END
cat > "$folder/program.c" <<'END'
#include <gst/mgpu/mgpu.h>
int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_strfreev (gst_mgpu_list_devices ());
  g_print ("%s\n", gst_mgpu_cl_error_name (-5));
  return 0;
}
END
PKG_CONFIG_PATH='' meson setup --wrap-mode=forcefallback "$folder/build" "$folder" > "$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
# Meson lists the dependencies that it found at the end of its output.
grep -q 'metas of GstAnalytics' "$folder/log" || { echo 'FAILED: no summary'; cat "$folder/log"; exit 1; }
for part in tests examples 'site and manual'; do
  grep -qE "$part +: NO" "$folder/log" || { echo "FAILED: builds $part"; cat "$folder/log"; exit 1; }
done
# The static plugin is linked by its file name, with the libraries that it requires.
PKG_CONFIG_PATH=$folder/build/meson-private pkg-config --libs gstmgpu > "$folder/libs"
for word in gstreamer-1.0/libgstmgpu.a -lgdk_pixbuf-2.0 -ljson-glib-1.0; do
  grep -qe "$word" "$folder/libs" || { echo "FAILED: gstmgpu.pc names no $word"; cat "$folder/libs"; exit 1; }
done
ninja -C "$folder/build" program > "$folder/log" 2>&1 || { tail -30 "$folder/log"; exit 1; }
LD_LIBRARY_PATH=$folder/build/subprojects/gst-mgpu/gst/mgpu "$folder/build/program" | grep -x CL_OUT_OF_RESOURCES
