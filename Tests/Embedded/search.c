/* SPDX-License-Identifier: MIT */
/*
 * What is found again, in C99: an activity is kept for search, is continued once somebody chose it from what
 * was found, and is deleted then.
 */
#include "check.h"

#include <string.h>

struct app {
  int is_over;
  continuo_deletion deletion;
};

static continuo_answer continue_activity(
    void *context, continuo_session session, const continuo_delivery *delivery) {
  struct app *app = context;
  continuo_activity_info info = {0};
  continuo_text names[2] = {{CONTINUO_TEXT("soup")}, {CONTINUO_TEXT("bread")}};
  int64_t page = 0;
  info.size = sizeof info;
  check(continuo_activity_describe(session, delivery->activity, &info), CONTINUO_OK, "describe");
  check(
      continuo_activity_get_int(session, delivery->activity, CONTINUO_TEXT("page"), &page), CONTINUO_OK, "get");
  printf("found %s, page %d\n", (const char *)info.title.bytes, (int)page);
  check(continuo_saved_delete(session, NULL, 2, &app->deletion), CONTINUO_ERROR_ARGUMENT, "delete null");
  check(continuo_saved_delete(session, names, 2000, NULL), CONTINUO_ERROR_LIMIT, "delete many");
  check(continuo_saved_delete(session, names, 2, &app->deletion), CONTINUO_OK, "delete");
  return CONTINUO_DONE;
}

static void saved_deleted(
    void *context, continuo_session session, continuo_deletion deletion, continuo_text reason) {
  struct app *app = context;
  if (reason.length != 0) exit(5);
  if (deletion != app->deletion) {
    app->is_over = 1;
    return;
  }
  printf("deleted\n");
  app->deletion = 0;
  check(continuo_saved_delete_all(session, NULL), CONTINUO_OK, "delete all");
}

static void keep(continuo_session session) {
  continuo_activity made;
  continuo_text words[2] = {{CONTINUO_TEXT("lentils")}, {CONTINUO_TEXT("dinner")}};
  continuo_text broken = {CONTINUO_TEXT("\xff")};
  check(
      continuo_activity_create(session, CONTINUO_TEXT("public.text-editing"), &made), CONTINUO_OK, "create");
  check(continuo_activity_set_title(session, made, CONTINUO_TEXT("Soup")), CONTINUO_OK, "set_title");
  check(continuo_activity_set_int(session, made, CONTINUO_TEXT("page"), 7), CONTINUO_OK, "set_int");
#define SEARCH(activity, keywords, count) \
  continuo_activity_set_search( \
      session, activity, CONTINUO_TEXT("soup"), CONTINUO_TEXT("A recipe"), keywords, count)
  check(SEARCH(0, words, 2), CONTINUO_ERROR_HANDLE, "set_search of nothing");
  check(SEARCH(made, words, 65), CONTINUO_ERROR_LIMIT, "set_search of many");
  check(SEARCH(made, NULL, 2), CONTINUO_ERROR_ARGUMENT, "set_search of null");
  check(SEARCH(made, &broken, 1), CONTINUO_ERROR_ARGUMENT, "set_search of no text");
  check(SEARCH(made, words, 2), CONTINUO_OK, "set_search");
  check(continuo_activity_become_current(session, made), CONTINUO_OK, "become_current");
}

int main(void) {
  struct app app = {0, 0};
  continuo_callbacks callbacks = {0};
  continuo_session session;

  callbacks.size = sizeof callbacks;
  callbacks.context = &app;
  callbacks.failed = end_with_failure;
  callbacks.continue_activity = continue_activity;
  callbacks.saved_deleted = saved_deleted;
  session = made_session((continuo_text){CONTINUO_TEXT("org.example.search-in-c")}, &callbacks);
  check(continuo_connect(session), CONTINUO_OK, "connect");
  keep(session);
  dispatch_until(session, &app.is_over);
  check(continuo_session_destroy(session, 2000), CONTINUO_OK, "destroy");
  return 0;
}
