#!/bin/bash
# Installs what is missing, builds, runs every test. Leaves build/ (release)
# and build-asan/ (address and leak sanitizer). The last line says how many
# passed, failed and were skipped.
set -u
cd "$(dirname "$0")/.." || exit 1

passed=0 failed=0 skipped=0
began=$SECONDS
jobs=$(nproc)

say () {
  printf '\n== %s (after %d s)\n' "$*" $((SECONDS - began))
}

finish () {
  if [ $skipped -gt 0 ]; then
    printf '\n%d passed, %d failed, %d skipped\n' $passed $failed $skipped
  else
    printf '\n%d passed, %d failed\n' $passed $failed
  fi
  [ $failed -eq 0 ]
  exit
}

# give_up WHAT: nothing more can be tested.
give_up () {
  echo "FAILED: $*"
  failed=$((failed + 1))
  finish
}

# build DIR OPTION...
build () {
  local dir=$1
  shift
  say "building $dir"
  if [ ! -f "$dir/build.ninja" ]; then
    meson setup "$dir" "$@" > "$dir.log" 2>&1 || {
      tail -n 40 "$dir.log"
      give_up "meson setup $dir"
    }
    rm -f "$dir.log"
  fi
  ninja -C "$dir" -j "$jobs" || give_up "building $dir"
}

# meson_tests DIR OPTION...: adds up what meson says at its end.
meson_tests () {
  local dir=$1 log key number
  shift
  say "meson test in $dir"
  log=$dir/run-tests.log
  meson test -C "$dir" --no-rebuild --print-errorlogs "$@" 2>&1 | tee "$log"
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
}

# kernelcheck BUILD LOG COMMAND...: adds up its last line. A device that is
# absent counts as a failure, because the packages of all were installed. The
# sanitizer's options are those of tests/meson.build, for the reasons there.
kernelcheck () {
  local dir=$1 log=$1/$2 status line
  shift 2
  POCL_CACHE_DIR=$PWD/$dir/cache/pocl \
    GST_MGPU_CACHE_DIR=$PWD/$dir/cache/mgpu \
    MESA_SHADER_CACHE_DIR=$PWD/$dir/cache/mesa \
    ASAN_OPTIONS=fast_unwind_on_malloc=0:intercept_tls_get_addr=0 \
    LSAN_OPTIONS=print_suppressions=0:suppressions=$PWD/tests/asan-lsan.supp \
    RUSTICL_ENABLE=llvmpipe \
    timeout 1800 "$@" 2>&1 | tee "$log"
  status=${PIPESTATUS[0]}
  line=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$log" | tail -n 1)
  if [ -n "$line" ]; then
    passed=$((passed + ${line%% passed*}))
    line=${line#*, }
    failed=$((failed + ${line%% failed*}))
  fi
  if [ "$status" -ne 0 ] && [ "${line%% failed*}" = 0 -o -z "$line" ]; then
    echo "FAILED: exit status $status"
    failed=$((failed + 1))
  fi
}

say "packages"
tests/install-packages.sh demo test || give_up "installing packages"

build build --buildtype=release -Dtests=enabled -Dpeers=enabled -Dintrospection=enabled
build build-asan --buildtype=debugoptimized -Db_sanitize=address \
  -Db_lundef=false -Dtests=enabled -Dintrospection=disabled -Dpeers=disabled
# One cache for both: the kernels are the same.
mkdir -p build/cache
ln -sfn ../build/cache build-asan/cache

# Failing calls are for the address sanitizer, which sees leaks after them.
meson_tests build --no-suite kernelcheck --no-suite faults

# Fresh memory, which is PoCL's device memory too, is filled with 0x7f: what a
# kernel reads before it was written is a wrong number, not a lucky 0.
say "kernels against their references, PoCL"
kernelcheck build kernelcheck-pocl.log \
  env MALLOC_PERTURB_=128 \
  build/tests/kernelcheck/kernelcheck --device portable

say "kernels against their references, llvmpipe"
kernelcheck build kernelcheck-llvmpipe.log \
  build/tests/kernelcheck/kernelcheck --device rusticl

say "the digests of both"
digests () {
  sed -n 's/^ok \([a-z]*\), .* digest \([0-9a-f]*\)$/\1 \2/p' "$1" | sort -u
}
if diff <(digests build/kernelcheck-pocl.log) \
  <(digests build/kernelcheck-llvmpipe.log); then
  echo "are equal"
  passed=$((passed + 1))
else
  failed=$((failed + 1))
fi

meson_tests build-asan --no-suite kernelcheck --no-suite headers \
  --timeout-multiplier 3

# Mesa's drivers leak.
say "kernels against their references under the address sanitizer"
kernelcheck build-asan kernelcheck.log \
  env OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd \
  build-asan/tests/kernelcheck/kernelcheck --quick --device portable

# Without --uninitialized: Oclgrind 21.10 crashes in its own bookkeeping there,
# and takes vector lanes that nobody stores for errors.
say "kernels under oclgrind: races, bounds, API use"
# Without convert: Oclgrind 21.10 does not know llvm.fshl, which its compiler
# makes of the shifts there.
rm -f build/oclgrind-errors.log
for function in bilateral colour histeq integral pyramid sharpen; do
  kernelcheck build "kernelcheck-oclgrind-$function.log" \
    oclgrind --data-races --check-api \
    --log build/oclgrind-errors-$function.log \
    build/tests/kernelcheck/kernelcheck --quick --class all \
    --function $function
  cat build/oclgrind-errors-$function.log >> build/oclgrind-errors.log
done
if [ -s build/oclgrind-errors.log ]; then
  head -n 60 build/oclgrind-errors.log
  failed=$((failed + 1))
else
  passed=$((passed + 1))
fi

say "the demo"
rm -f out/demo.png out/demo.webm
if examples/demo.sh > build/demo.log 2>&1 && [ -s out/demo.png ] &&
  [ -s out/demo.webm ] && grep -q 'frames=795, uploads=0' build/demo.log; then
  grep -A5 '^device' build/demo.log
  passed=$((passed + 1))
else
  tail -n 30 build/demo.log
  failed=$((failed + 1))
fi

finish
