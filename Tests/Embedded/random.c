/* SPDX-License-Identifier: MIT */
/*
 * Random calls of all functions in all orders, with handles, texts, lengths, sizes and constants that are right,
 * stale, of another kind, or nonsense; also inside callbacks and on a foreign thread. `random SEED CALLS FILE…`;
 * the files are documents in a synced folder. Says how often each status came: whoever checks memory looks on.
 */
#include <continuo.h>

#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t state;
static char **files;
static int file_count;
static uint64_t handles[8][8];
static unsigned long counts[16];
static unsigned long answered[16];
static int depth;

static uint64_t any(void) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return state;
}

static uint64_t below(uint64_t limit) { return any() % limit; }

/* By kind, which is the highest byte. */
static void keep(uint64_t handle) { handles[handle >> 56 & 7][below(8)] = handle; }

/* Mostly one of the kind that is wanted, which may be stale. */
static uint64_t a_handle(uint64_t kind) {
  uint64_t handle = handles[kind][below(8)];
  switch (below(32)) {
    case 0: return 0;
    case 1: return any();
    case 2: return handle + 1;
    case 3: return handle ^ (UINT64_C(1) << (56 + below(3)));
    case 4: return handles[below(8)][below(8)];
    default: return handle;
  }
}

/* Few, so that most calls get further than to their handle. */
static uint64_t sessions[2];
static uint64_t a_session(void) { return below(100) == 0 ? a_handle(1) : sessions[below(8) == 0]; }

static const uint8_t *bytes;
static size_t length;

static void a_text(void) {
  static const char *const texts[] = {"public.text-editing", "org.example.thing", "line", "key", "é😀", "\xff\xfe",
      "{\"a\": [1, {\"$date\": 5}]}", "{\"$date\": {}}", "[[[[", "/", "/nowhere/at/all", "relative", "https://example.org/"};
  static uint8_t noise[70000];
  const char *text = below(3) ? files[below((uint64_t)file_count)] : texts[below(sizeof texts / sizeof *texts)];
  bytes = (const uint8_t *)text;
  length = strlen(text);
  switch (below(16)) {
    case 0: bytes = NULL; break;
    case 1: length = SIZE_MAX; break;
    case 2: length = (size_t)1 << 63; break;
    case 3: bytes = NULL, length = 0; break;
    case 4: length = 0; break;
    case 5:
      bytes = noise, length = below(sizeof noise);
      for (size_t index = 0; index < 64; index++) noise[below(sizeof noise)] = (uint8_t)any();
      break;
    default: break;
  }
}

/* Large enough for every size that the library believes. */
static uint64_t room[9000];
static void *a_struct(size_t size) {
  for (size_t index = 0; index < 32; index++) room[index] = 0;
  switch (below(8)) {
    case 0: size = below(70000); break;
    case 1: size = (size_t)any(); break;
    case 2: size = below(12) * 8; break;
    default: break;
  }
  room[0] = size;
  return below(20) ? room : NULL;
}

static int64_t a_number(void) { return below(3) ? (int64_t)below(9) - 2 : (int64_t)any(); }

static continuo_status one_call(void);

static void count(continuo_status status) {
  if (status >= 0 && status < 16) counts[status] += 1;
}

static void call_back(int kind) {
  answered[kind] += 1;
  if (depth++ < 3) {
    for (uint64_t calls = below(4); calls > 0; calls--) count(one_call());
  }
  depth -= 1;
}

