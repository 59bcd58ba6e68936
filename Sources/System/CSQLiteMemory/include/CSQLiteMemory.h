// SPDX-License-Identifier: MIT
#pragma once

/// Has SQLite ask for memory as it needs it, instead of 50 to 140 KB per connection beforehand. Once in a process,
/// before its first connection: afterwards it has no effect.
void continuo_sqlite_reserve_nothing(void);
