// SPDX-License-Identifier: MIT
#include "Saving.h"

#include "Documents.h"
#include "Framework.h"
#include "Place.h"

#include <QApplication>
#include <QStorageInfo>

#include <unistd.h>

namespace Continuo {

namespace {

// What is longer is a pause; what is longer than the second one is absence.
const qint64 pause = 1500, absence = 10000;

bool endsWithBlank(const QString &line) { return !line.isEmpty() && line.at(line.size() - 1).isSpace(); }

// Behind a space the next word is about to begin.
bool isBehindBlank(KTextEditor::Document *document) {
  auto *view = viewOf(document);
  if (!view || !view->isActiveWindow()) return false;
  const KTextEditor::Cursor cursor = view->cursorPosition();
  const QString line = document->line(cursor.line());
  return endsWithBlank(line) && cursor.column() >= line.trimmed().size();
}

QString obstacle(const Open &open) {
  KTextEditor::Document *document = open.document;
  if (!document->isReadWrite()) return QStringLiteral("is read-only");
  if (!document->openingErrorMessage().isEmpty()) return QStringLiteral("was not read as it is");
  if (!open.isUnchanged()) {
    return Stamp::of(open.path) ? QStringLiteral("was changed on disk") : QStringLiteral("was deleted on disk");
  }
  if (open.isChangedOnDisk) return QStringLiteral("was changed on disk");
  if (open.lineEnds != LineEnds::Uniform) {
    return QStringLiteral("has line ends of several kinds, which Kate would write all alike");
  }
  if (access(open.path.constData(), W_OK) != 0) return QStringLiteral("cannot be written");
  if (keepsBackups(document)) {
    return QStringLiteral("would get a backup copy each time: switch backups for local files off, or save yourself");
  }
  if (!canEncode(document)) {
    return QStringLiteral("has characters that the encoding %1 has not").arg(document->encoding());
  }
  const qint64 wanted = 4 * static_cast<qint64>(document->totalCharacters()) + (1 << 20);
  const qint64 free = QStorageInfo(document->url().toLocalFile()).bytesAvailable();
  if (free >= 0 && free < wanted) return QStringLiteral("has no room on its disk");
  return QString();
}

bool isBusy(const Open &open) {
  if (QApplication::activeModalWidget() || QApplication::activePopupWidget()) return true;
  if (open.isComposing || open.document->isEditingTransactionRunning()) return true;
  const auto views = open.document->views();
  for (auto *view : views) {
    if (isCompleting(view)) return true;
  }
  return false;
}

}  // namespace

bool mayChangeText(KTextEditor::Document *document) {
  const int count = document->lines();
  if (count > 0 && document->lineLength(count - 1) > 0) return true;
  for (int line = 0; line < count; ++line) {
    if (endsWithBlank(document->line(line))) return true;
  }
  return false;
}

Attempt save(const Open &open, qint64 quiet) {
  KTextEditor::Document *document = open.document;
  if (!document->isModified()) return {Outcome::Saved, QString()};
  const QString reason = obstacle(open);
  if (!reason.isEmpty()) return {Outcome::No, reason};
  if (isBusy(open)) return {Outcome::Later, QString()};
  if (quiet < absence && isBehindBlank(document)) return {Outcome::Later, QString()};
  if (quiet < pause && mayChangeText(document)) return {Outcome::Later, QString()};
  if (!document->save() || document->isModified()) return {Outcome::No, QStringLiteral("could not be saved")};
  return {Outcome::Saved, QString()};
}

}  // namespace Continuo
