// SPDX-License-Identifier: MIT
//
// A library to preload: it stands before the calls by which a program changes files, passes them on, and notes
// those that worked below one folder, in order. Nothing links it; `fixtures crashpoints` gives it to its children.
//
// The environment says what to do: CONTINUO_CALLS_FOLDER is the folder, empty at the start; CONTINUO_CALLS_LOG is
// the file for the notes; CONTINUO_CALLS_REFUSED may hold the words `nameless` (O_TMPFILE is refused) and `flags`
// (renameat2(2) with flags is refused), as some file systems do; CONTINUO_CALLS_LAST is the number of the call after
// which the process is killed.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// One note, followed by two names and the data. Files and folders go by the number of their inode.
struct continuo_call {
  uint32_t kind;
  uint32_t flags;
  uint64_t file;
  uint64_t folder;
  uint64_t other_folder;
  uint64_t value;
  uint64_t name_size;
  uint64_t other_name_size;
  uint64_t data_size;
};

enum {
  CONTINUO_CALL_ROOT = 1,
  CONTINUO_CALL_CREATE,
  CONTINUO_CALL_NAMELESS,
  CONTINUO_CALL_WRITE,
  CONTINUO_CALL_TRUNCATE,
  CONTINUO_CALL_SYNC,
  CONTINUO_CALL_MODE,
  CONTINUO_CALL_LINK,
  CONTINUO_CALL_RENAME,
  CONTINUO_CALL_UNLINK,
  CONTINUO_CALL_MAKE_FOLDER,
  CONTINUO_CALL_REMOVE_FOLDER,
  CONTINUO_CALL_MARK,
};

/// Notes that the program got so far; `bytes` say where.
void continuo_calls_mark(const void *bytes, size_t count);
