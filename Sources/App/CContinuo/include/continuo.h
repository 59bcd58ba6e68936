/* SPDX-License-Identifier: MIT */
/*
 * libcontinuo: an editor leaves its document on one device, and another editor goes on with it on another.
 * C99 and C++11. docs/authors/embedding.md shows whole programs.
 *
 * THREADS    A session belongs to the thread that made it. On another thread each function fails with
 *            CONTINUO_ERROR_THREAD and changes nothing. No thread is started. A forked child uses none of it.
 * LOOP       The host polls continuo_descriptor() for input, in whatever loop it has, and calls
 *            continuo_dispatch() when there is some. Nothing waits but continuo_session_destroy().
 * CALLBACKS  Come inside continuo_dispatch() only, one at a time. All functions but continuo_dispatch() may be
 *            called from inside. A callback returns: no longjmp() and no C++ exception may leave it.
 * TEXT       Bytes and their number. Texts are UTF-8; paths are any bytes but zero, absolute. A null pointer is
 *            the empty text if the length is 0. What is given to a function is copied before it returns.
 *            What a function or callback gives is borrowed: one got inside a callback is valid until that
 *            callback returns, any other until continuo_dispatch() is called next, or the session is destroyed.
 *            A zero byte, which is not counted, stands behind each.
 * HANDLES    Numbers; 0 names nothing. None is used twice, so that one of something that ended, one of another
 *            kind, and nonsense all give CONTINUO_ERROR_HANDLE.
 * ERRORS     A function that fails changes nothing, and continuo_last_error() says in one sentence what to do.
 *            Any argument may be wrong: null pointers, lengths and orders of calls are checked. A pointer that
 *            is neither null nor valid cannot be.
 * STRUCTS    Begin with their size, which the host sets to sizeof: later versions add members at the end only,
 *            and never read or write beyond the size that the host knows. Zero means the default.
 * VERSIONS   Within one major version what is here stays. "Since" names the first version that has it.
 */
#ifndef CONTINUO_H
#define CONTINUO_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header; continuo_version() tells that of the library. */
#define CONTINUO_VERSION_MAJOR 0
#define CONTINUO_VERSION_MINOR 1

/* A literal, or a string that ends with a zero byte, as the two arguments or members that a text is. */
#ifdef __cplusplus
#define CONTINUO_TEXT(literal) reinterpret_cast<const uint8_t *>("" literal), sizeof("" literal) - 1
#define CONTINUO_STRING(string) reinterpret_cast<const uint8_t *>(string), strlen(string)
#else
#define CONTINUO_TEXT(literal) (const uint8_t *)("" literal), sizeof("" literal) - 1
#define CONTINUO_STRING(string) (const uint8_t *)(string), strlen(string)
#endif

/* A text that the library gives, or a member of a struct that the host fills. Since 0.1. */
typedef struct continuo_text {
  const uint8_t *bytes;
  size_t length;
} continuo_text;

/* An editor's connection to the agent, with its documents and activities. */
typedef uint64_t continuo_session;
/* A document that the host has open. */
typedef uint64_t continuo_document;
/* What the person is doing: a document's own, one that the host made, or one that another device delivered. */
typedef uint64_t continuo_activity;
/* What another device offers. */
typedef uint64_t continuo_offer;
/* One continuation, from accepting to its end. */
typedef uint64_t continuo_continuation;
/* A version of a document in conflict. */
typedef uint64_t continuo_file_version;
/* A pair of continuation streams, from asking to its end. */
typedef uint64_t continuo_streams;
/* What was asked to be deleted of what is kept for search. */
typedef uint64_t continuo_deletion;

/* What functions return. */
typedef int32_t continuo_status;
enum {
  /* Done. */
  CONTINUO_OK = 0,
  /* The handle is stale, 0, or of something else. */
  CONTINUO_ERROR_HANDLE = 1,
  /* The session belongs to another thread. */
  CONTINUO_ERROR_THREAD = 2,
  /* A null pointer, a length, a size, a constant or a text that cannot be. */
  CONTINUO_ERROR_ARGUMENT = 3,
  /* Not now: before continuo_connect(), after it, or inside a callback. */
  CONTINUO_ERROR_ORDER = 4,
  /* The file, or the folder that it lies in, cannot be used. */
  CONTINUO_ERROR_FILE = 5,
  /* There is none: no value under that key, nothing at that index, no activity, no such offer any more. */
  CONTINUO_ERROR_ABSENT = 6,
  /* The value is of another kind. */
  CONTINUO_ERROR_KIND = 7,
  /* More than an activity can carry, or than can be counted. */
  CONTINUO_ERROR_LIMIT = 8,
  /* What the app declared does not hold together, or lacks this activity type. */
  CONTINUO_ERROR_DECLARATION = 9,
  /* The system gave no descriptor or no memory. */
  CONTINUO_ERROR_SYSTEM = 10
};

/* In which unit the host counts columns; all from 0. */
typedef int32_t continuo_columns;
enum {
  /* Bytes of UTF-8. */
  CONTINUO_COLUMNS_UTF8 = 0,
  /* Units of UTF-16, as Qt counts. */
  CONTINUO_COLUMNS_UTF16 = 1,
  /* Unicode scalars, as GTK counts. */
  CONTINUO_COLUMNS_SCALARS = 2
};

/* What callbacks that ask something answer. `needs_update` takes all but CONTINUO_LATER as CONTINUO_DONE, the others
   all but CONTINUO_DONE and CONTINUO_LATER as CONTINUO_DECLINED. */
