#!/bin/bash
# Runs every example where GStreamer finds no plugin: each has to print what to do, and to fail.
#
#   no-plugin.sh FOLDER PROGRAM...     FOLDER has the examples in Python and shell
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GST_REGISTRY_1_0=$work/registry GST_PLUGIN_PATH_1_0= GST_PLUGIN_SYSTEM_PATH_1_0=$work
folder=$1
shift
n=0 failed=0

# expect WORDS COMMAND...
expect () {
  local words=$1
  shift
  n=$((n + 1))
  if timeout 60 "$@" >"$work/out" 2>&1; then
    echo "$*: does not fail"
    failed=1
  elif ! grep -q "$words" "$work/out" || ! grep -q 'meson devenv -C build -w \.' "$work/out"; then
    echo "$*: does not say what to do:"
    cat "$work/out"
    failed=1
  fi
}

for program in "$@"; do
  case $program in
    *find-object) expect 'package gstreamer1.0-mgpu' "$program" object.png scene.png;;
    *) expect 'package gstreamer1.0-mgpu' "$program";;
  esac
done
for script in "$folder"/*.py "$folder"/*.sh; do
  case $script in
    # Skips the scripts that other examples use, and the one that builds the plugin itself.
    */need*|*/demo.sh) ;;
    *.py) expect 'package gstreamer1.0-mgpu' /usr/bin/python3 "$script";;
    *) expect 'package gstreamer1.0-mgpu' "$script";;
  esac
done
expect 'package python3-gstmgpu-1.0' env -u GI_TYPELIB_PATH -u PYTHONPATH \
  XDG_DATA_DIRS="$work" /usr/bin/python3 "$folder/stats.py"
# If the system has the override installed, it is found without PYTHONPATH.
if ! ls /usr/lib/python3/dist-packages/gi/overrides/GstMgpu.py >/dev/null 2>&1; then
  expect 'but not its override' env -u PYTHONPATH /usr/bin/python3 "$folder/stats.py"
fi
# A Python without PyGObject finds only the folder of this project's overrides.
mkdir -p "$work/packages/gi"
if PYTHONPATH=$work/packages /usr/bin/python3 -S "$folder/stats.py" >"$work/out" 2>&1 \
    || ! grep -q 'run this program with /usr/bin/python3' "$work/out"; then
  echo "a Python without PyGObject: does not say what to do:"
  cat "$work/out"
  failed=1
fi
echo "$n examples"
[ $failed = 0 ] && [ $n -gt 15 ]
