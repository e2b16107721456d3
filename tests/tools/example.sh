#!/bin/bash
# Runs an example program in a separate folder: with its inputs alone, as the comment at its
# beginning describes, and with arguments that it has to refuse. Checks that inputs do not change,
# that files are written only where an argument names them, that no file of another type is
# replaced, and that a failure has an exit status.
#
#   example.sh EXAMPLE   EXAMPLE is a script, a program in Python, or a compiled program
set -u
data=/usr/share/doc/opencv-doc/examples/data
if [ ! -e $data/vtest.avi ]; then
  echo "not run: there is no $data/vtest.avi, of opencv-doc"
  exit 77
fi
name=$(basename "$1")
example=$(realpath "$(command -v "$1" || echo "$1")")
start=("$example")
[[ $name != *.py ]] || start=(/usr/bin/python3 -B "$example")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/folder" "$work/tmp"
cd "$work/folder" || exit 1
# Unsets the display, so that no example can open a window.
unset DISPLAY WAYLAND_DISPLAY
export GDK_BACKEND=x11
failed=0 n=0

# snapshot [BUT]: prints the names and checksums of all files except BUT.
snapshot () {
  find . -type f ! -name "${1:-/}" -exec cksum {} + | sort -k 3
}

# run ARGUMENT...: runs the example and sets status to its exit status.
run () {
  n=$((n + 1))
  echo "$name $*"
  status=0
  TMPDIR=$work/tmp timeout 900 "${start[@]}" "$@" >"$work/log" 2>&1 || status=$?
  sed 's/^/    /' "$work/log"
  [ -z "$(ls -A "$work/tmp")" ] || fail "leaves $(ls -A "$work/tmp")"
}

fail () {
  echo "FAILED: $*"
  failed=1
}

# refuses WORDS ARGUMENT...: checks that the example fails, prints WORDS, and changes no file.
refuses () {
  local words=$1 before
  shift
  before=$(snapshot)
  run "$@"
  [ $status -ne 0 ] && [ $status -lt 124 ] || fail "exit status $status"
  grep -qF -e "$words" "$work/log" || fail "does not say \"$words\""
  ! grep -q Traceback "$work/log" || fail "an exception"
  [ "$(snapshot)" = "$before" ] || fail "other files than before: $(snapshot)"
}

# writes FILE ARGUMENT...: checks that the example succeeds, and changes only FILE, a pattern, or
# nothing if FILE is empty.
writes () {
  local file=$1 before old
  shift
  before=$(snapshot "$file")
  old=$(find . -name "$file" -exec cksum {} +)
  run "$@"
  [ $status -eq 0 ] || fail "exit status $status"
  [ "$(snapshot "$file")" = "$before" ] || fail "other files than before: $(snapshot)"
  [ -z "$file" ] || [ "$(find . -name "$file" -exec cksum {} +)" != "$old" ] || fail "$file is not written"
}

# passes_first NUMBER ELEMENT ARGUMENT...: checks that this mgpu element of the example gets only
# the first NUMBER frames of vtest.avi, which has 10 frames per second.
passes_first () {
  local number=$1 element=$2 i
  shift 2
  export GST_DEBUG=mgpu$element:6 GST_DEBUG_NO_COLOR=1
  run "$@"
  unset GST_DEBUG
  [ $status -eq 0 ] || fail "exit status $status"
  [ "$(grep -o 'enqueued frame 0:00:[0-9.]*' "$work/log" | cut -d : -f 3)" = \
    "$(for ((i = 0; i < number; i++)); do echo "0$((i / 10)).$((i % 10))00000000"; done)" ] ||
    fail "not the first $number frames"
}

