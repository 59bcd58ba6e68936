/* SPDX-License-Identifier: MIT */
/*
 * All that is open, in C99: `together FOLDER NAME…` opens these documents, the last one in front, and ends once
 * another device went on with it; `together` continues whatever is open beside an offer with it, and tells the names.
 */
#include "check.h"

#include <string.h>

struct app {
  int is_over;
  size_t expected;
};

static void offers_changed(void *context, continuo_session session) {
  struct app *app = context;
  continuo_offer_info offer = {0};
  continuo_continuation continuation = 0;
  size_t count, index;
  offer.size = sizeof offer;
  check(continuo_offer_count(session, &count), CONTINUO_OK, "offer_count");
  for (index = 0; index < count && app->expected == 0; index++) {
    check(continuo_offer_at(session, index, &offer), CONTINUO_OK, "offer_at");
    if (offer.open_beside != 2 || offer.arrival->state != CONTINUO_ARRIVAL_CURRENT) continue;
    app->expected = offer.open_beside + 1;
    check(continuo_offer_accept_all(session, offer.offer, &continuation), CONTINUO_OK, "accept_all");
    if (continuation == 0) exit(6);
  }
}

static continuo_answer restore_document(
    void *context, continuo_session session, const continuo_delivery *delivery) {
  struct app *app = context;
  (void)session;
  printf("%s\n", strrchr((const char *)delivery->path.bytes, '/') + 1);
  app->is_over = --app->expected == 0;
  return CONTINUO_DONE;
}

static void was_continued(
    void *context, continuo_session session, continuo_activity activity, continuo_document document,
    continuo_text device) {
  struct app *app = context;
  (void)session, (void)activity, (void)document;
  if (!app->is_over) printf("continued by %s\n", (const char *)device.bytes);
  app->is_over = 1;
}

static void open_all(continuo_session session, int count, char **arguments) {
  continuo_document document = 0;
  char path[4096];
  int index;
  for (index = 2; index < count; index++) {
    snprintf(path, sizeof path, "%s/%s", arguments[1], arguments[index]);
    check(continuo_document_open(session, CONTINUO_STRING(path), &document), CONTINUO_OK, "open");
  }
  check(continuo_document_become_current(session, document), CONTINUO_OK, "become_current");
}

int main(int count, char **arguments) {
  struct app app = {0, 0};
  continuo_callbacks callbacks = {0};
  continuo_session session;

  callbacks.size = sizeof callbacks;
  callbacks.context = &app;
  callbacks.failed = end_with_failure;
  if (count > 1) {
    callbacks.was_continued = was_continued;
  } else {
    callbacks.offers_changed = offers_changed;
    callbacks.restore_document = restore_document;
  }
  session = made_session((continuo_text){CONTINUO_TEXT("org.example.together-in-c")}, &callbacks);
  if (count > 1) check(continuo_declare_open_documents(session), CONTINUO_OK, "declare_open_documents");
  check(continuo_connect(session), CONTINUO_OK, "connect");
  if (count > 1) open_all(session, count, arguments);
  dispatch_until(session, &app.is_over);
  check(continuo_session_destroy(session, 2000), CONTINUO_OK, "destroy");
  return 0;
}
