/* SPDX-License-Identifier: MIT */
/*
 * Text that is not saved, in C99: `saves leave PATH` shows a document with such text, and does not save it for the
 * device that asks, with a reason; `saves take-up` continues it, and prints that reason.
 */
#include "accepting.h"

#include <unistd.h>

struct app {
  int has_accepted;
  int is_over;
  /* The calls of save_requested. */
  int asked;
  continuo_document document;
};

static void save_requested(
    void *context, continuo_session session, continuo_activity activity, continuo_document document,
    continuo_text device) {
  struct app *app = context;
  static const uint8_t reason[] = "It is being printed.";
  if (document != app->document || ++app->asked > 1) exit(3);
  printf("asked by %s\n", (const char *)device.bytes);
  check(continuo_activity_refuse_save(session, activity, NULL, 3), CONTINUO_ERROR_ARGUMENT, "no address");
  check(continuo_activity_refuse_save(session, 0, reason, 20), CONTINUO_ERROR_HANDLE, "no activity");
  check(continuo_activity_refuse_save(session, activity, reason, 20), CONTINUO_OK, "refuse_save");
  check(continuo_activity_refuse_save(session, activity, reason, 20), CONTINUO_ERROR_ORDER, "refuse_save again");
}

static continuo_answer needs_update(
    void *context, continuo_session session, continuo_activity activity, continuo_document document) {
  (void)context, (void)activity;
  check(continuo_document_changed(session, document, 1), CONTINUO_OK, "changed");
  return CONTINUO_DONE;
}

static void was_continued(
    void *context, continuo_session session, continuo_activity activity, continuo_document document,
    continuo_text device) {
  (void)session, (void)activity, (void)document, (void)device;
  ((struct app *)context)->is_over = 1;
}

static int is_meant(const continuo_offer_info *offer) {
  return offer->has_unsaved_changes;
}

static void offers_changed(void *context, continuo_session session) {
  accept_offer(session, &((struct app *)context)->has_accepted, is_meant);
}

static continuo_answer restore(void *context, continuo_session session, const continuo_delivery *delivery) {
  (void)session;
  printf("%s\n", (const char *)delivery->arrival->reason.bytes);
  ((struct app *)context)->is_over = 1;
  return CONTINUO_DONE;
}

int main(int count, char **arguments) {
  struct app app = {0, 0, 0, 0};
  continuo_callbacks callbacks = {0};
  continuo_session session;

  if (count < 2) return 1;
  callbacks.size = sizeof callbacks;
  callbacks.context = &app;
  callbacks.failed = end_with_failure;
  if (count > 2) {
    callbacks.save_requested = save_requested;
    callbacks.needs_update = needs_update;
    callbacks.was_continued = was_continued;
  } else {
    callbacks.offers_changed = offers_changed;
    callbacks.restore_document = restore;
  }
  session = made_session((continuo_text){CONTINUO_TEXT("org.example.saves-in-c")}, &callbacks);
  check(continuo_connect(session), CONTINUO_OK, "connect");
  if (count > 2) {
    check(continuo_document_open(session, CONTINUO_STRING(arguments[2]), &app.document), CONTINUO_OK, "open");
    check(continuo_document_become_current(session, app.document), CONTINUO_OK, "become_current");
    check(continuo_document_changed(session, app.document, 1), CONTINUO_OK, "changed");
  }
  dispatch_until(session, &app.is_over);
  if (count > 2) check(continuo_document_close(session, app.document), CONTINUO_OK, "close");
  check(continuo_session_destroy(session, 2000), CONTINUO_OK, "destroy");
  return 0;
}
