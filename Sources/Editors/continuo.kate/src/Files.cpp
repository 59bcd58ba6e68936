// SPDX-License-Identifier: MIT
#include "Files.h"

#include "Framework.h"
#include "Messages.h"
#include "Place.h"
#include "Saving.h"
#include "Shown.h"

#include <KTextEditor/Application>
#include <KTextEditor/Editor>
#include <KTextEditor/MainWindow>

#include <QApplication>
#include <QFileInfo>
#include <QTimer>

namespace Continuo {

namespace {

// Before it is looked again whether the person still types.
const int again = 300;

KTextEditor::Application *application() { return KTextEditor::Editor::instance()->application(); }

KTextEditor::MainWindow *window() {
  auto *active = application()->activeMainWindow();
  const auto all = application()->mainWindows();
  return active || all.isEmpty() ? active : all.first();
}

QUrl url(const QByteArray &path) { return QUrl::fromLocalFile(fileName(path)); }

}  // namespace

Files::Files(Session &session, Documents &documents, Messages &messages, QObject *parent)
    : QObject(parent), session(session), documents(documents), messages(messages) {
  connect(&documents, &Documents::changedBeneath, this, [this](Open *open) {
    // Kate's question, which was just put, goes with what it asks for.
    changed(open->document);
  });
  connect(
      &session, &Session::fileChanged, this,
      [this](quint64 handle, int change, const QByteArray &path, const QVector<QByteArray> &copies) {
        Open *found = this->documents.find(static_cast<continuo_document>(handle));
        if (found && found->document) happened(*found, change, path, copies);
      });
}

// MARK: What happens to files

bool Files::reload(Open &open) {
  KTextEditor::Document *document = open.document;
  const QString name = shortName(open.path);
  if (!Stamp::of(open.path) || !QFileInfo(fileName(open.path)).isReadable()) {
    messages.warn(name + QStringLiteral(" cannot be read now; your text stays"));
    return false;
  }
  const QString text = document->text();
  QVector<QPair<QPointer<KTextEditor::View>, continuo_place>> places;
  const auto views = document->views();
  for (auto *view : views) places << qMakePair(QPointer<KTextEditor::View>(view), placeIn(view));
  open.isReloading = true;
  const bool isRead = document->documentReload();
  open.isReloading = false;
  if (!isRead && document->text() != text) {
    // It went away just then: Kate would show nothing.
    document->setText(text);
    document->setModified(true);
    messages.warn(name + QStringLiteral(" could not be read again; your text stays"));
  }
  for (const auto &each : places) {
    if (each.first) go(each.first, each.second);
  }
  documents.settle(open);
  return isRead;
}

void Files::changed(KTextEditor::Document *document) {
  Open *open = documents.find(document);
  if (!open || open->isReloading || open->isSaving) return;
  if (!Stamp::of(open->path)) return forgetChangeOnDisk(document);
  if (open->isUnchanged() && !open->isChangedOnDisk) return;
  if (document->isModified() && !open->isUnchanged()) {
    // As Kate is set up first, it asks when its window comes to front, and writes over the file without a word.
    if (!open->isAsked) {
      open->isAsked = true;
      askAboutChangeOnDisk(document);
      messages.warn(
          shortName(open->path)
          + QStringLiteral(" was changed on disk; your text stays: File > Save As keeps it elsewhere, Reload gives it up"));
    }
    return;
  }
  if (open->isUnchanged()) return forgetChangeOnDisk(document);
  // Not between two keys.
  if (!Documents::isPause(*open)) {
    QTimer::singleShot(again, document, [this, document] { changed(document); });
    return;
  }
  reload(*open);
}

void Files::happened(Open &open, int change, const QByteArray &path, const QVector<QByteArray> &copies) {
  if (change == CONTINUO_CHANGE_CONTENT) return changed(open.document);
  if (change == CONTINUO_CHANGE_MOVED) return moved(open, path);
  if (change == CONTINUO_CHANGE_DELETED && !Stamp::of(open.path)) {
    // Nothing lies there that saving could write over, so Kate has nothing to ask.
    forgetChangeOnDisk(open.document);
    messages.warn(
        shortName(open.path) + QStringLiteral(" was deleted; the text stays here, and saving makes the file again"));
    // Kate saves nothing that is not modified.
    open.document->setModified(true);
  }
  if (change == CONTINUO_CHANGE_CONFLICT) Q_EMIT conflicted(&open, copies);
}

// Kate cannot give an open document another name: it reads the file by its new one, or saves the text into it.
void Files::moved(Open &open, const QByteArray &path) {
  KTextEditor::Document *document = open.document;
  const QString name = shortName(open.path), told = shown(QString::fromUtf8(path));
  const auto old = Stamp::of(open.path), there = Stamp::of(path);
  // What still lies where it was did not move: what moved was another folder's copy of it.
  if (old && open.isUnchanged() && !(there && there->isSameFile(*old))) return;
  const QString begin = name + QStringLiteral(" was moved: it is ") + told;
  if (fileName(path).isEmpty() || !there) return messages.warn(begin + QStringLiteral("; your text stays here"));
  if (documents.at(path)) {
    return messages.warn(begin + QStringLiteral(", which is open here too; this one stays as it is"));
  }
  forgetChangeOnDisk(document);
  if (!document->isModified()) {
    auto *view = viewOf(document);
    const continuo_place seen = view ? placeIn(view) : continuo_place();
    open.isReloading = true;
    const bool isRead = document->openUrl(url(path));
    if (Open *found = documents.find(document)) found->isReloading = false;
    if (isRead && view) go(view, seen);
    if (Open *found = documents.find(document)) documents.settle(*found);
    return messages.tell(begin + QStringLiteral(" now"));
  }
  const bool isSame = open.stamp && *open.stamp == *there;
  open.isSaving = true;
  const bool isSaved = isSame && document->isReadWrite() && canEncode(document) && !keepsBackups(document)
      && open.lineEnds == LineEnds::Uniform && Documents::isPause(open) && document->saveAs(url(path));
  open.isSaving = false;
  documents.settle(open);
  messages.warn(
      begin
      + (isSaved ? QStringLiteral(" now, with your changes")
                 : QStringLiteral("; your changes are here: File > Save As puts them there")));
}

// MARK: Restoring

KTextEditor::View *Files::show(const QByteArray &path) {
  auto *shownIn = window();
  return shownIn && !fileName(path).isEmpty() ? shownIn->openUrl(url(path)) : nullptr;
}

QString Files::open(const Delivery &delivery, qint64 moment) {
  const QString name = shortName(delivery.path);
  if (fileName(delivery.path).isEmpty()) {
    return name + QStringLiteral(" has a name that is no UTF-8, which Kate cannot open: rename it, and continue again");
  }
  Open *found = documents.at(delivery.path);
  const bool isKept = found && documents.isUsed(*found, moment);
  if (found && !found->isUnchanged()) {
    if (found->document->isModified()) {
      return name
          + QStringLiteral(" has unsaved changes here, and the file is newer: save them under another name, or give them "
                           "up with File > Reload, and continue again");
    }
    if (!reload(*found)) return name + QStringLiteral(" cannot be read");
  }
  const bool isBehind = documents.isAnotherUsed(found, moment) || QApplication::activeModalWidget();
  KTextEditor::Document *document = found ? found->document.data() : nullptr;
  KTextEditor::View *view = nullptr;
  if (isBehind) {
    if (!document) document = application()->openUrl(url(delivery.path));
  } else if (document) {
    view = window() ? window()->activateView(document) : nullptr;
  } else {
    view = show(delivery.path);
    document = view ? view->document() : nullptr;
  }
  found = documents.find(document);
  if (!found || (!isBehind && !view)) return name + QStringLiteral(" could not be opened");
  if (delivery.isReadOnly && document->isReadWrite()) {
    document->setReadWrite(false);
    found->isForReading = true;
  } else if (!delivery.isReadOnly && found->isForReading) {
    document->setReadWrite(true);
    found->isForReading = false;
  }
  if (!document->isModified()) found->isWorkedOn = false;
  target = delivery.hasPlace ? document : nullptr;
  place = delivery.place;
  const QString line =
      delivery.hasPlace ? QStringLiteral(" (line %1)").arg(delivery.place.line + 1) : QString();
  if (isKept || isBehind) {
    messages.tell(
        name + (isKept ? QStringLiteral(": your cursor stays") : QStringLiteral(" is open in the background"))
        + QStringLiteral("; Tools > Continuo > Jump goes where ") + delivery.device + QStringLiteral(" was") + line);
  } else if (delivery.hasPlace) {
    goTo(view);
    if (delivery.place.certainty == CONTINUO_CERTAINTY_UNSURE) {
      messages.tell(name + QStringLiteral(": the place is gone; this is the nearest line"));
    }
  }
  return QString();
}

bool Files::restore(const Delivery &delivery, qint64 moment) {
  const QString obstacle = open(delivery, moment);
  if (!obstacle.isEmpty()) messages.warn(obstacle);
  continuo_answer_delivery(
      session.handle(), delivery.continuation, obstacle.isEmpty() ? CONTINUO_DONE : CONTINUO_DECLINED);
  return obstacle.isEmpty();
}

void Files::goTo(KTextEditor::View *view) {
  go(view, place);
  Open *open = documents.find(view->document());
  if (open) documents.settle(*open);
  const qint64 moment = now();
  // A view that was just made does not know yet how high it is.
  QTimer::singleShot(0, view, [this, view, moment] {
    Open *seen = documents.find(view->document());
    if (!seen || documents.isUsed(*seen, moment)) return;
    go(view, place);
    documents.settle(*seen);
  });
}

void Files::jump() {
  if (!target || !window()) {
    return messages.tell(QStringLiteral("no other device's place is known: Tools > Continuo > Continue goes on there"));
  }
  auto *view = window()->activateView(target);
  if (view) goTo(view);
}

}  // namespace Continuo