typedef int32_t continuo_answer;
enum {
  /* The state is complete, the activity taken, the document shown. */
  CONTINUO_DONE = 0,
  /* The host answers by a function, after the callback. */
  CONTINUO_LATER = 1,
  /* The host leaves the activity to its document, or could not show it. */
  CONTINUO_DECLINED = 2
};

/* How the document here stands to the version that is offered. */
typedef int32_t continuo_arrival_state;
enum {
  /* Exactly that version, or no document. */
  CONTINUO_ARRIVAL_CURRENT = 0,
  /* An older one: the version meant is on its way. */
  CONTINUO_ARRIVAL_BEHIND = 1,
  /* A newer one: somebody went on here. */
  CONTINUO_ARRIVAL_AHEAD = 2,
  /* Neither: only the person can decide. */
  CONTINUO_ARRIVAL_DIVERGED = 3,
  /* No file is here yet. */
  CONTINUO_ARRIVAL_MISSING = 4,
  /* What is here cannot be read. */
  CONTINUO_ARRIVAL_UNREADABLE = 5,
  /* This device does not have the folder. */
  CONTINUO_ARRIVAL_FOLDER_UNKNOWN = 6
};

/* What the person decides about a version that is not here. */
typedef int32_t continuo_choice;
enum {
  /* Show what is here, read-only. */
  CONTINUO_CHOICE_OPEN_HERE = 0,
  /* Wait as long again. */
  CONTINUO_CHOICE_KEEP_WAITING = 1,
  /* End the continuation. */
  CONTINUO_CHOICE_GIVE_UP = 2
};

/* What happened to the file of an open document. */
typedef int32_t continuo_change;
enum {
  /* Other bytes lie there: read them, unless the host holds text that would be lost. */
  CONTINUO_CHANGE_CONTENT = 0,
  /* It has another path. */
  CONTINUO_CHANGE_MOVED = 1,
  /* It is gone. */
  CONTINUO_CHANGE_DELETED = 2,
  /* Conflict copies lie beside it, or the last one is gone. */
  CONTINUO_CHANGE_CONFLICT = 3
};

/* What a value of an activity's user info is. */
typedef int32_t continuo_kind;
enum {
  CONTINUO_KIND_NULL = 0,
  CONTINUO_KIND_BOOL = 1,
  CONTINUO_KIND_INT = 2,
  CONTINUO_KIND_DOUBLE = 3,
  CONTINUO_KIND_TEXT = 4,
  CONTINUO_KIND_BYTES = 5,
  CONTINUO_KIND_DATE = 6,
  CONTINUO_KIND_URL = 7,
  CONTINUO_KIND_UUID = 8,
  /* These three can be had as JSON. */
  CONTINUO_KIND_ARRAY = 9,
  CONTINUO_KIND_SET = 10,
  CONTINUO_KIND_MAP = 11
};

/* How sure it is that a place is where the person was. */
typedef int32_t continuo_certainty;
enum {
  /* The other device said nothing to tell it by: line and column as they were. */
  CONTINUO_CERTAINTY_NONE = 0,
  /* Nothing need be said. */
  CONTINUO_CERTAINTY_SURE = 1,
  /* What stood there was changed, or is there more than once. */
  CONTINUO_CERTAINTY_LIKELY = 2,
  /* What stood there is gone: this is the nearest line, and the person should be told. */
  CONTINUO_CERTAINTY_UNSURE = 3
};

/* ---- Structs ------------------------------------------------------------------------------------------- */

/* Who the host is. Since 0.1. */
typedef struct continuo_app {
  size_t size;
  /* In reverse-DNS form, such as org.example.editor; left empty if an Info.plist is declared. */
  continuo_text identifier;
  /* For people; empty takes the identifier's last part. */
  continuo_text name;
  /* The path of the program `continuo`, which is started when no agent runs. Empty looks beside the host's own
     program, in ../bin of the folder that holds the library, and in PATH. */
  continuo_text program;
  /* In which unit the columns of all places are counted. */
  continuo_columns columns;
} continuo_app;

/* A type of document, as in CFBundleDocumentTypes. Since 0.1. */
typedef struct continuo_document_type {
  size_t size;
  /* For people, such as "Text". */
  continuo_text name;
  /* The type of its documents' activities, such as public.text-editing. */
  continuo_text activity_type;
  /* Endings of file names without the dot; * is every file. */
  const continuo_text *extensions;
  size_t extension_count;
} continuo_document_type;

/* A place in a text. Lines from 0; a column is counted in the session's unit from 0. What lies outside the text
   is taken for its nearest place. LF and CRLF end a line; a byte order mark counts as nothing. Since 0.1. */
typedef struct continuo_place {
  size_t size;
  /* Which of the members below are set: CONTINUO_PLACE_SELECTION, CONTINUO_PLACE_TOP_LINE. */
  uint32_t parts;
  /* From the library: whether the place was found. The library ignores what the host puts there. */
  continuo_certainty certainty;
  /* Where the cursor is. */
  int64_t line;
  int64_t column;
  /* The other end of the selection. */
  int64_t selection_line;
  int64_t selection_column;
  /* The first line that is seen. */
  int64_t top_line;
} continuo_place;

enum { CONTINUO_PLACE_SELECTION = 1, CONTINUO_PLACE_TOP_LINE = 2 };

/* How a document stands to being offered. Since 0.1. */
typedef struct continuo_standing {
  size_t size;
  /* Its activity; 0 without one. */
  continuo_activity activity;
  /* The synced folder it lies in, as the person calls it; empty outside of all. */
  continuo_text folder;
  /* The type of its activity, also while it has none; empty for a file that the app declared no type for. */
  continuo_text activity_type;
  /* Why it has no activity, in one sentence with the remedy; empty if it has one. */
  continuo_text reason;
} continuo_standing;

