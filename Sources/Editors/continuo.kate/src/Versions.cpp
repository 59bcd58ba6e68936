// SPDX-License-Identifier: MIT
#include "Versions.h"

#include "Files.h"
#include "Framework.h"
#include "Messages.h"
#include "Place.h"
#include "Shown.h"

#include <KTextEditor/Application>
#include <KTextEditor/Editor>
#include <KTextEditor/MainWindow>

#include <algorithm>

namespace Continuo {

namespace {

// Comparing takes as much as one number of lines times the other; beyond that all between counts as different.
const qint64 comparable = 4000000;

QStringList linesOf(KTextEditor::Document *document) { return document->textLines(document->documentRange()); }

QString describe(const continuo_file_version_info &info) {
  QStringList parts{shortName(bytes(info.path))};
  if (info.device.length > 0) parts << QStringLiteral("of device ") + shown(info.device);
  if (info.put_aside.length > 0) parts << QStringLiteral("put aside ") + shown(info.put_aside);
  parts << QStringLiteral("changed ") + clock(static_cast<qint64>(info.changed_at));
  parts << QStringLiteral("%1 bytes").arg(info.byte_count);
  if (!info.is_readable) parts << QStringLiteral("cannot be read");
  return parts.join(QStringLiteral(", "));
}

}  // namespace

void differences(const QStringList &left, const QStringList &right, QVector<int> &onLeft, QVector<int> &onRight) {
  int begin = 0, leftEnd = left.size(), rightEnd = right.size();
  while (begin < leftEnd && begin < rightEnd && left.at(begin) == right.at(begin)) ++begin;
  while (leftEnd > begin && rightEnd > begin && left.at(leftEnd - 1) == right.at(rightEnd - 1)) --leftEnd, --rightEnd;
  const int rows = leftEnd - begin, columns = rightEnd - begin;
  const bool isComparable = static_cast<qint64>(rows) * columns <= comparable;
  // How many lines the rests have in common.
  std::vector<int> common(isComparable ? static_cast<size_t>(rows + 1) * static_cast<size_t>(columns + 1) : 0);
  const auto at = [columns](int row, int column) { return static_cast<size_t>(row) * (columns + 1) + column; };
  for (int row = isComparable ? rows - 1 : -1; row >= 0; --row) {
    for (int column = columns - 1; column >= 0; --column) {
      const bool isSame = left.at(begin + row) == right.at(begin + column);
      common[at(row, column)] = isSame
          ? common[at(row + 1, column + 1)] + 1
          : std::max(common[at(row + 1, column)], common[at(row, column + 1)]);
    }
  }
  int row = 0, column = 0;
  while (row < rows || column < columns) {
    const bool hasBoth = row < rows && column < columns;
    if (isComparable && hasBoth && left.at(begin + row) == right.at(begin + column)) {
      ++row, ++column;
    } else if (column == columns
               || (hasBoth && (!isComparable || common[at(row + 1, column)] >= common[at(row, column + 1)]))) {
      onLeft << begin + row++;
    } else {
      onRight << begin + column++;
    }
  }
}

Versions::Versions(Session &session, Documents &documents, Files &files, Messages &messages, QObject *parent)
    : QObject(parent), session(session), documents(documents), files(files), messages(messages),
      prompt(2, KTextEditor::Message::AboveView, this) {
  connect(&files, &Files::conflicted, this, [this](Open *open, const QVector<QByteArray> &copies) {
    conflicted(*open, copies);
  });
}

void Versions::conflicted(const Open &document, const QVector<QByteArray> &copies) {
  for (auto each = known.begin(); each != known.end();) each = *each == document.path ? known.erase(each) : ++each;
  if (copies.isEmpty()) return prompt.hide();
  QStringList names;
  for (const QByteArray &copy : copies) {
    known.insert(copy, document.path);
    names << shortName(copy);
  }
  prompt.show(
      shortName(document.path) + QStringLiteral(" is in conflict with ") + names.join(QStringLiteral(", ")),
      QStringLiteral("conflict %1").arg(QString::fromUtf8(document.path)),
      {{QStringLiteral("Compare"), [this] { compare(); }},
       {QStringLiteral("Keep This Version"), [this] { keep(); }},
       {QStringLiteral("Later"), [this] { prompt.hide(); }}});
}

Open *Versions::subject() {
  Open *front = documents.current();
  if (!front) return nullptr;
  const auto document = known.constFind(front->path);
  return document == known.constEnd() ? front : documents.at(*document);
}

QVector<Version> Versions::list(const Open &document) {
  QVector<Version> found;
  size_t count = 0;
  if (!document.handle || continuo_file_version_count(session.handle(), document.handle, &count) != CONTINUO_OK) {
    return found;
  }
  for (size_t index = 0; index < count; ++index) {
    continuo_file_version_info info = continuo_file_version_info();
    info.size = sizeof info;
    if (continuo_file_version_at(session.handle(), index, &info) != CONTINUO_OK) continue;
    found << Version{
        info.version, bytes(info.path), info.is_document != 0, info.is_readable != 0, describe(info)};
    if (!info.is_document) known.insert(bytes(info.path), document.path);
  }
  return found;
}

QVector<Version> Versions::copies() {
  Open *document = subject();
  QVector<Version> found = document ? list(*document) : QVector<Version>();
  found.erase(
      std::remove_if(found.begin(), found.end(), [](const Version &each) { return each.isDocument; }), found.end());
  return found;
}

// Both side by side, as Kate splits its window; lines that differ are marked.
void Versions::compare(const QByteArray &wanted) {
  Open *document = subject();
  auto *window = KTextEditor::Editor::instance()->application()->activeMainWindow();
  const auto all = copies();
  if (!document || !window || all.isEmpty()) {
    return messages.tell(QStringLiteral("no conflict copy lies beside this document: there is nothing to resolve"));
  }
  const QByteArray copy = wanted.isEmpty() ? all.first().path : wanted;
  QPointer<KTextEditor::Document> mine = document->document;
  window->activateView(mine);
  window->splitView(Qt::Horizontal);
  auto *view = Files::show(copy);
  if (!view || !mine || view->document() == mine) {
    return messages.warn(shortName(copy) + QStringLiteral(" could not be opened"));
  }
  QVector<int> left, right;
  differences(linesOf(mine), linesOf(view->document()), left, right);
  markLines(mine, left);
  markLines(view->document(), right);
  if (!right.isEmpty()) view->setCursorPosition(KTextEditor::Cursor(right.first(), 0));
  auto *other = viewOf(mine);
  if (other && !left.isEmpty()) other->setCursorPosition(KTextEditor::Cursor(left.first(), 0));
  messages.tell(
      QStringLiteral("merge and save in either; then Tools > Continuo > Keep This Version keeps the one in front"));
}

// Text that no file holds would be lost to the version that is kept, or be kept in its place.
bool Versions::isSaved(const QByteArray &path) {
  const Open *open = documents.at(path);
  if (!open || !open->document->isModified()) return true;
  messages.warn(shortName(path) + QStringLiteral(" has unsaved changes: save them first"));
  return false;
}

void Versions::keep() {
  const Open *front = documents.current();
  Open *document = subject();
  const QVector<Version> all = document ? list(*document) : QVector<Version>();
  const QByteArray path = front ? front->path : QByteArray();
  const auto kept =
      std::find_if(all.begin(), all.end(), [&](const Version &each) {
        return each.path == path || (each.isDocument && front == document);
      });
  if (kept == all.end()) {
    return messages.tell(QStringLiteral("no conflict copy lies beside this document: there is nothing to resolve"));
  }
  for (const Version &each : all) {
    if (!isSaved(each.path)) return;
  }
  size_t count = 0;
  if (continuo_file_version_keep(session.handle(), kept->id, &count) != CONTINUO_OK) {
    return messages.warn(Session::lastError());
  }
  for (size_t index = 0; index < count; ++index) {
    continuo_text aside = continuo_text(), reason = continuo_text();
    if (continuo_file_version_aside_at(session.handle(), index, &aside, &reason) != CONTINUO_OK) continue;
    if (reason.length > 0) {
      messages.warn(shown(reason));
    } else {
      messages.tell(QStringLiteral("the other version is in ") + shown(aside) + QStringLiteral(" now"));
    }
  }
  prompt.hide();
  markLines(document->document, {});
  files.changed(document->document);
}

}  // namespace Continuo
