// SPDX-License-Identifier: MIT
#include "Messages.h"

#include "Shown.h"

#include <KTextEditor/Application>
#include <KTextEditor/Document>
#include <KTextEditor/Editor>
#include <KTextEditor/MainWindow>
#include <KTextEditor/Message>
#include <KTextEditor/View>

#include <QTime>
#include <QVariantMap>

namespace Continuo {

namespace {

const int kept = 50;
// After the person has gone on.
const int duration = 8000;

}  // namespace

void Messages::once(const QString &text) {
  if (told.contains(text)) return;
  told.insert(text);
  warn(text);
}

void Messages::say(const QString &given, bool isWarning) {
  const QString text = shown(given);
  said << QTime::currentTime().toString(QStringLiteral("HH:mm:ss ")) + text;
  if (said.size() > kept) said.removeFirst();
  auto *window = KTextEditor::Editor::instance()->application()->activeMainWindow();
  auto *view = window ? window->activeView() : nullptr;
  if (!view) {
    // Shown as HTML.
    if (window) {
      window->showMessage({{QStringLiteral("category"), QStringLiteral("Continuo")},
                           {QStringLiteral("type"), isWarning ? QStringLiteral("Warning") : QStringLiteral("Log")},
                           {QStringLiteral("text"), text.toHtmlEscaped()}});
    }
    return;
  }
  auto *message = new KTextEditor::Message(
      rich(text), isWarning ? KTextEditor::Message::Warning : KTextEditor::Message::Information);
  message->setWordWrap(true);
  message->setPosition(KTextEditor::Message::TopInView);
  message->setPriority(++count);
  message->setAutoHide(duration);
  message->setView(view);
  if (!view->document()->postMessage(message)) delete message;
}

}  // namespace Continuo