/* An activity. Since 0.1. */
typedef struct continuo_activity_info {
  size_t size;
  /* Whose activity it is; 0 for one that the host made, and for a delivered one. */
  continuo_document document;
  continuo_text type;
  continuo_text title;
  /* The page that shows the same; empty without one. */
  continuo_text webpage_url;
  /* The app that made it. */
  continuo_text app;
  /* Nonzero: another device delivered it, and it cannot be changed. */
  int32_t is_delivered;
  /* Nonzero: who continues it may ask for streams. */
  int32_t supports_streams;
} continuo_activity_info;

/* How a document here stands to the version that is offered. Since 0.1. */
typedef struct continuo_arrival {
  size_t size;
  continuo_arrival_state state;
  /* What is awaited, and what would end the wait, in one sentence; empty if nothing is awaited. */
  continuo_text reason;
  /* Bytes that are here, and those of the whole version; 0 where that is not known. */
  uint64_t received;
  uint64_t expected;
} continuo_arrival;

/* What another device offers. Since 0.1. */
typedef struct continuo_offer_info {
  size_t size;
  continuo_offer offer;
  /* The other device, as the person calls it. */
  continuo_text device;
  continuo_text activity_type;
  /* The app there. */
  continuo_text app;
  /* What to show; never empty. */
  continuo_text title;
  /* The synced folder as it is called there, and the document's path in it; empty without a document. */
  continuo_text folder;
  continuo_text path;
  /* Milliseconds since 1970, by the other device's clock. */
  uint64_t changed_at;
  /* Nonzero: that editor holds text that it has not saved. */
  int32_t has_unsaved_changes;
  /* Nonzero: that editor went away without closing the document. */
  int32_t was_left_open;
  /* Borrowed as texts are. */
  const continuo_arrival *arrival;
  /* Why it could not be continued here last time; empty if that was not tried. */
  continuo_text remark;
  /* How many other documents are open beside it there: continuo_offer_accept_all() continues them, too. */
  size_t open_beside;
} continuo_offer_info;

/* A continuation that goes on. Since 0.1. */
typedef struct continuo_progress {
  size_t size;
  continuo_continuation continuation;
  /* Borrowed as texts are. */
  const continuo_offer_info *offer;
  const continuo_arrival *arrival;
} continuo_progress;

/* An activity that has come. Since 0.1. */
typedef struct continuo_delivery {
  size_t size;
  continuo_continuation continuation;
  /* What the other device was doing. Can be read until the continuation is answered. */
  continuo_activity activity;
  /* The document here, if the host has it open; else 0. */
  continuo_document document;
  /* The other device, as the person calls it. */
  continuo_text device;
  /* The document's path here; empty without a document, and for a draft. */
  continuo_text path;
  /* The verified bytes, for reading from their beginning; -1 without a document. Of a draft it is the whole text.
     Valid until the continuation is answered; the library closes it. */
  int32_t descriptor;
  /* Nonzero: not the version that was offered. It is to be shown, not edited. */
  int32_t is_read_only;
  /* How the document stands. Borrowed as texts are. */
  const continuo_arrival *arrival;
  /* Where to go in it; null if the other device said nothing of it. Borrowed as texts are. */
  const continuo_place *place;
} continuo_delivery;

/* A continuation that came to nothing. Since 0.1. */
typedef struct continuo_failure {
  size_t size;
  continuo_continuation continuation;
  continuo_text activity_type;
  /* Apple's numbers (4608 to 4611, 3072), and those above 4620 that docs/authors/embedding.md lists. */
  int64_t code;
  /* What went wrong and what to do, in one sentence. */
  continuo_text sentence;
  /* Zero: the person ended it, and is not to be bothered. */
  int32_t is_to_be_shown;
} continuo_failure;

/* Something that happened to a file. Since 0.1. */
typedef struct continuo_file_change {
  size_t size;
  continuo_document document;
  continuo_change change;
  /* CONTINUO_CHANGE_MOVED: where it is now. Say continuo_document_moved() to follow it. */
  continuo_text path;
  /* CONTINUO_CHANGE_CONFLICT: the paths of the copies. */
  const continuo_text *copies;
  size_t copy_count;
} continuo_file_change;

/* Who took an activity over, and when. Since 0.1. */
typedef struct continuo_receipt {
  size_t size;
  continuo_activity activity;
  /* 0 for an activity without one. */
  continuo_document document;
  /* The name of the other device. */
  continuo_text device;
  /* When, in milliseconds since 1970 by that device's clock; 0 if an earlier release does not say. */
  int64_t time;
  /* Nonzero: nothing is asked for or offered of it until the person changes something here, which the host says
     by continuo_document_changed(), or saves it. Until then the host saves nothing by itself, and reads the
     file again as the other device goes on. Zero: the person did something here since, and it stays theirs. */
  int32_t is_given_up;
} continuo_receipt;

/* A version of a document in conflict: the document itself, or a copy that a sync engine left beside it.
   Since 0.1. */
typedef struct continuo_file_version_info {
  size_t size;
  continuo_file_version version;
  /* Where it lies: the document's own path for the document. */
  continuo_text path;
  /* Nonzero: what lies under the document's own name. */
  int32_t is_document;
  /* Zero: it could not be read, and cannot be kept. */
  int32_t is_readable;
  /* The device whose text a copy holds, as its name tells; empty where that tells nothing. */
  continuo_text device;
  /* When the engine put a copy aside, as its name tells: 2026-11-22 04:00:00 by that device's clock. */
  continuo_text put_aside;
  /* Milliseconds since 1970, as far as the engine keeps times. */
  uint64_t changed_at;
  uint64_t byte_count;
} continuo_file_version_info;

