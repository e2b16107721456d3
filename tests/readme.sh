#!/bin/bash
# Runs the first launch lines of a README.md on the installed packages, in a separate display, and
# then compiles and runs its program. A test picture replaces the camera, and videos end after 10
# frames.
#
#   readme.sh README.md
set -eu
export DEBIAN_FRONTEND=noninteractive
# Packages that README.md installs in addition to this project's packages
packages=$(sed -n 's/^    sudo apt install //p' "$1" | head -n 1 | sed 's|[^ ]*\.deb||g')
[ -n "$packages" ]
# shellcheck disable=SC2086
apt-get -qq -y --no-install-recommends install $packages xvfb xauth x11-utils >/dev/null
cd "$(mktemp -d)"
export HOME=$PWD
cp /usr/share/doc/opencv-doc/examples/data/vtest.avi .
# Uses displays with other numbers than those outside of the root, whose sockets are visible
# inside, and a new display for each line, because the server of the previous one may not have
# ended yet.
display=$((1000 + $$ % 9000))
# Without -noreset the X server would restart when the sink that is tried first closes its
# connection, and might refuse the next one.
n=0
while read -r line; do
  [[ $line == gst-launch-1.0\ *mgpu*autovideosink ]] || { echo "shows nothing: $line"; exit 1; }
  line=$(echo "$line" | sed 's/v4l2src/videotestsrc num-buffers=10/
    s/decodebin ! videoconvert/decodebin ! videoconvert ! identity eos-after=10/')
  echo "$line"
  rm -f log
  GST_DEBUG=autodetect:6 GST_DEBUG_FILE=$PWD/log GST_DEBUG_NO_COLOR=1 \
    xvfb-run -a -w 60 -n $((display + n)) -s "-screen 0 1280x1024x24 -noreset" \
    timeout 300 bash -c "$line"
  # A sink that shows nothing is selected where no other sink can be used.
  grep -oE '[a-z0-9]*imagesink' log | sort -u
  if grep 'Failed to find a usable' log; then
    exit 1
  fi
  n=$((n + 1))
done < <(sed -n 's/^    \(gst-launch-1.0 .*\)/\1/p' "$1" | head -n 4)
[ $n = 4 ]

apt-get -qq -y --no-install-recommends install gcc libc6-dev pkg-config >/dev/null
awk '/^```c$/ { inside = 1; next } /^```$/ { exit } inside' "$1" |
  sed 's/decodebin ! "$/decodebin ! identity eos-after=10 ! "/' >people.c
grep eos-after people.c
line=$(sed -n 's/^    \(gcc people.c .*\)/\1/p' "$1")
echo "$line"
bash -c "$line"
timeout 300 ./people >people.txt
head -n 3 people.txt
[ "$(grep -c 's: person at' people.txt)" -gt 0 ]
