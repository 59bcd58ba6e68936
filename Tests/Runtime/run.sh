#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Whether the runtime that is installed with programs answers as the toolchain's: Uses.swift says the same with both.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
swiftc -O -swift-version 6 -parse-as-library -o "$work/uses" Tests/Runtime/Uses.swift
Sources/Packaging/gather-runtime.sh "$work/lib" "$work/uses"
"$work/uses" >"$work/toolchain"
LD_LIBRARY_PATH=$work/lib "$work/uses" >"$work/installed"
LD_LIBRARY_PATH=$work/lib ldd "$work/uses" | grep -q "$work/lib/libswiftCore.so" || { echo "It is not loaded." >&2; exit 1; }
diff "$work/toolchain" "$work/installed"
echo "The installed runtime answers as the toolchain's: $(wc -l <"$work/installed") lines."
