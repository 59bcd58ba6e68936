#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Installs the C library, looks at what it is, and hands documents over between editors in C, C++ and Python on
# two devices with real agents. `make embedded` builds what this needs. run.sh [LIBRARY [PROGRAMS]]
set -eu
cd "$(dirname "$0")/../.."
library=${1:-.build/library}
programs=${2:-.build/debug}
home=$(mktemp -d)
prefix=$home/root/usr/local
. Tests/Embedded/devices.sh

# --- Installing, and what was installed

(umask 077 && make -s install built=1 DESTDIR="$home/root" PREFIX=/usr/local library="$library" \
  programs="$programs") >/dev/null
[ -z "$(find "$home/root" -mindepth 1 ! -type l ! -perm -o=r)" ] || fail "installed and not for everybody to read"
PKG_CONFIG_PATH=$prefix/lib/pkgconfig
export PKG_CONFIG_PATH
pkg-config --validate continuo || fail "continuo.pc is not valid"
flags=$(pkg-config --define-variable=prefix="$prefix" --cflags --libs continuo)
shared=$prefix/lib/libcontinuo.so.0

nm -D --defined-only "$shared" | sed -n 's/^[0-9a-f]* T \(.*\)@@CONTINUO_.*/\1/p' | sort >"$home/exported"
sed -n 's/^    \(continuo_.*\);$/\1/p' Sources/App/CContinuo/continuo.map | sort >"$home/listed"
cmp -s "$home/exported" "$home/listed" || fail "exported and listed differ: $(diff "$home/exported" "$home/listed")"
nm -D --defined-only "$shared" | awk '$2 ~ /[A-Z]/ && $3 !~ /^(continuo_|CONTINUO_)/' | grep . \
  && fail "exports more than continuo_*"
needed=$(readelf -d "$shared" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort | tr '\n' ' ')
case $needed in
  "ld-linux-"*" libc.so.6 libgcc_s.so.1 libm.so.6 libstdc++.so.6 ") ;;
  *) fail "needs other libraries: $needed" ;;
esac
size=$(stat -Lc %s "$shared")
[ "$size" -le 12582912 ] || fail "libcontinuo.so.0 has $size bytes, and may have 12 MiB: does it need Foundation again?"
for program in continuo continuo-watch continuo-edit; do
  on alone "$prefix/bin/$program" --help >/dev/null || fail "the installed $program does not run"
done
took "libcontinuo.so.0: $size bytes, $(wc -l <"$home/exported") symbols, needs $needed"

# --- What the header says is what was built, in both languages

generated=$(find .build/debug/ -name ContinuoC-Swift.h | head -1)
[ -n "$generated" ] || fail "there is no generated header to compare with"
printf '#include <continuo.h>\n#define ptrdiff_t size_t\n#include "%s"\n' "$PWD/$generated" \
  | cc -w -x c -I"$prefix/include" -fsyntax-only - || fail "the header and what Swift built differ"
warnings="-Wall -Wextra -Wpedantic -Werror"
for program in editor misuse streams saves drafts presence search together; do
  # shellcheck disable=SC2086
  cc -std=c99 $warnings -g -o "$home/$program" "Tests/Embedded/$program.c" -pthread $flags || fail "$program.c"
done
# shellcheck disable=SC2086
c++ -std=c++11 $warnings -o "$home/editor-in-c++" Tests/Embedded/editor.cpp $flags || fail "editor.cpp"
printf '#include <continuo.h>\nint main() { return 0; }\n' \
  | c++ -x c++ -std=c++11 $warnings -I"$prefix/include" -fsyntax-only - || fail "continuo.h in C++"
took "compiled as C99 and C++11"

# --- Two devices

checked="valgrind -q --error-exitcode=9 --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite \
  --suppressions=$prefix/share/continuo/valgrind.supp"
pair
took "paired two devices"

# On a device that nobody else hears of: first without an agent, then with one.
mkdir -p "$home/alone/lib" "$home/alone/bin"
cp "$shared" "$home/alone/lib/"
on alone env LD_LIBRARY_PATH="$home/alone/lib" "$home/editor" alone >"$home/said.alone" 2>&1 || fail "alone ended with $?"
grep -q "alone: The program .continuo. was found neither .*; install it" "$home/said.alone" || fail "no remedy"
cp "$home/desktop/notes/plan.md" "$home/alone/notes/"
on alone "$prefix/bin/continuo" folder add "$home/alone/notes" >/dev/null
# shellcheck disable=SC2086
on alone $checked "$home/misuse" "$home/alone/notes" >"$home/said.misuse" 2>&1 || fail "misuse ended with $?"
said misuse "misused, connected 1 times"
took "everything that is wrong is refused, under valgrind"

