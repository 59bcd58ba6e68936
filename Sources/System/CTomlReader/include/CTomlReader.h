// SPDX-License-Identifier: MIT

#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What is written at one place of a TOML document.
typedef enum {
  CONTINUO_TOML_BOOLEAN,
  CONTINUO_TOML_STRING,
  CONTINUO_TOML_INTEGER,
  CONTINUO_TOML_FLOAT,
  /// A date, a time of day, or both.
  CONTINUO_TOML_TIME,
  CONTINUO_TOML_ARRAY,
  /// Below a header, or of dotted keys.
  CONTINUO_TOML_TABLE,
  /// Between braces.
  CONTINUO_TOML_INLINE_TABLE,
} continuo_toml_kind;

/// One value. What a table or an array holds follows it, one level deeper. Texts are UTF-8, may hold NUL, and
/// live as long as the document. Lines and columns count from 1, columns in scalars; the end is exclusive.
typedef struct {
  continuo_toml_kind kind;
  uint32_t depth;
  /// Empty in an array.
  const char *key;
  size_t key_length;
  /// The string, or the value as TOML writes it; empty for tables and arrays.
  const char *text;
  size_t text_length;
  uint32_t line, column, end_line, end_column;
} continuo_toml_entry;

typedef struct continuo_toml continuo_toml;

/// Bytes that are read at most.
#define CONTINUO_TOML_LIMIT (256 * 1024)

/// Reads a document; never fails but for want of memory, when it gives NULL. On any thread.
continuo_toml *continuo_toml_read(const void *bytes, size_t count);

/// Why it is no TOML, and where; NULL when it is.
const char *continuo_toml_error(const continuo_toml *document, uint32_t *line, uint32_t *column);

size_t continuo_toml_count(const continuo_toml *document);

/// The entry at `index`, which is below the count.
continuo_toml_entry continuo_toml_at(const continuo_toml *document, size_t index);

void continuo_toml_free(continuo_toml *document);

#ifdef __cplusplus
}
#endif