static continuo_answer on_update(void *c, continuo_session s, continuo_activity a, continuo_document d) {
  (void)c, (void)s;
  keep(a), keep(d);
  call_back(0);
  return (continuo_answer)below(4);
}
static continuo_answer on_restore(void *c, continuo_session s, const continuo_delivery *told) {
  (void)c, (void)s;
  keep(told->continuation), keep(told->activity);
  call_back(1);
  return (continuo_answer)below(4);
}
static continuo_answer on_continue(void *c, continuo_session s, const continuo_delivery *told) {
  (void)c, (void)s;
  keep(told->continuation), keep(told->activity);
  call_back(2);
  return (continuo_answer)below(4);
}
static void on_offers(void *c, continuo_session s) { (void)c, (void)s, call_back(3); }
static void on_failed(void *c, continuo_session s, const continuo_failure *told) {
  (void)c, (void)s;
  keep(told->continuation);
  call_back(4);
}
static void on_progress(void *c, continuo_session s, const continuo_progress *told) {
  (void)c, (void)s;
  keep(told->continuation), keep(told->offer->offer);
  call_back(5);
}
static void on_file(void *c, continuo_session s, const continuo_file_change *told) {
  (void)c, (void)s, (void)told, call_back(6);
}
static void on_taken(void *c, continuo_session s, continuo_activity a, continuo_document d, continuo_text t) {
  (void)c, (void)s, (void)a, (void)d, (void)t, call_back(7);
}
static void on_connection(void *c, continuo_session s, int32_t is_connected, continuo_text t) {
  (void)c, (void)s, (void)is_connected, (void)t, call_back(8);
}
static void on_folders(void *c, continuo_session s) { (void)c, (void)s, call_back(9); }

static continuo_status create(void) {
  continuo_app app = {0};
  continuo_callbacks heard = {0};
  continuo_session session = 0;
  continuo_status status;
  app.size = sizeof app;
  app.identifier = (continuo_text){CONTINUO_TEXT("org.example.random")};
  app.columns = (continuo_columns)below(3);
  heard.size = below(4) ? sizeof heard : below(14) * 8;
  heard.needs_update = on_update;
  heard.restore_document = on_restore;
  heard.offers_changed = on_offers;
  heard.failed = on_failed;
  heard.will_continue = on_progress;
  heard.progress = on_progress;
  heard.continue_activity = below(2) ? on_continue : NULL;
  heard.file_changed = on_file;
  heard.was_continued = on_taken;
  heard.withheld = on_taken;
  heard.connection_changed = on_connection;
  heard.folders_changed = on_folders;
  if (below(30) == 0) return continuo_session_create(a_struct(sizeof app), &heard, &session);
  status = continuo_session_create(&app, below(9) ? &heard : NULL, below(30) ? &session : NULL);
  if (session) {
    uint64_t place = below(2);
    continuo_session_destroy(sessions[place], 0);
    sessions[place] = session;
    keep(session);
    if (below(9)) continuo_connect(session);
  }
  return status;
}

static continuo_text text;
static size_t number;
static int32_t small;
static int64_t whole;
static double real;

static continuo_status of_documents(uint64_t s, uint64_t h) {
  continuo_document document = 0;
  continuo_status status;
  a_text();
  switch (below(15)) {
    case 0: case 1: case 2:
      status = continuo_document_open(s, bytes, length, below(30) ? &document : NULL);
      if (document) keep(document);
      return status;
    case 3: return below(4) ? continuo_document_path(s, h, &text) : continuo_document_close(s, h);
    case 4: return continuo_document_changed(s, h, (int32_t)a_number());
    case 5: return continuo_document_saved(s, h);
    case 6: return continuo_document_reread(s, h);
    case 7: return continuo_document_moved(s, h, bytes, length);
    case 8: return continuo_document_become_current(s, h);
    case 9: return below(4) ? CONTINUO_OK : continuo_document_resign_current(s, h);
    case 10: {
      continuo_place *place = a_struct(sizeof *place);
      room[1] = any(), room[2] = (uint64_t)a_number(), room[3] = (uint64_t)a_number();
      room[4] = (uint64_t)a_number(), room[5] = any(), room[6] = (uint64_t)a_number();
      return continuo_document_set_place(s, h, place);
    }
    case 11: {
      continuo_standing *standing = a_struct(sizeof *standing);
      status = continuo_document_standing(s, h, standing);
      if (status == CONTINUO_OK) keep(room[1]);
      return status;
    }
    case 12: return continuo_file_version_count(s, h, below(9) ? &number : NULL);
    case 13: return continuo_file_version_keep(s, h, below(2) ? &number : NULL);
    default: return continuo_document_at(s, bytes, length, below(30) ? &document : NULL);
  }
}

