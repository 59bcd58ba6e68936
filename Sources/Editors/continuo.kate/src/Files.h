// SPDX-License-Identifier: MIT
//
// What becomes of documents whose files other programs change, and showing what is continued.
#pragma once

#include "Documents.h"

#include <QSet>

namespace Continuo {

class Files : public QObject {
  Q_OBJECT
 public:
  Files(Session &session, Documents &documents, Messages &messages, QObject *parent);

  // Reads the file again; the text is not modified. View and place stay. False, and the text stays, when that fails.
  bool reload(Open &document);
  // Other bytes lie beneath the document.
  void changed(KTextEditor::Document *document);
  // `moment`: when the person asked to continue.
  // False, and the person is told why, when it cannot be shown.
  bool restore(const Delivery &delivery, qint64 moment);
  // Goes where the other device was.
  void jump();
  // Shows the file in front of the person; null where that cannot be.
  static KTextEditor::View *show(const QByteArray &path);

 Q_SIGNALS:
  void conflicted(Continuo::Open *document, const QVector<QByteArray> &copies);

 private:
  void happened(Open &document, int change, const QByteArray &path, const QVector<QByteArray> &copies);
  void moved(Open &document, const QByteArray &path);
  // Nothing, or why it cannot be shown.
  QString open(const Delivery &delivery, qint64 moment);
  void goTo(KTextEditor::View *view);

  Session &session;
  Documents &documents;
  Messages &messages;
  // Where another device was.
  QPointer<KTextEditor::Document> target;
  continuo_place place = {};
};

}  // namespace Continuo
