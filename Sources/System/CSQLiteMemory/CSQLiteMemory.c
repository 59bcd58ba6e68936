// SPDX-License-Identifier: MIT

#include "CSQLiteMemory.h"

#include <sqlite3.h>

void continuo_sqlite_reserve_nothing(void) {
  sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0);
  sqlite3_config(SQLITE_CONFIG_PAGECACHE, (void *)0, 0, 0);
}