static continuo_status of_activities(uint64_t s, uint64_t h) {
  static const uint8_t key[] = "key";
  continuo_text keys[2] = {{CONTINUO_TEXT("key")}, {CONTINUO_TEXT("other")}};
  continuo_activity made = 0;
  continuo_status status;
  const uint8_t *name = key;
  size_t name_length = below(3) + 1;
  a_text();
  if (below(6) == 0) name = bytes, name_length = length;
  a_text();
  switch (below(28)) {
    case 0:
      status = continuo_activity_create(s, CONTINUO_TEXT("public.text-editing"), below(30) ? &made : NULL);
      if (made) keep(made);
      return status;
    case 1: return below(3) ? CONTINUO_OK : continuo_activity_end(s, h);
    case 2: return continuo_activity_become_current(s, h);
    case 3: return below(3) ? CONTINUO_OK : continuo_activity_resign_current(s, h);
    case 4: return continuo_activity_update(s, h);
    case 5: return continuo_activity_set_title(s, h, bytes, length);
    case 6: return continuo_activity_set_webpage_url(s, h, bytes, length);
    case 7: return continuo_activity_set_expiry(s, h, below(2) ? 0 : any());
    case 8: return continuo_activity_set_eligible(s, h, (int32_t)a_number());
    case 9:
      return continuo_activity_set_required_keys(s, h, below(9) ? keys : NULL, below(9) ? below(3) : SIZE_MAX);
    case 10: return continuo_activity_set_null(s, h, name, name_length);
    case 11: return continuo_activity_set_bool(s, h, name, name_length, (int32_t)a_number());
    case 12: return continuo_activity_set_int(s, h, name, name_length, a_number());
    case 13: return continuo_activity_set_double(s, h, name, name_length, below(9) ? 0.5 : 1e308 * 1e308);
    case 14: return continuo_activity_set_text(s, h, name, name_length, bytes, length);
    case 15: return continuo_activity_set_bytes(s, h, name, name_length, bytes, length);
    case 16: return continuo_activity_set_date(s, h, name, name_length, below(9) ? -1e9 : 1e300);
    case 17: return continuo_activity_set_url(s, h, name, name_length, bytes, length);
    case 18: return continuo_activity_remove(s, h, name, name_length);
    case 19: return continuo_activity_set_user_info_json(s, h, bytes, length);
    case 20: return continuo_activity_describe(s, h, a_struct(sizeof(continuo_activity_info)));
    case 21: return continuo_activity_get_kind(s, h, name, name_length, below(30) ? &small : NULL);
    case 22: return continuo_activity_get_bool(s, h, name, name_length, below(30) ? &small : NULL);
    case 23: return continuo_activity_get_int(s, h, name, name_length, below(30) ? &whole : NULL);
    case 24: return continuo_activity_get_double(s, h, name, name_length, below(30) ? &real : NULL);
    case 25: return continuo_activity_get_text(s, h, name, name_length, below(30) ? &text : NULL);
    case 26:
      return below(2) ? continuo_activity_get_bytes(s, h, name, name_length, below(30) ? &text : NULL)
                      : continuo_activity_get_date(s, h, name, name_length, below(30) ? &real : NULL);
    default: return continuo_activity_get_user_info_json(s, h, below(30) ? &text : NULL);
  }
}

static continuo_status of_offers(uint64_t s) {
  uint64_t offer = a_handle(4), h = a_handle(5);
  continuo_continuation continuation = 0;
  continuo_status status;
  switch (below(9)) {
    case 0: return continuo_offer_count(s, below(30) ? &number : NULL);
    case 1:
      status = continuo_offer_at(s, below(9) ? below(3) : SIZE_MAX, a_struct(sizeof(continuo_offer_info)));
      if (status == CONTINUO_OK) keep(room[1]);
      return status;
    case 2:
      status = (below(2) ? continuo_offer_accept : continuo_offer_accept_all)(
          s, offer, below(4) ? &continuation : NULL);
      if (continuation) keep(continuation);
      return status;
    case 3: return below(4) ? CONTINUO_OK : continuo_cancel(s, h);
    case 4: return continuo_extend(s, h, (uint32_t)a_number());
    case 5: return continuo_choose(s, h, (continuo_choice)a_number());
    case 6: return continuo_answer_delivery(s, h, (continuo_answer)a_number());
    case 7: return continuo_folder_count(s, below(30) ? &number : NULL);
    default: return continuo_folder_at(s, below(9) ? below(3) : SIZE_MAX, &text, below(2) ? &text : NULL);
  }
}

