#!/bin/bash
# Runs check-vivid in a virtual machine with Debian 13's kernel, whose driver vivid simulates a
# camera and a display: frames are passed from one to the other in real dma-bufs. Takes half an
# hour without KVM, most of which are builds of kernels in the first run. Requires qemu-system-x86,
# root or sudo, and 3 GiB of memory; uses the root of Debian 13 of other-release.sh.
#
#   run.sh                      runs both tests of check-vivid: frames, and 1000 starts
#   run.sh --starts N           runs N starts instead
#   run.sh --checks NAMES       runs some tests, as in GST_CHECKS
#   run.sh --camera MINUTES     runs the camera example instead of check-vivid, with a picture
#                               of the screen each minute, in out/ of the folder vm of the root
#
# MGPU_TEST_ACCEL=tcg disables KVM. Exits with 0, 1, or 77 if it cannot run.
set -u
cd "$(dirname "$0")/../.." || exit 1

skip () {
  echo "not run: $*"
  exit 77
}

settings=
while [ $# -gt 0 ]; do
  case $1 in
    --starts | --checks | --camera) settings+="${1#--}=$2"$'\n' && shift 2;;
    *) echo "run.sh does not know $1" >&2 && exit 2;;
  esac
done

command -v qemu-system-x86_64 >/dev/null || skip "there is no qemu-system-x86_64"
[ "$(uname -m)" = x86_64 ] || skip "this is no x86-64"
. tests/roots.sh
root=$roots/trixie
vm=$root/vm
make_root trixie
copy_host_files "$root"
in_root "$root" true || skip "nothing can be mounted in $root"

"${sudo[@]}" mkdir -p "$vm/src" "$vm/out/cache"
list_source |
  tar -c --null --ignore-failed-read -T - |
  "${sudo[@]}" tar -x --no-same-owner -C "$vm/src" || exit 1
echo "== building in $root"
in_root "$root" sh -ec '
  cd /vm/src
  tests/install-packages.sh build test vm
  [ -f build/build.ninja ] ||
    meson setup build --buildtype=release -Dtests=enabled -Dexamples=enabled -Dpeers=disabled >/dev/null
  ninja -C build gst/elements/libgstmgpu.so gst/tools/gst-mgpu-info examples/gst-mgpu-camera \
    tests/vm/check-vivid >/dev/null
  # Only unpacks the kernel package, because nothing in the root boots.
  package=$(apt-cache depends linux-image-amd64 | sed -n "s/.*Depends: \(linux-image-[^ ]*\)/\1/p")
  mkdir -p /vm/kernel
  cd /vm/kernel
  if [ ! -f "$package.done" ]; then
    apt-get -qq download -o APT::Sandbox::User=root "$package"
    dpkg -x "$package"_*.deb .
    rm "$package"_*.deb
    depmod -b usr "${package#linux-image-}"
    touch "$package.done"
  fi
  echo "${package#linux-image-}" >release
  rm -rf /vm/init
  mkdir -p /vm/init
  cd /vm/init
  mkdir -p bin proc sys dev lower up root modules
  cp /bin/busybox bin/
  cp /vm/src/tests/vm/init .
  for module in netfs 9pnet 9pnet_virtio 9p overlay; do
    xz -dc "$(find /vm/kernel/usr/lib/modules -name $module.ko.xz)" >modules/$module.ko
  done
  find . | cpio -o -H newc --quiet | gzip -1 >/vm/init.gz
' || skip "the root of Debian 13 has not all that is needed"
"${sudo[@]}" rm -f "$vm/out/up" "$vm/out/result" "$vm/pid"
printf '%s' "$settings" | "${sudo[@]}" tee "$vm/out/settings" >/dev/null

# boot ACCELERATOR CPU: starts the machine, and returns when it is off.
boot () {
  "${sudo[@]}" timeout 4h nice qemu-system-x86_64 -accel "$1" -cpu "$2" -m 3072 -smp 1 \
    -pidfile "$vm/pid" -nodefaults -display none -no-reboot -serial stdio \
    -kernel "$vm/kernel/boot/vmlinuz-$(cat "$vm/kernel/release")" -initrd "$vm/init.gz" \
    -append "console=ttyS0 quiet panic=-1 no_timer_check" \
    -virtfs "local,path=$root,mount_tag=root,security_model=passthrough,readonly=on,multidevs=remap" \
    -virtfs "local,path=$vm/kernel/usr/lib/modules,mount_tag=modules,security_model=passthrough,readonly=on" \
    -virtfs "local,path=$vm/out,mount_tag=out,security_model=passthrough" </dev/null
}

echo "== Debian 13 in QEMU"
# /dev/kvm may exist and not work, as inside of some virtual machines.
if [ "${MGPU_TEST_ACCEL:-kvm}" = kvm ] && "${sudo[@]}" test -w /dev/kvm; then
  boot kvm host &
  for _ in $(seq 60); do
    sleep 1
    [ ! -e "$vm/out/up" ] || break
    kill -0 $! 2>/dev/null || break
  done
  if [ ! -e "$vm/out/up" ]; then
    echo "KVM does not work here: without it"
    [ ! -e "$vm/pid" ] || "${sudo[@]}" kill "$("${sudo[@]}" cat "$vm/pid")"
    wait
    "${sudo[@]}" rm -f "$vm/out/up"
  fi
  wait
fi
[ -e "$vm/out/up" ] || boot tcg,thread=multi max
[ -e "$vm/out/up" ] || skip "the virtual machine does not start"
rc=$(cat "$vm/out/result" 2>/dev/null)
if [ "$rc" = 0 ]; then
  echo "passed"
else
  echo "FAILED"
  exit 1
fi