/* The host's end of a pair of streams. Since 0.1. */
typedef struct continuo_stream_pair {
  size_t size;
  continuo_streams streams;
  /* Which of the host's activities the other device continues, and its document; 0 where the host asked. */
  continuo_activity activity;
  continuo_document document;
  /* The other device, as the person calls it; empty where the host asked. */
  continuo_text device;
  /* A connected socket, for reading and writing, on any thread. It does not block. The host owns it and closes
     it; shutdown(descriptor, SHUT_WR) ends what it writes, and leaves reading as it is. Once the session
     is destroyed, nobody tells an end that the link made from one that the other app made. */
  int32_t descriptor;
} continuo_stream_pair;

/* Another device that has a document open. Since 0.1. */
typedef struct continuo_presence {
  size_t size;
  /* The other device, as the person calls it. */
  continuo_text device;
  /* The line of its cursor, from 0; -1 if its app does not say. */
  int64_t line;
} continuo_presence;

/* What the host hears. Each member may be null. `context` comes back in each. Since 0.1. */
typedef struct continuo_callbacks {
  size_t size;
  void *context;

  /* What the person is doing is about to be offered. The host saves the document if that takes no question,
     says continuo_document_saved() and continuo_document_set_place(), and returns CONTINUO_DONE; or
     CONTINUO_LATER, and says continuo_activity_update() in the end. `document` is 0 for an activity without
     one. Null: offered as it is. */
  continuo_answer (*needs_update)(
      void *context, continuo_session session, continuo_activity activity, continuo_document document);

  /* The document is here. If it is not open yet, open it and say continuo_document_open(). If it is open, bring
     it to the front; if it has no unsaved changes, read its file again and say continuo_document_reread(). Then
     go to the place. Never overwrite unsaved changes of the person. Return CONTINUO_DONE: it is shown.
     CONTINUO_LATER: continuo_answer_delivery() follows. CONTINUO_DECLINED: it cannot be shown. If another program
     replaced the file while it was opened, `failed` follows: then show again what was shown before. Null: no
     document can be continued here. */
  continuo_answer (*restore_document)(
      void *context, continuo_session session, const continuo_delivery *delivery);

  /* The list of offers is another one; continuo_offer_count() takes it. */
  void (*offers_changed)(void *context, continuo_session session);

  /* A continuation came to nothing. */
  void (*failed)(void *context, continuo_session session, const continuo_failure *failure);

  /* A continuation begins: one that the host accepted, or that the person chose elsewhere for this app. Either
     `restore_document`, `continue_activity` or `failed` follows. */
  void (*will_continue)(void *context, continuo_session session, const continuo_progress *progress);

  /* It waits; how far it is, and why. */
  void (*progress)(void *context, continuo_session session, const continuo_progress *progress);

  /* An activity has come. CONTINUO_DONE: the host took it. CONTINUO_DECLINED: `restore_document` follows if it
     has a document. CONTINUO_LATER: continuo_answer_delivery() follows. Null: declined. */
  continuo_answer (*continue_activity)(
      void *context, continuo_session session, const continuo_delivery *delivery);

  /* The file of an open document was changed, moved or deleted, or has conflict copies. */
  void (*file_changed)(void *context, continuo_session session, const continuo_file_change *change);

  /* Another device took the activity over. `document` is 0 for an activity without one. */
  void (*was_continued)(
      void *context, continuo_session session, continuo_activity activity, continuo_document document,
      continuo_text device);

  /* What the person is doing is not offered; why, in one sentence with the remedy. */
  void (*withheld)(
      void *context, continuo_session session, continuo_activity activity, continuo_document document,
      continuo_text reason);

  /* The agent can be reached (nonzero), or cannot, with the reason. The library tries again by itself, and
     then tells the agent everything again. */
  void (*connection_changed)(
      void *context, continuo_session session, int32_t is_connected, continuo_text reason);

  /* The synced folders changed; documents may have an activity now that had none, or the reverse. */
  void (*folders_changed)(void *context, continuo_session session);

  /* As was_continued, which comes first if both are set, with the time and whether it is given up. */
  void (*continued_elsewhere)(void *context, continuo_session session, const continuo_receipt *receipt);

  /* Streams that continuo_streams_open() asked for. Null: closed at once. */
  void (*streams_opened)(void *context, continuo_session session, const continuo_stream_pair *pair);

  /* The app that continues an activity of the host's wants streams; only after
     continuo_activity_set_supports_streams(). Null: closed at once. */
  void (*streams_received)(void *context, continuo_session session, const continuo_stream_pair *pair);

  /* Streams were not opened, or are over; the handle names nothing afterwards. An empty reason: both directions
     came to their end. Else what can be read still is not all that the other app wrote, or was to write: this
     comes before the end can be read, and so tells that end from one that the other app made. The descriptor
     stays the host's. */
  void (*streams_ended)(
      void *context, continuo_session session, continuo_streams streams, continuo_text reason);

  /* On the device of that name a person goes on with this activity, whose document has changes that no file
     holds, and waits for it at most 9 s. `needs_update` follows: save there if that needs no question, as
     always, or say continuo_activity_refuse_save() until its end. One that is answered with CONTINUO_LATER wants a
     continuo_activity_update() of its own. Null: saved like that. */
  void (*save_requested)(
      void *context, continuo_session session, continuo_activity activity, continuo_document document,
      continuo_text device);

  /* These other devices have the document open now: linked ones, in a folder where the person wants that to be
     shown (`continuo folder set --presence on`, on each device). None when the last one has left; then `others`
     may be null. */
  void (*presence_changed)(
      void *context, continuo_session session, continuo_document document,
      const continuo_presence *const *others, size_t count);

  /* A draft is here: text that no file has, in `descriptor`. Show it without a file; only the person says where it
     is saved. It is kept here too until the answer, which is that of `restore_document`. Null: nothing that is no
     file is offered to the host, and none comes. */
  continuo_answer (*restore_draft)(
      void *context, continuo_session session, const continuo_delivery *delivery);

  /* What continuo_saved_delete() asked for is done: nothing of it can be read on this device. With a reason that is
     not empty it is not, or cannot be told. */
  void (*saved_deleted)(
      void *context, continuo_session session, continuo_deletion deletion, continuo_text reason);
} continuo_callbacks;

