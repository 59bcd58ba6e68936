// SPDX-License-Identifier: MIT
//
// What the person is told: a line that goes away by itself, takes no focus, and asks for nothing.
#pragma once

#include <QSet>
#include <QStringList>

namespace Continuo {

class Messages {
 public:
  void tell(const QString &text) { say(text, false); }
  void warn(const QString &text) { say(text, true); }
  // The same sentence is told once, until `again` is called.
  void once(const QString &text);
  void again() { told.clear(); }
  // The last ones, each with its time.
  const QStringList &log() const { return said; }

 private:
  void say(const QString &text, bool isWarning);

  // The last one is seen first.
  int count = 0;
  QStringList said;
  QSet<QString> told;
};

}  // namespace Continuo
