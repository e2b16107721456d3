#!/bin/sh
# Tests the output of gst-mgpu-info, with and without devices. $1: the program, $2: the folder in
# which it searches for an installed kernelcheck, $3: docs/debugging.md, $4: "launches" if
# gst-launch-1.0 loads the plugin
set -eu

info=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unset GST_MGPU_DEVICE

# run STATUS COMMAND...: runs the command, whose output is written to $folder/out, and checks its
# exit status.
run () {
  want=$1
  shift
  status=0
  "$@" > "$folder/out" 2>&1 || status=$?
  if [ "$status" -ne "$want" ]; then
    echo "FAILED: status $status, not $want: $*"
    cat "$folder/out"
    exit 1
  fi
}

says () {
  if ! grep -q -- "$1" "$folder/out"; then
    echo "FAILED: \"$1\" is missing in:"
    cat "$folder/out"
    exit 1
  fi
}

run 0 "$info"
says 'OpenCL devices, best first:'
says 'compute  [1-9][0-9]* units, work-groups up to [1-9]'
if grep -q ':cpu:' "$folder/out"; then
  says 'dma-bufs used in place'
fi
says '^Used: .*:.*:'

# Tests which device is selected, and the reason that is printed.
device=$(sed -n 's/^Used: //p' "$folder/out")
run 0 "$info" --device "$device"
says "^Used: $device"
says 'because --device asks'
run 0 env GST_MGPU_DEVICE="$device" "$info"
says "because GST_MGPU_DEVICE is"
run 1 env RUSTICL_ENABLE= "$info" --device nonsense:gpu:0
says 'No device is used: no OpenCL device matches "nonsense:gpu:0"'
# On this machine, a device that is the only one of its type has a short device string.
if [ "$(grep -c '^  [^:]*:cpu:' "$folder/out")" -eq 1 ]; then
  says '^No device is used: .*to one of .*":cpu:"'
fi
run 2 "$info" --nonsense
run 2 "$info" nonsense
says '--device'
run 0 "$info" --version
says '^Package: '

# Tests two identical devices, which PoCL makes of one CPU: each has its own device string.
if grep -q '^  Portable Computing Language:cpu:' "$folder/out" || "$info" | grep -q '^  Portable'; then
  run 0 env POCL_DEVICES='pthread pthread' "$info"
  sed -n 's/^  \(Portable[^:]*:cpu:.*\)/\1/p' "$folder/out" > "$folder/devices"
  [ "$(sort -u "$folder/devices" | wc -l)" -eq 2 ] || {
    echo "FAILED: two equal devices have one string:"; cat "$folder/devices"; exit 1; }
  while read -r twin; do
    run 0 env POCL_DEVICES='pthread pthread' "$info" --device "$twin"
    says "^Used: $twin\$"
    run 0 env POCL_DEVICES='pthread pthread' GST_MGPU_DEVICE="$twin" "$info"
    says "^Used: $twin\$"
  done < "$folder/devices"
  run 1 env POCL_DEVICES='pthread pthread' "$info" --device nonsense
  says '^No device is used: .*:cpu:1"'
fi

# Tests that kernels of one element are built beforehand, into an empty cache.
run 0 env GST_MGPU_CACHE_DIR="$folder/cache" "$info" --build mgpuoverlay
says ' of [1-9][0-9]*  videotestsrc .* ! mgpuoverlay'
says '^Built the kernels for .* in [0-9]* s'
[ -n "$(ls "$folder/cache")" ] || { echo 'FAILED: an empty cache'; exit 1; }
# Tests each format that the page names: the element then builds no program in that format.
formats=$(sed -n 's/.* formats of cameras and decoders (\(.*\)), .*/\1/p' "$3" | tr -d ,)
[ "$(echo "$formats" | wc -w)" -ge 8 ] || { echo "FAILED: $3 names no formats"; exit 1; }
cp "$folder/out" "$folder/lines"
for format in $formats none; do
  cache=$folder/cache wanted=0
  case $format in
    none) format=GRAY8 cache=$folder/none wanted='[1-9]';;
    P010) format=P010_10LE;;
  esac
  grep -q "format=$format,.* mgpuoverlay ! " "$folder/lines" || { echo "FAILED: no $format"; exit 1; }
  [ "$4" = launches ] || continue
  run 0 env GST_MGPU_CACHE_DIR="$cache" gst-launch-1.0 -m videotestsrc num-buffers=1 ! \
    "video/x-raw,format=$format,width=320,height=200" ! mgpuoverlay ! fakesink
  grep -c mgpu-building "$folder/out" > "$folder/count" || true
  grep -q "^$wanted" "$folder/count" || { echo "FAILED: $format builds"; cat "$folder/count"; exit 1; }