# Arguments of each example: options, inputs, arguments before the output, type of the output,
# arguments after it, position of the number of frames (to test wrong numbers), and whether an
# output is required.
options=() inputs=(video.avi) before=() type='' behind=() frames='' needs_output=yes length=45
case $name in
  keypoints.sh|remove-logo.sh|remove-people.sh) type=jpg behind=(2) frames=behind;;
  pyramid-montage.sh) type=png;;
  count-line.py|count-people.py) options=(--frames 10) type=png frames=--frames needs_output='';;
  crossings.py|publish-counts.py) options=(--frames 10) needs_output='';;
  own-detector.py) options=(--frames 10) type=webm frames=--frames;;
  crowd-flow.py) options=(--frames 10) needs_output='';;
  follow-point.py) options=(--frames 10 300,240) needs_output='';;
  film.py) options=(--shorter 12) type=webm frames=--shorter;;
  steady-film.py) options=(--shake --frames 40) type=webm behind=(analysis-size=400) frames=--frames;;
  docking.py) options=(--frames 10) inputs=(tags.avi) needs_output='';;
  tag-cube.py) options=(--fov 60) inputs=(tags.avi) type=webm;;
  watch-a-door.py) options=(--before 1) type=webm length=90;;
  augment.py) inputs=(scene.png known.png shown.jpg) type=webm;;
  *find-object) inputs=(known.png scene.png) before=(--output) type=png needs_output='';;
  *retouch) options=(--rectangle 20,20,8,8) inputs=(shown.jpg) before=(--output) type=png;;
  filter-pictures.sh|lens-pictures.sh|hog-features.py|integral.py|match-frames.py|own-kernel|own-kernel.py|stats.py|share-context) ;;
  # The test "recipes" runs this example with modules that replace those of ROS.
  ros2-people.py) inputs=() needs_output=yes;;
  *) echo "FAILED: nothing is said here of $name"; exit 1;;
esac

cp $data/box_in_scene.png scene.png
cp $data/box.png known.png
cp $data/fruits.jpg shown.jpg
gst-launch-1.0 -q filesrc location=$data/vtest.avi ! decodebin ! videoconvert ! \
  identity eos-after=$((length + 2)) ! identity eos-after=$((length + 1)) ! jpegenc ! avimux ! filesink location=video.avi || exit 1
case $name in
  # Video of the tag tag36h11:0, whose cells have 30 pixels, in the middle of the frame
  docking.py|tag-cube.py)
    for row in 1111111111 1000000001 1011010101 1001110101 1001100001 1010100001 1001011001 \
      1000010001 1000000001 1111111111; do
      # Pads rows to 12 bytes, a multiple of 4.
      printf '%b' "$(echo "${row}11" | sed 's/0/\\0/g; s/1/\\377/g')"
    done | gst-launch-1.0 -q fdsrc ! rawvideoparse format=gray8 width=12 height=10 framerate=25/1 ! \
      imagefreeze num-buffers=$length ! videoscale method=nearest-neighbour ! video/x-raw,width=360,height=300 ! \
      videobox left=-170 right=-110 top=-90 bottom=-90 fill=white ! videoconvert ! jpegenc ! avimux ! \
      filesink location=tags.avi || exit 1;;
esac
echo "not a picture" >broken
printf 'my own words' >words."${type:-txt}"

# Tests that --help is not a failure.
case $name in
  *.py|gst-mgpu-*) writes '' --help;;
esac
case $name in
  *.py) grep -q '\.$' "$work/log" || fail "the description is not a whole sentence";;
esac
if [ -n "$needs_output" ]; then
  refuses '' "${inputs[@]}"
else
  writes '' "${options[@]}" "${inputs[@]}"
fi
[ ${#inputs[@]} -le 1 ] || refuses '' "${inputs[0]}"

if [ -n "$type" ]; then
  # Makes a file of the right type, which the example may replace.
  case $type in
    jpg) printf '\377\330\377\340 older' >older.jpg;;
    png) cp known.png older.png;;
    webm) printf '\032\105\337\243\001\0\0\0\0\0\0\037\102\202\204webm older' >older.webm;;
  esac
  ln "${inputs[0]}" same.$type
  call=("${options[@]}" "${inputs[@]}" "${before[@]}")
  refuses 'name another file' "${call[@]}" words.$type "${behind[@]}"
  refuses 'is the input' "${call[@]}" same.$type "${behind[@]}"
  refuses '' "${call[@]}" "${inputs[0]}" "${behind[@]}"
  refuses '' "${call[@]}" . "${behind[@]}"
  refuses '' "${call[@]}" nowhere/new.$type "${behind[@]}"
  refuses '' "${options[@]}" broken "${inputs[@]:1}" "${before[@]}" older.$type "${behind[@]}"
  if [[ $name == *.sh ]]; then
    # Simulates gst-launch-1.0 of GStreamer 1.24 and later, which sometimes does not exit after an
    # error.
    mkdir "$work/bin"
    printf '#!/bin/sh\necho "ERROR: stays" >&2\nexec sleep 200\n' >"$work/bin/gst-launch-1.0"
    chmod +x "$work/bin/gst-launch-1.0"
    PATH=$work/bin:$PATH refuses 'ERROR: stays' "${call[@]}" new.$type "${behind[@]}"
  fi
  for number in 0 -1 few 2.5 99999999999; do
    case $frames in
      behind) refuses "$number" "${call[@]}" new.$type "$number";;
      --*) refuses "argument $frames: $number" "${call[@]}" new.$type "$frames=$number";;
    esac
  done
  writes older.$type "${call[@]}" older.$type "${behind[@]}"
  writes new.$type "${call[@]}" new.$type "${behind[@]}"
  case $type in
    jpg) head='^ffd8ff';;
    png) head='^89504e47';;
    webm) head='^1a45dfa3.*7765626d';;
  esac
  head -c 64 new.$type | od -An -v -tx1 | tr -d ' \n' | grep -q "$head" || fail "new.$type is no $type"
