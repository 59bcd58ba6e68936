// SPDX-License-Identifier: MIT
#include "Settings.h"

#include <KConfigGroup>
#include <KSharedConfig>

#include <QCheckBox>
#include <QFormLayout>
#include <QGuiApplication>
#include <QIcon>
#include <QLineEdit>

namespace Continuo {

namespace {

KConfigGroup group() { return KConfigGroup(KSharedConfig::openConfig(), QStringLiteral("Continuo")); }

}  // namespace

Settings Settings::read() {
  const KConfigGroup from = group();
  Settings found;
  found.program = from.readEntry("Program", QString());
  found.app = from.readEntry("App", QString());
  found.saves = from.readEntry("Save before offering", true);
  found.prompts = from.readEntry("Show offers", true);
  return found;
}

void Settings::write() const {
  KConfigGroup into = group();
  into.writeEntry("Program", program);
  into.writeEntry("App", app);
  into.writeEntry("Save before offering", saves);
  into.writeEntry("Show offers", prompts);
  into.sync();
}

QString Settings::identifier() const {
  if (!app.isEmpty()) return app;
  const QString own = QGuiApplication::desktopFileName();
  return own.isEmpty() ? QStringLiteral("org.kde.kate") : own;
}

SettingsPage::SettingsPage(QWidget *parent, std::function<void()> applied)
    : KTextEditor::ConfigPage(parent), applied(std::move(applied)) {
  auto *form = new QFormLayout(this);
  program = new QLineEdit(this);
  program->setPlaceholderText(QStringLiteral("continuo, from PATH"));
  app = new QLineEdit(this);
  app->setPlaceholderText(Settings().identifier());
  saves = new QCheckBox(QStringLiteral("Save a document before it is offered to other devices"), this);
  prompts = new QCheckBox(QStringLiteral("Show what other devices offer"), this);
  form->addRow(QStringLiteral("Program:"), program);
  form->addRow(QStringLiteral("App identifier:"), app);
  form->addRow(saves);
  form->addRow(prompts);
  for (QLineEdit *each : {program, app}) connect(each, &QLineEdit::textEdited, this, &SettingsPage::changed);
  for (QCheckBox *each : {saves, prompts}) connect(each, &QCheckBox::toggled, this, &SettingsPage::changed);
  reset();
}

QString SettingsPage::name() const { return QStringLiteral("Continuo"); }
QString SettingsPage::fullName() const { return QStringLiteral("Continuo: going on on another device"); }
QIcon SettingsPage::icon() const { return QIcon::fromTheme(QStringLiteral("smartphone")); }

void SettingsPage::apply() {
  Settings chosen;
  chosen.program = program->text().trimmed();
  chosen.app = app->text().trimmed();
  chosen.saves = saves->isChecked();
  chosen.prompts = prompts->isChecked();
  chosen.write();
  applied();
}

void SettingsPage::reset() { show(Settings::read()); }
void SettingsPage::defaults() { show(Settings()); }

void SettingsPage::show(const Settings &settings) {
  program->setText(settings.program);
  app->setText(settings.app);
  saves->setChecked(settings.saves);
  prompts->setChecked(settings.prompts);
}

}  // namespace Continuo
