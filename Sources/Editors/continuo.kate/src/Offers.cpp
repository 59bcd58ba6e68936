// SPDX-License-Identifier: MIT
#include "Offers.h"

#include "Files.h"
#include "Messages.h"
#include "Shown.h"

#include <QSet>

namespace Continuo {

namespace {

// What is put away stays so for a while, in the other device's milliseconds.
const quint64 quiet = 600000;

QString title(const Offer &offer) {
  if (!offer.title.trimmed().isEmpty()) return offer.title;
  return offer.path.isEmpty() ? offer.type : shortName(offer.path);
}

QString size(quint64 bytes) {
  if (bytes < 10240) return QStringLiteral("%1 B").arg(bytes);
  if (bytes < 10485760) return QStringLiteral("%1 kB").arg(bytes / 1024);
  return QStringLiteral("%1 MB").arg(bytes / 1048576);
}

QString sentence(const Offer &offer, const Arrival &arrival) {
  const QString reason = arrival.reason.isEmpty() ? QString() : QStringLiteral(": ") + arrival.reason;
  if (arrival.state == CONTINUO_ARRIVAL_DIVERGED) return title(offer) + QStringLiteral(" has diverged") + reason;
  QString how;
  if (arrival.expected > 0) {
    how = QStringLiteral(" (%1 of %2)").arg(size(arrival.received), size(arrival.expected));
  }
  return QStringLiteral("Waiting for ") + Offers::describe(offer) + how + reason;
}

// The newest offer of each document: an editor that was killed left its own, and began another one.
QVector<Offer> newest(const QVector<Offer> &given) {
  QVector<Offer> found;
  QHash<QByteArray, int> places;
  for (const Offer &offer : given) {
    const QByteArray key = offer.path.isEmpty()
        ? QByteArray::number(static_cast<quint64>(offer.id))
        : offer.device.toUtf8() + '\0' + offer.folder.toUtf8() + '\0' + offer.path;
    const auto place = places.constFind(key);
    if (place == places.constEnd()) {
      places.insert(key, found.size());
      found << offer;
    } else if (offer.changedAt > found.at(*place).changedAt) {
      found[*place] = offer;
    }
  }
  return found;
}

}  // namespace

Offers::Offers(
    Session &session, Settings &settings, Documents &documents, Files &files, Messages &messages, QObject *parent)
    : QObject(parent), session(session), settings(settings), documents(documents), files(files),
      messages(messages), prompt(1, KTextEditor::Message::BelowView, this) {
  connect(&session, &Session::offersChanged, this, &Offers::take);
  connect(&session, &Session::willContinue, this, &Offers::begin);
  connect(&session, &Session::progressed, this, &Offers::progress);
  connect(&session, &Session::failed, this, &Offers::fail);
  connect(&session, &Session::restoreNeeded, this, &Offers::restore);
  // Perhaps an offer brings nothing any more.
  connect(&documents, &Documents::used, this, [this] {
    if (!prompt.text().isEmpty()) refresh();
  });
}

QString Offers::describe(const Offer &offer) {
  return title(offer) + QStringLiteral(" from ") + offer.device
      + (offer.hasUnsavedChanges ? QStringLiteral(", with unsaved changes there") : QString());
}

// MARK: What is shown

// Whether it brings anything: not the text that the person works on here anyway.
bool Offers::brings(const Offer &offer) const {
  if (offer.arrival.state != CONTINUO_ARRIVAL_CURRENT && offer.arrival.state != CONTINUO_ARRIVAL_AHEAD) return true;
  const auto folders = session.folders();
  for (const Folder &folder : folders) {
    if (folder.name != offer.folder) continue;
    Open *open = documents.at(folder.path + '/' + offer.path);
    if (!open) continue;
    documents.look(*open);
    if (open->isWorkedOn && open->isUnchanged()) return false;
  }
  return true;
}

const Offer *Offers::news() const {
  const Offer *found = nullptr;
  for (const Offer &offer : list) {
    const auto since = hidden.constFind(offer.id);
    if (accepted.contains(offer.id) || (since != hidden.constEnd() && offer.changedAt <= *since)) continue;
    if ((!found || offer.changedAt > found->changedAt) && brings(offer)) found = &offer;
  }
  return found;
}

void Offers::refresh() {
  const Wait *waiting = lastWait();
  if (waiting && waiting->isTold) {
    prompt.show(
        sentence(waiting->offer, waiting->arrival), QStringLiteral("wait %1").arg(waiting->continuation),
        {{QStringLiteral("Open What Is Here"), [this] { choose(CONTINUO_CHOICE_OPEN_HERE); }},
         {QStringLiteral("Keep Waiting"), [this] { choose(CONTINUO_CHOICE_KEEP_WAITING); }},
         {QStringLiteral("Give Up"), [this] { choose(CONTINUO_CHOICE_GIVE_UP); }}});
    return;
  }
  const Offer *offer = settings.prompts ? news() : nullptr;
  if (!offer) return prompt.hide();
  const Offer wanted = *offer;
  prompt.show(
      describe(wanted), QStringLiteral("offer %1").arg(wanted.id),
      {{QStringLiteral("Continue"), [this, wanted] { accept(wanted); }},
       {QStringLiteral("Dismiss"), [this] { dismiss(); }}});
}

QStringList Offers::lines() const {
  QStringList found;
  for (const Offer &offer : list) {
    found << describe(offer) + (offer.remark.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(offer.remark));
  }
  for (const Wait &each : waits) found << sentence(each.offer, each.arrival);
  return found;
}

// MARK: The session's news

void Offers::take() {
  list = newest(session.offers());
  QSet<continuo_offer> there;
  for (const Offer &offer : qAsConst(list)) there << offer.id;
  const auto old = hidden.keys() + accepted.keys();
  for (const continuo_offer each : old) {
    if (there.contains(each)) continue;
    hidden.remove(each);
    accepted.remove(each);
  }
  refresh();
  Q_EMIT changed();
}

Offers::Wait *Offers::wait(continuo_continuation continuation) {
  for (Wait &each : waits) {
    if (each.continuation == continuation) return &each;
  }
  return nullptr;
}

const Offers::Wait *Offers::lastWait() const { return waits.isEmpty() ? nullptr : &waits.last(); }

void Offers::begin(continuo_continuation continuation, const Offer &offer) {
  if (wait(continuation)) return;
  const qint64 moment = accepted.value(offer.id, now());
  accepted.insert(offer.id, moment);
  waits << Wait{continuation, offer, offer.arrival, moment, false};
  refresh();
}

void Offers::progress(continuo_continuation continuation, const Offer &offer, const Arrival &arrival) {
  begin(continuation, offer);
  Wait *waiting = wait(continuation);
  waiting->arrival = arrival;
  waiting->isTold = true;
  refresh();
}

qint64 Offers::finish(continuo_continuation continuation) {
  for (int index = 0; index < waits.size(); ++index) {
    if (waits.at(index).continuation != continuation) continue;
    const Wait ended = waits.takeAt(index);
    accepted.remove(ended.offer.id);
    return ended.began;
  }
  return now();
}

void Offers::restore(const Delivery &delivery) {
  const Wait *waiting = wait(delivery.continuation);
  if (waiting) {
    for (const Offer &offer : qAsConst(list)) {
      if (offer.id == waiting->offer.id) hidden.insert(offer.id, offer.changedAt);
    }
  }
  const qint64 moment = finish(delivery.continuation);
  refresh();
  if (!files.restore(delivery, moment)) declined = delivery.continuation;
}

void Offers::fail(continuo_continuation continuation, const QString &sentence, bool isShown) {
  finish(continuation);
  // Of what could not be shown the person knows why.
  if (isShown && continuation != declined) messages.warn(sentence);
  refresh();
}

void Offers::forget() {
  list.clear();
  waits.clear();
  accepted.clear();
  refresh();
}

// MARK: The person

void Offers::accept(const Offer &offer) {
  accepted.insert(offer.id, now());
  refresh();
  if (continuo_offer_accept(session.handle(), offer.id, nullptr) == CONTINUO_OK) return;
  accepted.remove(offer.id);
  messages.warn(Session::lastError());
  refresh();
}

void Offers::resume(const QString &wanted) {
  const QString lead = wanted.trimmed();
  const Offer *found = lead.isEmpty() ? news() : nullptr;
  for (const Offer &offer : qAsConst(list)) {
    if (found) break;
    if (lead.isEmpty() || title(offer).trimmed() == lead) found = &offer;
  }
  for (const Offer &offer : qAsConst(list)) {
    if (found) break;
    if (title(offer).trimmed().startsWith(lead)) found = &offer;
  }
  if (found) return accept(Offer(*found));
  messages.tell(
      lead.isEmpty() ? QStringLiteral("no other device offers anything")
                     : QStringLiteral("nobody offers ") + shown(lead));
}

void Offers::dismiss() {
  for (const Offer &offer : qAsConst(list)) hidden.insert(offer.id, offer.changedAt + quiet);
  refresh();
}

void Offers::choose(continuo_choice choice) {
  const Wait *waiting = lastWait();
  if (!waiting) return messages.tell(QStringLiteral("nothing waits"));
  if (continuo_choose(session.handle(), waiting->continuation, choice) != CONTINUO_OK) {
    messages.warn(Session::lastError());
  }
  prompt.redraw();
}

void Offers::cancel() {
  const Wait *waiting = lastWait();
  if (!waiting) return messages.tell(QStringLiteral("nothing waits"));
  if (continuo_cancel(session.handle(), waiting->continuation) != CONTINUO_OK) messages.warn(Session::lastError());
}

}  // namespace Continuo
