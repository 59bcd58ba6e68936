/* SPDX-License-Identifier: MIT */
/*
 * An editor without a screen, in C99: `editor leave FILE` leaves a place in a document, and ends when another
 * device has it; `editor take-up` continues the first offer, prints what it got, and ends; `editor spoil` does
 * the same and replaces the file while it says that it shows it; `editor alone` ends when no agent can be had.
 */
#include <continuo.h>

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct editor {
  continuo_document document;
  const char *spoils;
  int has_accepted;
  int is_over;
};

static void check(continuo_status status, const char *what) {
  continuo_text sentence;
  if (status == CONTINUO_OK) return;
  continuo_last_error(&sentence);
  fprintf(stderr, "%s: %s\n", what, (const char *)sentence.bytes);
  exit(2);
}

static continuo_answer needs_update(
    void *context, continuo_session session, continuo_activity activity, continuo_document document) {
  struct editor *editor = context;
  continuo_place place = {0};
  place.size = sizeof place;
  place.parts = CONTINUO_PLACE_SELECTION | CONTINUO_PLACE_TOP_LINE;
  place.line = 1;
  place.column = 7; /* behind `aé😀`, in bytes of UTF-8 */
  place.selection_line = 1;
  place.selection_column = 1;
  place.top_line = 1;
  if (document != editor->document) exit(3);
  check(continuo_document_set_place(session, document, &place), "set_place");
  check(continuo_activity_set_title(session, activity, CONTINUO_TEXT("A plan")), "set_title");
  check(continuo_activity_set_int(session, activity, CONTINUO_TEXT("zoom"), 150), "set_int");
  check(continuo_activity_set_bytes(session, activity, CONTINUO_TEXT("fold"), (const uint8_t *)"\0\1", 2), "bytes");
  return CONTINUO_DONE;
}

static void was_continued(
    void *context, continuo_session session, continuo_activity activity, continuo_document document,
    continuo_text device) {
  (void)session, (void)activity, (void)document;
  printf("continued by %.*s\n", (int)device.length, (const char *)device.bytes);
  ((struct editor *)context)->is_over = 1;
}

static void offers_changed(void *context, continuo_session session) {
  struct editor *editor = context;
  continuo_offer_info offer = {0};
  size_t count;
  offer.size = sizeof offer;
  check(continuo_offer_count(session, &count), "offer_count");
  if (count == 0 || editor->has_accepted) return;
  editor->has_accepted = 1;
  check(continuo_offer_at(session, 0, &offer), "offer_at");
  check(continuo_offer_accept(session, offer.offer, NULL), "accept");
}

/* Writes a new file over the one that is shown. */
static void spoil(const char *path) {
  char other[4096];
  FILE *file;
  if (snprintf(other, sizeof other, "%s.new", path) < 0 || !(file = fopen(other, "w"))) exit(6);
  fputs("something else", file);
  if (fclose(file) != 0 || rename(other, path) != 0) exit(7);
}

static continuo_answer restore(void *context, continuo_session session, const continuo_delivery *delivery) {
  struct editor *editor = context;
  const continuo_place *place = delivery->place;
  continuo_activity_info info = {0};
  continuo_text fold = {NULL, 0}, json;
  int64_t zoom = 100;
  char text[64];
  ssize_t count;
  info.size = sizeof info;
  check(continuo_activity_describe(session, delivery->activity, &info), "describe");
  continuo_activity_get_int(session, delivery->activity, CONTINUO_TEXT("zoom"), &zoom);
  continuo_activity_get_bytes(session, delivery->activity, CONTINUO_TEXT("fold"), &fold);
  check(continuo_activity_get_user_info_json(session, delivery->activity, &json), "get_user_info_json");
  count = read(delivery->descriptor, text, sizeof text);
  if (count < 0 || place == NULL || json.bytes[0] != '{') exit(4);
  check(
      continuo_document_open(session, delivery->path.bytes, delivery->path.length, &editor->document), "open");
  if (editor->spoils) {
    spoil((const char *)delivery->path.bytes);
    return CONTINUO_DONE;
  }
  printf(
      "“%s” from %s: %d bytes, line %d column %d, selected from %d, top %d, zoom %d, fold %d\n",
      (const char *)info.title.bytes, (const char *)delivery->device.bytes, (int)count, (int)place->line,
      (int)place->column, place->parts & CONTINUO_PLACE_SELECTION ? (int)place->selection_column : -1,
      place->parts & CONTINUO_PLACE_TOP_LINE ? (int)place->top_line : -1, (int)zoom, (int)fold.length);
  editor->is_over = 1;
  return CONTINUO_DONE;
}

static void failed(void *context, continuo_session session, const continuo_failure *failure) {
  struct editor *editor = context;
  (void)session;
  fprintf(editor->spoils ? stdout : stderr, "failed with %d: %s\n", (int)failure->code,
          (const char *)failure->sentence.bytes);
  editor->is_over = editor->spoils != NULL;
}

static void connection_changed(
    void *context, continuo_session session, int32_t is_connected, continuo_text reason) {
  (void)session;
  if (is_connected) return;
  printf("alone: %s\n", (const char *)reason.bytes);
  ((struct editor *)context)->is_over = 1;
}

int main(int count, char **arguments) {
  struct editor editor = {0, NULL, 0, 0};
  continuo_app app = {0};
  continuo_callbacks callbacks = {0};
  continuo_session session;
  struct pollfd polled;

  if (count < 2) return 1;
  if (strcmp(arguments[1], "spoil") == 0) editor.spoils = arguments[1];
  app.size = sizeof app;
  app.identifier = (continuo_text){CONTINUO_TEXT("org.example.editor-in-c")};
  callbacks.size = sizeof callbacks;
  callbacks.context = &editor;
  callbacks.needs_update = needs_update;
  callbacks.was_continued = was_continued;
  callbacks.failed = failed;
  if (count < 3) callbacks.offers_changed = offers_changed;
  if (count < 3) callbacks.restore_document = restore;
  if (strcmp(arguments[1], "alone") == 0) callbacks.connection_changed = connection_changed;
  check(continuo_session_create(&app, &callbacks, &session), "session_create");
  check(continuo_connect(session), "connect");
  if (count > 2) {
    check(continuo_document_open(session, CONTINUO_STRING(arguments[2]), &editor.document), "open");
    check(continuo_document_become_current(session, editor.document), "become_current");
    check(continuo_document_changed(session, editor.document, 0), "changed");
  }
  polled.fd = continuo_descriptor(session);
  polled.events = POLLIN;
  while (!editor.is_over) {
    if (poll(&polled, 1, 60000) == 0) return 5;
    check(continuo_dispatch(session), "dispatch");
  }
  if (count > 2) check(continuo_document_close(session, editor.document), "close");
  check(continuo_session_destroy(session, 2000), "destroy");
  return 0;
}
