// SPDX-License-Identifier: MIT
//
// Continuo for Kate: what is edited here can be continued on another device, and the other way round.
#pragma once

#include "Documents.h"
#include "Files.h"
#include "Messages.h"
#include "Offers.h"
#include "Others.h"
#include "Session.h"
#include "Settings.h"
#include "Versions.h"

#include <KTextEditor/Plugin>

#include <QVariantList>

namespace Continuo {

class Plugin : public KTextEditor::Plugin {
  Q_OBJECT
 public:
  Plugin(QObject *parent, const QVariantList &);
  ~Plugin() override;
  QObject *createView(KTextEditor::MainWindow *window) override;
  int configPages() const override { return 2; }
  KTextEditor::ConfigPage *configPage(int number, QWidget *parent) override;

  // Begins, or begins again.
  void start();
  // The settings are others.
  void configure();
  // Another text is in front.
  void showAgain();

  Settings settings;
  Messages messages;
  Session session;
  Documents documents;
  Files files;
  Offers offers;
  Others others;
  Versions versions;
};

}  // namespace Continuo