static continuo_status of_sessions(uint64_t s) {
  a_text();
  switch (below(13)) {
    case 12: return continuo_declare_open_documents(s);
    case 0: return below(9) ? continuo_last_error(below(30) ? &text : NULL) > 0 : create();
    case 1: return below(200) ? CONTINUO_OK : continuo_session_destroy(s, (uint32_t)below(3));
    case 2: return continuo_declare_activity_type(s, bytes, length);
    case 3: return continuo_declare_document_type(s, a_struct(sizeof(continuo_document_type)));
    case 4: return continuo_declare_info_plist(s, bytes, length);
    case 5: return continuo_connect(s);
    case 6: return continuo_is_connected(s, below(30) ? &small : NULL);
    case 7: return continuo_hasten(s);
    case 8: return continuo_version() > 0 ? CONTINUO_OK : 1;
    default: {
      struct pollfd polled = {0};
      polled.fd = continuo_descriptor(s);
      polled.events = POLLIN;
      if (polled.fd >= 0 && below(50) == 0) poll(&polled, 1, 2);
      return continuo_dispatch(s);
    }
  }
}

static continuo_status one_call(void) {
  uint64_t s = a_session();
  switch (below(4)) {
    case 0: return of_documents(s, a_handle(2));
    case 1: return of_activities(s, a_handle(3));
    case 2: return of_offers(s);
    default: return of_sessions(s);
  }
}

/* The caller waits meanwhile, so that this is no race of its own. */
static void *foreign(void *unused) {
  count(continuo_dispatch(sessions[0]));
  count(continuo_document_saved(sessions[1], a_handle(2)));
  return unused;
}

/* Continues what is offered and waits for what comes of it, which calls at random seldom do. */
static void go_on(uint64_t session) {
  continuo_offer_info info = {0};
  struct pollfd polled = {0};
  size_t offers;
  info.size = sizeof info;
  polled.events = POLLIN;
  if (continuo_offer_count(session, &offers) != CONTINUO_OK || offers == 0) return;
  count(continuo_offer_at(session, 0, &info));
  count(continuo_offer_accept(session, info.offer, NULL));
  for (int turn = 0; turn < 10; turn++) {
    polled.fd = continuo_descriptor(session);
    if (polled.fd >= 0) poll(&polled, 1, 20);
    count(continuo_dispatch(session));
  }
}

int main(int argument_count, char **arguments) {
  unsigned long calls;
  if (argument_count < 4) return 2;
  state = strtoull(arguments[1], NULL, 10) * 2654435761u + 88172645463325252u;
  calls = strtoul(arguments[2], NULL, 10);
  files = arguments + 3;
  file_count = argument_count - 3;
  for (int index = 0; index < 4; index++) count(create());
  for (unsigned long call = 0; call < calls; call++) {
    if (call % 1000 == 999) {
      pthread_t thread;
      if (pthread_create(&thread, NULL, foreign, NULL) == 0) pthread_join(thread, NULL);
    }
    if (call % 1000 == 499) go_on(sessions[call / 1000 % 2]);
    count(one_call());
  }
  for (int index = 0; index < 2; index++) continuo_session_destroy(sessions[index], 100);
  printf("statuses from 0:");
  for (int status = 0; status <= CONTINUO_ERROR_SYSTEM; status++) printf(" %lu", counts[status]);
  printf("; callbacks:");
  for (int kind = 0; kind < 10; kind++) printf(" %lu", answered[kind]);
  printf("\n");
  return 0;
}
