#!/bin/sh
# SPDX-License-Identifier: MIT
#
# install.sh install|uninstall DESTDIR PREFIX LIBDIR VERSION BUILT NAME…: puts the C library, the programs and what
# belongs to them below DESTDIR and PREFIX, readable for all whatever the umask, or takes exactly those files away:
# `PREFIX/share/continuo/installed-files` lists them. BUILT has a colon between the folders of the library, of the
# programs, of the runtime that the programs share, and of man pages and completions; what the last two have
# is installed. `make install` calls it.
set -eu
action=$1 destdir=$2 prefix=$3 libdir=$4 version=$5 built=$6
shift 6
cd "$(dirname "$0")/../.."
case $prefix in
  /*[!A-Za-z0-9/._+@~-]*) echo "PREFIX may have letters, digits and / . _ + @ ~ - only: $prefix" >&2; exit 1 ;;
  /*) ;;
  *) echo "PREFIX must be an absolute path, and is '$prefix'." >&2; exit 1 ;;
esac
case $libdir in
  /* | *..* | *[!A-Za-z0-9/._+-]*) echo "LIBDIR is a path below PREFIX, such as lib, and is '$libdir'." >&2; exit 1 ;;
esac
to=$destdir$prefix
list=share/continuo/installed-files
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

# take FILE-WITH-NAMES: the files go, and with the last one a folder of ours.
take() {
  while read -r file; do
    rm -f "$to/$file"
    for above in lib share share/doc share/nvim/site/pack; do
      case $file in
        "$above"/continuo/*) (cd "$to/$above" && rmdir -p "$(dirname "${file#"$above/"}")" 2>/dev/null) || : ;;
      esac
    done
  done <"$1"
}

if [ "$action" = uninstall ]; then
  [ -f "$to/$list" ] || { echo "Nothing is installed below $to: there is no $list." >&2; exit 1; }
  cp "$to/$list" "$work/list"
  echo "$list" >>"$work/list"
  take "$work/list"
  exit 0
fi

IFS=: read -r library programs runtime manuals <<END
$built
END
for file in "$library/libcontinuo.so.0" $(printf "$programs/%s " "$@"); do
  [ -e "$file" ] || { echo "$file is not built; run 'make library programs' first." >&2; exit 1; }
done

# put MODE FILE TARGET: whole or not at all, also over a file that runs.
put() {
  install -D -m "$1" "$2" "$to/$3.new" && mv -f "$to/$3.new" "$to/$3"
  echo "$3" >>"$work/list"
}

# fill MODE FILE TARGET: with the places in it.
fill() {
  sed "s|@PREFIX@|$prefix|; s|@LIBDIR@|$libdir|; s|@VERSION@|$version|" "$2" >"$work/filled"
  put "$1" "$work/filled" "$3"
}

link() {
  mkdir -p "$(dirname "$to/$2")"
  ln -sf "$1" "$to/$2"
  echo "$2" >>"$work/list"
}

umask 022
: >"$work/list"
for program in "$@"; do put 755 "$programs/$program" "bin/$program"; done
for file in "$runtime"/*.so; do
  [ -e "$file" ] || continue
  name=lib/continuo/$(basename "$file")
  if [ -L "$file" ]; then link "$(readlink "$file")" "$name"; else put 644 "$file" "$name"; fi
done

put 644 "$library/libcontinuo.so.0" "$libdir/libcontinuo.so.$version"
link "libcontinuo.so.$version" "$libdir/libcontinuo.so.0"
link libcontinuo.so.0 "$libdir/libcontinuo.so"
put 644 Sources/App/CContinuo/include/continuo.h include/continuo.h
fill 644 Sources/App/CContinuo/continuo.pc.in "$libdir/pkgconfig/continuo.pc"
put 644 Sources/App/CContinuo/valgrind.supp share/continuo/valgrind.supp

put 644 Sources/Packaging/continuo.socket lib/systemd/user/continuo.socket
for unit in continuo.service continuo-bus.service; do
  fill 644 "Sources/Packaging/$unit.in" "lib/systemd/user/$unit"
done
for service in Agent Search; do
  fill 644 "Sources/Packaging/org.continuo.$service.service.in" "share/dbus-1/services/org.continuo.$service.service"
done
put 644 Sources/Packaging/org.continuo.search-provider.ini \
  share/gnome-shell/search-providers/org.continuo.search-provider.ini
put 644 Sources/Packaging/org.continuo.krunner.desktop share/krunner/dbusplugins/org.continuo.krunner.desktop

put 644 LICENSE share/doc/continuo/LICENSE
put 644 Sources/Programs/continuo-edit/continuo-edit.Info.plist share/continuo/apps/org.continuo.edit/Info.plist
put 644 Sources/Packaging/org.continuo.edit.desktop share/applications/org.continuo.edit.desktop
put 644 Sources/Packaging/org.continuo.edit.svg share/icons/hicolor/scalable/apps/org.continuo.edit.svg

for page in "$manuals"/man/man1/*.1; do
  [ ! -e "$page" ] || put 644 "$page" "share/man/man1/$(basename "$page")"
done
for file in "$manuals"/completions/*; do
  name=$(basename "$file")
  case $name in
    *.bash) put 644 "$file" "share/bash-completion/completions/${name%.bash}" ;;
    *.fish) put 644 "$file" "share/fish/vendor_completions.d/$name" ;;
    _*) put 644 "$file" "share/zsh/vendor-completions/$name" ;;
  esac
done

for file in Sources/Editors/continuo.el/*.el; do
  put 644 "$file" "share/emacs/site-lisp/$(basename "$file")"
done
plugin=share/nvim/site/pack/continuo/start/continuo.nvim
(cd Sources/Editors/continuo.nvim && find . -type f ! -name tags) | sed 's|^\./||' >"$work/plugin"
while read -r file; do put 644 "Sources/Editors/continuo.nvim/$file" "$plugin/$file"; done <"$work/plugin"
if command -v nvim >/dev/null \
  && nvim -u NONE --headless -c "helptags $to/$plugin/doc" -c q </dev/null 2>/dev/null && [ -e "$to/$plugin/doc/tags" ]
then echo "$plugin/doc/tags" >>"$work/list"; fi

# The editor in a window, where it was built: the desktop lists it, and the bus starts it.
case " $* " in *" continuo-write "*)
  window=Sources/Programs/continuo-write
  put 644 "$window/Sources/continuo-write/continuo-write.Info.plist" share/continuo/apps/org.continuo.write/Info.plist
  put 644 "$window/Desktop/org.continuo.write.desktop" share/applications/org.continuo.write.desktop
  put 644 "$window/Desktop/org.continuo.write.svg" share/icons/hicolor/scalable/apps/org.continuo.write.svg
  fill 644 "$window/Desktop/org.continuo.write.service.in" share/dbus-1/services/org.continuo.write.service
  ;;
esac

# What an older release put there, and this one does not.
if [ -f "$to/$list" ]; then
  grep -vxFf "$work/list" "$to/$list" >"$work/gone" || :
  take "$work/gone"
fi
sort "$work/list" >"$work/sorted"
put 644 "$work/sorted" "$list"
echo "Installed below $to."
# The loader finds a library outside of /usr/lib by its cache alone.
if [ -z "$destdir" ]; then
  if [ "$(id -u)" -eq 0 ]; then ldconfig; else echo "Run ldconfig as root, so that programs find the library."; fi
fi
