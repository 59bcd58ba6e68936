#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Installs the Debian packages of .build/deb into a Debian of debootstrap's smallest kind, where no Swift is: upgrades
# beneath a running agent and an editor that waits, hands a document over between editors in C and C++, plays the
# demo, removes and purges. As root, with a network. `make bare-root` builds what this needs; `former=FOLDER` has the
# packages of an earlier commit to upgrade from, else these are made to look older.
set -eu
cd "$(dirname "$0")/../.."
packages=.build/deb
former=${former:-}
root=$(mktemp -d)
trap 'rm -rf --one-file-system "$root"' EXIT
trap 'exit 1' INT TERM

began=$(date +%s)
took() { now=$(date +%s); echo "$1 ($((now - began)) s)"; began=$now; }

debootstrap --variant=minbase --include=syncthing,tmux,ncurses-term \
  "$(. /etc/os-release; echo "$VERSION_CODENAME")" "$root" >"$root.log" 2>&1 \
  || { tail -5 "$root.log" >&2; rm "$root.log"; exit 1; }
rm "$root.log"
cp /etc/resolv.conf "$root/etc/"
took "a bare root"

mkdir "$root/new" "$root/former"
for name in continuo continuo-edit libcontinuo0 libcontinuo-dev; do
  cp "$packages/${name}_"*.deb "$root/new/"
  if [ -n "$former" ]; then
    cp "$former/${name}_"*.deb "$root/former/"
  else
    dpkg-deb -R "$packages/${name}_"*.deb "$root/open"
    sed -i 's/^Version: .*/Version: 0.0~former/; s/(= [^)]*)/(= 0.0~former)/' "$root/open/DEBIAN/control"
    # Other bytes, so that one tells the programs apart.
    [ ! -e "$root/open/usr/bin/$name" ] || echo >>"$root/open/usr/bin/$name"
    dpkg-deb -Zgzip -z1 -b "$root/open" "$root/former/$name.deb" >/dev/null
    rm -r "$root/open"
  fi
done

# Compiled against what the package for developers holds.
dpkg-deb -x "$root"/new/libcontinuo-dev_*.deb "$root/hosts"
dpkg-deb -x "$root"/new/libcontinuo0_*.deb "$root/hosts"
described=$(dirname "$(find "$root/hosts" -name continuo.pc)")
flags=$(PKG_CONFIG_PATH=$described PKG_CONFIG_SYSROOT_DIR="$root/hosts" pkg-config --cflags --libs continuo)
# shellcheck disable=SC2086
cc -std=c99 -o "$root/editor" Tests/Embedded/editor.c $flags
# shellcheck disable=SC2086
c++ -std=c++11 -o "$root/editor-in-c++" Tests/Embedded/editor.cpp $flags
rm -r "$root/hosts"
cp Tests/Embedded/devices.sh Tests/Embedded/in-bare-root.sh "$root/"
# What plays the demo comes with its own runtime: a debug build asks for more than programs do.
mkdir "$root/player"
cp .build/debug/fixtures "$root/player/"
Sources/Packaging/gather-runtime.sh "$root/player/runtime" .build/debug/fixtures >/dev/null
# Mounts and processes end with their name spaces.
# shellcheck disable=SC2016
unshare --mount --pid --fork sh -c 'mount -t proc proc "$1/proc" && mount -t devpts -o newinstance,ptmxmode=0666 devpts "$1/dev/pts" \
  && ln -sf pts/ptmx "$1/dev/ptmx" && exec env -u TMPDIR chroot "$1" /bin/sh /in-bare-root.sh' sh "$root"
