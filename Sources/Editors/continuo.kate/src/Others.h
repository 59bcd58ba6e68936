// SPDX-License-Identifier: MIT
//
// Who else has a document: the device that goes on with it, and those that edit it, too.
#pragma once

#include "Documents.h"
#include "Prompt.h"

#include <QHash>

namespace Continuo {

class Others : public QObject {
  Q_OBJECT
 public:
  Others(Session &session, Documents &documents, Messages &messages, QObject *parent);

  // What other devices offer has changed.
  void take(const QVector<Offer> &offers);
  void forget();
  // What is to be said of the document in front.
  void refresh();
  void redraw() { line.redraw(); }
  static QString of(const Open &document);

 private:
  Session &session;
  Documents &documents;
  Messages &messages;
  Prompt line;
  // Since when each is known, by the other device's clock.
  QHash<continuo_offer, quint64> since;
};

}  // namespace Continuo
