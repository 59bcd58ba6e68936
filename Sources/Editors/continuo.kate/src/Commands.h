// SPDX-License-Identifier: MIT
//
// What the person can ask for: in the menu Tools > Continuo, and as words behind `continuo` on Kate's command line (F7).
#pragma once

#include <KTextEditor/Command>

#include <QVector>

#include <functional>

namespace Continuo {

class Plugin;

struct Order {
  QString word, label, keys;
  std::function<void(const QString &rest)> run;
};

QVector<Order> orders(Plugin &plugin);

class Commands : public KTextEditor::Command {
  Q_OBJECT
 public:
  explicit Commands(Plugin &plugin);
  bool exec(KTextEditor::View *view, const QString &line, QString &answer, const KTextEditor::Range &range) override;
  bool help(KTextEditor::View *view, const QString &line, QString &answer) override;

 private:
  Plugin &plugin;
};

}  // namespace Continuo
