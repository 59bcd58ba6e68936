// SPDX-License-Identifier: MIT
#include "Commands.h"

#include "Plugin.h"
#include "Shown.h"

#include <KTextEditor/Application>
#include <KTextEditor/Editor>
#include <KTextEditor/MainWindow>

namespace Continuo {

QVector<Order> orders(Plugin &plugin) {
  Plugin *of = &plugin;
  const auto show = [of](const QString &) {
    auto *window = KTextEditor::Editor::instance()->application()->activeMainWindow();
    if (window) window->showPluginConfigPage(of, 1);
  };
  const auto choose = [of](continuo_choice choice) {
    return [of, choice](const QString &) { of->offers.choose(choice); };
  };
  return {
      {QStringLiteral("resume"), QStringLiteral("Continue What Another Device Offers"), QStringLiteral("Ctrl+Alt+H"),
       [of](const QString &rest) { of->offers.resume(rest); }},
      {QStringLiteral("dismiss"), QStringLiteral("Dismiss What Is Offered"), QString(),
       [of](const QString &) { of->offers.dismiss(); }},
      {QStringLiteral("open-here"), QStringLiteral("Open What Is Here, for Reading"), QString(),
       choose(CONTINUO_CHOICE_OPEN_HERE)},
      {QStringLiteral("keep-waiting"), QStringLiteral("Keep Waiting"), QString(),
       choose(CONTINUO_CHOICE_KEEP_WAITING)},
      {QStringLiteral("give-up"), QStringLiteral("Give Up"), QString(),
       [of](const QString &) { of->offers.cancel(); }},
      {QStringLiteral("jump"), QStringLiteral("Jump to the Other Device's Place"), QString(),
       [of](const QString &) { of->files.jump(); }},
      {QStringLiteral("compare"), QStringLiteral("Compare with the Conflict Copy"), QString(),
       [of](const QString &) { of->versions.compare(); }},
      {QStringLiteral("keep"), QStringLiteral("Keep This Version"), QString(),
       [of](const QString &) { of->versions.keep(); }},
      {QStringLiteral("health"), QStringLiteral("How Continuo Stands"), QString(), show},
      {QStringLiteral("connect"), QStringLiteral("Connect Again"), QString(),
       [of](const QString &) { of->start(); }},
  };
}

Commands::Commands(Plugin &plugin) : KTextEditor::Command({QStringLiteral("continuo")}, &plugin), plugin(plugin) {}

bool Commands::exec(KTextEditor::View *, const QString &line, QString &answer, const KTextEditor::Range &) {
  const QString words = line.mid(line.indexOf(QLatin1Char(' ')) + 1).trimmed();
  const QString word = words.section(QLatin1Char(' '), 0, 0);
  for (const Order &order : orders(plugin)) {
    if (order.word != word) continue;
    order.run(words.section(QLatin1Char(' '), 1));
    return true;
  }
  answer = QStringLiteral("continuo knows no “%1”").arg(shown(word)).toHtmlEscaped();
  return false;
}

bool Commands::help(KTextEditor::View *, const QString &, QString &answer) {
  answer = QStringLiteral("<p><b>continuo</b> followed by one of:</p><ul>");
  for (const Order &order : orders(plugin)) {
    answer += QStringLiteral("<li><b>%1</b>: %2</li>").arg(order.word, order.label.toHtmlEscaped());
  }
  answer += QStringLiteral("</ul>");
  return true;
}

}  // namespace Continuo
