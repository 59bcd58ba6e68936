// SPDX-License-Identifier: MIT
//
// One window of Kate: the menu Tools > Continuo.
#pragma once

#include <KTextEditor/MainWindow>
#include <KXMLGUIClient>

#include <QObject>

class QMenu;

namespace Continuo {

class Plugin;

class Window : public QObject, public KXMLGUIClient {
  Q_OBJECT
 public:
  Window(Plugin &plugin, KTextEditor::MainWindow *window);
  ~Window() override;

 private:
  void fill(QMenu *menu);

  Plugin &plugin;
  KTextEditor::MainWindow *window;
};

}  // namespace Continuo
