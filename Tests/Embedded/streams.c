/* SPDX-License-Identifier: MIT */
/*
 * Continuation streams in C99: `streams leave` leaves an activity, sends MUCH bytes to whoever continues it and
 * reads an answer; `streams take-up` continues it, reads all of them, and answers. Each ends when it is told that
 * its streams ended, and prints what went and came.
 */
#include "accepting.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MUCH = 3000000 };

struct app {
  int is_source;
  int has_accepted;
  int is_over;
  int stream;
  /* Bytes that were written and read; whether the other app's end was. */
  size_t written, read;
  int has_read_all;
  continuo_streams streams;
};

static uint8_t byte_at(size_t index) { return (uint8_t)(index * 31 + index / 4096); }

static int is_meant(const continuo_offer_info *offer) {
  return offer->activity_type.length == strlen("org.example.stream");
}

static void offers_changed(void *context, continuo_session session) {
  struct app *app = context;
  if (!app->is_source) accept_offer(session, &app->has_accepted, is_meant);
}

static continuo_answer goes_on(void *context, continuo_session session, const continuo_delivery *delivery) {
  struct app *app = context;
  continuo_activity_info info = {0};
  info.size = sizeof info;
  check(continuo_activity_describe(session, delivery->activity, &info), CONTINUO_OK, "describe");
  if (!info.supports_streams) exit(3);
  check(continuo_streams_open(session, delivery->continuation, NULL), CONTINUO_ERROR_ARGUMENT, "no address");
  check(continuo_streams_open(session, 7, &app->streams), CONTINUO_ERROR_HANDLE, "no continuation");
  check(continuo_streams_open(session, delivery->continuation, &app->streams), CONTINUO_OK, "streams_open");
  return CONTINUO_DONE;
}

static void has_streams(void *context, continuo_session session, const continuo_stream_pair *pair) {
  struct app *app = context;
  (void)session;
  if (app->is_source != (pair->activity != 0) || app->is_source != (pair->device.length > 0)) exit(4);
  if (!app->is_source && pair->streams != app->streams) exit(5);
  app->streams = pair->streams;
  app->stream = pair->descriptor;
}

static void ended(void *context, continuo_session session, continuo_streams streams, continuo_text reason) {
  struct app *app = context;
  (void)session;
  if (streams != app->streams) exit(6);
  printf("wrote %zu, read %zu, %s\n", app->written, app->read,
         reason.length > 0 ? (const char *)reason.bytes : "to the end");
  app->is_over = 1;
}

static void failed(void *context, continuo_session session, const continuo_failure *failure) {
  (void)context, (void)session;
  fprintf(stderr, "failed: %s\n", (const char *)failure->sentence.bytes);
  exit(7);
}

/* Writes a piece; ends writing after the last. */
static void write_some(struct app *app) {
  static uint8_t piece[65536];
  size_t wanted = app->is_source ? MUCH : 7, length = wanted - app->written, index;
  ssize_t count;
  if (length > sizeof piece) length = sizeof piece;
  for (index = 0; index < length; index++) piece[index] = byte_at(app->written + index);
  count = send(app->stream, piece, length, MSG_NOSIGNAL);
  if (count < 0 && errno != EAGAIN) exit(8);
  if (count > 0) app->written += (size_t)count;
  if (app->written == wanted) shutdown(app->stream, SHUT_WR);
}

static void read_some(struct app *app) {
  static uint8_t piece[65536];
  ssize_t count = read(app->stream, piece, sizeof piece), index;
  if (count < 0 && errno != EAGAIN) exit(9);
  for (index = 0; index < count; index++) {
    if (piece[index] != byte_at(app->read + (size_t)index)) exit(10);
  }
  if (count > 0) app->read += (size_t)count;
  app->has_read_all = count == 0;
}

int main(int count, char **arguments) {
  struct app app = {0, 0, 0, -1, 0, 0, 0, 0};
  continuo_callbacks callbacks = {0};
  continuo_session session;
  continuo_activity activity;
  struct pollfd polled[2];

  if (count < 2) return 1;
  app.is_source = strcmp(arguments[1], "leave") == 0;
  callbacks.size = sizeof callbacks;
  callbacks.context = &app;
  callbacks.offers_changed = offers_changed;
  callbacks.continue_activity = goes_on;
  callbacks.failed = failed;
  callbacks.streams_opened = has_streams;
  callbacks.streams_received = has_streams;
  callbacks.streams_ended = ended;
  session = made_session((continuo_text){CONTINUO_TEXT("org.example.streams-in-c")}, &callbacks);
  check(continuo_declare_activity_type(session, CONTINUO_TEXT("org.example.stream")), CONTINUO_OK, "declare");
  check(continuo_connect(session), CONTINUO_OK, "connect");
  if (app.is_source) {
    check(continuo_activity_create(session, CONTINUO_TEXT("org.example.stream"), &activity), CONTINUO_OK, "create");
    check(continuo_activity_set_supports_streams(session, activity, 1), CONTINUO_OK, "set_supports_streams");
    check(continuo_activity_become_current(session, activity), CONTINUO_OK, "become_current");
  }
  while (!app.is_over) {
    int is_writing = app.written < (app.is_source ? MUCH : 7) && (app.is_source || app.has_read_all);
    polled[0].fd = continuo_descriptor(session);
    polled[0].events = POLLIN;
    polled[1].fd = is_writing || !app.has_read_all ? app.stream : -1;
    polled[1].events = (short)((is_writing ? POLLOUT : 0) | (app.has_read_all ? 0 : POLLIN));
    polled[1].revents = 0;
    if (poll(polled, 2, 60000) == 0) return 11;
    if (polled[1].revents & POLLOUT) write_some(&app);
    if (polled[1].revents & (POLLIN | POLLHUP | POLLERR)) read_some(&app);
    check(continuo_dispatch(session), CONTINUO_OK, "dispatch");
  }
  check(continuo_session_destroy(session, 2000), CONTINUO_OK, "destroy");
  return close(app.stream) == 0 ? 0 : 12;
}
