// SPDX-License-Identifier: MIT
//
// A document and the conflict copies that sync engines left beside it: comparing them, and keeping one.
#pragma once

#include "Documents.h"
#include "Prompt.h"

#include <QMap>

namespace Continuo {

class Files;

struct Version {
  continuo_file_version id = 0;
  QByteArray path;
  bool isDocument = false, isReadable = false;
  QString label;
};

class Versions : public QObject {
  Q_OBJECT
 public:
  Versions(Session &session, Documents &documents, Files &files, Messages &messages, QObject *parent);

  // Shows the document in front beside a copy, the first one if `copy` is empty.
  void compare(const QByteArray &copy = QByteArray());
  // Makes the version in front the document: itself, or a copy of it that is open.
  void keep();
  // The copies of the document in front, or of the one that it is a copy of.
  QVector<Version> copies();
  void redraw() { prompt.redraw(); }

 private:
  QVector<Version> list(const Open &document);
  // Which open document the one in front is a version of; null for none.
  Open *subject();
  bool isSaved(const QByteArray &path);
  void conflicted(const Open &document, const QVector<QByteArray> &copies);

  Session &session;
  Documents &documents;
  Files &files;
  Messages &messages;
  Prompt prompt;
  // By the path of a copy, that of its document.
  QMap<QByteArray, QByteArray> known;
};

// Lines of each text that the other does not have there.
void differences(const QStringList &left, const QStringList &right, QVector<int> &onLeft, QVector<int> &onRight);

}  // namespace Continuo
