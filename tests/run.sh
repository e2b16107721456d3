#!/bin/bash
# Installs missing packages, builds, and runs every test. Leaves build/ (release), build-asan/
# (sanitizers of addresses, leaks and undefined behavior), build-tsan/ (thread sanitizer) and
# build-fuzz/ (fuzz targets, which run for MGPU_FUZZ_SECONDS each, 60 without the variable, with
# the sanitizer of undefined behavior). The last line reports how many tests passed, failed and
# were skipped.
#
# A test that fails in a way that a busy machine can cause is run once more, alone. If it passes
# then, it counts as passed, and a line "FLAKY: name" reports it as a test that should be mended.
#
# Before the last line, a table lists how long each part took, in wall-clock time and in processor
# time.
#
#   tests/run.sh             runs everything
#   tests/run.sh --short     runs gst-check tests, kernels on PoCL, and examples, only in build/
#   tests/run.sh --releases  runs those of them whose results may differ between Debian releases
set -u
cd "$(dirname "$0")/.." || exit 1
case $*:$# in
  :0) what=everything;;
  --short:1|--releases:1) what=${1#--};;
  *) echo "usage: tests/run.sh [--short|--releases]" >&2; exit 2;;
esac

passed=0 failed=0 skipped=0
failures=$(mktemp)
flaky=$(mktemp)
trap 'rm -f "$failures" "$flaky"' EXIT
began=$SECONDS
jobs=$(nproc)

# used: prints the processor time of the processes that have ended, in hundredths of a second.
used () {
  local stat
  read -ra stat < /proc/$$/stat
  echo $((stat[15] + stat[16]))
}

# Name of each part, the time when it began, and the processor time until then
parts=() starts=() uses=()

say () {
  printf '\n== %s (after %d s)\n' "$*" $((SECONDS - began))
  parts+=("$*") starts+=("$SECONDS") uses+=("$(used)")
}

print_times () {
  local i total=$((SECONDS - began)) seconds
  starts+=("$SECONDS") uses+=("$(used)")
  for i in "${!parts[@]}"; do
    seconds=$((starts[i + 1] - starts[i]))
    printf 'time: %5d s %3d %%, %6d s of processors, %s\n' $seconds \
      $((100 * seconds / (total > 0 ? total : 1))) $(((uses[i + 1] - uses[i]) / 100)) "${parts[i]}"
  done
  printf 'time: %5d s 100 %%, %6d s of processors, all\n' $total $((uses[-1] / 100))
}

finish () {
  echo
  print_times
  cat "$failures" "$flaky"
  if [ $skipped -gt 0 ]; then
    printf '\n%d passed, %d failed, %d skipped\n' $passed $failed $skipped
  else
    printf '\n%d passed, %d failed\n' $passed $failed
  fi
  [ $failed -eq 0 ]
  exit
}

# give_up WHAT: prints that nothing more can be tested, and ends.
give_up () {
  echo "failed: $*" >> "$failures"
  failed=$((failed + 1))
  finish
}

# build DIR TARGET OPTION...
build () {
  local dir=$1 target=$2
  shift 2
  say "building $dir"
  if [ ! -f "$dir/build.ninja" ]; then
    meson setup "$dir" "$@" > "$dir.log" 2>&1 || {
      tail -n 40 "$dir.log"
      give_up "meson setup $dir"
    }
    rm -f "$dir.log"
  fi
  ninja -C "$dir" -j "$jobs" "$target" || give_up "building $dir"
}

# meson_tests DIR OPTION...: runs tests, and adds up the counts that meson prints at its end.
meson_tests () {
  local dir=$1 log key number name again=()
  shift
  say "meson test in $dir"
  log=$dir/run-tests.log
  # Runs two more tests at a time than there are processors, because most tests wait for a third of
  # their time, for windows, other threads or at random.
  meson test -C "$dir" --no-rebuild --print-errorlogs \
    --num-processes $((jobs + 2)) "$@" 2>&1 | tee "$log"
  [ "${PIPESTATUS[0]}" -eq 0 ] || grep -q '^Ok:' "$log" ||
    failed=$((failed + 1))
  while read -r key number; do
    case $key in
      Ok:|Expected*) passed=$((passed + number));;
      Fail:|Unexpected*|Timeout:) failed=$((failed + number));;
      Skipped:) skipped=$((skipped + number));;
    esac
  done < <(sed -n 's/^\(Ok\|Fail\|Skipped\|Timeout\|Expected Fail\|Unexpected Pass\): */\1: /p' "$log" |
    sed 's/ \(Fail\|Pass\):/:/')

  while IFS= read -r name; do
    say "once more, alone: $name"
    if meson test -C "$dir" --no-rebuild --print-errorlogs --num-processes 1 \
      --logbase again "$@" "$name" </dev/null; then
      echo "FLAKY: $name" >> "$flaky"
      again+=("$name")
      passed=$((passed + 1))
      failed=$((failed - 1))
    fi
  done < <(tests/tools/failures.py --again "$dir/meson-logs/testlog.json")
  tests/tools/failures.py "$dir/meson-logs/testlog.json" "${again[@]}" >> "$failures"
}

