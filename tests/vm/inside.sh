#!/bin/bash
# Runs in the virtual machine of run.sh, as its first process. Results are written to /out, which
# is a folder of the host.
export PATH=/usr/sbin:/usr/bin HOME=/root LANG=C.UTF-8
# shellcheck source=/dev/null
. /out/settings
for folder in /tmp /run /dev/shm; do
  mkdir -p $folder
  mount -t tmpfs tmpfs $folder
done
cd /tmp || exit 1
modprobe vivid n_devs=1 num_outputs=1 output_types=1
for _ in $(seq 50); do
  [ ! -c /dev/video1 ] || break
  sleep 0.2
done
# Makes no frame equal to the previous one.
v4l2-ctl -d /dev/video0 -c horizontal_movement=4
echo "Linux $(uname -r), $(. /etc/os-release && echo "$PRETTY_NAME"), up for $(cut -d' ' -f1 /proc/uptime) s"
ls /dev/video0 /dev/video1 /dev/udmabuf /dev/dma_heap/system

build=/vm/src/build
export GST_PLUGIN_PATH=$build/gst/elements LD_LIBRARY_PATH=$build/gst/mgpu:$build/tests/check
export POCL_CACHE_DIR=/out/cache/pocl GST_MGPU_CACHE_DIR=/out/cache/mgpu GST_MGPU_KNOBS_DIR=/none
export OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd
export GST_REGISTRY=/out/cache/registry GST_REGISTRY_FORK=no
export CK_DEFAULT_TIMEOUT=0 CK_LOG_FILE_NAME=- GST_CHECKS=${checks-} MGPU_TEST_STARTS=${starts:-1000}
rc=0

if [ -n "${camera-}" ]; then
  # Runs the camera example, which shows the first camera that it finds.
  Xvfb :9 -screen 0 1200x800x24 >/dev/null 2>&1 &
  export DISPLAY=:9 NO_AT_BRIDGE=1 GSETTINGS_BACKEND=memory
  sleep 5
  $build/examples/gst-mgpu-camera >/out/camera.log 2>&1 &
  pid=$!
  for i in $(seq "$camera"); do
    sleep 60
    gst-launch-1.0 -q ximagesrc num-buffers=1 ! videoconvert ! pngenc ! \
      filesink location=/out/camera-"$i".png || rc=1
    kill -0 $pid || rc=1
  done
  kill $pid
else
  $build/gst/tools/gst-mgpu-info
  $build/tests/vm/check-vivid || rc=1
fi
echo $rc >/out/result
sync
echo b >/proc/sysrq-trigger
sleep 60
