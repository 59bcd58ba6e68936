// SPDX-License-Identifier: MIT
//
// What the person has chosen, and the page where they choose it.
#pragma once

#include <KTextEditor/ConfigPage>

#include <functional>

class QCheckBox;
class QLineEdit;

namespace Continuo {

struct Settings {
  // The program `continuo`; empty looks for it.
  QString program;
  // What activities are offered to; empty takes the app's own identifier.
  QString app;
  // Whether a document is saved before it is offered.
  bool saves = true;
  // Whether offers are shown by themselves.
  bool prompts = true;

  static Settings read();
  void write() const;
  // The identifier of the app that this runs in.
  QString identifier() const;
};

class SettingsPage : public KTextEditor::ConfigPage {
  Q_OBJECT
 public:
  SettingsPage(QWidget *parent, std::function<void()> applied);
  QString name() const override;
  QString fullName() const override;
  QIcon icon() const override;
  void apply() override;
  void reset() override;
  void defaults() override;

 private:
  void show(const Settings &settings);

  std::function<void()> applied;
  QLineEdit *program, *app;
  QCheckBox *saves, *prompts;
};

}  // namespace Continuo
