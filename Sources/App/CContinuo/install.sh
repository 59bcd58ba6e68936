#!/bin/sh
# SPDX-License-Identifier: MIT
#
# install.sh install|uninstall DESTDIR PREFIX VERSION LIBRARY PROGRAMS NAME…: puts the library, its header, the
# programs and the editors' plugins below DESTDIR and PREFIX, readable for all whatever the umask, or takes
# exactly those files away. `make install` calls it.
set -eu
action=$1 destdir=$2 prefix=$3 version=$4 library=$5 programs=$6
shift 6
cd "$(dirname "$0")/../../.."
case $prefix in
  /*[!A-Za-z0-9/._+@~-]*) echo "PREFIX may have letters, digits and / . _ + @ ~ - only: $prefix" >&2; exit 1 ;;
  /*) ;;
  *) echo "PREFIX must be an absolute path, and is '$prefix'." >&2; exit 1 ;;
esac
to=$destdir$prefix

# put MODE FILE TARGET: whole or not at all, also over a file that runs.
put() {
  case $action in
    install)
      install -D -m "$1" "$2" "$to/$3.new" && mv -f "$to/$3.new" "$to/$3" ;;
    uninstall) rm -f "$to/$3" ;;
  esac
}

link() {
  case $action in
    install) ln -sf "$1" "$to/$2" ;;
    uninstall) rm -f "$to/$2" ;;
  esac
}

for file in "$library/libcontinuo.so.0" $(printf "$programs/%s " "$@"); do
  [ "$action" = uninstall ] || [ -e "$file" ] \
    || { echo "$file is not built; run 'make library programs' first." >&2; exit 1; }
done

for program in "$@"; do put 755 "$programs/$program" "bin/$program"; done

put 644 "$library/libcontinuo.so.0" "lib/libcontinuo.so.$version"
link "libcontinuo.so.$version" lib/libcontinuo.so.0
link libcontinuo.so.0 lib/libcontinuo.so
put 644 Sources/App/CContinuo/include/continuo.h include/continuo.h

put 644 Sources/Packaging/continuo.socket lib/systemd/user/continuo.socket
described=$(mktemp)
trap 'rm -f "$described"' EXIT
for unit in continuo.service continuo-bus.service; do
  sed "s|@PREFIX@|$prefix|" "Sources/Packaging/$unit.in" >"$described"
  put 644 "$described" "lib/systemd/user/$unit"
done
sed "s|@PREFIX@|$prefix|" Sources/Packaging/org.continuo.Agent.service.in >"$described"
put 644 "$described" share/dbus-1/services/org.continuo.Agent.service
sed "s|@PREFIX@|$prefix|; s|@VERSION@|$version|" Sources/App/CContinuo/continuo.pc.in >"$described"
put 644 "$described" lib/pkgconfig/continuo.pc

put 644 Sources/App/CContinuo/valgrind.supp share/continuo/valgrind.supp
put 644 LICENSE share/doc/continuo/LICENSE
put 644 Sources/Programs/continuo-edit/continuo-edit.Info.plist share/continuo/apps/org.continuo.edit/Info.plist
for file in Sources/Editors/continuo.el/*.el; do
  [ ! -e "$file" ] || put 644 "$file" "share/emacs/site-lisp/$(basename "$file")"
done
plugin=share/nvim/site/pack/continuo/start/continuo.nvim
if [ -d Sources/Editors/continuo.nvim ]; then
  (cd Sources/Editors/continuo.nvim && find . -type f ! -name tags) | sed 's|^\./||' | while read -r file; do
    put 644 "Sources/Editors/continuo.nvim/$file" "$plugin/$file"
  done
  case $action in
    install)
      if command -v nvim >/dev/null && [ -d "$to/$plugin/doc" ]; then
        (umask 022; nvim -u NONE --headless -c "helptags $to/$plugin/doc" -c q 2>/dev/null) || :
      fi ;;
    uninstall) rm -f "$to/$plugin/doc/tags" ;;
  esac
fi

# Folders that nobody else uses.
if [ "$action" = uninstall ]; then
  for folder in "$plugin" share/doc/continuo share/continuo; do
    [ ! -d "$to/$folder" ] || find "$to/$folder" -depth -type d -empty -delete
  done
  rmdir "$to/share/nvim/site/pack/continuo/start" "$to/share/nvim/site/pack/continuo" 2>/dev/null || :
else
  echo "Installed below $to."
  # The loader finds a library outside of /usr/lib by its cache alone.
  if [ -z "$destdir" ]; then
    if [ "$(id -u)" -eq 0 ]; then ldconfig; else echo "Run ldconfig as root, so that programs find the library."; fi
  fi
fi