/* ---- Library ------------------------------------------------------------------------------------------- */

/* The library's version: the major one times 65536, plus the minor one. Any thread. Since 0.1. */
uint32_t continuo_version(void);

/* What the last call on this thread that failed returned, and in `sentence` what to do about it; CONTINUO_OK and
   an empty sentence if none failed. The sentence is valid until the next call that fails on this thread. Any
   thread. `sentence` may be null. Since 0.1. */
continuo_status continuo_last_error(continuo_text *sentence);

/* ---- Session ------------------------------------------------------------------------------------------- */

/* Makes a session that belongs to this thread; nothing is connected yet. `app` and `callbacks` are copied;
   `callbacks` may be null. The host owns the session: continuo_session_destroy(). Errors: ARGUMENT, DECLARATION
   (the identifier). Since 0.1. */
continuo_status continuo_session_create(
    const continuo_app *app, const continuo_callbacks *callbacks, continuo_session *session);

/* Ends a session: what waits is sent for at most so many milliseconds (at most 60,000). What the person is doing
   stays offered, as when one walks away. Its handles name nothing any more, and no callback comes. Inside a
   callback it is done when continuo_dispatch() returns. Errors: HANDLE, THREAD. Since 0.1. */
continuo_status continuo_session_destroy(continuo_session session, uint32_t milliseconds);

/* Declares an activity type that the app takes. Before continuo_connect(). Without any declaration each file is
   a text, with activities of the type public.text-editing. Errors: ARGUMENT, ORDER. Since 0.1. */
continuo_status continuo_declare_activity_type(
    continuo_session session, const uint8_t *type, size_t type_length);

/* Declares a type of document. Before continuo_connect(). Errors: ARGUMENT, ORDER. Since 0.1. */
continuo_status continuo_declare_document_type(
    continuo_session session, const continuo_document_type *type);

/* Declares what an Info.plist says, in the form of Apple's. Before continuo_connect(). What was declared before
   is added to. Errors: FILE, DECLARATION (names line and key), ORDER. Since 0.1. */
continuo_status continuo_declare_info_plist(
    continuo_session session, const uint8_t *path, size_t path_length);

/* Has the activity of the document in front list what else the host has open in synced folders, for other devices
   to continue all of it at once. Before continuo_connect(). Errors: ORDER. Since 0.1. */
continuo_status continuo_declare_open_documents(continuo_session session);

/* Connects to the agent, starting it if none runs. OK also if that fails now: it is tried again and again, and
   `connection_changed` says why. Once per session. Errors: ORDER, DECLARATION, SYSTEM, FILE (`program`).
   Since 0.1. */
continuo_status continuo_connect(continuo_session session);

/* The descriptor to poll for input: the same from continuo_connect() to the session's end, also while no agent
   runs. The library owns it. -1 before, and on errors: HANDLE, THREAD, ORDER. Since 0.1. */
int32_t continuo_descriptor(continuo_session session);

/* Does what is due, and calls back. Returns without waiting; may be called without need. Errors: HANDLE, THREAD,
   ORDER (before continuo_connect(), or inside a callback). Since 0.1. */
continuo_status continuo_dispatch(continuo_session session);

/* Whether the agent is connected, in `is_connected`. Errors: HANDLE, THREAD, ARGUMENT. Since 0.1. */
continuo_status continuo_is_connected(continuo_session session, int32_t *is_connected);

/* Makes what waits for a quiet moment due now: the next continuo_dispatch() asks for the state. Before the end
   of a program, followed by one continuo_dispatch(). Errors: HANDLE, THREAD, ORDER. Since 0.1. */
continuo_status continuo_hasten(continuo_session session);

/* ---- Documents: after continuo_connect() --------------------------------------------------------------- */

/* The host has read this file. In a synced folder it has an activity by itself, if its type was declared; a file
   that is open already gives the same handle, and does not count as read again. A file that is not there yet may
   be opened: the host is about to make it. Valid until continuo_document_close(). Errors: ARGUMENT, FILE.
   Since 0.1. */
continuo_status continuo_document_open(
    continuo_session session, const uint8_t *path, size_t path_length, continuo_document *document);

/* The host shows it no longer; its activity is withdrawn. Errors: HANDLE. Since 0.1. */
continuo_status continuo_document_close(continuo_session session, continuo_document document);

/* Text or place changed; cheap, and may be said per keystroke. `needs_update` follows within two seconds.
   Nonzero `is_edited`: the host holds text that the file does not. The person did it: what another device goes
   on with is theirs again. It is not said of what only followed from reading the file again. Errors: HANDLE.
   Since 0.1. */
continuo_status continuo_document_changed(
    continuo_session session, continuo_document document, int32_t is_edited);

