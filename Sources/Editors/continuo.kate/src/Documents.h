// SPDX-License-Identifier: MIT
//
// Which documents are open, what the library hears of them, and what it asks.
#pragma once

#include "FileFacts.h"
#include "Session.h"

#include <KTextEditor/Document>
#include <KTextEditor/View>

#include <QPointer>

#include <memory>
#include <vector>

namespace Continuo {

class Messages;

// Milliseconds of a clock that only goes on.
qint64 now();

// What of a document the person makes differ by using it.
struct Seen {
  int revision = 0;
  KTextEditor::Cursor cursor;
  KTextEditor::Range selection = KTextEditor::Range::invalid();
  bool operator==(const Seen &other) const {
    return revision == other.revision && cursor == other.cursor && selection == other.selection;
  }
};

struct Open {
  QPointer<KTextEditor::Document> document;
  continuo_document handle = 0;
  QByteArray path;
  // The file that the text was read from or written to; none where that is not sure.
  std::optional<Stamp> stamp;
  LineEnds lineEnds = LineEnds::Uniform;
  int revision = 0;
  Seen seen;
  continuo_place place = {};
  qint64 usedAt = -1, typedAt = -1, readAt = -1;
  // Whether the person works on it here, and nothing newer lies beneath.
  bool isWorkedOn = false;
  // Whether Kate was told to ask about the newer file.
  bool isAsked = false;
  bool isChangedOnDisk = false, isReloading = false, isComposing = false, isSaving = false, isWanted = false;
  // Whether the library was told that the file does not hold the text.
  bool isToldEdited = false;
  // Shown in place of what did not come: the plugin made it read-only.
  bool isForReading = false;
  // What is told of other devices; empty for nothing.
  QString continued, editing;

  bool isUnchanged() const;
};

class Documents : public QObject {
  Q_OBJECT
 public:
  Documents(Session &session, Settings &settings, Messages &messages, QObject *parent);

  // Everything that is open, for a session that was just started.
  void begin();
  // The session is gone, and its handles with it.
  void forget();

  Open *find(KTextEditor::Document *document) const;
  Open *find(continuo_document handle) const;
  // By its name, or by the file that the name leads to.
  Open *at(const QByteArray &path) const;
  const std::vector<std::unique_ptr<Open>> &all() const { return open; }
  // The one in front of the person; null for none.
  Open *current() const;
  bool isSynced(const Open &document) const;
  // Why it is not offered, or in which folder it is.
  QString standing(const Open &document) const;

  // The document was read from its file, for the first time or again.
  void read(KTextEditor::Document *document);
  // It is as the plugin has left it: nobody moved or typed by that.
  void settle(Open &document);
  // Takes note of what the person did.
  void look(Open &document);
  // Whether the person has used it, or any other one, since `moment`.
  bool isUsed(Open &document, qint64 moment);
  bool isAnotherUsed(const Open *document, qint64 moment);
  // Whether nobody has typed in it for a moment.
  static bool isPause(const Open &document);
  void becomeCurrent(KTextEditor::Document *document);

 Q_SIGNALS:
  // The person did something in it.
  void used(Continuo::Open *document);
  void opened(Continuo::Open *document);
  void changedBeneath(Continuo::Open *document);
  void reloaded(KTextEditor::Document *document);

 public Q_SLOTS:
  void changedOnDisk(KTextEditor::Document *document, bool isModified);

 private Q_SLOTS:
  void completed();

 protected:
  bool eventFilter(QObject *object, QEvent *event) override;

 private:
  void listen(KTextEditor::Document *document);
  void listen(KTextEditor::View *view);
  void touch(KTextEditor::Document *document);
  void say(Open &document);
  void written(KTextEditor::Document *document);
  void renamed(KTextEditor::Document *document);
  void close(KTextEditor::Document *document);
  void tellNew(KTextEditor::Document *document);
  void update(quint64 activity, quint64 handle, bool isRequested);
  void tellChanged(Open &document, bool isEdited);
  void leave();

  Session &session;
  Settings &settings;
  Messages &messages;
  std::vector<std::unique_ptr<Open>> open;
};

}  // namespace Continuo