# C leaves, under valgrind; C++ takes it up, without any environment and with an agent that it starts itself.
# shellcheck disable=SC2086
on desktop $checked "$home/editor" leave "$home/desktop/notes/plan.md" >"$home/said.left" 2>&1 &
leaving=$!
on laptop "$prefix/bin/continuo" agent stop >/dev/null
on laptop "$home/editor-in-c++" >"$home/said.taken" 2>&1 &
taking=$!
carry_until $leaving || fail "editor.c ended with $?"
wait $taking || fail "editor.cpp ended with $?"
said taken "desktop: line 1 column 4, certainty 1, asked 1"
said left "continued by laptop"
took "C to C++"

# Documents of any name come back byte for byte.
mkdir "$home/alone/names"
on alone python3 Tests/Embedded/names.py Fixtures/hostile-names.txt "$home/alone/names" >"$home/said.names" 2>&1 \
  || fail "names.py ended with $?"
took "$(cat "$home/said.names")"
mkdir "$home/alone/versions"
on alone python3 Tests/Embedded/versions.py Fixtures/hostile-names.txt "$home/alone/versions" >"$home/said.versions" 2>&1 \
  || fail "versions.py ended with $?"
took "$(cat "$home/said.versions")"

# Python leaves and is gone; C takes it up, under valgrind.
on laptop python3 Tests/Embedded/editor.py leave "$home/laptop/notes/plan.md" || fail "editor.py ended with $?"
# shellcheck disable=SC2086
on desktop $checked "$home/editor" take-up >"$home/said.taken" 2>&1 &
carry_until $! || fail "editor.c ended with $?"
said taken "“” from laptop: 19 bytes, line 1 column 7, selected from -1, top -1, zoom 100, fold 0"
took "Python to C"

# The command line publishes a place beyond the end; C is led to the end.
ended_by_hand laptop "$prefix/bin/continuo" publish "$home/laptop/notes/plan.md" --line 99 --column 7 \
  --title Beyond >"$home/said.published" 2>&1 &
publishing=$!
until on desktop "$prefix/bin/continuo" offers --json | grep -q Beyond; do
  kill -0 $publishing 2>/dev/null || fail "publish ended with $?"
  carry
  sleep 0.1
done
on desktop "$home/editor" take-up >"$home/said.taken" 2>&1 &
carry_until $! || fail "editor.c ended with $?"
end_by_hand
wait $publishing || :
said taken "“Beyond” from laptop: 19 bytes, line 2 column 0, selected from -1, top -1, zoom 100, fold 0"
took "a place beyond the end"

# C leaves, its agent is ended and started anew by the library; Python takes it up.
on desktop "$home/editor" leave "$home/desktop/notes/plan.md" >"$home/said.left" 2>&1 &
leaving=$!
until on laptop "$prefix/bin/continuo" offers --json | grep -q "A plan"; do
  kill -0 $leaving 2>/dev/null || fail "editor.c ended early"
  carry
  sleep 0.1
done
on desktop "$prefix/bin/continuo" agent stop >/dev/null
on laptop python3 Tests/Embedded/editor.py take-up >"$home/said.taken" 2>&1 &
taking=$!
carry_until $leaving || fail "editor.c ended with $?"
wait $taking || fail "editor.py ended with $?"
said taken "desktop: line 1 column 3"
said left "continued by laptop"
took "C to Python, the agent restarted in between"

# The file is replaced while it is opened: nothing counts as shown.
ended_by_hand desktop "$home/editor" leave "$home/desktop/notes/plan.md" >"$home/said.left" 2>&1 &
leaving=$!
on laptop "$home/editor" spoil >"$home/said.spoiled" 2>&1 &
taking=$!
while kill -0 $taking 2>/dev/null; do carry; sleep 0.1; done
wait $taking || fail "spoil ended with $?"
said spoiled "failed with 4626: $home/laptop/notes/plan.md was changed while it was opened; continue again when it lies still."
end_by_hand
wait $leaving || :
took "a file that is replaced while it is opened is not shown"

