// SPDX-License-Identifier: MIT
#include "Others.h"

#include "Messages.h"
#include "Shown.h"

namespace Continuo {

namespace {

QString sentence(const Offer &offer, quint64 since) {
  const QString time = clock(static_cast<qint64>(since));
  if (offer.wasLeftOpen) {
    return offer.device + QStringLiteral(" left this open") + (time.isEmpty() ? time : QStringLiteral(" at ") + time);
  }
  return offer.device + QStringLiteral(" is editing this")
      + (time.isEmpty() ? time : QStringLiteral(" since ") + time)
      + (offer.hasUnsavedChanges ? QStringLiteral(", with unsaved changes") : QString());
}

}  // namespace

Others::Others(Session &session, Documents &documents, Messages &messages, QObject *parent)
    : QObject(parent), session(session), documents(documents), messages(messages),
      // An offer, which is below, does not hide it.
      line(1, KTextEditor::Message::AboveView, this) {
  connect(
      &session, &Session::continuedElsewhere, this,
      [this](quint64 handle, const QString &device, qint64 time, bool isGivenUp) {
        Open *open = this->documents.find(static_cast<continuo_document>(handle));
        const QString moment = clock(time);
        const QString sentence =
            QStringLiteral("continued on ") + device + (moment.isEmpty() ? moment : QStringLiteral(" at ") + moment);
        if (!open) return;
        if (!isGivenUp) return this->messages.tell(shortName(open->path) + QStringLiteral(" was ") + sentence);
        open->continued = sentence;
        refresh();
      });
  // The person goes on here: it is theirs again.
  connect(&documents, &Documents::used, this, [this](Open *open) {
    if (open->continued.isEmpty()) return;
    open->continued.clear();
    refresh();
  });
}

void Others::take(const QVector<Offer> &offers) {
  QHash<continuo_offer, quint64> known;
  for (const Offer &offer : offers) {
    known.insert(offer.id, qMin(since.value(offer.id, offer.changedAt), offer.changedAt));
  }
  since = known;
  const auto folders = session.folders();
  for (const auto &each : documents.all()) {
    const Offer *found = nullptr;
    for (const Offer &offer : offers) {
      for (const Folder &folder : folders) {
        const bool isIt = folder.name == offer.folder && !offer.path.isEmpty()
            && documents.at(folder.path + '/' + offer.path) == each.get();
        if (isIt && (!found || offer.changedAt > found->changedAt)) found = &offer;
      }
    }
    each->editing = found ? sentence(*found, since.value(found->id)) : QString();
  }
  refresh();
}

void Others::forget() {
  since.clear();
  refresh();
}

QString Others::of(const Open &document) {
  return document.continued.isEmpty() ? document.editing : document.continued;
}

void Others::refresh() {
  const Open *front = documents.current();
  const QString text = front ? of(*front) : QString();
  if (text.isEmpty()) return line.hide();
  line.show(shortName(front->path) + QStringLiteral(": ") + text, QString::fromUtf8(front->path), {});
}

}  // namespace Continuo
