#!/bin/sh
# SPDX-License-Identifier: MIT
#
# random.sh LIBRARY PROGRAMS CALLS SEED…: random calls of the C library, built for a sanitizer, with a real agent,
# documents in a synced folder and an offer of another device. `make asan` and `make tsan` build what this needs;
# `sanitizer` is `address` or `thread`.
set -eu
cd "$(dirname "$0")/../.."
library=$(realpath "$1")
programs=$2
calls=$3
shift 3
home=$(mktemp -d)
prefix=$home/root
. Tests/Embedded/devices.sh

mkdir -p "$prefix/bin" "$prefix/lib"
for program in continuo continuo-watch; do ln -s "$(realpath "$programs/$program")" "$prefix/bin/"; done
ln -s "$library" "$prefix/lib/libcontinuo-c.so"
# Thread Sanitizer's runtime wants libdispatch, which lies with the compiler.
swift=$(dirname "$(realpath "$(command -v clang)")")/../lib/swift/linux
clang -fuse-ld=lld -fsanitize=${sanitizer:=address} -std=gnu99 -g -o "$home/random" Tests/Embedded/random.c -ISources/App/CContinuo/include \
  -pthread "$prefix/lib/libcontinuo-c.so" -Wl,-rpath,"$(dirname "$library"):$swift" \
  -L"$swift" -ldispatch -lBlocksRuntime
pair
for name in one two; do echo "$name" >"$home/desktop/notes/$name.md"; done
limit=900
ended_by_hand laptop "$prefix/bin/continuo" publish "$home/laptop/notes/plan.md" >"$home/said.published" 2>&1 &
publishing=$!
until on desktop "$prefix/bin/continuo" offers --json | grep -q "plan.md"; do
  kill -0 $publishing 2>/dev/null || fail "nothing is published"
  carry
  sleep 0.1
done
for seed in "$@"; do
  on desktop env ASAN_OPTIONS=detect_leaks=1:halt_on_error=1 \
    TSAN_OPTIONS="halt_on_error=1 suppressions=$PWD/Tests/thread-sanitizer.supp" \
    "$home/random" "$seed" "$calls" "$home/desktop/notes/plan.md" "$home/desktop/notes/one.md" \
    "$home/desktop/notes/two.md" >"$home/said.random" 2>&1 &
  calling=$!
  while kill -0 $calling 2>/dev/null; do
    echo more >>"$home/laptop/notes/plan.md"
    carry
    sleep 0.3
  done
  wait $calling || fail "seed $seed ended with $?"
  took "seed $seed, $calls calls: $(tail -1 "$home/said.random")"
done
end_by_hand
wait $publishing || :
