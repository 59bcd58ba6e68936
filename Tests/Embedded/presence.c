/* SPDX-License-Identifier: MIT */
/*
 * Who has a document open, in C99: `presence PATH LINE` says that the cursor is in that line, and in the next one once
 * it was told of another device. From line 0 it leaves when the other cursor has moved by that; from another line it
 * stays until the other device has left.
 */
#include "check.h"

#include <string.h>

struct app {
  continuo_document document;
  int64_t line;
  int has_seen;
  int is_over;
};

static void presence_changed(
    void *context, continuo_session session, continuo_document document,
    const continuo_presence *const *others, size_t count) {
  struct app *app = context;
  if (document != app->document) exit(3);
  if (count == 0) {
    if (others != NULL) exit(3);
    app->is_over = app->has_seen;
    return;
  }
  if (count != 1 || others[0]->size != sizeof(continuo_presence)) exit(3);
  if (others[0]->line < 0) return;
  if (!app->has_seen) {
    app->has_seen = 1;
    printf("%s is in line %d\n", (const char *)others[0]->device.bytes, (int)others[0]->line);
    check(continuo_document_cursor_moved(session, document, app->line + 1), CONTINUO_OK, "cursor_moved");
  }
  if (app->line == 0 && others[0]->line == 6) app->is_over = 1;
}

int main(int count, char **arguments) {
  struct app app = {0, 0, 0, 0};
  continuo_callbacks callbacks = {0};
  continuo_session session;

  if (count != 3) return 1;
  app.line = strtol(arguments[2], NULL, 10);
  callbacks.size = sizeof callbacks;
  callbacks.context = &app;
  callbacks.presence_changed = presence_changed;
  session = made_session((continuo_text){CONTINUO_TEXT("org.example.presence-in-c")}, &callbacks);
  check(continuo_connect(session), CONTINUO_OK, "connect");
  check(continuo_document_open(session, CONTINUO_STRING(arguments[1]), &app.document), CONTINUO_OK, "open");
  check(continuo_document_become_current(session, app.document), CONTINUO_OK, "become_current");
  check(continuo_document_changed(session, app.document, 0), CONTINUO_OK, "changed");
  check(continuo_document_cursor_moved(session, app.document, -1), CONTINUO_ERROR_ARGUMENT, "no line");
  check(continuo_document_cursor_moved(session, 0, 1), CONTINUO_ERROR_HANDLE, "no document");
  check(continuo_document_cursor_moved(session, app.document, app.line), CONTINUO_OK, "cursor_moved");
  dispatch_until(session, &app.is_over);
  check(continuo_document_close(session, app.document), CONTINUO_OK, "close");
  check(continuo_session_destroy(session, 2000), CONTINUO_OK, "destroy");
  return 0;
}
