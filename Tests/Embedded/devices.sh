# SPDX-License-Identifier: MIT
#
# Two devices with agents of their own, for scripts that set `home`, a new folder, and `prefix`, below which the
# programs are installed. Sourced.
began=$(date +%s)

# Nothing of this outlives the script.
end_agents() {
  for device in desktop laptop alone; do
    [ ! -x "$prefix/bin/continuo" ] || on $device "$prefix/bin/continuo" agent stop || :
  done >/dev/null 2>&1
}
trap 'end_by_hand; end_agents; rm -rf "$home"' EXIT
trap 'exit 1' INT TERM

fail() {
  echo "$1" >&2
  for log in "$home"/*/state/continuo/agent.log "$home"/said.*; do
    [ ! -s "$log" ] || { echo "== $log"; cat "$log"; }
  done >&2
  exit 1
}

took() {
  now=$(date +%s)
  echo "$1 ($((now - began)) s)"
  began=$now
}

# on DEVICE COMMAND…: with nothing of this environment but the device's own folders.
on() {
  at=$home/$1
  shift
  timeout "${limit:-120}" env -i HOME="$at" XDG_DATA_HOME="$at/data" XDG_CONFIG_HOME="$at/config" \
    XDG_STATE_HOME="$at/state" XDG_RUNTIME_DIR="$at/run" LD_LIBRARY_PATH="$prefix/lib" PYTHONDONTWRITEBYTECODE=1 "$@"
}

# ended_by_hand DEVICE COMMAND…: as `on`, and `end_by_hand` ends it, and not only the shell around it.
ended_by_hand() {
  # shellcheck disable=SC2016
  device=$1
  shift
  on "$device" sh -c 'echo $$ >"$0"; exec "$@"' "$home/by-hand" "$@"
}

end_by_hand() { [ ! -e "$home/by-hand" ] || kill "$(cat "$home/by-hand")" 2>/dev/null || :; }

# One turn of a sync engine: what is newer goes over.
carry() {
  cp -rpu "$home/desktop/notes/." "$home/laptop/notes/" 2>/dev/null || :
  cp -rpu "$home/laptop/notes/." "$home/desktop/notes/" 2>/dev/null || :
}

# carry_until PROCESS: the engine goes on as long as the process runs.
carry_until() {
  while kill -0 "$1" 2>/dev/null; do carry; sleep 0.1; done
  wait "$1"
}

# Pairs desktop and laptop, whose folder `notes` holds `plan.md`.
pair() {
  for device in desktop laptop alone; do
    mkdir -p "$home/$device/notes" && mkdir -m 700 "$home/$device/run"
  done
  printf 'first\na\303\251\360\237\230\200\346\274\242\tz\n' >"$home/desktop/notes/plan.md"
  on desktop "$prefix/bin/continuo" folder add "$home/desktop/notes" >/dev/null
  on desktop "$prefix/bin/continuo" pair --device-name desktop 2>"$home/said.pair" >"$home/words" \
    || fail "pairing failed"
  carry
  on laptop "$prefix/bin/continuo" folder add "$home/laptop/notes" >/dev/null
  on laptop "$prefix/bin/continuo" join --device-name laptop --words-file "$home/words" \
    >"$home/said.join" 2>&1 &
  carry_until $! || fail "joining failed"
}

# said NAME TEXT: what one of the editors is to have printed.
said() { [ "$(cat "$home/said.$1")" = "$2" ] || fail "$1 said “$(cat "$home/said.$1")” and not “$2”"; }
