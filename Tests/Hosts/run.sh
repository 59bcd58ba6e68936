#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Builds the package of hosts and runs each against an agent of their own.
# The command line must be built: `make hosts` does both.
set -eu
cd "$(dirname "$0")/../.."
root=$(pwd)
hosts=$root/.build/hosts/debug
swift build --quiet --package-path Tests/Hosts --scratch-path .build/hosts

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

home=$(mktemp -d)
export HOME="$home" XDG_DATA_HOME="$home/data" XDG_CONFIG_HOME="$home/config" XDG_STATE_HOME="$home/state"
export XDG_RUNTIME_DIR="$home/run" PATH="$root/.build/debug:$PATH"
mkdir -m 700 "$home/run" && mkdir "$home/notes"
trap 'continuo agent stop >/dev/null 2>&1 || :; rm -rf "$home"' EXIT
trap 'exit 1' INT TERM
continuo folder add "$home/notes" >/dev/null
for host in poll-host glib-host continuo-host names-host; do
  status=0
  timeout 30 "$hosts/$host" || status=$?
  if [ "$status" -ne 0 ]; then
    echo "$host ended with $status; the agent's log:" >&2
    cat "$home/state/continuo/agent.log" >&2
    exit 1
  fi
done
