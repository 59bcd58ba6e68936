/* SPDX-License-Identifier: MIT */
/*
 * What a host does wrong, and what it hears: `misuse FOLDER`, a synced folder with a file `plan.md`. Prints
 * "misused" when each call failed as the header says.
 */
#include <continuo.h>

#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define EXPECT(status, call) expect(status, call, #call)

static void expect(continuo_status wanted, continuo_status got, const char *call) {
  continuo_text sentence;
  continuo_last_error(&sentence);
  if (wanted == got && (got == CONTINUO_OK || sentence.length > 20)) return;
  fprintf(stderr, "%s gave %d and not %d: %s\n", call, (int)got, (int)wanted, (const char *)sentence.bytes);
  exit(1);
}

static continuo_session session, other, in_callback;
static continuo_document document, foreign_document;
static continuo_activity activity;
static int rounds, ended_inside, connections;

static continuo_answer needs_update(
    void *context, continuo_session told, continuo_activity asked, continuo_document of) {
  (void)context, (void)of;
  rounds += 1;
  activity = asked;
  EXPECT(CONTINUO_ERROR_ORDER, continuo_dispatch(told));
  return CONTINUO_DONE;
}

static void ends(void *context, continuo_session told) {
  size_t count;
  (void)context;
  EXPECT(CONTINUO_OK, continuo_session_destroy(told, 100));
  EXPECT(CONTINUO_ERROR_HANDLE, continuo_folder_count(told, &count));
  ended_inside += 1;
}

static void connected(void *context, continuo_session told, int32_t is_connected, continuo_text reason) {
  (void)context, (void)told, (void)reason;
  connections += is_connected;
}

static void *on_another_thread(void *unused) {
  int32_t is_connected;
  EXPECT(CONTINUO_ERROR_THREAD, continuo_is_connected(session, &is_connected));
  EXPECT(CONTINUO_ERROR_THREAD, continuo_session_destroy(session, 0));
  return unused;
}

static void make(continuo_callbacks *callbacks, continuo_session *made) {
  continuo_app app = {0};
  app.size = sizeof app;
  app.identifier = (continuo_text){CONTINUO_TEXT("org.example.misuse")};
  EXPECT(CONTINUO_OK, continuo_session_create(&app, callbacks, made));
}

static void before_connecting(const char *folder) {
  continuo_app app = {0};
  continuo_document_type type = {0};
  continuo_text extension = {CONTINUO_TEXT(".md")};
  size_t count;
  EXPECT(CONTINUO_ERROR_ARGUMENT, continuo_session_create(NULL, NULL, &other));
  EXPECT(CONTINUO_ERROR_ARGUMENT, continuo_session_create(&app, NULL, &other)); /* its size is 0 */
  app.size = sizeof app;
  EXPECT(CONTINUO_ERROR_ARGUMENT, continuo_session_create(&app, NULL, NULL));
  app.identifier = (continuo_text){CONTINUO_TEXT("no identifier/at all")};
  EXPECT(CONTINUO_ERROR_DECLARATION, continuo_session_create(&app, NULL, &other));
  app.identifier.length = SIZE_MAX;
  EXPECT(CONTINUO_ERROR_LIMIT, continuo_session_create(&app, NULL, &other));
  app.identifier = (continuo_text){NULL, 5};
  EXPECT(CONTINUO_ERROR_ARGUMENT, continuo_session_create(&app, NULL, &other));
  app.identifier.length = 0;
  app.columns = 7;
  EXPECT(CONTINUO_ERROR_ARGUMENT, continuo_session_create(&app, NULL, &other));
  app.columns = CONTINUO_COLUMNS_UTF8;
  EXPECT(CONTINUO_OK, continuo_session_create(&app, NULL, &other));
  EXPECT(CONTINUO_ERROR_DECLARATION, continuo_connect(other)); /* nobody knows who it is */
  EXPECT(CONTINUO_ERROR_ORDER, continuo_dispatch(other));
  EXPECT(CONTINUO_ERROR_ORDER, continuo_offer_count(other, &count));
  EXPECT(CONTINUO_ERROR_ORDER, continuo_document_open(other, CONTINUO_STRING(folder), &document));
  if (continuo_descriptor(other) != -1) exit(1);
  EXPECT(CONTINUO_ERROR_FILE, continuo_declare_info_plist(other, CONTINUO_TEXT("/nowhere/Info.plist")));
  EXPECT(CONTINUO_ERROR_FILE, continuo_declare_info_plist(other, CONTINUO_STRING(folder)));
  EXPECT(CONTINUO_ERROR_ARGUMENT, continuo_declare_info_plist(other, CONTINUO_TEXT("Info.plist")));
  EXPECT(CONTINUO_ERROR_ARGUMENT, continuo_declare_activity_type(other, CONTINUO_TEXT("")));
  EXPECT(CONTINUO_ERROR_ARGUMENT, continuo_declare_activity_type(other, CONTINUO_TEXT("\xff")));
  type.size = sizeof type;
  type.extensions = &extension;
  type.extension_count = 1;
  EXPECT(CONTINUO_ERROR_ARGUMENT, continuo_declare_document_type(other, &type)); /* a dot */
  EXPECT(CONTINUO_OK, continuo_session_destroy(other, 0));
  EXPECT(CONTINUO_ERROR_HANDLE, continuo_session_destroy(other, 0));
}