fi

case $name in
  crossings.py) passes_first 4 hog --frames 4 $data/vtest.avi;;
  keypoints.sh) passes_first 4 sift $data/vtest.avi new.jpg 4;;
  remove-logo.sh) passes_first 1 inpaint $data/vtest.avi new.jpg 1;;
  remove-people.sh) passes_first 4 hog $data/vtest.avi new.jpg 4;;
  crowd-flow.py)
    for zone in 768,0,8,8 0,576,8,8; do
      refuses "The zone $zone is outside of the frame, which has 768x576" --zone $zone video.avi
    done
    refuses '1,2,3 is not X,Y,WIDTH,HEIGHT' --zone 1,2,3 video.avi
    refuses 'has no pixels' --zone 1,2,0,4 video.avi
    for speed in nan inf -1 fast; do
      refuses 'argument --speed' --speed=$speed video.avi
    done;;
  follow-point.py)
    for point in 768,10 10,576; do
      refuses 'outside of the frame, which has 768x576' $point video.avi
    done
    for point in nan,1 1,inf -1,2; do
      refuses "$point is not in a frame" -- $point video.avi
    done
    refuses '1;2 is not X,Y' '1;2' video.avi;;
  film.py)
    printf 'my own words' >words.jpg
    refuses 'name another file' --shorter 12 video.avi new.webm words.jpg
    writes 'film.*' --shorter 12 video.avi film.webm film.jpg
    [ -s film.jpg ] || fail "no picture";;
  docking.py)
    # The tag's 0.16 m are 240 pixels, and the focal length is 554 pixels.
    grep -q '"distance": 0.37, "right": 0.0, "down": 0.0, "turn": 0.0, "sure": true}' "$work/log" ||
      fail "another position"
    grep -q '"event": "appeared"' "$work/log" || fail "no event"
    run --tag tag36h11:1 tags.avi
    [ $status = 0 ] && [ ! -s "$work/log" ] || fail "the position of another tag"
    refuses '' --frames 1 broken
    refuses 'is not FAMILY:ID' --tag 3 tags.avi
    refuses 'is not a number' --fov 0 tags.avi;;
  tag-cube.py)
    refuses 'no tag of tag25h9' --families tag25h9 tags.avi none.webm
    refuses 'is not an angle' --fov x tags.avi none.webm;;
  watch-a-door.py)
    gst-launch-1.0 -q videotestsrc num-buffers=60 ! video/x-raw,width=160,height=120 ! jpegenc ! \
      avimux ! filesink location=still.avi || exit 1
    refuses 'nothing moves' still.avi none.webm
    refuses 'argument --after: -1' --after=-1 video.avi none.webm;;
  filter-pictures.sh|lens-pictures.sh)
    mkdir pictures
    case $name in
      filter-pictures.sh) first=bilateral pictures=13;;
      lens-pictures.sh) first=chessboard pictures=3;;
    esac
    printf 'my own words' >pictures/$first.jpg
    refuses 'name another file' pictures
    rm pictures/$first.jpg
    run pictures
    [ $status -eq 0 ] && [ "$(find pictures -name '*.jpg' -size +1k | wc -l)" = $pictures ] ||
      fail "exit status $status, pictures: $(ls pictures)"
    [ "$(find . -type f ! -path './pictures/*' | wc -l)" = 6 ] || fail "other files: $(ls)";;
  hog-features.py|integral.py|match-frames.py|own-kernel|stats.py|share-context) writes '';;
  own-kernel.py)
    /usr/bin/python3 -c 'import pyopencl' 2> /dev/null || echo "SKIP: pyopencl is not installed: ctypes alone"
    writes ''
    cp "$work/log" "$work/first"
    writes '' --ctypes
    cmp "$work/first" "$work/log" || fail "ctypes count other pixels";;
esac
echo "$n runs"
exit $failed
