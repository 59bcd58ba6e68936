#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Builds the package of hosts and runs each with a real agent, one of them on two devices.
# The command line must be built: `make hosts` does both.
set -eu
cd "$(dirname "$0")/../.."
root=$(pwd)
hosts=$root/.build/hosts/debug
swift build --quiet --package-path Tests/Hosts --scratch-path .build/hosts

# What is compiled for apps that import `Continuo` or `AppKitNames`: no database, no cryptography, no parser of
# arguments, and nothing of the agent, the terminal, the desktop or the watching of folders.
ours='Continuo|AppKitNames|Documents|ConflictVersions|UserActivities|AgentClient|AppSession|SyncedFolders|Activity(Model|Wire|Exchange)'
rest='LinuxSystem|CLinux|CDispatchMain|Logging|Callbacks|[a-z]+_host'
compiled=$(cd "$hosts" && find . -path '*.build/*' -name '*.o' | sed 's|^\./\([^/]*\)\.build/.*|\1|' | sort -u)
echo "$compiled" | grep -qx Continuo || { echo "nothing is compiled, so the check is wrong" >&2; exit 1; }
if foreign=$(echo "$compiled" | grep -vxE "$ours|$rest"); then
  echo "apps that import Continuo compile more than they need:" $foreign >&2
  exit 1
fi

# What an app links that imports one library: Swift's own, and what Swift's own is linked with.
swifts='lib(swift[A-Za-z_]*|Foundation[A-Za-z]*|_FoundationICU|dispatch|BlocksRuntime)\.so'
systems='lib(c|m|stdc\+\+|gcc_s|dl|pthread|rt|util)\.so\.[0-9]+|ld-linux.*'
for host in continuo-host names-host; do
  linked=$(readelf -d "$hosts/$host" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
  [ -n "$linked" ] || { echo "$host: nothing is linked, so the check is wrong" >&2; exit 1; }
  if foreign=$(echo "$linked" | grep -vxE "$swifts|$systems"); then
    echo "$host links more than Swift's own libraries:" $foreign >&2
    exit 1
  fi
  echo "$host links" $(echo "$linked" | wc -l) "libraries, all of them Swift's or the C library's"
done

# Two devices, each with an agent of its own.
home=$(mktemp -d)
trap '{ on desktop continuo agent stop; on laptop continuo agent stop; } >/dev/null 2>&1 || :; rm -rf "$home"' EXIT
trap 'exit 1' INT TERM
PATH=$root/.build/debug:$PATH

on() {
  at=$home/$1
  shift
  HOME=$at XDG_DATA_HOME=$at/data XDG_CONFIG_HOME=$at/config XDG_STATE_HOME=$at/state \
    XDG_RUNTIME_DIR=$at/run timeout 60 "$@"
}

fail() {
  echo "$1; the agents' logs:" >&2
  cat "$home"/*/state/continuo/agent.log >&2
  exit 1
}

# One turn of a sync engine: what is newer goes over.
carry() {
  cp -rpu "$home/desktop/notes/.continuo" "$home/laptop/notes/" 2>/dev/null || :
  cp -rpu "$home/laptop/notes/.continuo" "$home/desktop/notes/" 2>/dev/null || :
}

for device in desktop laptop; do
  mkdir -p "$home/$device/notes" && mkdir -m 700 "$home/$device/run"
done
on desktop continuo folder add "$home/desktop/notes" >/dev/null

for host in poll-host glib-host continuo-host names-host; do
  on desktop "$hosts/$host" || fail "$host ended with $?"
done

# The app of the tests leaves its map on one device and takes it up on the other.
on desktop continuo pair 2>/dev/null >"$home/words"
carry
on laptop continuo folder add "$home/laptop/notes" >/dev/null
on laptop continuo join --words-file "$home/words" >"$home/joined" 2>&1 &
joining=$!
while kill -0 $joining 2>/dev/null; do carry; sleep 0.2; done
wait $joining || fail "joining failed: $(cat "$home/joined")"

on desktop "$hosts/trails-host" leave >"$home/left" &
leaving=$!
on laptop "$hosts/trails-host" take-up >"$home/taken" &
taking=$!
until [ "$(on laptop continuo offers --json | tr -d '[:space:]')" != "[]" ]; do
  kill -0 $leaving 2>/dev/null || fail "trails-host ended before anything was offered"
  carry
  sleep 0.2
done
on laptop continuo resume || fail "nothing took the offer"
while kill -0 $leaving 2>/dev/null; do carry; sleep 0.2; done
wait $taking || fail "trails-host ended with $? on the laptop"
wait $leaving || fail "trails-host ended with $? on the desktop"
cat "$home/left" "$home/taken"
[ "$(cat "$home/left" "$home/taken")" = "left 46.5 8.25 huts paths
taken up 46.5 8.25 huts paths" ] || fail "the map is not where it was"
