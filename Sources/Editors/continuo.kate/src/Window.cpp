// SPDX-License-Identifier: MIT
#include "Window.h"

#include "Commands.h"
#include "Plugin.h"
#include "Shown.h"

#include <KActionCollection>
#include <KActionMenu>
#include <KXMLGUIFactory>

#include <QAction>
#include <QMenu>

namespace Continuo {

namespace {

const char *const gui = R"(<?xml version="1.0" encoding="UTF-8"?>
<gui name="continuo" version="1"><MenuBar><Menu name="tools"><Menu name="continuo"><text>Continuo</text>
<Action name="continuo_resume"/><Action name="continuo_offers"/><Action name="continuo_dismiss"/><Separator/>
<Action name="continuo_open_here"/><Action name="continuo_keep_waiting"/><Action name="continuo_give_up"/><Separator/>
<Action name="continuo_jump"/><Action name="continuo_compare"/><Action name="continuo_keep"/><Separator/>
<Action name="continuo_health"/><Action name="continuo_connect"/>
</Menu></Menu></MenuBar></gui>)";

}  // namespace

Window::Window(Plugin &plugin, KTextEditor::MainWindow *window) : QObject(window), plugin(plugin), window(window) {
  setComponentName(QStringLiteral("continuo"), QStringLiteral("Continuo"));
  setXML(QString::fromLatin1(gui));
  for (const Order &order : orders(plugin)) {
    const QString name = QStringLiteral("continuo_") + QString(order.word).replace(QLatin1Char('-'), QLatin1Char('_'));
    auto *action = actionCollection()->addAction(name);
    action->setText(order.label);
    if (!order.keys.isEmpty()) actionCollection()->setDefaultShortcut(action, QKeySequence(order.keys));
    const auto run = order.run;
    connect(action, &QAction::triggered, this, [run] { run(QString()); });
  }
  auto *choice = new KActionMenu(QStringLiteral("Continue One of Several"), this);
  actionCollection()->addAction(QStringLiteral("continuo_offers"), choice);
  connect(choice->menu(), &QMenu::aboutToShow, this, [this, choice] { fill(choice->menu()); });
  connect(window, &KTextEditor::MainWindow::viewChanged, this, [this](KTextEditor::View *view) {
    if (view) this->plugin.documents.becomeCurrent(view->document());
    this->plugin.showAgain();
  });
  window->guiFactory()->addClient(this);
  plugin.showAgain();
}

Window::~Window() { window->guiFactory()->removeClient(this); }

void Window::fill(QMenu *menu) {
  menu->clear();
  const auto offers = plugin.offers.all();
  for (const Offer &offer : offers) {
    connect(menu->addAction(label(Offers::describe(offer))), &QAction::triggered, this, [this, offer] {
      plugin.offers.accept(offer);
    });
  }
  const auto copies = plugin.versions.copies();
  if (!copies.isEmpty()) menu->addSection(QStringLiteral("Compare with"));
  for (const Version &copy : copies) {
    connect(menu->addAction(label(copy.label)), &QAction::triggered, this, [this, copy] {
      plugin.versions.compare(copy.path);
    });
  }
  if (menu->isEmpty()) menu->addAction(QStringLiteral("No other device offers anything"))->setEnabled(false);
}

}  // namespace Continuo
