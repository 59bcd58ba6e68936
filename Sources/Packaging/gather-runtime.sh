#!/bin/sh
# SPDX-License-Identifier: MIT
#
# gather-runtime.sh FOLDER PROGRAM…: puts the Swift runtime that the programs need into FOLDER, without debugging
# symbols. The standard library is one library there, concurrency another and Foundation a third, each linked from the
# toolchain's static libraries: they offer what these programs ask for and nothing else, so little is left to do when a
# program is loaded (docs/decisions/0079-a-runtime-for-its-programs.md). The names by which programs ask for them are
# links. What has no part in them is copied. `relative` has flags for the linker that pack relocations.
set -eu
folder=$1
shift
shared=$(swiftc -print-target-info | sed -n '/"runtimeLibraryPaths"/,/]/s|^ *"\(/.*\)",*$|\1|p' | head -1)
[ -d "$shared" ] || { echo "swiftc does not say where its runtime lies." >&2; exit 1; }
static=${shared%/*}_static/${shared##*/}
[ -e "$static/libswiftCore.a" ] \
  || { echo "Swift's static libraries are not in $static; install a toolchain that has them." >&2; exit 1; }
tools=$shared/../../../bin
standard="swiftCore swiftSynchronization swiftGlibc swift_Builtin_float"
concurrency="swift_Concurrency swiftDispatch dispatch BlocksRuntime"
foundation="Foundation FoundationEssentials FoundationInternationalization _FoundationICU
swift_StringProcessing swift_RegexParser swiftObservation"
# Parts of Foundation that are no shared library.
inner="CoreFoundation _FoundationCShims _FoundationCollections"
export LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
rm -rf "$folder"
mkdir -p "$folder"

needed() { readelf -d "$@" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort -u; }
offered() { nm -D --defined-only "$@" | awk 'NF == 3 { print $3 }' | sort -u; }
# paths BEFORE "NAMES" AFTER
paths() { for name in $2; do echo "$1$name$3"; done; }

# link LIBRARY "NAMES" "INNER" "OTHERS" PROGRAM…: makes a library, with what the toolchain's libraries of these names have,
# for the programs and what lies in the folder. INNER are parts that are no shared library; of OTHERS it asks what it needs.
link() {
  library=$1 names=$2 archives="$2 $3" others=$4
  shift 4
  paths lib "$names" .so | grep -xF -f "$work/names" >"$work/replaced" || return 0
  # shellcheck disable=SC2046
  nm -D --undefined-only "$@" $(find "$folder" -type f) | awk 'NF == 2 { print $2 }' | sort -u >"$work/asked"
  # shellcheck disable=SC2046
  offered $(paths "$shared/lib" "$names" .so) | comm -12 - "$work/asked" >"$work/offered"
  { echo '{ global:' && sed 's/.*/"&";/' "$work/offered" && echo 'local: *; };'; } >"$work/map"
  # Some of it the static libraries keep to themselves, for they are made for one program; and two have the same function.
  for name in $archives; do
    "$tools/llvm-objcopy" --set-symbols-visibility="$work/offered=default" --weaken-symbol=_ZN5swift9threading5fatalEPKcz \
      "$static/lib$name.a" "$work/lib$name.a"
  done
  # shellcheck disable=SC2046,SC2086
  "$tools/clang" -shared -fuse-ld=lld -o "$folder/$library" -Wl,-soname,"$library" -Wl,-rpath,'$ORIGIN' \
    "$static"/*/swiftrt.o -Wl,--whole-archive $(paths "$work/lib" "$archives" .a) -Wl,--no-whole-archive \
    -Wl,--as-needed $(paths "$shared/lib" "$others" .so) "$work/threads.a" -lstdc++ -lm -Wl,-z,defs \
    -Wl,--version-script="$work/map" -Wl,--gc-sections -Wl,-z,nostart-stop-gc -Wl,--icf=safe -Wl,-Bsymbolic -Wl,-O2 -Wl,-s \
    ${relative:-}
  offered "$folder/$library" | comm -13 - "$work/offered" >"$work/missing"
  [ ! -s "$work/missing" ] || { echo "$library does not offer what is asked of it:" >&2; cat "$work/missing" >&2; exit 1; }
  while read -r name; do ln -s "$library" "$folder/$name"; done <"$work/replaced"
}

: >"$work/names"
waiting=$(needed "$@")
while [ -n "$waiting" ]; do
  found=
  for name in $waiting; do
    [ -e "$shared/$name" ] && ! grep -qxF "$name" "$work/names" || continue
    echo "$name" >>"$work/names"
    found="$found $shared/$name"
  done
  [ -n "$found" ] || break
  # shellcheck disable=SC2086
  waiting=$(needed $found)
done

paths lib "$standard $concurrency $foundation" .so >"$work/linked"
for name in $(grep -vxF -f "$work/linked" "$work/names"); do
  strip --strip-unneeded -o "$folder/$name" "$shared/$name"
done
# How a thread waits the standard library offers nobody: what needs it gets a copy, as in the toolchain's libraries.
(cd "$work" && ar x "$static/libswiftCore.a" Linux.cpp.o && ar rc threads.a Linux.cpp.o)
others=$(find "$folder" -name '*.so' | sed 's|.*/lib||; s|\.so$||')
link libswift-foundation.so "$foundation" "$inner" "$standard $concurrency $others" "$@"
link libswift-concurrency.so "$concurrency" "" "$standard $others" "$@"
link libswift-standard.so "$standard" "" "$others" "$@"
echo "The Swift runtime: $(find "$folder" -type f | wc -l) libraries, $(find "$folder" -type f -exec cat {} + | wc -c) bytes"
