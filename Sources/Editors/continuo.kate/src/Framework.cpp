// SPDX-License-Identifier: MIT
#include "Framework.h"

#if QT_VERSION_MAJOR < 6
#include <KTextEditor/CodeCompletionInterface>
#include <KTextEditor/ConfigInterface>
#include <KTextEditor/MarkInterface>
#include <KTextEditor/ModificationInterface>
#include <QTextCodec>
#else
#include <QStringEncoder>
#endif

namespace Continuo {

namespace {

#if QT_VERSION_MAJOR < 6
using Configured = KTextEditor::ConfigInterface;
using Modified = KTextEditor::ModificationInterface;
using Marked = KTextEditor::MarkInterface;
using Completing = KTextEditor::CodeCompletionInterface;
template <typename Interface, typename Object>
Interface *as(Object *object) { return qobject_cast<Interface *>(object); }
#else
using Configured = KTextEditor::Document;
using Modified = KTextEditor::Document;
using Marked = KTextEditor::Document;
using Completing = KTextEditor::View;
template <typename Interface, typename Object>
Interface *as(Object *object) { return object; }
#endif

// Bookmarks, breakpoints and errors have others.
const auto mark = Marked::markType09;

}  // namespace

bool keepsBackups(KTextEditor::Document *document) {
  auto *configured = as<Configured>(document);
  return configured && configured->configValue(QStringLiteral("backup-on-save-local")).toBool();
}

bool canEncode(KTextEditor::Document *document) {
  const QString encoding = document->encoding();
  if (encoding.startsWith(QLatin1String("UTF"), Qt::CaseInsensitive)) return true;
#if QT_VERSION_MAJOR < 6
  const QTextCodec *codec = QTextCodec::codecForName(encoding.toLatin1());
  return codec && codec->canEncode(document->text());
#else
  QStringEncoder encoder(encoding.toLatin1().constData());
  if (!encoder.isValid()) return false;
  const QByteArray encoded = encoder.encode(document->text());
  return !encoder.hasError();
#endif
}

bool isCompleting(KTextEditor::View *view) {
  auto *completing = as<Completing>(view);
  return completing && completing->isCompletionActive();
}

void forgetChangeOnDisk(KTextEditor::Document *document) {
  if (auto *modified = as<Modified>(document)) modified->setModifiedOnDisk(Modified::OnDiskUnmodified);
}

void askAboutChangeOnDisk(KTextEditor::Document *document) {
  auto *modified = as<Modified>(document);
  if (!modified) return;
  modified->setModifiedOnDiskWarning(true);
  modified->setModifiedOnDisk(Modified::OnDiskModified);
}

void markLines(KTextEditor::Document *document, const QVector<int> &lines) {
  auto *marked = as<Marked>(document);
  if (!marked) return;
  const auto all = marked->marks();
  for (auto each = all.begin(); each != all.end(); ++each) marked->removeMark(each.key(), mark);
  for (const int line : lines) marked->addMark(line, mark);
}

void listenToDisk(KTextEditor::Document *document, QObject *receiver) {
#if QT_VERSION_MAJOR < 6
  QObject::connect(
      document,
      SIGNAL(modifiedOnDisk(KTextEditor::Document *, bool, KTextEditor::ModificationInterface::ModifiedOnDiskReason)),
      receiver, SLOT(changedOnDisk(KTextEditor::Document *, bool)));
#else
  QObject::connect(
      document,
      SIGNAL(modifiedOnDisk(KTextEditor::Document *, bool, KTextEditor::Document::ModifiedOnDiskReason)), receiver,
      SLOT(changedOnDisk(KTextEditor::Document *, bool)));
#endif
}

}  // namespace Continuo
