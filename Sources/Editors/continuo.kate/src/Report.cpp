// SPDX-License-Identifier: MIT
#include "Report.h"

#include "Documents.h"
#include "Messages.h"
#include "Offers.h"
#include "Others.h"
#include "Shown.h"

#include <KConfigGroup>
#include <KSharedConfig>
#include <KTextEditor/Application>
#include <KTextEditor/Document>
#include <KTextEditor/Editor>

#include <QFileInfo>
#include <QIcon>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStandardPaths>
#include <QVBoxLayout>

namespace Continuo {

namespace {

bool isInSandbox() { return QFileInfo::exists(QStringLiteral("/.flatpak-info")) || qEnvironmentVariableIsSet("SNAP"); }

// Where the swap file lies: 1 is beside the document, 2 in a folder of its own.
bool swapsBeside() {
  const KConfigGroup group(KSharedConfig::openConfig(), QStringLiteral("KTextEditor Document"));
  return group.readEntry("Swap File Mode", 1) == 1;
}

QString program(const Settings &settings) {
  const QString wanted = settings.program.isEmpty() ? QStringLiteral("continuo") : settings.program;
  const QString found = QStandardPaths::findExecutable(wanted);
  if (!found.isEmpty()) return shown(found) + QStringLiteral(" is installed.");
  return shown(wanted)
      + QStringLiteral(" is not on PATH: install Continuo, or say where it is on the page “Continuo” of these settings.");
}

QString connection(const Session &session) {
  if (session.isConnected()) return QStringLiteral("Kate is connected to the agent.");
  if (!session.obstacle().isEmpty()) return session.obstacle();
  if (session.isRunning()) return QStringLiteral("The agent has not answered yet; look at `continuo status`.");
  return QStringLiteral("There is no session: Tools > Continuo > Connect Again makes one.");
}

}  // namespace

QStringList report(
    const Session &session, const Settings &settings, const Documents &documents, const Offers &offers,
    const Messages &messages) {
  QStringList lines{program(settings), connection(session)};
  if (isInSandbox()) {
    lines << QStringLiteral("This Kate runs in a sandbox, which holds neither libcontinuo nor the agent's socket: use the "
                            "Kate of your distribution.");
  }
  if (!settings.saves) {
    lines << QStringLiteral("Documents are not saved before they are offered: other devices are told that there is more.");
  }
  if (swapsBeside()) {
    lines << QStringLiteral("Kate keeps its swap files beside the documents, and the sync engine carries them: choose a "
                            "folder of their own in Settings > Configure Kate > Open/Save > Advanced.");
  }
  lines << QString() << QStringLiteral("Documents:");
  for (const auto &each : documents.all()) {
    if (!each->document) continue;
    const QString others = Others::of(*each);
    lines << QStringLiteral("  ") + shown(QString::fromUtf8(each->path)) + QStringLiteral(" ")
            + documents.standing(*each) + (others.isEmpty() ? others : QStringLiteral("; ") + others);
  }
  const auto open = KTextEditor::Editor::instance()->application()->documents();
  for (const auto *document : open) {
    if (!document->isModified() || !document->url().isEmpty()) continue;
    lines << QStringLiteral("  ") + shown(document->documentName())
            + QStringLiteral(" has no name: it is neither saved nor offered until you save it in a synced folder");
  }
  lines << QString() << QStringLiteral("Offers:");
  for (const QString &line : offers.lines()) lines << QStringLiteral("  ") + line;
  lines << QString() << QStringLiteral("Messages:");
  for (const QString &line : messages.log()) lines << QStringLiteral("  ") + line;
  return lines;
}

ReportPage::ReportPage(QWidget *parent, std::function<QStringList()> report, std::function<void()> connect)
    : KTextEditor::ConfigPage(parent), report(std::move(report)) {
  auto *column = new QVBoxLayout(this);
  text = new QPlainTextEdit(this);
  text->setReadOnly(true);
  text->setAccessibleName(QStringLiteral("How Continuo stands"));
  column->addWidget(text);
  auto *button = new QPushButton(QStringLiteral("Connect Again"), this);
  QObject::connect(button, &QPushButton::clicked, this, [this, connect] {
    connect();
    reset();
  });
  column->addWidget(button);
  reset();
}

QString ReportPage::name() const { return QStringLiteral("Continuo's Health"); }
QString ReportPage::fullName() const { return QStringLiteral("Continuo: how it stands"); }
QIcon ReportPage::icon() const { return QIcon::fromTheme(QStringLiteral("help-about")); }
void ReportPage::reset() { text->setPlainText(report().join(QLatin1Char('\n'))); }

}  // namespace Continuo
