#!/bin/sh
# Tests the calibration of cameras with gst-mgpu-calibrate. $1: the program, $2: "pictures" if it
# was built with OpenCV, $3: the folder with the pictures of opencv-doc, $4: board-frames
set -eu

program=$1
frames=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# run STATUS ARGUMENT...: runs the program, whose output is written to $folder/out, and checks its
# exit status.
run () {
  want=$1
  shift
  status=0
  "$program" "$@" > "$folder/out" 2>&1 || status=$?
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

run 0 --version
says '^gst-mgpu-calibrate [0-9]'
run 2
says 'give pictures'
run 2 --model=tube a
says '--model has to be perspective or fisheye'
run 2 --coefficients=6 a
says '4, 5 or 8'
run 2 --format=kalibr a
says 'add --coefficients=4'
run 2 --board=9 a
says '--board'
run 2 --board=tag36h11:6x6:0.03:-1 a
says '--board'
run 2 --board=tag36h11:2x2:0.03:0.01 a
says 'at least 6 tags'
run 2 --coverage=0 a
says '--coverage'
run 2 --input=a a
says 'cannot be combined'
run 2 --sink=fakesink a
says 'can only be used with --input'
run 2 --batch a
says '--output=FOLDER'
printf 'tag_0: [0,1,0, 1,1,0, 1,0,0, 0,0,0]\n' > "$folder/board.yaml"
run 2 --board="$folder/board.yaml" a
says 'at least 6 tags'
run 1 "$folder/missing.txt"
says 'missing.txt'

# List of points: the board of a pinhole camera with f = 500, in three views
awk 'BEGIN {
  print "size 640 480"
  for (v = 0; v < 3; v++) {
    print "view " v
    a = 0.5 * cos (2 * v); b = 0.5 * sin (2 * v)
    for (j = 0; j < 6; j++) for (i = 0; i < 9; i++) {
      x = i - 4; y = j - 2.5
      X = x * cos (a); Z = 14 - x * sin (a) + y * sin (b); Y = y * cos (b)
      printf "%d %d %.9f %.9f\n", i, j, 320 + 500 * X / Z, 240 + 500 * Y / Z
    }
  }
}' > "$folder/list.txt"
run 0 --coefficients=4 --hold-out=0 "$folder/list.txt"
says 'view\|0: 54 points, RMS'
says 'distortion_coefficients: !!opencv-matrix'
for format in ros kalibr; do
  run 0 --overwrite --coefficients=4 --format=$format -o "$folder/camera.yaml" "$folder/list.txt"
  grep -q 'plumb_bob\|radtan' "$folder/camera.yaml"
done
run 2 -o "$folder/camera.yaml" "$folder/list.txt"
says 'camera.yaml exists: add --overwrite'
grep -q radtan "$folder/camera.yaml"
run 2 --overwrite -o "$folder" "$folder/list.txt"
says 'is not a regular file'
run 1 -n 4 -o "$folder/none/camera.yaml" "$folder/list.txt"
says 'none/camera.yaml'
says 'distortion_coefficients'
status=0
"$program" -n 4 "$folder/list.txt" > /dev/full 2> "$folder/out" || status=$?
[ $status = 1 ]
says 'standard output cannot be written: No space left'
head -60 "$folder/list.txt" > "$folder/one.txt"
run 1 "$folder/one.txt"
says 'at least 3 views'
printf 'size 640 480\nview a\n1 2 3\n' > "$folder/bad.txt"
run 1 "$folder/bad.txt"
says 'bad.txt, line 3: a point needs four numbers'

# Tests parallel boards, which do not determine the focal length.
awk 'BEGIN {
  print "size 640 480"
  for (v = 0; v < 5; v++) {
    print "view " v
    for (j = 0; j < 6; j++) for (i = 0; i < 9; i++)
      printf "%d %d %.9f %.9f\n", i, j, 320 + 500 * (i - 4 - v) / (14 + v), 240 + 500 * (j - 2.5) / (14 + v)
  }
}' > "$folder/parallel.txt"
run 1 -n 4 "$folder/parallel.txt"
says 'tilt the board'

# Tests copies of a view, which do not determine the camera's position, and an empty file.
sed -n '1,56p' "$folder/list.txt" > "$folder/first.txt"
for i in 1 2 3 4; do sed '1d' "$folder/first.txt"; done | cat "$folder/first.txt" - > "$folder/copies.txt"
run 1 -n 4 "$folder/copies.txt"
says '5 views show the board at 1 different positions: move and tilt it'
: > "$folder/empty.txt"
run 1 "$folder/empty.txt"
says 'empty.txt is empty'

# Tests folders of cameras: one is calibrated, one has no view, and one does not exist.
mkdir "$folder/one" "$folder/two" "$folder/out.d"
cp "$folder/list.txt" "$folder/one"
run 1 --batch -n 4 -o "$folder/out.d" "$folder/one" "$folder/two" "$folder/three"
says 'one  *3  *162 .*one.yml'
says 'two .*failed: found no view of the board'
says 'three .*failed: .*No such file'
says '2 of 3 cameras were not calibrated'
grep -q camera_matrix "$folder/out.d/one.yml"
run 2 --batch -n 4 -o "$folder/out.d" "$folder/one"
says 'one.yml exists'
run 2 --batch -o "$folder/out.d" "$folder/two" "$folder/list.txt/two"
says 'two folders have this name'

