#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the pure rooms once with every mutant of Fixtures/mutants behind a switch, and runs each until a
# history finds it. `run.sh [HISTORIES [WORK [WORD…]]]`, only mutants with such a word in their names; exit code 1 when one is missed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=${2:-$root/.build/mutants}
mkdir -p "$work"
swift run --package-path "$here" --scratch-path "$work/prepare" prepare "$root" "$work" >&2
swift build -c release --package-path "$work" --product mutants >&2
histories=${1:-10000}
shift $(($# < 2 ? $# : 2))
exec "$work/.build/release/mutants" "$histories" "$@"
