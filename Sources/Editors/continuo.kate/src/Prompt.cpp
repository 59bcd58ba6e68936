// SPDX-License-Identifier: MIT
#include "Prompt.h"

#include "Shown.h"

#include <KMessageWidget>
#include <KTextEditor/Application>
#include <KTextEditor/Document>
#include <KTextEditor/Editor>
#include <KTextEditor/MainWindow>

#include <QAction>
#include <QTimer>

namespace Continuo {

namespace {

// What a button does comes after the message that it closes.
QAction *action(const Button &button, QObject *parent) {
  auto *made = new QAction(button.label, parent);
  const auto press = button.press;
  QObject::connect(made, &QAction::triggered, KTextEditor::Editor::instance(), [press] {
    QTimer::singleShot(0, KTextEditor::Editor::instance(), press);
  });
  return made;
}

}  // namespace

Prompt::~Prompt() { drop(); }

void Prompt::show(const QString &text, const QString &kind, const QVector<Button> &buttons) {
  const bool isOther = kind != this->kind;
  shown = text;
  this->kind = kind;
  this->buttons = buttons;
  if (isOther) drop();
  draw();
}

void Prompt::hide() {
  shown.clear();
  kind.clear();
  buttons.clear();
  drop();
}

void Prompt::redraw() {
  if (!shown.isEmpty()) draw();
}

void Prompt::drop() {
  delete message;
  delete widget;
}

void Prompt::draw() {
  auto *window = KTextEditor::Editor::instance()->application()->activeMainWindow();
  if (!window) return;
  auto *front = window->activeView();
  if (front) {
    delete widget;
    if (message && view == front) {
      if (message->text() != rich(shown)) message->setText(rich(shown));
    } else {
      post(front);
    }
  } else {
    delete message;
    if (widget) {
      widget->setText(rich(shown));
    } else {
      overlay(window->window());
    }
  }
}

void Prompt::post(KTextEditor::View *front) {
  delete message;
  view = front;
  message = new KTextEditor::Message(rich(shown), KTextEditor::Message::Information);
  message->setWordWrap(true);
  message->setPosition(position);
  message->setPriority(priority);
  message->setView(front);
  for (const Button &button : qAsConst(buttons)) message->addAction(action(button, message));
  if (!front->document()->postMessage(message)) delete message;
}

void Prompt::overlay(QWidget *window) {
  widget = new KMessageWidget(rich(shown), window);
  widget->setFocusPolicy(Qt::NoFocus);
  widget->setWordWrap(true);
  widget->setCloseButtonVisible(false);
  for (const Button &button : qAsConst(buttons)) widget->addAction(action(button, widget));
  const int width = qMin(window->width(), 640);
  widget->setFixedWidth(width);
  const int height = widget->heightForWidth(width);
  widget->setFixedHeight(qMax(height, widget->sizeHint().height()));
  widget->move(window->width() - width, window->height() - widget->height());
  widget->show();
  widget->raise();
}

}  // namespace Continuo
