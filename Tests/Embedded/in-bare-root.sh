#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What bare-root.sh plays inside of the root that it made: packages lie in /former and /new.
set -eu
home=$(mktemp -d) prefix=/usr
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
. /devices.sh
apt() { apt-get -qq -y --no-install-recommends "$@" >"$home/said.apt" 2>&1 || fail "apt-get $1 ended with $?"; }
# agents: how many run the installed program, and how many one that was replaced.
agents() {
  for process in /proc/[0-9]*; do
    case $(tr '\0' ' ' 2>/dev/null <"$process/cmdline") in
      *" agent ") readlink "$process/exe" || : ;;
    esac
  done 2>/dev/null \
    | sed -n 's|^/usr/bin/continuo$|new|p; s|^/usr/bin/continuo (deleted)$|old|p' | sort | uniq -c | tr -s ' \n' ' '
}
# shown TEXT: waits until the editor's screen shows it.
shown() {
  for _ in $(seq 150); do
    tmux -S "$home/tmux" capture-pane -p | grep -qF "$1" && return
    carry_records
    sleep 0.1
  done
  tmux -S "$home/tmux" capture-pane -p >&2
  fail "the editor does not show “$1”"
}
# As `carry`, without documents.
carry_records() {
  cp -rpu "$home/desktop/notes/.continuo/." "$home/laptop/notes/.continuo/" 2>/dev/null || :
  cp -rpu "$home/laptop/notes/.continuo/." "$home/desktop/notes/.continuo/" 2>/dev/null || :
}

apt update
apt install /former/*.deb
find / -xdev -name 'libswift*' | grep -v -e '^/usr/lib/continuo/' -e '^/player/' && fail "there is other Swift in the bare root"
took "installed: $(du -ksc /usr/bin/continuo* /usr/lib/continuo | tail -1 | cut -f1) KiB of programs and runtime"

# offered: publishes the document as it is, until the laptop's list has that version.
offered() {
  ended_by_hand desktop continuo publish "$home/desktop/notes/plan.md" --line 2 --column 3 >"$home/said.published" 2>&1 &
  digest=$(sha256sum <"$home/desktop/notes/plan.md" | cut -c1-64)
  until on laptop continuo offers --json | grep -q "$digest"; do carry_records; sleep 0.1; done
}
pair
carry
offered
end_by_hand
printf 'second\nand more\n' >"$home/desktop/notes/plan.md"
offered
tmux -S "$home/tmux" new-session -d -x 100 -y 30 env -i HOME="$home/laptop" XDG_DATA_HOME="$home/laptop/data" \
  XDG_CONFIG_HOME="$home/laptop/config" XDG_STATE_HOME="$home/laptop/state" XDG_RUNTIME_DIR="$home/laptop/run" \
  TERM=screen LC_ALL=C.UTF-8 PATH=/usr/bin:/bin continuo-edit
shown "Continue plan.md"
tmux -S "$home/tmux" send-keys C-r
shown "Waiting for plan.md"
took "an editor of the former release waits; agents: $(agents)"

apt install /new/*.deb
# The former agents end by themselves, and who needs one starts another.
for _ in $(seq 100); do
  case $(agents) in *old*) sleep 0.1 ;; *) break ;; esac
done
on laptop continuo status >/dev/null || fail "there is no status after the upgrade"
case $(agents) in *old*) fail "an agent of the former release runs on: $(agents)" ;; esac
carry
shown "and more"
shown "Ln 2, Col 3"
took "upgraded to $(dpkg-query -f '${Version}' -W continuo); the editor that waited shows the document"
tmux -S "$home/tmux" kill-server
end_by_hand
rm -rf "$home/desktop/notes/plan.md" "$home/laptop/notes/plan.md"
end_agents
rm -rf "$home/desktop" "$home/laptop" "$home/alone"

pair
on desktop /editor leave "$home/desktop/notes/plan.md" >"$home/said.left" 2>&1 &
leaving=$!
on laptop /editor-in-c++ >"$home/said.taken" 2>&1 &
taking=$!
carry_until $leaving || fail "editor.c ended with $?"
wait $taking || fail "editor.cpp ended with $?"
said taken "desktop: line 1 column 4, certainty 1, asked 1"
said left "continued by laptop"
took "handed over without Swift on $(sed -n 's/^PRETTY_NAME=//p' /etc/os-release)"

cp /player/fixtures /usr/bin/fixtures
env -i HOME=/root PATH=/usr/bin:/bin LC_ALL=C.UTF-8 TERM=screen LD_LIBRARY_PATH=/player/runtime \
  fixtures demo --no-keyboard >"$home/said.demo" 2>&1 || fail "the demo ended with $?"
rm -r /usr/bin/fixtures /player
took "the demo passes with what is installed"

on laptop continuo status >/dev/null
keys=$(find "$home/laptop/state" "$home/laptop/notes" -type f | sort)
dpkg-query -L continuo continuo-edit libcontinuo0 libcontinuo-dev | sort -u >"$home/packaged"
apt remove continuo continuo-edit libcontinuo0 libcontinuo-dev
case $(agents) in *[on]*) fail "an agent runs without its program: $(agents)" ;; esac
dpkg --purge continuo continuo-edit libcontinuo0 libcontinuo-dev >"$home/said.dpkg" 2>&1 || fail "purging ended with $?"
dpkg-query -W 'continuo*' 'libcontinuo*' 2>/dev/null | grep . && fail "packages are left"
while read -r file; do
  [ -d "$file" ] || [ ! -e "$file" ] || fail "left behind: $file"
done <"$home/packaged"
left=$(find "$home/laptop/state" "$home/laptop/notes" -type f | sort)
[ "$(echo "$keys" | grep -v '\.log$\|-wal$\|-shm$')" = "$(echo "$left" | grep -v '\.log$\|-wal$\|-shm$')" ] \
  || fail "removing took files of the user's, or left other ones: $left"
grep -q "" "$home/laptop/notes/plan.md" || fail "the document is gone"
took "removed and purged; documents, keys and records are there"
