#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the built tests; the arguments are those of `swift test`. After a failure the last lines name what failed:
# of a long log often only the end is kept.
set -uo pipefail
log=$(mktemp)
trap 'rm -f "$log"' EXIT
swift test --skip-build "$@" 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
if [ "$status" -ne 0 ]; then
  echo
  echo "What failed:"
  grep -a -A 25 -E 'recorded an issue|error: -|^[^ ]* Test .* failed after|Fatal error|Exited with' "$log" \
    | grep -a -v -E ' (started|passed after)' | tail -n 200
fi
exit "$status"
