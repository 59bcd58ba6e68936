#!/bin/sh
# SPDX-License-Identifier: MIT
#
# build-deb.sh VERSION: makes Debian packages in .build/deb of what is built, and lets lintian look at them. The version
# grows with each commit. DEBFULLNAME and DEBEMAIL say who answers for the packages. `make deb` calls it.
set -eu
cd "$(dirname "$0")/../.."
to=$PWD/.build/deb
tree=$to/continuo
version=$1
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || date +%s)
export SOURCE_DATE_EPOCH
if commits=$(git rev-list --count HEAD 2>/dev/null); then
  version=$1+$commits.g$(git rev-parse --short=9 HEAD)
  # What is not committed comes after what is.
  [ -z "$(git status --porcelain)" ] || version=$version+$(date -u +%Y%m%d%H%M%S)
fi
maintainer="${DEBFULLNAME:-Continuo contributors} <${DEBEMAIL:-continuo@packages.invalid}>"

rm -rf "$to"
mkdir -p "$tree"
cp -R Sources/Packaging/debian "$tree/"
sed -i "s|@MAINTAINER@|$maintainer|" "$tree/debian/control"
cat >"$tree/debian/changelog" <<END
continuo ($version) unstable; urgency=medium

  * As CHANGELOG.md says.

 -- $maintainer  $(date -u -R -d "@$SOURCE_DATE_EPOCH")
END
multiarch=$(dpkg-architecture -qDEB_HOST_MULTIARCH)
make -s install built=1 DESTDIR="$tree/staged" PREFIX=/usr LIBDIR="lib/$multiarch" >/dev/null
cp CHANGELOG.md "$tree/release-notes.md"
(cd "$tree" && dpkg-buildpackage --build=binary --no-sign >"$to/build.log" 2>&1) \
  || { tail -20 "$to/build.log" >&2; exit 1; }
lintian --fail-on error --suppress-tags bad-distribution-in-changes-file "$to"/*.changes
for package in "$to"/*.deb; do
  echo "$(basename "$package"): $(stat -c %s "$package") bytes, installed $(dpkg-deb -f "$package" Installed-Size) KiB"
done
