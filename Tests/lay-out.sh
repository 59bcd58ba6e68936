#!/bin/sh
# SPDX-License-Identifier: MIT
# lay-out.sh PROGRAM RESULT ARGUMENT...
#
# Makes RESULT of PROGRAM, which was linked with --emit-relocs: the same code, with what runs one after the other side
# by side. What runs is counted in a run with the arguments, by BOLT. Without BOLT, or where it cannot do this, RESULT
# is a copy of PROGRAM, and a line on standard error tells so.
set -u
program=$1 result=$2
shift 2

bolt=$(ls -d /usr/lib/llvm-*/bin/llvm-bolt 2>/dev/null | sort -V | tail -n 1)
counts=$(mktemp) counting=$(mktemp) log=$(mktemp)
trap 'rm -f "$counts" "$counting" "$log"' EXIT

# What BOLT 19 does not read: thunks of asynchronous functions, which jump through a constant, and assembly with
# constants between its instructions.
unread='.*TRTA.*,\$sSci.*,CCryptoBoringSSL_.*,const3.*'

lay_out() {
  "$bolt" "$program" -o "$counting" -instrument --instrumentation-file="$counts" -skip-funcs="$unread" \
    && "$counting" "$@" \
    && "$bolt" "$program" -o "$result" -data="$counts" -lite=1 -skip-funcs="$unread" \
      -reorder-blocks=ext-tsp -reorder-functions=cdsort -split-functions -split-all-cold
}

lay_out "$@" >"$log" 2>&1 && exit 0
echo "$result is as it was linked, for BOLT did not lay it out: $(grep -v '^ *#' "$log" | tail -n 1)" >&2
cp "$program" "$result"