static void connected_now(const char *folder, const char *file) {
  continuo_place place = {0};
  continuo_text text;
  continuo_document again;
  int64_t number;
  EXPECT(CONTINUO_ERROR_ORDER, continuo_connect(session));
  EXPECT(CONTINUO_ERROR_ORDER, continuo_declare_activity_type(session, CONTINUO_TEXT("org.example.late")));
  EXPECT(CONTINUO_ERROR_ORDER, continuo_declare_open_documents(session));
  EXPECT(CONTINUO_OK, continuo_document_open(session, CONTINUO_STRING(file), &document));
  EXPECT(CONTINUO_OK, continuo_document_open(session, CONTINUO_STRING(file), &again));
  if (again != document) exit(1);
  EXPECT(CONTINUO_ERROR_FILE, continuo_document_open(session, CONTINUO_TEXT("/nowhere/plan.md"), &again));
  EXPECT(CONTINUO_ERROR_ARGUMENT, continuo_document_open(session, CONTINUO_TEXT("plan.md"), &again));
  EXPECT(CONTINUO_ERROR_ARGUMENT, continuo_document_open(session, CONTINUO_TEXT("/a\0b"), &again));
  EXPECT(CONTINUO_ERROR_LIMIT, continuo_document_open(session, CONTINUO_STRING(file) + SIZE_MAX / 2, &again));
  EXPECT(CONTINUO_ERROR_ABSENT, continuo_document_at(session, CONTINUO_STRING(folder), &again));
  EXPECT(CONTINUO_ERROR_HANDLE, continuo_document_saved(session, 0));
  size_t versions = 9;
  continuo_file_version_info version = {.size = sizeof version};
  EXPECT(CONTINUO_ERROR_HANDLE, continuo_file_version_count(session, 0, &versions));
  EXPECT(CONTINUO_ERROR_ARGUMENT, continuo_file_version_count(session, document, NULL));
  EXPECT(CONTINUO_OK, continuo_file_version_count(session, document, &versions));
  if (versions != 0) exit(1);
  EXPECT(CONTINUO_ERROR_ABSENT, continuo_file_version_at(session, 0, &version));
  EXPECT(CONTINUO_ERROR_ABSENT, continuo_file_version_aside_at(session, 0, NULL, NULL));
  EXPECT(CONTINUO_ERROR_HANDLE, continuo_file_version_keep(session, document, NULL));
  EXPECT(CONTINUO_ERROR_HANDLE, continuo_document_saved(session, session));
  EXPECT(CONTINUO_ERROR_HANDLE, continuo_document_saved(other, document));
  EXPECT(CONTINUO_ERROR_HANDLE, continuo_document_saved(in_callback, document)); /* another session's */
  EXPECT(CONTINUO_ERROR_HANDLE, continuo_activity_update(session, document));
  EXPECT(CONTINUO_ERROR_HANDLE, continuo_offer_accept(session, document, NULL));
  EXPECT(CONTINUO_ERROR_HANDLE, continuo_offer_accept_all(session, document, NULL));
  EXPECT(CONTINUO_ERROR_HANDLE, continuo_cancel(session, document));
  EXPECT(CONTINUO_ERROR_ABSENT, continuo_offer_at(session, 0, NULL));
  EXPECT(CONTINUO_ERROR_ARGUMENT, continuo_document_set_place(session, document, NULL));
  EXPECT(CONTINUO_ERROR_ARGUMENT, continuo_document_set_place(session, document, &place)); /* its size is 0 */
  place.size = sizeof place;
  place.parts = ~(uint32_t)0;
  place.line = INT64_MAX, place.column = INT64_MIN, place.selection_line = -5, place.top_line = INT64_MAX;
  EXPECT(CONTINUO_OK, continuo_document_set_place(session, document, &place));
  EXPECT(
      CONTINUO_ERROR_DECLARATION, continuo_activity_create(session, CONTINUO_TEXT("org.example.none"), &again));
  EXPECT(CONTINUO_OK, continuo_activity_create(session, CONTINUO_TEXT("public.text-editing"), &activity));
  EXPECT(CONTINUO_OK, continuo_activity_set_text(session, activity, CONTINUO_TEXT("who"), CONTINUO_TEXT("é")));
  EXPECT(CONTINUO_ERROR_KIND, continuo_activity_get_int(session, activity, CONTINUO_TEXT("who"), &number));
  EXPECT(CONTINUO_ERROR_ABSENT, continuo_activity_get_int(session, activity, CONTINUO_TEXT("what"), &number));
  EXPECT(CONTINUO_ERROR_ARGUMENT, continuo_activity_get_int(session, activity, CONTINUO_TEXT(""), &number));
  EXPECT(
      CONTINUO_ERROR_ARGUMENT,
      continuo_activity_set_user_info_json(session, activity, CONTINUO_TEXT("{\"a\": {\"$date\": true}}")));
  EXPECT(CONTINUO_OK, continuo_activity_get_user_info_json(session, activity, &text));
  if (strcmp((const char *)text.bytes, "{\"who\":\"é\"}") != 0) exit(1); /* what failed changed nothing */
  EXPECT(CONTINUO_OK, continuo_activity_end(session, activity));
  EXPECT(CONTINUO_ERROR_HANDLE, continuo_activity_update(session, activity));
}

