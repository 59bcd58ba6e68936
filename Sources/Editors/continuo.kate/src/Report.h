// SPDX-License-Identifier: MIT
//
// How all stands: what is missing and what to do about it, in sentences.
#pragma once

#include "Settings.h"

#include <QStringList>

#include <functional>

class QPlainTextEdit;

namespace Continuo {

class Documents;
class Messages;
class Offers;
class Session;

QStringList report(
    const Session &session, const Settings &settings, const Documents &documents, const Offers &offers,
    const Messages &messages);

// The report as a page of Kate's settings.
class ReportPage : public KTextEditor::ConfigPage {
  Q_OBJECT
 public:
  ReportPage(QWidget *parent, std::function<QStringList()> report, std::function<void()> connect);
  QString name() const override;
  QString fullName() const override;
  QIcon icon() const override;
  void apply() override {}
  void reset() override;
  void defaults() override {}

 private:
  std::function<QStringList()> report;
  QPlainTextEdit *text;
};

}  // namespace Continuo
