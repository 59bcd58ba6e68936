// SPDX-License-Identifier: MIT
//
// One line with buttons, below or above the text that the person sees. It takes no focus and no keys.
#pragma once

#include <KTextEditor/Message>
#include <KTextEditor/View>

#include <QPointer>
#include <QVector>

#include <functional>

class KMessageWidget;

namespace Continuo {

struct Button {
  QString label;
  std::function<void()> press;
};

class Prompt : public QObject {
  Q_OBJECT
 public:
  using Position = KTextEditor::Message::MessagePosition;

  // Of several in one position, the one with the highest priority is seen.
  Prompt(int priority, Position position, QObject *parent)
      : QObject(parent), priority(priority), position(position) {}
  ~Prompt() override;

  // `buttons` are the same as long as `kind` is.
  void show(const QString &text, const QString &kind, const QVector<Button> &buttons);
  void hide();
  // Another view is in front, or the view has lost its messages.
  void redraw();
  QString text() const { return shown; }

 private:
  void draw();
  void post(KTextEditor::View *view);
  void overlay(QWidget *window);
  void drop();

  const int priority;
  const Position position;
  QString shown, kind;
  QVector<Button> buttons;
  QPointer<KTextEditor::Message> message;
  QPointer<KTextEditor::View> view;
  // Where there is no text, as on Kate's welcome page.
  QPointer<KMessageWidget> widget;
};

}  // namespace Continuo