done
run 1 env GST_MGPU_CACHE_DIR="$folder/cache" "$info" --build mgpuoverlay 'mgpublur sigma=3'
says 'no element "mgpublur sigma=3": give only names'
run 1 env GST_PLUGIN_PATH_1_0= GST_PLUGIN_SYSTEM_PATH_1_0="$folder" \
  GST_REGISTRY_1_0="$folder/registry" "$info" --build mgpuoverlay
says 'None of these elements filters frames'

# Tests that the knobs (tuning parameters) are printed, and the files from which they are read.
run 0 "$info"
says 'knobs    those of this class'
if grep -q '^  rusticl:cpu' "$folder/out"; then
  says 'llvmpipe ends a loop'
fi
run 0 env GST_MGPU_KNOBS=none "$info"
says 'because GST_MGPU_KNOBS is "none"'
export GST_MGPU_KNOBS_DIR="$folder/knobs"
run 0 "$info"
file=$(sed -n 's/.*knobs    .*not been tuned (\([^)]*\)).*/\1/p' "$folder/out" | head -1)
mkdir "$folder/knobs"
echo 'no key file' > "$file"
run 0 "$info"
says "knobs    .*$file is damaged, or was made for another device"
unset GST_MGPU_KNOBS_DIR

# No driver at all.
mkdir "$folder/vendors"
run 1 env OCL_ICD_VENDORS="$folder/vendors" OPENCL_VENDOR_PATH="$folder/vendors" "$info"
says 'No OpenCL device found'
says 'install the package pocl-opencl-icd'

# Tests that the self-test passes the device on to kernelcheck and returns its exit status. A copy
# of the program does not find the library by itself.
LD_LIBRARY_PATH=$(cd "$(dirname "$info")/../mgpu" && pwd)
export LD_LIBRARY_PATH
cp "$info" "$folder/gst-mgpu-info"
if [ ! -x "$2/gst-mgpu/kernelcheck" ]; then
  run 1 "$folder/gst-mgpu-info" --self-test
  says 'needs the program kernelcheck'
fi
cat > "$folder/kernelcheck" <<'END'
#!/bin/sh
echo "arguments: $*"
while [ $# -gt 0 ]; do
  [ "$1" != --json ] || echo '{"results" : [{"function" : "blur", "digest" : "0123"}]}' > "$2"
  shift
done
[ "$STATUS" != 139 ] || kill -SEGV $$
exit "$STATUS"
END
chmod +x "$folder/kernelcheck"
run 0 env STATUS=0 "$folder/gst-mgpu-info" --self-test
says "arguments: --quick --device $device"
says 'Self-test passed'
run 3 env STATUS=3 "$folder/gst-mgpu-info" --self-test
says 'Self-test FAILED'

# Tests that the report contains the device, the results, and whether all is right; it has no
# results if kernelcheck crashed.
report=$folder/report.json
run 2 "$folder/gst-mgpu-info" --report "$report"
says '--report needs --self-test'
run 0 env STATUS=0 "$folder/gst-mgpu-info" --self-test --report "$report"
says "arguments: --quick --device $device --bench --json "
cp "$report" "$folder/out"
says '"passed" : true'
says '"digest" : "0123"'
says '"gst-mgpu" : "[0-9]'
says '"version" : "OpenCL'
says '"compute-units" : [1-9]'
! grep -q "$(hostname)" "$report" || { echo 'FAILED: the report names the host'; exit 1; }
run 3 env STATUS=3 "$folder/gst-mgpu-info" --self-test --report "$report"
cp "$report" "$folder/out"
says '"passed" : false'
says '"exit-status" : 3'
run 1 env STATUS=139 "$folder/gst-mgpu-info" --self-test --report "$report"
cp "$report" "$folder/out"
says '"passed" : false'
run 1 env STATUS=0 "$folder/gst-mgpu-info" --self-test --report "$folder/nowhere/report.json"
says 'The report could not be written'
[ -z "$(find "${TMPDIR:-/tmp}" -maxdepth 1 -name 'gst-mgpu-*.json' -newer "$folder/kernelcheck")" ] || {
  echo 'FAILED: a temporary file is left'; exit 1; }

# In a build folder, kernelcheck is in a sibling folder.
mkdir -p "$folder/build/gst/tools" "$folder/build/tests/kernelcheck"
mv "$folder/gst-mgpu-info" "$folder/build/gst/tools/"
mv "$folder/kernelcheck" "$folder/build/tests/kernelcheck/"
run 0 env STATUS=0 "$folder/build/gst/tools/gst-mgpu-info" --self-test
says "arguments: --quick --device $device"
if [ ! -x "$(dirname "$info")/../../tests/kernelcheck/kernelcheck" ]; then
  echo "FAILED: the build puts kernelcheck elsewhere"
  exit 1
fi
echo ok
