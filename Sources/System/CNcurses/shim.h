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

/// newterm(3) on the standard streams, of `type` or, without one, of TERM; NULL where initscr(3) would end the
/// process.
static inline SCREEN *continuo_new_terminal(const char *type) { return newterm((char *)type, stdout, stdin); }

/// wcwidth(3) in the current locale: what ncurses itself goes by.
static inline int continuo_cell_width(unsigned int scalar) { return wcwidth((wchar_t)scalar); }

/// The standard screen of the terminal that newterm(3) made last.
static inline WINDOW *continuo_standard_window(void) { return stdscr; }

/// A string capability of the terminal; NULL where it has none.
static inline const char *continuo_capability(const char *name) {
  char *text = tigetstr((char *)name);
  return text == (char *)-1 ? NULL : text;
}

/// How many colours the terminal has; valid after start_color(3).
static inline int continuo_color_count(void) { return COLORS; }

/// Whether a colour's number is its red, green and blue.
static inline bool continuo_has_direct_color(void) { return tigetflag((char *)"RGB") == 1; }

/// Asks for the left button and the wheel, each as it happens.
static inline void continuo_watch_mouse(void) {
  mousemask(BUTTON1_PRESSED | BUTTON1_RELEASED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
  mouseinterval(0);
}

/// What the mouse did last, for KEY_MOUSE.
typedef enum { CONTINUO_MOUSE_NONE, CONTINUO_MOUSE_PRESS, CONTINUO_MOUSE_RELEASE, CONTINUO_MOUSE_UP,
  CONTINUO_MOUSE_DOWN } continuo_mouse;

static inline continuo_mouse continuo_take_mouse(int *row, int *column) {
  MEVENT event;
  if (getmouse(&event) != OK) return CONTINUO_MOUSE_NONE;
  *row = event.y;
  *column = event.x;
  if (event.bstate & BUTTON1_PRESSED) return CONTINUO_MOUSE_PRESS;
  if (event.bstate & BUTTON1_RELEASED) return CONTINUO_MOUSE_RELEASE;
  if (event.bstate & BUTTON4_PRESSED) return CONTINUO_MOUSE_UP;
  if (event.bstate & BUTTON5_PRESSED) return CONTINUO_MOUSE_DOWN;
  return CONTINUO_MOUSE_NONE;
}

/// Sends a capability to the terminal, behind what was written before.
static inline void continuo_send(const char *capability) {
  if (capability == NULL) return;
  putp(capability);
  fflush(stdout);
}

/// What switches the terminal's mouse reports on (1) or off (0); NULL where it has no word for it.
static inline const char *continuo_mouse_mode(int mode) {
  const char *sequence = continuo_capability("XM");
  return sequence == NULL ? NULL : tiparm(sequence, mode);
}
