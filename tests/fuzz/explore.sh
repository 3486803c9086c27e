#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Look for inputs that break a reader, with libFuzzer: `make fuzz`, or `make fuzz FUZZ_TARGETS='xml set' FUZZ_SECONDS=600`. With
# FUZZ_RUNS=1000000 each target tries that many inputs, however long that takes; the last line has the sum over all targets. An input
# fails after FUZZ_TIMEOUT seconds, 10 if not given: more on a busy machine. Works in the folder fuzz/ of the build. Each input that is
# found is a file fuzz/TARGET-crash-...: mend the reader, and put the input, with a name that tells what it is, into
# tests/fuzz/corpus/TARGET.
set -eu

srcdir=$(cd "$(dirname "$0")/../.." && pwd)
targets=${FUZZ_TARGETS:-$(sed -n 's/^TARGET(\([a-z_]*\),.*/\1/p' "$srcdir/tests/fuzz/targets.def")}
: "${FUZZ_TIMEOUT:=10}"
limit=${FUZZ_RUNS:+-runs=$FUZZ_RUNS}
: "${limit:=-max_total_time=${FUZZ_SECONDS:-60}}"
command -v clang > /dev/null || { echo "clang is not installed (Debian: apt-get install clang libclang-rt-14-dev)" >&2; exit 1; }

mkdir -p fuzz
cd fuzz
# A search for the nearest name, with coverage, takes nine tenths of the time of some targets.
printf 'fun:%s\n' suggest_nearest distance same_letter least > uncovered
[ -e Makefile ] || "$srcdir/configure" -q CC=clang \
  CFLAGS="-g -O1 -fsanitize=fuzzer-no-link,address,undefined -fsanitize-coverage-ignorelist=$PWD/uncovered"
make -s tests/fuzz/explore
mkdir -p defects
sh "$srcdir/tests/platforms/broken.sh" defects

code=0
total=0
for target in $targets; do
  mkdir -p "found/$target"
  folders=$(sed -n "s/^TARGET($target, \"\(.*\)\")/\1/p" "$srcdir/tests/fuzz/targets.def")
  seeds=
  for folder in $folders; do
    case $folder in
    defects) seeds="$seeds defects" ;;
    *) seeds="$seeds $srcdir/tests/$folder" ;;
    esac
  done
  # shellcheck disable=SC2086 # a list of words
  if CELLCOLL_FUZZ=$target ASAN_OPTIONS=detect_leaks=1 tests/fuzz/explore "$limit" -timeout="$FUZZ_TIMEOUT" \
    -rss_limit_mb=2048 -artifact_prefix="$target-" "found/$target" $seeds > "$target.log" 2>&1; then
    runs=$(sed -n 's/^Done \([0-9]*\) runs .*/\1/p' "$target.log")
    total=$((total + runs))
    echo "ok - $target: $runs inputs, of which $(find "found/$target" -type f | wc -l) are kept in fuzz/found/$target"
  else
    echo "not ok - $target: see fuzz/$target.log"
    grep -E 'expected|SUMMARY|Assertion|Test unit written' "$target.log" | sed 's/^/# /'
    code=1
  fi
done
echo "# $total inputs without a finding"
exit $code