release=(--buildtype=release -Dtests=enabled -Dintrospection=enabled)
# Builds with line tables only, because findings name lines, and need no more debug information:
# with all of it, and with -O2, these builds take half as long again.
found=(--buildtype=debugoptimized -Doptimization=1 -Dc_args=-g1 -Db_lundef=false -Dtests=enabled
  -Dintrospection=disabled -Dpeers=disabled -Ddoc=disabled)
# Enables the checks for undefined behavior that cost little time; build-fuzz has all.
undefined=signed-integer-overflow,shift,bounds,nonnull-attribute,returns-nonnull-attribute
undefined+=,integer-divide-by-zero,unreachable,vla-bound,float-cast-overflow,enum,bool
sanitized=("${found[@]}" -Db_sanitize=address -Dc_link_args=-fsanitize=undefined
  -Dcpp_link_args=-fsanitize=undefined
  "-Dc_args=['-g1','-fsanitize=$undefined','-fno-sanitize-recover=$undefined']")
threads=("${found[@]}" -Db_sanitize=thread -Dexamples=disabled)
fuzzed=("${found[@]}" -Db_sanitize=address,undefined -Dfuzzers=enabled -Dexamples=disabled)

# Shares the drivers' compiled kernels between all builds and later runs, which saves two thirds of
# the time of a first run. Drivers find them by source, options and driver version.
kernels=${XDG_CACHE_HOME:-$HOME/.cache}/gst-mgpu-kernels
mkdir -p "$kernels"
[ "$(du -sm "$kernels" | cut -f1)" -lt 2048 ] || rm -rf "${kernels:?}"/*

# share_kernels DIR...
share_kernels () {
  local dir
  for dir; do
    [ -e "$dir/cache" ] || ln -s "$kernels" "$dir/cache"
  done
}

say "packages"
if [ $what = releases ]; then
  tests/install-packages.sh demo test || give_up "installing packages"
  # Compiles everything, to see the compiler's warnings.
  build build all "${release[@]}" -Doptimization=1 -Dpeers=disabled -Ddoc=disabled
  share_kernels build
  meson_tests build --timeout-multiplier 2 --suite releases --suite examples
elif [ $what = short ]; then
  tests/install-packages.sh demo test whole || give_up "installing packages"
  build build all "${release[@]}" -Dpeers=disabled
  share_kernels build
  meson_tests build --timeout-multiplier 2 --suite check --suite kernelcheck --suite examples \
    --suite releases --no-suite llvmpipe
else
  tests/install-packages.sh demo test whole peer || give_up "installing packages"
  build build all "${release[@]}" -Dpeers=enabled
  build build-asan all "${sanitized[@]}"
  build build-tsan tsan-tests "${threads[@]}"
  CC=clang build build-fuzz fuzzers "${fuzzed[@]}"
  share_kernels build build-asan build-tsan

  # Tests the results of trained models of others only where such models are installed.
  if [ -n "${MGPU_TEST_MODELS:-}" ]; then
    models=()
  else
    models=(--no-suite models)
  fi

  # Runs each test in the build in which it detects most. Failing OpenCL calls are tested with the
  # address sanitizer, which detects leaks after them, and so are the gst-check programs that do
  # not compare many frames; the release build runs these with --short, and some on the other
  # release of Debian. Time limits are for idle machines.
  meson_tests build --timeout-multiplier 2 --no-suite faults --no-suite programs "${models[@]}"
  meson_tests build-asan --timeout-multiplier 4 "${models[@]}"
  meson_tests build-tsan --timeout-multiplier 4 --suite tsan
  meson_tests build-fuzz --num-processes "$jobs" --suite fuzz
fi

say "the demo"
rm -f out/demo.png out/demo.webm
# Runs the demo with the kernels that the tests have compiled. One release of Debian builds it as
# its users do, and the other uses what is built.
export POCL_CACHE_DIR=$PWD/build/cache/pocl GST_MGPU_CACHE_DIR=$PWD/build/cache/mgpu
[ ! -L build-demo ] || rm build-demo
[ $what != releases ] || [ -e build-demo ] || ln -s build build-demo
if examples/demo.sh > build/demo.log 2>&1 && [ -s out/demo.png ] &&
  [ -s out/demo.webm ] && grep -q 'frames=200, uploads=0' build/demo.log; then
  grep -A5 '^device' build/demo.log
  passed=$((passed + 1))
  # Checks that the demo does not overwrite the video that it reads.
  before=$(cksum out/demo.webm)
  if ! examples/demo.sh out/demo.webm > build/demo.log 2>&1 && [ "$(cksum out/demo.webm)" = "$before" ] &&
    grep 'out/demo.webm is the input' build/demo.log; then
    passed=$((passed + 1))
  else
    echo 'failed: examples/demo.sh out/demo.webm' >> "$failures"
    failed=$((failed + 1))
  fi
else
  (echo examples/demo.sh && tail -n 30 build/demo.log) |
    sed 's/^/failed: /' >> "$failures"
  failed=$((failed + 1))
fi

finish