/* The host has just written the file: to be said at once, for what lies there now is taken for what the host
   wrote. Errors: HANDLE. Since 0.1. */
continuo_status continuo_document_saved(continuo_session session, continuo_document document);

/* The host has read the file again. Errors: HANDLE. Since 0.1. */
continuo_status continuo_document_reread(continuo_session session, continuo_document document);

/* The document has another path now. Errors: HANDLE, ARGUMENT (another open document has it), FILE.
   Since 0.1. */
continuo_status continuo_document_moved(
    continuo_session session, continuo_document document, const uint8_t *path, size_t path_length);

/* The document is in front of the person: its activity is the one that is offered, now or when it gets one. One
   document or activity is current at most. Errors: HANDLE. Since 0.1. */
continuo_status continuo_document_become_current(continuo_session session, continuo_document document);

/* It is not in front any more. Does nothing if another one is. Errors: HANDLE. Since 0.1. */
continuo_status continuo_document_resign_current(continuo_session session, continuo_document document);

/* Where the person is in it, counted in the text that was saved last; takes effect with the next update. The
   library adds what stands around, so that the place is found again in a changed text. Errors: HANDLE, ARGUMENT.
   Since 0.1. */
continuo_status continuo_document_set_place(
    continuo_session session, continuo_document document, const continuo_place *place);

/* The cursor is in that line now, from 0: for other devices that have the document open, and show it. Cheap, and may
   be said as often as it moves; nothing is asked for. Errors: HANDLE, ARGUMENT (no line). Since 0.1. */
continuo_status continuo_document_cursor_moved(
    continuo_session session, continuo_document document, int64_t line);

/* How it stands to being offered. The host sets the size of `standing`. Errors: HANDLE, ARGUMENT. Since 0.1. */
continuo_status continuo_document_standing(
    continuo_session session, continuo_document document, continuo_standing *standing);

/* Its path, as the host gave it last. Errors: HANDLE, ARGUMENT. Since 0.1. */
continuo_status continuo_document_path(
    continuo_session session, continuo_document document, continuo_text *path);

/* The open document at a path, as given or with links resolved. Errors: ARGUMENT, ABSENT. Since 0.1. */
continuo_status continuo_document_at(
    continuo_session session, const uint8_t *path, size_t path_length, continuo_document *document);

/* Versions in conflict ----------------------------------------------------------------------------------- */

/* Takes the list of a document's versions, and tells how many they are: the document first, if its file is there,
   then the conflict copies, newest first; none without a copy. Each is read whole. Handles of the list that was
   taken before name nothing any more. Errors: HANDLE, ARGUMENT, FILE. Since 0.1. */
continuo_status continuo_file_version_count(
    continuo_session session, continuo_document document, size_t *count);

/* The version at an index of the list that was taken last. The host sets the size of `info`. Errors: ARGUMENT,
   ABSENT. Since 0.1. */
continuo_status continuo_file_version_at(
    continuo_session session, size_t index, continuo_file_version_info *info);

/* Makes a version the document, and puts every other one aside beside it; nothing is deleted. The host reads its
   file again, and says continuo_document_reread(). `aside_count` may be null. Errors: HANDLE, FILE (the version or
   the document is not what was listed, or cannot be exchanged; everything is as it was). Since 0.1. */
continuo_status continuo_file_version_keep(
    continuo_session session, continuo_file_version version, size_t *aside_count);

/* Where one of the others is since the last continuo_file_version_keep(), and in `reason` why it stayed where it
   was; empty if it was put aside. Either may be null. Errors: ABSENT. Since 0.1. */
continuo_status continuo_file_version_aside_at(
    continuo_session session, size_t index, continuo_text *path, continuo_text *reason);

/* ---- Activities: after continuo_connect() -------------------------------------------------------------- */

/* Makes an activity without a document. Valid until continuo_activity_end(). Errors: ARGUMENT, DECLARATION.
   Since 0.1. */
continuo_status continuo_activity_create(
    continuo_session session, const uint8_t *type, size_t type_length, continuo_activity *activity);

/* Ends an activity that the host made: offered no longer, for good. Errors: HANDLE (also for a document's own,
   which ends with the document). Since 0.1. */
continuo_status continuo_activity_end(continuo_session session, continuo_activity activity);

/* This is what the person is doing now. Errors: HANDLE. Since 0.1. */
continuo_status continuo_activity_become_current(continuo_session session, continuo_activity activity);

/* The person is doing it no longer. Does nothing if another one is current. Errors: HANDLE. Since 0.1. */
continuo_status continuo_activity_resign_current(continuo_session session, continuo_activity activity);

/* The state is complete: the end of a `needs_update` that was answered with CONTINUO_LATER; else a state that
   the host offers by itself. Errors: HANDLE. Since 0.1. */
continuo_status continuo_activity_update(continuo_session session, continuo_activity activity);

/* The host does not save for the device that `save_requested` named; the reason, one sentence, is shown there.
   Between that and the end of its `needs_update`. At most 1,024 bytes, of which a link carries 160. Errors:
   HANDLE, ARGUMENT, LIMIT, ORDER (no device waits for it). Since 0.1. */
continuo_status continuo_activity_refuse_save(
    continuo_session session, continuo_activity activity, const uint8_t *reason, size_t reason_length);

/* Whether an activity without a document stands for a text that no file has yet: such a text is offered before it is
   saved, and handed over by continuo_activity_hand_over_draft(). Errors: HANDLE (also for a document's own).
   Since 0.1. */
continuo_status continuo_activity_set_draft(
    continuo_session session, continuo_activity activity, int32_t is_draft);

