#!/bin/sh
# Calibrates cameras with gst-mgpu-calibrate. $1: the program, $2: "pictures" if it was built with
# OpenCV, $3: the folder with the pictures of opencv-doc
set -eu

program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# run STATUS ARGUMENT...: what it writes goes to $folder/out
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
says 'name pictures'
run 2 --model=tube a
says '--model is perspective or fisheye'
run 2 --coefficients=6 a
says '4, 5 or 8'
run 2 --format=kalibr a
says 'add --coefficients=4'
run 2 --board=9 a
says '--board'
run 1 "$folder/missing.txt"
says 'missing.txt'

# A list of points: the board of a pinhole with f = 500, in three views
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
  run 0 --coefficients=4 --format=$format -o "$folder/camera.yaml" "$folder/list.txt"
  grep -q 'plumb_bob\|radtan' "$folder/camera.yaml"
done
head -60 "$folder/list.txt" > "$folder/one.txt"
run 1 "$folder/one.txt"
says 'at least 3 views'
printf 'size 640 480\nview a\n1 2 3\n' > "$folder/bad.txt"
run 1 "$folder/bad.txt"
says 'bad.txt, line 3: a point needs four numbers'

# Pictures, with the errors of OpenCV's calibrateCamera()
if [ "$2" = pictures ] && [ -f "$3/left01.jpg" ]; then
  run 0 --keep-all --hold-out=0 --square=25 "$3"/left[01][0-9].jpg
  says '^RMS 0.40878 pixels'
  run 0 --keep-all --hold-out=0 --square=25 "$3"/right[01][0-9].jpg
  says '^RMS 0.45873 pixels'
  run 0 --square=25 "$3"/left[01][0-9].jpg
  says 'left02.jpg: left out'
  says '^held-out views: RMS 0.[12]'
else
  run 1 /dev/null
  echo 'without OpenCV: lists of points alone'
fi
echo passed
