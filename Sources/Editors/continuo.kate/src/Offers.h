// SPDX-License-Identifier: MIT
//
// What other devices offer, what is continued, and what the person decides about it.
#pragma once

#include "Documents.h"
#include "Prompt.h"

#include <QHash>

namespace Continuo {

class Files;

class Offers : public QObject {
  Q_OBJECT
 public:
  Offers(
      Session &session, Settings &settings, Documents &documents, Files &files, Messages &messages,
      QObject *parent);

  const QVector<Offer> &all() const { return list; }
  static QString describe(const Offer &offer);
  // What is offered or awaited, as lines.
  QStringList lines() const;
  void forget();
  void refresh();
  void redraw() { prompt.redraw(); }

  // Continues the newest offer, or the one that is called `wanted` or begins so.
  void resume(const QString &wanted = QString());
  void accept(const Offer &offer);
  void dismiss();
  void choose(continuo_choice choice);
  void cancel();

 Q_SIGNALS:
  void changed();

 private:
  struct Wait {
    continuo_continuation continuation;
    Offer offer;
    Arrival arrival;
    qint64 began;
    bool isTold;
  };

  void take();
  void begin(continuo_continuation continuation, const Offer &offer);
  void progress(continuo_continuation continuation, const Offer &offer, const Arrival &arrival);
  void fail(continuo_continuation continuation, const QString &sentence, bool isShown);
  void restore(const Delivery &delivery);
  // Ends the wait; when the person asked for it.
  qint64 finish(continuo_continuation continuation);
  Wait *wait(continuo_continuation continuation);
  const Wait *lastWait() const;
  const Offer *news() const;
  bool brings(const Offer &offer) const;

  Session &session;
  Settings &settings;
  Documents &documents;
  Files &files;
  Messages &messages;
  Prompt prompt;
  QVector<Offer> list;
  QVector<Wait> waits;
  // When it has to have changed again to be shown; when it was accepted.
  QHash<continuo_offer, quint64> hidden;
  QHash<continuo_offer, qint64> accepted;
  // The continuation that was declined with a sentence of our own.
  continuo_continuation declined = 0;
};

}  // namespace Continuo
