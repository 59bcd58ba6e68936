# SPDX-License-Identifier: MIT
#
# From a draft of `generate-manual` to a manual page: pages are named as man(1) looks for them (`man continuo resume`
# opens continuo-resume), the exit codes and the commands of continuo(1) stand in sections of their own, each
# sentence begins a row, and no row is empty. `draft` is the program and its commands, with dots between them;
# `commands` is a file with NAME, a tab and a sentence a row.
BEGIN {
  page = parent = command = draft
  gsub(/\./, "-", page)
  gsub(/\./, " ", command)
  # The two programs name each other.
  if (!sub(/\.[^.]*$/, "", parent)) parent = draft == "continuo" ? "continuo-edit" : "continuo"
  gsub(/\./, "-", parent)
}

# What belongs together in one section is told there; the sentence is the last of the description.
/^Exit codes: / { codes = substr($0, 13); sub(/\.$/, "", codes); next }
/^$/ { empty = 1; next }
/^\.Dt / { print ".Dt " toupper(page) " 1"; next }
/^\.Os/ { print ".Os Continuo " version; next }
# The pages that it names are the commands, or its own help.
/^\.Sh "SEE ALSO"/ { exit }
/^\.Sh / { section = $2 }
/^\.Nm/ && section == "NAME" { print ".Nm " page; next }
/^\.Nd/ { gsub(/^\.Nd "|\.?"$/, ""); print ".Nd " $0; next }
/^\.Nm/ && section == "SYNOPSIS" { print ".Nm " command; next }
# Said of each program with `help`, which is no command of the editor.
/^\.Ar subcommand$/ && page == "continuo-edit" { next }
/^\.Ex / { exits(); next }
{
  if (empty && !/^\./) print ".Pp"
  empty = 0
  if (!/^\./) sentences($0); else print
}

END {
  if (page == "continuo") list()
  print ".Sh \"SEE ALSO\""
  print ".Xr " parent " 1"
}

function sentences(text) {
  while (match(text, /[a-z`)0-9][.] [A-Z`]/)) {
    print substr(text, 1, RSTART + 1)
    text = substr(text, RSTART + 3)
  }
  print text
}

function exits(  parts, count, i, code) {
  if (codes == "") { print ".Ex -std " page; return }
  print ".Bl -tag -width Ds"
  count = split(codes, parts, "; ")
  for (i = 1; i <= count; i++) {
    code = parts[i]
    sub(/ .*/, "", code)
    print ".It " code
    sub(/^[^ ]* /, "", parts[i])
    print toupper(substr(parts[i], 1, 1)) substr(parts[i], 2) "."
  }
  print ".El"
}

function list(  row, parts) {
  print ".Sh COMMANDS"
  print "Each has a page of its own."
  print ".Bl -tag -width 6n"
  while ((getline row < commands) > 0) {
    split(row, parts, "\t")
    print ".It Xr " parts[1] " 1"
    sentences(parts[2])
  }
  print ".El"
}
