#!/bin/sh
# SPDX-License-Identifier: MIT
#
# manuals.sh PROGRAMS GENERATOR VERSION TO: writes the manual pages to TO/man/man1 and the completions of bash, zsh
# and fish to TO/completions, from what the programs in PROGRAMS say of themselves. GENERATOR is `generate-manual` of
# swift-argument-parser. `make manuals` calls it. The same release gives the same bytes.
set -eu
programs=$1 generator=$2 version=$3 to=$4
here=$(dirname "$0")
export LC_ALL=C.UTF-8 TZ=UTC

# A release has its day in CHANGELOG.md; what is between releases, that of its commit; never the clock's.
day() {
  if [ -n "${SOURCE_DATE_EPOCH:-}" ]; then date -u -d "@$SOURCE_DATE_EPOCH" +%F && return; fi
  released=$(sed -n 's/^## .*, \([0-9]\{4\}-[0-9][0-9]-[0-9][0-9]\)$/\1/p; /^## .*unreleased/q' \
    "$here/../../CHANGELOG.md" | head -n 1)
  if [ -n "$released" ]; then echo "$released" && return; fi
  git -C "$here" log -1 --format=%cs 2>/dev/null || date -u -r "$here/../../CHANGELOG.md" +%F
}

day=$(day)
rm -rf "$to/man" "$to/completions"
mkdir -p "$to/man/man1" "$to/completions"
drafts=$(mktemp -d)
trap 'rm -rf "$drafts"' EXIT

for program in continuo continuo-edit; do
  "$generator" "$programs/$program" --multi-page --date "$day" -o "$drafts"
  # It is sourced, not run.
  "$programs/$program" --generate-completion-script bash | sed '1{/^#!/d}' >"$to/completions/$program.bash"
  "$programs/$program" --generate-completion-script zsh >"$to/completions/_$program"
  "$programs/$program" --generate-completion-script fish >"$to/completions/$program.fish"
done

# Of `help` nothing is to be said; `continuo watch` and `continuo lan` stand in the pages of the programs of that name.
rm "$drafts"/*.help.1
for draft in "$drafts"/continuo.*.1; do
  page=$(basename "$draft" .1 | tr . -)
  sed -n "s/^\.Nd \"\(.*\)\"/$page\t\1/p" "$draft"
done >"$drafts/commands"
rm "$drafts/continuo.watch.1" "$drafts/continuo.lan.1"
for draft in "$drafts"/*.1; do
  name=$(basename "$draft" .1)
  awk -f "$here/manual-page.awk" -v draft="$name" -v version="$version" -v commands="$drafts/commands" \
    "$draft" >"$to/man/man1/$(echo "$name" | tr . -).1"
done
title=$(sed -n 's/^\.Dd //p' "$to/man/man1/continuo.1")
for page in "$here"/*.1; do
  sed "s/@DATE@/$title/; s/@VERSION@/$version/" "$page" >"$to/man/man1/$(basename "$page")"
done
chmod -R u+rwX,go+rX "$to"
