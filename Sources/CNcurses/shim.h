// SPDX-License-Identifier: MIT
//
// ncurses with wide characters, and by function what Swift cannot reach: macros with casts, `FILE *` globals.
#pragma once
#define _XOPEN_SOURCE_EXTENDED 1
#define NCURSES_WIDECHAR 1
#include <locale.h>
#include <langinfo.h>
#include <wchar.h>
#include <stdio.h>
#include <ncurses.h>
#include <term.h>

static const attr_t CONTINUO_ATTRIBUTE_NORMAL = A_NORMAL;
static const attr_t CONTINUO_ATTRIBUTE_REVERSE = A_REVERSE;
static const attr_t CONTINUO_ATTRIBUTE_BOLD = A_BOLD;
static const attr_t CONTINUO_ATTRIBUTE_DIM = A_DIM;

/// newterm(3) on the standard streams; NULL where initscr(3) would end the process.
static inline SCREEN *continuo_new_terminal(void) { return newterm(NULL, stdout, stdin); }

/// wcwidth(3) in the current locale: what ncurses itself goes by.
static inline int continuo_cell_width(unsigned int scalar) { return wcwidth((wchar_t)scalar); }

/// The standard screen of the terminal that newterm(3) made last.
static inline WINDOW *continuo_standard_window(void) { return stdscr; }

/// A string capability of the terminal; NULL where it has none.
static inline const char *continuo_capability(const char *name) {
  char *text = tigetstr((char *)name);
  return text == (char *)-1 ? NULL : text;
}
