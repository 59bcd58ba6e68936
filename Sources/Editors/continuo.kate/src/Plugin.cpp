// SPDX-License-Identifier: MIT
#include "Plugin.h"

#include "Commands.h"
#include "Report.h"
#include "Window.h"

#include <KPluginFactory>
#include <KTextEditor/Application>
#include <KTextEditor/Editor>
#include <KTextEditor/MainWindow>

#include <QTimer>

// The macro takes no qualified name.
using ContinuoPlugin = Continuo::Plugin;
K_PLUGIN_CLASS_WITH_JSON(ContinuoPlugin, "continuo.json")

namespace Continuo {

namespace {

const int patience = 5000;

}  // namespace

Plugin::Plugin(QObject *parent, const QVariantList &)
    : KTextEditor::Plugin(parent), settings(Settings::read()), session(nullptr),
      documents(session, settings, messages, nullptr), files(session, documents, messages, nullptr),
      offers(session, settings, documents, files, messages, nullptr), others(session, documents, messages, nullptr),
      versions(session, documents, files, messages, nullptr) {
  connect(&session, &Session::connectionChanged, this, [this](bool isConnected, const QString &reason) {
    if (isConnected) return messages.again();
    if (!session.isRunning()) {
      documents.forget();
      offers.forget();
      others.forget();
    }
    if (reason.isEmpty()) return;
    // An agent that has just been started, or started again, needs a moment.
    QTimer::singleShot(patience, this, [this, reason] {
      if (!session.isConnected()) messages.once(reason);
    });
  });
  connect(&offers, &Offers::changed, this, [this] { others.take(offers.all()); });
  connect(&documents, &Documents::opened, this, [this] { others.take(offers.all()); });
  // With the text, Kate reads away what was said below it.
  connect(&documents, &Documents::reloaded, this, [this] { showAgain(); });
  new Commands(*this);
  start();
}

// What the members' own ends would still say has nobody to hear it.
Plugin::~Plugin() { session.stop(); }

void Plugin::start() {
  messages.again();
  if (session.isRunning()) return;
  if (session.start(settings)) {
    documents.begin();
  } else {
    const QString obstacle = session.obstacle();
    // No window is there yet when Kate begins.
    QTimer::singleShot(0, this, [this, obstacle] { messages.once(obstacle); });
  }
}

void Plugin::configure() {
  const Settings old = settings;
  settings = Settings::read();
  if (old.program != settings.program || old.identifier() != settings.identifier()) {
    session.stop();
    documents.forget();
    offers.forget();
    others.forget();
    start();
  }
  offers.refresh();
}

void Plugin::showAgain() {
  offers.redraw();
  versions.redraw();
  others.refresh();
}

QObject *Plugin::createView(KTextEditor::MainWindow *window) { return new Window(*this, window); }

KTextEditor::ConfigPage *Plugin::configPage(int number, QWidget *parent) {
  if (number == 0) return new SettingsPage(parent, [this] { configure(); });
  if (number != 1) return nullptr;
  return new ReportPage(
      parent, [this] { return report(session, settings, documents, offers, messages); }, [this] { start(); });
}

}  // namespace Continuo

#include "Plugin.moc"
