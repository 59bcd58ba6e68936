#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Installs library and programs into a Debian of debootstrap's smallest kind, where no Swift is, and hands a
# document over there. As root. `make bare-root` builds what this needs. bare-root.sh [SUITE]
set -eu
cd "$(dirname "$0")/../.."
root=$(mktemp -d)
trap 'rm -rf --one-file-system "$root"' EXIT
trap 'exit 1' INT TERM
# Of what the programs link; `continuo-edit` and `continuo-desktop` are not played here.
debootstrap --variant=minbase --include=libsqlite3-0,libinotifytools0,libstdc++6 \
  "${1:-$(. /etc/os-release; echo "$VERSION_CODENAME")}" "$root" >"$root.log" 2>&1 \
  || { tail -5 "$root.log" >&2; exit 1; }
rm -f "$root.log"
make -s install built=1 DESTDIR="$root" PREFIX=/usr/local >/dev/null
[ -z "$(find "$root" -name 'libswift*' -o -name 'swift')" ] || { echo "there is Swift in the bare root" >&2; exit 1; }

flags=$(PKG_CONFIG_PATH=$root/usr/local/lib/pkgconfig pkg-config --define-variable=prefix="$root/usr/local" \
  --cflags --libs continuo)
# shellcheck disable=SC2086
cc -std=c99 -o "$root/editor" Tests/Embedded/editor.c $flags
# shellcheck disable=SC2086
c++ -std=c++11 -o "$root/editor-in-c++" Tests/Embedded/editor.cpp $flags
cp Tests/Embedded/devices.sh "$root/"
cat >"$root/play.sh" <<'END'
set -eu
home=$(mktemp -d) prefix=/usr/local
. /devices.sh
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
END
# Mounts and processes end with their name spaces.
unshare --mount --pid --fork sh -c 'mount -t proc proc "$1/proc" && chroot "$1" /bin/sh /play.sh' sh "$root"
