// SPDX-License-Identifier: MIT
//
// The session with Continuo's agent, as signals. Texts in them may be shown as they are.
#pragma once

#include "Settings.h"

#include <QByteArray>
#include <QObject>
#include <QSet>
#include <QVector>

#include <continuo.h>

class QSocketNotifier;

namespace Continuo {

struct Arrival {
  continuo_arrival_state state = CONTINUO_ARRIVAL_CURRENT;
  QString reason;
  quint64 received = 0, expected = 0;
};

struct Offer {
  continuo_offer id = 0;
  QString device, type, title, folder, remark;
  QByteArray path;
  quint64 changedAt = 0;
  bool hasUnsavedChanges = false, wasLeftOpen = false;
  Arrival arrival;
};

struct Delivery {
  continuo_continuation continuation = 0;
  QByteArray path;
  QString device;
  bool isReadOnly = false, hasPlace = false;
  continuo_place place = {};
};

struct Folder {
  QByteArray path;
  QString name;
};

class Session : public QObject {
  Q_OBJECT
 public:
  explicit Session(QObject *parent);
  ~Session() override;

  // Begins; false, with the reason in `obstacle`, when that cannot be.
  bool start(const Settings &settings);
  // Has what is due said, and ends.
  void stop();
  bool isRunning() const { return session != 0; }
  bool isConnected() const { return connected; }
  // Why nothing is handed over; empty while it is.
  QString obstacle() const { return hindrance; }
  // Whether the last state is being said.
  bool isStopping() const { return isEnding; }
  continuo_session handle() const { return session; }
  // Whether that document is to be saved for another device; asked once.
  bool takeRequest(continuo_document document) { return requested.remove(document); }

  // What the library says of the call that failed last.
  static QString lastError();
  QVector<Offer> offers() const;
  QVector<Folder> folders() const;
  continuo_document documentAt(const QByteArray &path) const;

 Q_SIGNALS:
  void offersChanged();
  void foldersChanged();
  // The last that can be said follows.
  void stopping();
  void willContinue(quint64 continuation, const Continuo::Offer &offer);
  void progressed(quint64 continuation, const Continuo::Offer &offer, const Continuo::Arrival &arrival);
  void failed(quint64 continuation, const QString &sentence, bool isShown);
  void fileChanged(quint64 document, int change, const QByteArray &path, const QVector<QByteArray> &copies);
  void withheld(quint64 document, const QString &reason);
  void connectionChanged(bool isConnected, const QString &reason);
  void continuedElsewhere(quint64 document, const QString &device, qint64 time, bool isGivenUp);
  // Both are sent outside of callbacks: the first ends with continuo_activity_update(), the other with
  // continuo_answer_delivery(). While it stops, `activity` is 0, and nothing has to follow. `isRequested`: on another
  // device the person goes on with it, and waits for the save.
  void updateNeeded(quint64 activity, quint64 document, bool isRequested);
  void restoreNeeded(const Continuo::Delivery &delivery);

 private:
  void dispatch();
  continuo_callbacks callbacks();

  continuo_session session = 0;
  QSocketNotifier *notifier = nullptr;
  QString hindrance;
  bool connected = false, isEnding = false;
  // What is to be saved for other devices, until its round.
  QSet<quint64> requested;
};

}  // namespace Continuo