# Tests videos of boards in front of known cameras. calibrate LENS BOARD ARGUMENT...: checks that
# the focal lengths are within LIMIT of the camera's, and the center within half a pixel.
raw='rawvideoparse width=640 height=480 format=gray8 framerate=30/1'
tags=tag36h11:6x6:0.03:0.009
calibrate () {
  lens=$1 board=$2
  shift 2
  truth=$("$frames" "$board" "$lens" 24 2 40 "$folder/$board-$lens")
  run 0 --model="$lens" "$@" --input="filesrc location=$folder/$board-$lens ! $raw"
  says "$end"
  awk -v truth="$truth" -v limit="$limit" '/^RMS/ {
    gsub (",", ""); split (truth, t, " ")
    d[1] = $6 / t[1] - 1; d[2] = $9 / t[2] - 1; d[3] = ($13 - t[3]) / 0.5; d[4] = ($14 - t[4]) / 0.5
    for (i = 1; i <= 4; i++) if (d[i] > (i < 3 ? limit : 1) || d[i] < (i < 3 ? -limit : -1)) exit 1
    n++
  } END { exit n != 1 }' "$folder/out" || { echo "FAILED: not $truth:"; cat "$folder/out"; exit 1; }
}

end='that is enough' limit=0.001
calibrate perspective tags --board=$tags -n 4
says '^view 2, frame 4: [0-9]* points, [0-9]* % of the picture seen; show'
says '^view 12, frame 24: .* seen, RMS 0.0[0-9]* pixels, focal lengths 53[45].* +- 0\.[0-9], 54[01].* +- 0\.[0-9]; that'
says '^held-out views: RMS 0.0'
calibrate fisheye tags --board=$tags
says '^searching for the board'
# Tags with wrong positions, and a lens of another kind
run 1 --board=tag36h11:5x6:0.03:0.009 -n 4 --input="filesrc location=$folder/tags-perspective ! $raw"
says 'no camera of this model fits'
# Tests the same positions as files, and frames that are shown.
printf 'target_type: aprilgrid\ntagCols: 6\ntagRows: 6\ntagSize: 0.03\ntagSpacing: 0.3\n' > "$folder/grid.yaml"
run 0 --board="$folder/grid.yaml" -n 4 --input="filesrc location=$folder/tags-perspective ! $raw" --sink=fakesink
says 'that is enough'

# Tests missing boards, frames of one pixel, a missing camera, missing elements, and noise instead
# of a picture.
run 1 --board=$tags --input='videotestsrc num-buffers=3' --sink=fakesink
says 'none of the 3 frames shows the board'
run 1 --board=$tags --input='videotestsrc num-buffers=3 ! video/x-raw,width=1,height=1' --sink=fakesink
says 'none of the 3 frames shows the board'
run 1 --board=$tags --input=/dev/video999 --sink=fakesink
says '/dev/video999: '
run 1 --board=$tags --input='nosuchelement ! identity' --sink=fakesink
says 'nosuchelement'
run 1 --board=$tags --input="$folder/missing.webm"
says 'missing.webm: '
head -c 1000 /dev/urandom > "$folder/noise.jpg"
run 1 --board=$tags "$folder/noise.jpg"
says 'noise.jpg: '

# Tests that Ctrl+C ends a capture, with the views so far, of which there are none.
"$program" --board=$tags --input='videotestsrc is-live=true' --sink=fakesink > "$folder/out" 2>&1 &
n=0
until grep -q '^searches' "$folder/out" || [ $n = 600 ]; do
  sleep 0.1
  n=$((n + 1))
done
kill -INT $!
status=0
wait $! || status=$?
[ $status = 1 ]
says 'interrupted: continuing with the 0 views'

# Tests pictures, with the reprojection errors of OpenCV's calibrateCamera().
if [ "$2" = pictures ] && [ -f "$3/left01.jpg" ]; then
  run 0 --keep-all --hold-out=0 --square=25 "$3"/left[01][0-9].jpg
  says '^RMS 0.40878 pixels'
  run 0 --keep-all --hold-out=0 --square=25 "$3"/right[01][0-9].jpg
  says '^RMS 0.45873 pixels'
  run 0 --square=25 "$3"/left[01][0-9].jpg
  says 'left02.jpg: left out'
  says '^held-out views: RMS 0.[12]'
  calibrate perspective chess --board=9x6 --square=0.03 -n 4
  printf 'P5 1 1 255\n\200' > "$folder/1x1.pgm"
  run 1 "$folder/1x1.pgm"
  says 'no board of 9x6 corners'
  # Pictures without a board may have any size.
  run 0 --hold-out=0 -n 4 "$folder/1x1.pgm" "$3"/left0[1-6].jpg "$folder/1x1.pgm"
  says '^RMS 0'
  printf 'size 64 48\n' > "$folder/size.txt"
  run 1 "$folder/size.txt" "$3/left01.jpg"
  says 'left01.jpg: its size differs'
  run 1 --board=9x9 "$3"/left0[1-3].jpg
  says 'no view of the board: --board has to give the inner corners'
else
  run 1 /dev/null
  echo 'without OpenCV: lists of points alone'
fi
echo passed
