#!/bin/sh
# SPDX-License-Identifier: MIT
#
# gather-runtime.sh FOLDER PROGRAM…: puts those libraries of the Swift runtime that the programs need, or that
# one of these needs, into FOLDER, without debugging symbols. They find each other beside each other.
set -eu
folder=$1
shift
runtime=$(swiftc -print-target-info | sed -n '/"runtimeLibraryPaths"/,/]/s|^ *"\(/.*\)",*$|\1|p' | head -1)
[ -d "$runtime" ] || { echo "swiftc does not say where its runtime lies." >&2; exit 1; }
rm -rf "$folder"
mkdir -p "$folder"
needed() { readelf -d "$@" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort -u; }
waiting=$(needed "$@")
while [ -n "$waiting" ]; do
  found=
  for name in $waiting; do
    [ -e "$runtime/$name" ] && [ ! -e "$folder/$name" ] || continue
    strip --strip-unneeded -o "$folder/$name" "$runtime/$name"
    found="$found $folder/$name"
  done
  [ -n "$found" ] || break
  # shellcheck disable=SC2086
  waiting=$(needed $found)
done
echo "The Swift runtime: $(find "$folder" -type f | wc -l) libraries, $(cat "$folder"/* | wc -c) bytes"