/* The text as it is now, for the device that `save_requested` named: of an activity that stands for a draft, or of a
   document that the host does not save. The update that ends the round carries it. Between `save_requested` and
   the end of its `needs_update`. `place`, which may be null, counts in this text. At most 16 MiB. Errors: HANDLE,
   ARGUMENT, LIMIT, ORDER (no device waits for it). Since 0.1. */
continuo_status continuo_activity_hand_over_draft(
    continuo_session session, continuo_activity activity, const uint8_t *text, size_t text_length,
    const continuo_place *place);

/* What another device shows; empty shows the document's name. At most 1,024 bytes. Errors: HANDLE, ARGUMENT,
   LIMIT. Since 0.1. */
continuo_status continuo_activity_set_title(
    continuo_session session, continuo_activity activity, const uint8_t *title, size_t title_length);

/* A page that shows the same, for a device without the app; empty for none. Errors: HANDLE, ARGUMENT, LIMIT.
   Since 0.1. */
continuo_status continuo_activity_set_webpage_url(
    continuo_session session, continuo_activity activity, const uint8_t *url, size_t url_length);

/* When it stops being offered, in milliseconds since 1970; 0 for seven days after its last change. Errors:
   HANDLE. Since 0.1. */
continuo_status continuo_activity_set_expiry(
    continuo_session session, continuo_activity activity, uint64_t milliseconds);

/* Whether it may be offered at all; it may from the start. Errors: HANDLE. Since 0.1. */
continuo_status continuo_activity_set_eligible(
    continuo_session session, continuo_activity activity, int32_t is_eligible);

/* Whether the app that continues it on another device may ask for streams; it may not from the start. Errors:
   HANDLE. Since 0.1. */
continuo_status continuo_activity_set_supports_streams(
    continuo_session session, continuo_activity activity, int32_t supports_streams);

/* Keeps each state of it on this device, for the person to find it again by its words (`continuo search`, the desktop's
   search), under an identifier of the host's; it comes back as a continuation. An empty identifier: no longer; what
   was kept stays until continuo_saved_delete(). At most 1,024 bytes of identifier, 4,096 of description, and 64
   keywords of 256 bytes. Errors: HANDLE, ARGUMENT, LIMIT. Since 0.1. */
continuo_status continuo_activity_set_search(
    continuo_session session, continuo_activity activity, const uint8_t *identifier, size_t identifier_length,
    const uint8_t *description, size_t description_length, const continuo_text *keywords, size_t keyword_count);

/* Deletes what the host's app had kept for search under these identifiers; `saved_deleted` tells when it is gone.
   At most 1,024 of them, 32 KiB in all. `deletion` may be null. Errors: ARGUMENT, LIMIT, ORDER (before
   continuo_connect()). Since 0.1. */
continuo_status continuo_saved_delete(
    continuo_session session, const continuo_text *identifiers, size_t identifier_count,
    continuo_deletion *deletion);

/* The same with all that the app had kept for search. Errors: ORDER. Since 0.1. */
continuo_status continuo_saved_delete_all(continuo_session session, continuo_deletion *deletion);

/* Keys of the user info without which it is not offered; with a count of 0 all that are there. Errors: HANDLE,
   ARGUMENT, LIMIT. Since 0.1. */
continuo_status continuo_activity_set_required_keys(
    continuo_session session, continuo_activity activity, const continuo_text *keys, size_t key_count);

/* Put a value into the user info, which all devices of the person get; a round follows. Keys are texts. At most
   16 KiB in all: more is withheld, with the reason. Errors of all: HANDLE (also for a delivered one), ARGUMENT,
   LIMIT. Since 0.1. */
continuo_status continuo_activity_set_null(
    continuo_session session, continuo_activity activity, const uint8_t *key, size_t key_length);
continuo_status continuo_activity_set_bool(
    continuo_session session, continuo_activity activity, const uint8_t *key, size_t key_length,
    int32_t value);
continuo_status continuo_activity_set_int(
    continuo_session session, continuo_activity activity, const uint8_t *key, size_t key_length,
    int64_t value);
/* Finite ones only. */
continuo_status continuo_activity_set_double(
    continuo_session session, continuo_activity activity, const uint8_t *key, size_t key_length,
    double value);
continuo_status continuo_activity_set_text(
    continuo_session session, continuo_activity activity, const uint8_t *key, size_t key_length,
    const uint8_t *value, size_t value_length);
continuo_status continuo_activity_set_bytes(
    continuo_session session, continuo_activity activity, const uint8_t *key, size_t key_length,
    const uint8_t *value, size_t value_length);
/* In seconds since 1970. */
continuo_status continuo_activity_set_date(
    continuo_session session, continuo_activity activity, const uint8_t *key, size_t key_length,
    double value);
/* A `file:` URL inside a synced folder is the other device's own there. */
continuo_status continuo_activity_set_url(
    continuo_session session, continuo_activity activity, const uint8_t *key, size_t key_length,
    const uint8_t *value, size_t value_length);

/* Takes a value out. Errors: HANDLE, ARGUMENT, ABSENT. Since 0.1. */
continuo_status continuo_activity_remove(
    continuo_session session, continuo_activity activity, const uint8_t *key, size_t key_length);

/* Replaces the whole user info by an object of JSON, in the form that docs/authors/stdio-protocol.md describes: dates,
   data and the like are objects with one key such as "$date". At most 1 MiB. Errors: HANDLE, ARGUMENT (says
   where), LIMIT. Since 0.1. */
continuo_status continuo_activity_set_user_info_json(
    continuo_session session, continuo_activity activity, const uint8_t *json, size_t json_length);

/* Reading, also of delivered activities ------------------------------------------------------------------ */

