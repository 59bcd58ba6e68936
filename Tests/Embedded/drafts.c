/* SPDX-License-Identifier: MIT */
/*
 * Text that no file has, in C99: `drafts leave` offers such a text, and hands it over to the device that goes on
 * with it; `drafts take-up` continues it, and prints it with the place.
 */
#include "accepting.h"

#include <unistd.h>

#define TEXT "# A letter\nDear all,\n"

struct app {
  int has_accepted;
  int is_over;
  continuo_activity activity;
};

static const uint8_t letter[] = TEXT;

static void hand_over(
    continuo_session session, continuo_activity activity, const uint8_t *text, size_t length,
    const continuo_place *place, continuo_status expected) {
  check(continuo_activity_hand_over_draft(session, activity, text, length, place), expected, "hand over");
}

static void save_requested(
    void *context, continuo_session session, continuo_activity activity, continuo_document document,
    continuo_text device) {
  struct app *app = context;
  continuo_place place = {0};
  if (activity != app->activity || document != 0) exit(3);
  printf("asked by %s\n", (const char *)device.bytes);
  place.size = sizeof place;
  place.line = 1;
  place.column = 5;
  hand_over(session, activity, NULL, 3, NULL, CONTINUO_ERROR_ARGUMENT);
  hand_over(session, activity, letter, 0, NULL, CONTINUO_ERROR_ARGUMENT);
  hand_over(session, activity, letter, (16 << 20) + 1, NULL, CONTINUO_ERROR_LIMIT);
  hand_over(session, 0, letter, 3, NULL, CONTINUO_ERROR_HANDLE);
  hand_over(session, activity, letter, sizeof letter - 1, &place, CONTINUO_OK);
}

static void was_continued(
    void *context, continuo_session session, continuo_activity activity, continuo_document document,
    continuo_text device) {
  (void)session, (void)activity, (void)document, (void)device;
  ((struct app *)context)->is_over = 1;
}

static int is_meant(const continuo_offer_info *offer) {
  return offer->title.length == 8 && memcmp(offer->title.bytes, "A letter", 8) == 0;
}

static void offers_changed(void *context, continuo_session session) {
  accept_offer(session, &((struct app *)context)->has_accepted, is_meant);
}

static continuo_answer restore_draft(
    void *context, continuo_session session, const continuo_delivery *delivery) {
  char read_here[64] = {0};
  ssize_t count = read(delivery->descriptor, read_here, sizeof read_here - 1);
  (void)session;
  if (delivery->path.length != 0 || delivery->document != 0 || delivery->is_read_only) exit(6);
  if (count != sizeof letter - 1 || memcmp(read_here, letter, sizeof letter) != 0) exit(7);
  if (!delivery->place) exit(8);
  printf(
      "%d bytes from %s, line %d column %d\n", (int)count, (const char *)delivery->device.bytes,
      (int)delivery->place->line, (int)delivery->place->column);
  ((struct app *)context)->is_over = 1;
  return CONTINUO_DONE;
}

/* A text that was never saved; it is not handed over before a device asks. */
static void leave(struct app *app, continuo_session session) {
  continuo_activity *made = &app->activity;
  check(
      continuo_activity_create(session, CONTINUO_TEXT("public.text-editing"), made), CONTINUO_OK, "create");
  check(continuo_activity_set_title(session, *made, CONTINUO_TEXT("A letter")), CONTINUO_OK, "set_title");
  check(continuo_activity_set_draft(session, 0, 1), CONTINUO_ERROR_HANDLE, "set_draft of nothing");
  check(continuo_activity_set_draft(session, *made, 1), CONTINUO_OK, "set_draft");
  hand_over(session, *made, letter, 3, NULL, CONTINUO_ERROR_ORDER);
  check(continuo_activity_become_current(session, *made), CONTINUO_OK, "become_current");
}

int main(int count, char **arguments) {
  struct app app = {0, 0, 0};
  continuo_callbacks callbacks = {0};
  continuo_session session;
  int leaves = count > 1 && strcmp(arguments[1], "leave") == 0;

  callbacks.size = sizeof callbacks;
  callbacks.context = &app;
  callbacks.failed = end_with_failure;
  if (leaves) {
    callbacks.save_requested = save_requested;
    callbacks.was_continued = was_continued;
  } else {
    callbacks.offers_changed = offers_changed;
    callbacks.restore_draft = restore_draft;
  }
  session = made_session((continuo_text){CONTINUO_TEXT("org.example.drafts-in-c")}, &callbacks);
  check(continuo_connect(session), CONTINUO_OK, "connect");
  if (leaves) leave(&app, session);
  dispatch_until(session, &app.is_over);
  check(continuo_session_destroy(session, 2000), CONTINUO_OK, "destroy");
  return 0;
}
