#!/bin/sh
# SPDX-License-Identifier: MIT
#
# fuzz.sh PROGRAM SECONDS [NAME…]: the canary first, then each target for so long, all of them without a name.
# What is found on the way stays in .build/fuzz/corpus, and is where the next run begins. `make fuzz` builds what
# this needs. `runs` counts executions in place of seconds: a number, or `full` for what a target lacks of its
# full count, which runs on one corpus add up to. `keep=1` also takes what is worth it over into Fixtures/fuzz.
set -eu
cd "$(dirname "$0")/.."
program=$(realpath "$1")
seconds=$2
shift 2
work=$PWD/.build/fuzz/corpus
mkdir -p "$work/found"
rm -rf "$work"/*.seeds
# A process that libFuzzer ends leaves its folders.
TMPDIR=$work/folders
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
rm -rf "$TMPDIR"
mkdir "$TMPDIR"
# A value that lives as long as the process looks lost where Swift keeps a mark in the pointer to it.
ASAN_OPTIONS=detect_leaks=0 CONTINUO_FUZZ_WRITE=$work "$program" 2>"$work/said.seeds" || { cat "$work/said.seeds" >&2; exit 2; }
# The shell's environment alone says how much is told of an address.
# Stacks of allocations, memory that is filled, and more of it waiting to be used again than a processor's cache
# holds, cost a quarter of the time.
export ASAN_OPTIONS="detect_leaks=1:allocator_may_return_null=1:malloc_context_size=1:max_malloc_fill_size=0:quarantine_size_mb=1:thread_local_quarantine_size_kb=64:${ASAN_OPTIONS:-}" SWIFT_BACKTRACE=enable=no
# The canary is to be found within so many executions, which takes seconds.
canary_bound=5000000
# Of one file, and of all files of a target.
kept_size=2048
kept_count=80

# run NAME ARGUMENT…: its log is $work/NAME.log.
run() {
  name=$1
  shift
  mkdir -p "$work/$name"
  CONTINUO_FUZZ_TARGET=$name "$program" -max_len="$(cat "$work/$name.length")" -timeout=5 -rss_limit_mb=2048 \
    -malloc_limit_mb=256 -print_final_stats=1 -artifact_prefix="$work/found/$name-" "$@" >"$work/$name.log" 2>&1
}

# total NAME: executions of all runs on its corpus.
total() { cat "$work/$1.total" 2>/dev/null || echo 0; }

# limit NAME
limit() {
  case ${runs:-} in
    '') echo "-max_total_time=$seconds" ;;
    full) left=$(($(cat "$work/$1.full") - $(total "$1"))); echo "-runs=$((left > 0 ? left : 1))" ;;
    *) echo "-runs=$runs" ;;
  esac
}

# executions NAME
executions() { sed -n 's/^stat::number_of_executed_units: *//p' "$work/$1.log"; }

rm -rf "$work/canary"
if run canary -seed=1 -runs=$canary_bound || ! grep -q 'heap-buffer-overflow' "$work/canary.log"; then
  tail -n 20 "$work/canary.log" >&2
  echo "canary: not found in $canary_bound executions: the fuzzer finds nothing" >&2
  exit 1
fi
rm -f "$work/found/canary-"*
echo "canary: found after $(executions canary) executions"

status=0
for name in ${*:-$(cat "$work/targets")}; do
  [ -f "$work/$name.length" ] || { echo "There is no target $name; there are: $(paste -sd' ' "$work/targets")" >&2; exit 2; }
  kept=Fixtures/fuzz/$name
  mkdir -p "$kept"
  dictionary=
  [ ! -s "$work/$name.dict" ] || dictionary=-dict=$work/$name.dict
  if run "$name" $dictionary "$(limit "$name")" \
    "$work/$name" "$work/$name.seeds" "$kept"; then
    slowest=$(sed -n 's/^slowest: \([0-9]* us\).*/\1/p' "$work/$name.log" | tail -n 1)
    echo $(($(total "$name") + $(executions "$name"))) >"$work/$name.total"
    echo "$name: $(executions "$name") executions, $(total "$name") in all, $(sed -n 's/^stat::average_exec_per_sec: *//p' "$work/$name.log") a second, slowest $slowest"
  else
    grep -a -m 5 -E '^broken:|ERROR: |SUMMARY: ' "$work/$name.log" >&2 || tail -n 20 "$work/$name.log" >&2
    input=$(ls -t "$work/found/$name-"* 2>/dev/null | head -n 1)
    echo "$name: failed after $(executions "$name") executions; the input is ${input:-not kept}, the log $work/$name.log" >&2
    status=1
    continue
  fi
  if [ -n "${keep:-}" ]; then
    rm -rf "$work/$name.merged"
    mkdir "$work/$name.merged"
    run "$name" -merge=1 "$work/$name.merged" "$kept" "$work/$name.seeds" "$work/$name"
    # Inputs that once found a fault stay, whatever they cover now.
    find "$kept" -type f ! -name 'fault-*' -delete
    # Of all lengths alike.
    find "$work/$name.merged" -type f -size -${kept_size}c ! -empty -printf '%s %f\n' | sort -n >"$work/$name.sizes"
    awk -v all="$(wc -l <"$work/$name.sizes")" -v kept=$kept_count \
      'all <= kept || int(NR * kept / all) > int((NR - 1) * kept / all)' "$work/$name.sizes" \
      | while read -r _ file; do cp "$work/$name.merged/$file" "$kept/$(echo "$file" | cut -c 1-16)"; done
  fi
  rmdir "$kept" 2>/dev/null || true
done
exit $status