/* What it is. The host sets the size of `info`. Errors: HANDLE, ARGUMENT. Since 0.1. */
continuo_status continuo_activity_describe(
    continuo_session session, continuo_activity activity, continuo_activity_info *info);

/* What kind of value stands under a key. Errors: HANDLE, ARGUMENT, ABSENT. Since 0.1. */
continuo_status continuo_activity_get_kind(
    continuo_session session, continuo_activity activity, const uint8_t *key, size_t key_length,
    continuo_kind *kind);

/* The value under a key. Errors of all: HANDLE, ARGUMENT, ABSENT, KIND. Since 0.1. */
continuo_status continuo_activity_get_bool(
    continuo_session session, continuo_activity activity, const uint8_t *key, size_t key_length,
    int32_t *value);
/* Also of a double that is a whole number. */
continuo_status continuo_activity_get_int(
    continuo_session session, continuo_activity activity, const uint8_t *key, size_t key_length,
    int64_t *value);
/* Also of an integer. */
continuo_status continuo_activity_get_double(
    continuo_session session, continuo_activity activity, const uint8_t *key, size_t key_length,
    double *value);
/* Also of a URL. */
continuo_status continuo_activity_get_text(
    continuo_session session, continuo_activity activity, const uint8_t *key, size_t key_length,
    continuo_text *value);
/* Also of a UUID's 16 bytes. */
continuo_status continuo_activity_get_bytes(
    continuo_session session, continuo_activity activity, const uint8_t *key, size_t key_length,
    continuo_text *value);
/* In seconds since 1970. */
continuo_status continuo_activity_get_date(
    continuo_session session, continuo_activity activity, const uint8_t *key, size_t key_length,
    double *value);

/* The whole user info as JSON, its keys in order. Errors: HANDLE, ARGUMENT. Since 0.1. */
continuo_status continuo_activity_get_user_info_json(
    continuo_session session, continuo_activity activity, continuo_text *json);

/* ---- Offers: after continuo_connect() ------------------------------------------------------------------ */

/* Takes the list of offers, newest first, and tells how many they are. continuo_offer_at() reads this list until
   it is taken again; offers that are not in it any more have no handle. Errors: ARGUMENT. Since 0.1. */
continuo_status continuo_offer_count(continuo_session session, size_t *count);

/* The offer at an index of the list that was taken last. The host sets the size of `info`. Errors: ARGUMENT,
   ABSENT. Since 0.1. */
continuo_status continuo_offer_at(continuo_session session, size_t index, continuo_offer_info *info);

/* Continues an offer here: `will_continue` follows, then one of `restore_document`, `continue_activity` and
   `failed`. Another one that still waits is ended. `continuation` may be null. Errors: HANDLE, ABSENT.
   Since 0.1. */
continuo_status continuo_offer_accept(
    continuo_session session, continuo_offer offer, continuo_continuation *continuation);

/* Continues an offer and all documents that are open beside it there, each by itself: `will_continue` follows for
   each, the offer's own last, and then what follows a continuation. One that has diverged, or is open here with
   changes, is left out, and offered by itself. `continuation` is that of the offer, and may be null. Errors: HANDLE,
   ABSENT. Since 0.1. */
continuo_status continuo_offer_accept_all(
    continuo_session session, continuo_offer offer, continuo_continuation *continuation);

/* ---- Continuations: after continuo_connect() ----------------------------------------------------------- */

/* Ends a continuation that waits; `failed` follows, not to be shown. Errors: HANDLE. Since 0.1. */
continuo_status continuo_cancel(continuo_session session, continuo_continuation continuation);

/* Waits so many seconds longer, at most a day. Errors: HANDLE, ARGUMENT. Since 0.1. */
continuo_status continuo_extend(
    continuo_session session, continuo_continuation continuation, uint32_t seconds);

/* What the person decided about a version that is not here. Errors: HANDLE, ARGUMENT. Since 0.1. */
continuo_status continuo_choose(
    continuo_session session, continuo_continuation continuation, continuo_choice choice);

/* The answer to `restore_document` or `continue_activity` after CONTINUO_LATER: CONTINUO_DONE or
   CONTINUO_DECLINED. The delivered activity and the descriptor end with it. Errors: HANDLE, ARGUMENT, ORDER
   (nothing was delivered, or it is answered). Since 0.1. */
continuo_status continuo_answer_delivery(
    continuo_session session, continuo_continuation continuation, continuo_answer answer);

/* ---- Streams: after continuo_connect() ----------------------------------------------------------------- */

/* Asks the app that a delivered activity came from for streams, between continue_activity or restore_document and
   the answer to it; they last longer. `streams_opened` or `streams_ended` follows, within a quarter of a minute.
   The devices have to be linked (`continuo lan`), and that app has to run and to support streams; at most four
   pairs of an activity are open at a time. For what is more than user info can carry. Errors: HANDLE (also
   once it is answered), ARGUMENT, ORDER (nothing was delivered). Since 0.1. */
continuo_status continuo_streams_open(
    continuo_session session, continuo_continuation continuation, continuo_streams *streams);

/* ---- Files --------------------------------------------------------------------------------------------- */

/* How many synced folders are here; the list is taken as that of offers is. 0 until the agent has told them.
   Errors: ARGUMENT. Since 0.1. */
continuo_status continuo_folder_count(continuo_session session, size_t *count);

/* The path and name of the folder at an index. Either may be null. Errors: ABSENT. Since 0.1. */
continuo_status continuo_folder_at(
    continuo_session session, size_t index, continuo_text *path, continuo_text *name);

#ifdef __cplusplus
}
#endif

#endif
