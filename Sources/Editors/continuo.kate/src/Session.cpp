// SPDX-License-Identifier: MIT
#include "Session.h"

#include "Shown.h"

#include <QSocketNotifier>
#include <QTimer>

namespace Continuo {

namespace {

// What is left to say when the editor ends takes so many milliseconds at most.
const uint32_t patience = 2000;

const uint8_t *data(const QByteArray &bytes) { return reinterpret_cast<const uint8_t *>(bytes.constData()); }

continuo_text text(const QByteArray &bytes) { return {data(bytes), static_cast<size_t>(bytes.size())}; }

Session &self(void *context) { return *static_cast<Session *>(context); }

Arrival arrival(const continuo_arrival *given) {
  if (!given) return Arrival();
  return Arrival{given->state, shown(given->reason), given->received, given->expected};
}

Offer offer(const continuo_offer_info &given) {
  Offer found;
  found.id = given.offer;
  found.device = shown(given.device);
  found.type = shown(given.activity_type);
  found.title = shown(given.title);
  found.folder = shown(given.folder);
  found.remark = shown(given.remark);
  found.path = bytes(given.path);
  found.changedAt = given.changed_at;
  found.hasUnsavedChanges = given.has_unsaved_changes != 0;
  found.wasLeftOpen = given.was_left_open != 0;
  found.arrival = arrival(given.arrival);
  return found;
}

// Saving may ask something, and opening a file takes long: neither is done inside of a callback.
continuo_answer needsUpdate(
    void *context, continuo_session, continuo_activity activity, continuo_document document) {
  Session &session = self(context);
  if (session.isStopping()) {
    Q_EMIT session.updateNeeded(0, document, false);
    return CONTINUO_DONE;
  }
  const bool isRequested = session.takeRequest(document);
  QTimer::singleShot(0, &session, [&session, activity, document, isRequested] {
    if (session.isRunning()) Q_EMIT session.updateNeeded(activity, document, isRequested);
  });
  return CONTINUO_LATER;
}

continuo_answer restoreDocument(void *context, continuo_session, const continuo_delivery *given) {
  Session &session = self(context);
  Delivery delivery;
  delivery.continuation = given->continuation;
  delivery.path = bytes(given->path);
  delivery.device = shown(given->device);
  delivery.isReadOnly = given->is_read_only != 0;
  delivery.hasPlace = given->place != nullptr;
  if (given->place) delivery.place = *given->place;
  QTimer::singleShot(0, &session, [&session, delivery] {
    if (session.isRunning()) Q_EMIT session.restoreNeeded(delivery);
  });
  return CONTINUO_LATER;
}

void fileChanged(void *context, continuo_session, const continuo_file_change *given) {
  QVector<QByteArray> copies;
  for (size_t index = 0; index < given->copy_count; ++index) copies << bytes(given->copies[index]);
  Q_EMIT self(context).fileChanged(given->document, given->change, bytes(given->path), copies);
}

}  // namespace

Session::Session(QObject *parent) : QObject(parent) {}

Session::~Session() { stop(); }

continuo_callbacks Session::callbacks() {
  continuo_callbacks found = continuo_callbacks();
  found.size = sizeof found;
  found.context = this;
  found.needs_update = needsUpdate;
  found.restore_document = restoreDocument;
  found.file_changed = Continuo::fileChanged;
  found.offers_changed = [](void *context, continuo_session) { Q_EMIT self(context).offersChanged(); };
  found.folders_changed = [](void *context, continuo_session) { Q_EMIT self(context).foldersChanged(); };
  found.failed = [](void *context, continuo_session, const continuo_failure *failure) {
    Q_EMIT self(context).failed(failure->continuation, shown(failure->sentence), failure->is_to_be_shown != 0);
  };
  found.will_continue = [](void *context, continuo_session, const continuo_progress *progress) {
    Q_EMIT self(context).willContinue(progress->continuation, offer(*progress->offer));
  };
  found.progress = [](void *context, continuo_session, const continuo_progress *progress) {
    Q_EMIT self(context).progressed(
        progress->continuation, offer(*progress->offer), arrival(progress->arrival));
  };
  found.withheld = [](void *context, continuo_session, continuo_activity, continuo_document document,
                      continuo_text reason) { Q_EMIT self(context).withheld(document, shown(reason)); };
  found.connection_changed = [](void *context, continuo_session, int32_t isConnected, continuo_text reason) {
    Session &session = self(context);
    session.connected = isConnected != 0;
    session.hindrance = session.connected ? QString() : shown(reason);
    Q_EMIT session.connectionChanged(session.connected, session.hindrance);
  };
  found.save_requested = [](void *context, continuo_session, continuo_activity, continuo_document document,
                            continuo_text) { self(context).requested.insert(document); };
  found.continued_elsewhere = [](void *context, continuo_session, const continuo_receipt *receipt) {
    Q_EMIT self(context).continuedElsewhere(
        receipt->document, shown(receipt->device), receipt->time, receipt->is_given_up != 0);
  };
  return found;
}

bool Session::start(const Settings &settings) {
  if (session) return true;
  const QByteArray identifier = settings.identifier().toUtf8();
  const QByteArray program = filePath(settings.program);
  continuo_app app = continuo_app();
  app.size = sizeof app;
  app.identifier = text(identifier);
  app.name = {CONTINUO_TEXT("Kate")};
  app.program = text(program);
  app.columns = CONTINUO_COLUMNS_UTF16;
  const continuo_callbacks heard = callbacks();
  if (continuo_session_create(&app, &heard, &session) != CONTINUO_OK) {
    hindrance = lastError();
    session = 0;
    return false;
  }
  if (continuo_connect(session) != CONTINUO_OK) {
    hindrance = lastError();
    continuo_session_destroy(session, 0);
    session = 0;
    return false;
  }
  hindrance.clear();
  notifier = new QSocketNotifier(continuo_descriptor(session), QSocketNotifier::Read, this);
  connect(notifier, &QSocketNotifier::activated, this, &Session::dispatch);
  return true;
}

void Session::dispatch() {
  // A dialog's own loop, inside of something that was called back: the outer call is not over yet.
  if (!session || isEnding || continuo_dispatch(session) == CONTINUO_OK) return;
  hindrance = lastError();
  stop();
  Q_EMIT connectionChanged(false, hindrance);
}

void Session::stop() {
  if (!session) return;
  delete notifier;
  notifier = nullptr;
  const continuo_session ending = session;
  // The last state is asked for at once, and said by whoever listens, without the event loop.
  isEnding = true;
  Q_EMIT stopping();
  continuo_hasten(ending);
  continuo_dispatch(ending);
  isEnding = false;
  session = 0;
  connected = false;
  continuo_session_destroy(ending, patience);
}

QString Session::lastError() {
  continuo_text sentence = continuo_text();
  continuo_last_error(&sentence);
  return shown(sentence);
}

QVector<Offer> Session::offers() const {
  QVector<Offer> found;
  size_t count = 0;
  if (!session || continuo_offer_count(session, &count) != CONTINUO_OK) return found;
  for (size_t index = 0; index < count; ++index) {
    continuo_offer_info info = continuo_offer_info();
    info.size = sizeof info;
    if (continuo_offer_at(session, index, &info) == CONTINUO_OK) found << offer(info);
  }
  return found;
}

QVector<Folder> Session::folders() const {
  QVector<Folder> found;
  size_t count = 0;
  if (!session || continuo_folder_count(session, &count) != CONTINUO_OK) return found;
  for (size_t index = 0; index < count; ++index) {
    continuo_text path = continuo_text(), name = continuo_text();
    if (continuo_folder_at(session, index, &path, &name) == CONTINUO_OK) found << Folder{bytes(path), shown(name)};
  }
  return found;
}

continuo_document Session::documentAt(const QByteArray &path) const {
  continuo_document found = 0;
  if (!session) return 0;
  return continuo_document_at(session, data(path), static_cast<size_t>(path.size()), &found) == CONTINUO_OK ? found : 0;
}

}  // namespace Continuo