int main(int count, char **arguments) {
  continuo_callbacks callbacks = {0}, ending = {0};
  continuo_text sentence;
  struct pollfd polled;
  pthread_t thread;
  char file[4096];
  if (count < 2 || snprintf(file, sizeof file, "%s/plan.md", arguments[1]) < 0) return 2;
  if (continuo_last_error(&sentence) != CONTINUO_OK || sentence.length != 0) return 3;
  if (continuo_version() != (CONTINUO_VERSION_MAJOR << 16 | CONTINUO_VERSION_MINOR)) return 4;
  before_connecting(arguments[1]);

  callbacks.size = sizeof callbacks;
  callbacks.needs_update = needs_update;
  callbacks.connection_changed = connected;
  make(&callbacks, &session);
  ending.size = sizeof ending;
  ending.folders_changed = ends;
  make(&ending, &in_callback);
  EXPECT(CONTINUO_OK, continuo_connect(in_callback));
  EXPECT(CONTINUO_OK, continuo_connect(session));
  connected_now(arguments[1], file);
  if (pthread_create(&thread, NULL, on_another_thread, NULL) != 0) return 5;
  pthread_join(thread, NULL);

  /* A callback that dispatches, and one that ends its session. */
  EXPECT(CONTINUO_OK, continuo_document_open(session, CONTINUO_STRING(file), &document));
  EXPECT(CONTINUO_OK, continuo_document_become_current(session, document));
  EXPECT(CONTINUO_OK, continuo_document_changed(session, document, 0));
  while (rounds == 0 || ended_inside == 0) {
    polled.fd = continuo_descriptor(rounds ? in_callback : session);
    polled.events = POLLIN;
    if (poll(&polled, 1, 60000) == 0) return 6;
    EXPECT(CONTINUO_OK, continuo_dispatch(rounds ? in_callback : session));
  }
  EXPECT(CONTINUO_ERROR_HANDLE, continuo_dispatch(in_callback));
  EXPECT(CONTINUO_ERROR_HANDLE, continuo_activity_end(session, activity)); /* a document's own */
  EXPECT(CONTINUO_OK, continuo_document_close(session, document));
  EXPECT(CONTINUO_ERROR_HANDLE, continuo_document_close(session, document));
  EXPECT(CONTINUO_ERROR_HANDLE, continuo_activity_update(session, activity));
  foreign_document = document;
  EXPECT(CONTINUO_OK, continuo_session_destroy(session, 2000));
  EXPECT(CONTINUO_ERROR_HANDLE, continuo_document_saved(session, foreign_document));
  printf("misused, connected %d times\n", connections);
  return 0;
}