# Streams between two programs in C, the one that asks under valgrind.
for device in desktop laptop; do on $device "$prefix/bin/continuo" lan on >/dev/null; done
until [ "$(for device in desktop laptop; do on $device "$prefix/bin/continuo" lan status --json; done \
  | grep -c '"linked"')" -eq 2 ]; do
  [ $(($(date +%s) - began)) -lt 60 ] || fail "the devices are not linked"
  carry
  sleep 0.1
done
on desktop "$home/streams" leave >"$home/said.left" 2>&1 &
leaving=$!
# shellcheck disable=SC2086
on laptop $checked "$home/streams" take-up >"$home/said.taken" 2>&1 || fail "streams.c ended with $?"
wait $leaving || fail "streams.c ended with $?"
said left "wrote 3000000, read 7, to the end"
said taken "wrote 7, read 3000000, to the end"
took "streams in C"

# Text that is not saved, and a reason why not.
on desktop "$home/saves" leave "$home/desktop/notes/plan.md" >"$home/said.left" 2>&1 &
leaving=$!
# shellcheck disable=SC2086
on laptop $checked "$home/saves" take-up >"$home/said.taken" 2>&1 &
taking=$!
carry_until $taking || fail "saves.c ended with $?"
carry_until $leaving || fail "saves.c ended with $?"
said left "asked by laptop"
said taken "desktop did not save plan.md, so what was typed there since its last save is not in it: It is being printed."
took "a save in C that is refused"

# A text that no file has, to a host that shows such texts.
on desktop "$home/drafts" leave >"$home/said.left" 2>&1 &
leaving=$!
# shellcheck disable=SC2086
on laptop $checked "$home/drafts" take-up >"$home/said.taken" 2>&1 &
taking=$!
carry_until $taking || fail "drafts.c ended with $?"
carry_until $leaving || fail "drafts.c ended with $?"
said left "asked by laptop"
said taken "21 bytes from desktop, line 1 column 5"
took "a text that no file has, in C"

# What is kept for search comes back once somebody chose it, and is gone once it is deleted.
# shellcheck disable=SC2086
on desktop $checked "$home/search" >"$home/said.search" 2>&1 &
searching=$!
until on desktop "$prefix/bin/continuo" search --json lent recipe | grep -q '"Soup"'; do
  kill -0 $searching 2>/dev/null || fail "search.c ended with $?"
  sleep 0.1
done
on desktop "$prefix/bin/continuo" search --open soup >"$home/said.opened" 2>&1 || fail "search --open ended with $?"
wait $searching || fail "search.c ended with $?"
grep -q "^Handed over to .*: Soup\.$" "$home/said.opened" || fail "$(cat "$home/said.opened")"
said search "found Soup, page 7
deleted"
on desktop "$prefix/bin/continuo" search --json soup | grep -q Soup && fail "what was deleted is found"
took "found again, and deleted, in C"

# What is open on one device is continued on the other one with one call.
for name in one two three; do echo "text of $name" >"$home/desktop/notes/$name.md"; done
carry
# shellcheck disable=SC2086
on desktop $checked "$home/together" "$home/desktop/notes" one.md two.md three.md >"$home/said.left" 2>&1 &
leaving=$!
# shellcheck disable=SC2086
on laptop $checked "$home/together" >"$home/said.taken" 2>&1 &
carry_until $! || fail "together.c ended with $?"
carry_until $leaving || fail "together.c ended with $?"
said left "continued by laptop"
sort -o "$home/said.taken" "$home/said.taken"
said taken "one.md
three.md
two.md"
took "three documents at once, in C"

# Who has it open, and where, until they leave.
for device in desktop laptop; do
  on $device "$prefix/bin/continuo" folder set notes --presence on >/dev/null || fail "presence is not switched on"
done
on desktop "$home/presence" "$home/desktop/notes/plan.md" 0 >"$home/said.left" 2>&1 &
leaving=$!
# shellcheck disable=SC2086
on laptop $checked "$home/presence" "$home/laptop/notes/plan.md" 5 >"$home/said.taken" 2>&1 &
taking=$!
carry_until $leaving || fail "presence.c ended with $?"
carry_until $taking || fail "presence.c ended with $?"
grep -q "^laptop is in line [56]$" "$home/said.left" || fail "the laptop was not seen"
grep -q "^desktop is in line [01]$" "$home/said.taken" || fail "the desktop was not seen"
took "who has a document open, in C"

end_agents
make -s uninstall DESTDIR="$home/root" PREFIX=/usr/local
[ -z "$(find "$home/root" ! -type d)" ] || fail "left behind: $(find "$home/root" ! -type d)"
