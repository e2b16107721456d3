#!/bin/bash
# Builds the plugin of examples/outside against the installed library, only with its public
# headers, and compares the output of its element with the expected output.
#
#   outside.sh SOURCE BUILD PREFIX
set -eu
source=$1 build=$2 prefix=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Installs the library into a folder, to which the .pc file is then adapted.
meson install -C "$build" --no-rebuild --quiet --destdir "$work/root" >"$work/log" 2>&1 ||
  { tail -20 "$work/log"; exit 1; }
pc=$(find "$work/root" -name 'gstmgpu-1.0.pc')
sed -i "s|^prefix=.*|prefix=$work/root$prefix|" "$pc"
export PKG_CONFIG_PATH=${pc%/*}${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
cp -r "$source/examples/outside" "$work/plugin"
meson setup --werror "$work/plugin/build" "$work/plugin" >"$work/log" 2>&1 ||
  { tail -20 "$work/log"; exit 1; }
ninja -C "$work/plugin/build" >"$work/log" 2>&1 || { tail -20 "$work/log"; exit 1; }
library=$(find "$work/root" -name 'libgstmgpu-1.0.so.*' | head -1)
plugin=$(find "$work/root" -name 'libgstmgpu.so')
export LD_LIBRARY_PATH=${library%/*}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export GST_PLUGIN_PATH_1_0=$work/plugin/build:${plugin%/*} GST_REGISTRY_1_0=$work/registry
for format in GRAY8 I420 NV12; do
  gst-launch-1.0 -q videotestsrc num-buffers=3 ! \
    "video/x-raw,format=$format,width=64,height=48" ! tee name=t ! queue ! \
    filesink location="$work/before" t. ! queue ! mgpuupload ! myswap ! mgpublur sigma=0 ! \
    mgpudownload ! "video/x-raw,format=$format" ! filesink location="$work/after"
  python3 - "$work/before" "$work/after" $format <<'END'
import sys

before, after = (open(name, "rb").read() for name in sys.argv[1:3])
size = 64 * 48 * (2 if sys.argv[3] == "GRAY8" else 3) // 2
want = b""
for frame in range(3):
    start = frame * size
    for y in range(48):
        row = before[start + y * 64:start + y * 64 + 64]
        want += row[32:] + row[:32]
    want += before[start + 64 * 48:start + size]
if sys.argv[3] == "GRAY8":
    size, want = 64 * 48, b""
    for y in range(3 * 48):
        row = before[y * 64:y * 64 + 64]
        want += row[32:] + row[:32]
assert len(after) == 3 * size and after == want, "the halves are not exchanged"
END
done
# Runs the command line of the page.
line=$(grep -o 'gst-launch-1.0 .*myswap.*' "$source/docs/own-kernels.md" \
  | sed 's/videotestsrc/& num-buffers=3/; s/autovideosink/fakesink/')
bash -c "$line"
echo "the element works with GRAY8, I420 and NV12"
