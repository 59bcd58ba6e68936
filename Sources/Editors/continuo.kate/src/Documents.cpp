// SPDX-License-Identifier: MIT
#include "Documents.h"

#include "Framework.h"
#include "Messages.h"
#include "Place.h"
#include "Saving.h"
#include "Shown.h"

#include <KTextEditor/Application>
#include <KTextEditor/Editor>
#include <KTextEditor/MainWindow>

#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QInputMethodEvent>
#include <QTimer>

#include <algorithm>

namespace Continuo {

namespace {

const qint64 pause = 1500;
// What Kate does to the cursor behind reading is over by then.
const qint64 reading = 300;
// Kate ends without closing anything: what is closed for longer was closed by the person.
const int closing = 300;

KTextEditor::Application *application() { return KTextEditor::Editor::instance()->application(); }

// The path of a document whose file is there; empty for others, and for names that Qt cannot say.
QByteArray pathOf(KTextEditor::Document *document) {
  const QUrl url = document->url();
  return url.isLocalFile() ? filePath(url.toLocalFile()) : QByteArray();
}

const uint8_t *start(const QByteArray &bytes) { return reinterpret_cast<const uint8_t *>(bytes.constData()); }

}  // namespace

qint64 now() {
  static const QElapsedTimer clock = [] {
    QElapsedTimer started;
    started.start();
    return started;
  }();
  return clock.elapsed();
}

bool Open::isUnchanged() const {
  const auto there = Stamp::of(path);
  return stamp && there && *stamp == *there;
}

Documents::Documents(Session &session, Settings &settings, Messages &messages, QObject *parent)
    : QObject(parent), session(session), settings(settings), messages(messages) {
  connect(&session, &Session::updateNeeded, this, &Documents::update);
  connect(&session, &Session::withheld, this, [this](quint64 handle, const QString &reason) {
    const Open *found = find(static_cast<continuo_document>(handle));
    if (found) this->messages.once(shortName(found->path) + QStringLiteral(" is not offered: ") + reason);
  });
  auto *app = application();
  connect(app, &KTextEditor::Application::documentCreated, this, [this](auto *document) { listen(document); });
  connect(app, &KTextEditor::Application::documentWillBeDeleted, this, &Documents::close);
  connect(&session, &Session::stopping, this, &Documents::leave);
  connect(&session, &Session::foldersChanged, this, [this] {
    const auto all = application()->documents();
    for (auto *document : all) tellNew(document);
  });
  const auto all = app->documents();
  for (auto *document : all) listen(document);
}

void Documents::begin() {
  const auto all = application()->documents();
  for (auto *document : all) {
    Open *known = find(document);
    if (known) {
      say(*known);
    } else if (!pathOf(document).isEmpty()) {
      read(document);
    }
  }
  if (Open *front = current()) becomeCurrent(front->document);
}

void Documents::forget() {
  for (const auto &each : open) {
    each->handle = 0;
    each->continued.clear();
    each->editing.clear();
  }
}

// MARK: Looking up

Open *Documents::find(KTextEditor::Document *document) const {
  for (const auto &each : open) {
    if (document && each->document == document) return each.get();
  }
  return nullptr;
}

Open *Documents::find(continuo_document handle) const {
  for (const auto &each : open) {
    if (handle && each->handle == handle) return each.get();
  }
  return nullptr;
}

Open *Documents::at(const QByteArray &path) const {
  for (const auto &each : open) {
    if (each->document && each->path == path) return each.get();
  }
  Open *found = find(session.documentAt(path));
  return found && found->document ? found : nullptr;
}

Open *Documents::current() const {
  auto *window = application()->activeMainWindow();
  auto *view = window ? window->activeView() : nullptr;
  return view ? find(view->document()) : nullptr;
}

bool Documents::isSynced(const Open &document) const {
  continuo_standing standing = continuo_standing();
  standing.size = sizeof standing;
  return session.isRunning() && document.handle
      && continuo_document_standing(session.handle(), document.handle, &standing) == CONTINUO_OK
      && standing.folder.length > 0;
}

QString Documents::standing(const Open &document) const {
  continuo_standing standing = continuo_standing();
  standing.size = sizeof standing;
  if (!session.isRunning() || !document.handle
      || continuo_document_standing(session.handle(), document.handle, &standing) != CONTINUO_OK) {
    return QStringLiteral("is not told of yet by the session");
  }
  return standing.reason.length > 0 ? shown(standing.reason) : QStringLiteral("is in ") + shown(standing.folder);
}

// MARK: What the editor says

void Documents::listen(KTextEditor::Document *document) {
  using Document = KTextEditor::Document;
  // By name: some releases have two of it.
  connect(document, SIGNAL(completed()), this, SLOT(completed()));
  connect(document, &Document::textChanged, this, [this](auto *changed) {
    if (Open *found = find(changed)) found->revision += 1;
    touch(changed);
  });
  connect(document, &Document::documentSavedOrUploaded, this, [this](auto *saved) { written(saved); });
  connect(document, &Document::documentUrlChanged, this, &Documents::renamed);
  connect(document, &Document::aboutToReload, this, [this](auto *read) {
    if (Open *found = find(read)) found->isReloading = true;
  });
  connect(document, &Document::reloaded, this, [this](auto *read) {
    if (Open *found = find(read)) {
      found->isReloading = false;
      settle(*found);
    }
    Q_EMIT reloaded(read);
  });
  connect(document, &Document::viewCreated, this, [this](auto *, auto *view) { listen(view); });
  listenToDisk(document, this);
  const auto views = document->views();
  for (auto *view : views) listen(view);
}

void Documents::listen(KTextEditor::View *view) {
  using View = KTextEditor::View;
  connect(view, &View::cursorPositionChanged, this, [this](auto *moved) { touch(moved->document()); });
  connect(view, &View::selectionChanged, this, [this](auto *moved) { touch(moved->document()); });
  connect(view, &View::focusIn, this, [this](auto *focused) {
    becomeCurrent(focused->document());
    // Of two views on it, this one has the cursor now.
    if (focused->document()->views().size() > 1) touch(focused->document());
  });
  connect(view, &View::verticalScrollPositionChanged, this, [this](auto *scrolled) {
    Open *found = find(scrolled->document());
    const bool isTheirs = found && !found->isReloading && now() - found->readAt > reading;
    // It takes nothing back from another device.
    if (!isTheirs || !found->continued.isEmpty() || !scrolled->hasFocus()) return;
    tellChanged(*found, found->document->isModified());
  });
  if (view->focusProxy()) view->focusProxy()->installEventFilter(this);
}

// What an input method has not finished stands in the text.
bool Documents::eventFilter(QObject *object, QEvent *event) {
  if (event->type() == QEvent::InputMethod) {
    for (const auto &each : open) {
      const auto views = each->document ? each->document->views() : QList<KTextEditor::View *>();
      for (auto *view : views) {
        if (view->focusProxy() != object) continue;
        each->isComposing = !static_cast<QInputMethodEvent *>(event)->preeditString().isEmpty();
      }
    }
  }
  return QObject::eventFilter(object, event);
}

void Documents::completed() { read(qobject_cast<KTextEditor::Document *>(sender())); }

void Documents::read(KTextEditor::Document *document) {
  const QByteArray path = document ? pathOf(document) : QByteArray();
  if (path.isEmpty() || fileName(path).isEmpty()) return;
  const auto facts = FileFacts::read(path);
  if (!facts) return tellNew(document);
  Open *found = find(document);
  const bool isNew = !found;
  if (isNew) {
    open.push_back(std::make_unique<Open>());
    found = open.back().get();
    found->document = document;
  }
  found->path = path;
  found->lineEnds = facts->lineEnds;
  found->stamp.reset();
  if (!document->isModified() && facts->digest == document->checksum()) found->stamp = facts->stamp;
  found->isChangedOnDisk = false;
  found->isWorkedOn = false;
  found->readAt = now();
  if (found->handle && session.isRunning()) {
    continuo_document_reread(session.handle(), found->handle);
  } else {
    say(*found);
  }
  settle(*found);
  if (isNew && found == current()) becomeCurrent(document);
  if (isNew) Q_EMIT opened(found);
}

// The library has a document from the moment its file is read.
void Documents::say(Open &document) {
  if (!session.isRunning() || !document.document) return;
  if (continuo_document_open(
          session.handle(), start(document.path), static_cast<size_t>(document.path.size()), &document.handle)
      != CONTINUO_OK) {
    document.handle = 0;
    return;
  }
  // Opened again a moment after it was closed: it is not the old one's to end.
  for (const auto &each : open) {
    if (each.get() != &document && each->handle == document.handle) each->handle = 0;
  }
  if (document.document->isModified()) tellChanged(document, true);
}

// A file that is not there yet is offered once it was written. Nothing is said of files in other folders.
void Documents::tellNew(KTextEditor::Document *document) {
  const QByteArray path = pathOf(document);
  if (find(document) || path.isEmpty() || QFileInfo::exists(fileName(path))) return;
  const auto folders = session.folders();
  for (const Folder &folder : folders) {
    if (!path.startsWith(folder.path + '/')) continue;
    messages.once(
        shortName(path) + QStringLiteral(" is new in ") + folder.name + QStringLiteral(": offered once it was saved"));
  }
}

void Documents::becomeCurrent(KTextEditor::Document *document) {
  Open *found = find(document);
  if (!found || !found->handle || !session.isRunning()) return;
  continuo_document_become_current(session.handle(), found->handle);
}

void Documents::settle(Open &document) {
  auto *view = viewOf(document.document);
  document.seen.revision = document.revision;
  if (!view) return;
  document.seen.cursor = view->cursorPosition();
  document.seen.selection = view->selectionRange();
  document.place = placeIn(view);
}

void Documents::look(Open &document) {
  auto *view = viewOf(document.document);
  if (!view || document.isReloading || document.isSaving) return;
  const Seen seen{document.revision, view->cursorPosition(), view->selectionRange()};
  if (!(seen == document.seen)) {
    const bool isTyped = seen.revision != document.seen.revision;
    const bool isReading = now() - document.readAt < reading && !document.document->isModified();
    document.seen = seen;
    if (!isReading) {
      document.usedAt = now();
      document.isWorkedOn = document.isWanted = true;
      if (isTyped) document.typedAt = document.usedAt;
    }
  }
  document.place = placeIn(view);
}

void Documents::touch(KTextEditor::Document *document) {
  Open *found = find(document);
  if (!found || found->isReloading || found->isSaving) return;
  look(*found);
  if (!found->isWanted || !found->handle || !session.isRunning()) return;
  found->isWanted = false;
  tellChanged(*found, document->isModified());
  Q_EMIT used(found);
}

bool Documents::isUsed(Open &document, qint64 moment) {
  look(document);
  return document.usedAt > moment;
}

bool Documents::isAnotherUsed(const Open *document, qint64 moment) {
  return std::any_of(open.begin(), open.end(), [document, moment](const auto &each) {
    return each.get() != document && each->document && each->typedAt > moment;
  });
}

bool Documents::isPause(const Open &document) {
  return document.typedAt < 0 || now() - document.typedAt > pause;
}

// MARK: Files and names

void Documents::written(KTextEditor::Document *document) {
  Open *found = find(document);
  if (!found) return read(document);
  const QByteArray path = pathOf(document);
  found->stamp = Stamp::of(path);
  found->isChangedOnDisk = false;
  // Kate ends all lines alike by that.
  if (found->lineEnds != LineEnds::Uniform) {
    const auto facts = FileFacts::read(path);
    if (facts) found->lineEnds = facts->lineEnds;
  }
  if (!found->handle) say(*found);
  found->isToldEdited = false;
  if (found->handle && session.isRunning()) continuo_document_saved(session.handle(), found->handle);
  if (!found->isSaving) Q_EMIT used(found);
}

void Documents::renamed(KTextEditor::Document *document) {
  Open *found = find(document);
  const QByteArray path = pathOf(document);
  if (!found) {
    QTimer::singleShot(0, document, [this, document] { tellNew(document); });
    return;
  }
  if (path == found->path) return;
  if (path.isEmpty() || fileName(path).isEmpty()) return close(document);
  found->path = path;
  if (!found->handle || !session.isRunning()) return;
  continuo_document_moved(session.handle(), found->handle, start(path), static_cast<size_t>(path.size()));
}

// The document is about to go. A Kate that quits withdraws nothing.
void Documents::close(KTextEditor::Document *document) {
  Open *found = find(document);
  if (!found) return;
  found->document = nullptr;
  const continuo_document handle = found->handle;
  QTimer::singleShot(closing, this, [this, found, handle] {
    if (application()->mainWindows().isEmpty()) return;
    const auto place =
        std::find_if(open.begin(), open.end(), [found](const auto &each) { return each.get() == found; });
    if (place == open.end() || (*place)->document) return;
    open.erase(place);
    if (handle && session.isRunning() && !find(handle)) continuo_document_close(session.handle(), handle);
  });
}

void Documents::changedOnDisk(KTextEditor::Document *document, bool isModified) {
  Open *found = find(document);
  if (!found) return;
  found->isChangedOnDisk = isModified;
  if (!isModified) found->isAsked = false;
  if (isModified) Q_EMIT changedBeneath(found);
}

// MARK: Rounds

void Documents::tellChanged(Open &document, bool isEdited) {
  if (!document.handle || !session.isRunning()) return;
  document.isToldEdited = isEdited;
  continuo_document_changed(session.handle(), document.handle, isEdited);
}

// Text that was given up by closing is not saved after all.
void Documents::leave() {
  for (const auto &each : open) {
    if (!each->document && each->isToldEdited && each->continued.isEmpty()) tellChanged(*each, false);
  }
}

void Documents::update(quint64 activity, quint64 handle, bool isRequested) {
  Open *found = find(static_cast<continuo_document>(handle));
  QString refusal = QStringLiteral("is saved only when its person says so");
  if (found && found->document && !session.isStopping()) {
    look(*found);
    // What the person did is told by the round.
    found->isWanted = false;
    if (settings.saves) {
      found->isSaving = true;
      const bool isQuiet = isRequested || found->typedAt < 0;
      const Attempt attempt = save(*found, isQuiet ? pause * 100 : now() - found->typedAt);
      found->isSaving = false;
      refusal = attempt.outcome == Outcome::No ? attempt.reason : QStringLiteral("is being worked in");
      if (attempt.outcome == Outcome::Later) {
        QTimer::singleShot(pause, this, [this, handle] {
          Open *again = find(static_cast<continuo_document>(handle));
          const bool isLeft = again && again->document && again->document->isModified();
          if (isLeft && again->continued.isEmpty()) tellChanged(*again, true);
        });
      } else if (attempt.outcome == Outcome::No) {
        messages.once(
            shortName(found->path) + QStringLiteral(" is handed over without your last changes: it ")
            + attempt.reason);
      }
      settle(*found);
    }
    if (isRequested && found->document->isModified()) {
      const QByteArray reason = (shortName(found->path) + QStringLiteral(" ") + refusal).toUtf8();
      continuo_activity_refuse_save(
          session.handle(), activity, reinterpret_cast<const uint8_t *>(reason.constData()),
          static_cast<size_t>(reason.size()));
    }
  }
  if (!session.isRunning() && !session.isStopping()) return;
  if (found && found->place.size && found->lineEnds != LineEnds::Foreign) {
    continuo_document_set_place(session.handle(), found->handle, &found->place);
  }
  if (activity) continuo_activity_update(session.handle(), activity);
}

}  // namespace Continuo
