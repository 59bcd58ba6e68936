// SPDX-License-Identifier: MIT
//
// What is shown of names, titles and sentences from elsewhere: one line. Nothing in it is markup, turns the order
// of the characters around, or is there without being seen.
#pragma once

#include <QString>

#include <continuo.h>

namespace Continuo {

// `text` for people, as plain text. Doing it twice changes nothing more.
QString shown(const QString &text);
QString shown(const continuo_text &text);
// Plain text where Qt takes rich text, and where it takes a label with a mnemonic.
QString rich(const QString &plain);
QString label(const QString &plain);

// File names: any bytes, and what Qt makes of them. Empty for names that Qt cannot say.
QByteArray bytes(const continuo_text &text);
QString fileName(const QByteArray &path);
QByteArray filePath(const QString &name);
// The last part, for people.
QString shortName(const QByteArray &path);

// The time of day of milliseconds since 1970, with the date where it is not today's; empty for none.
QString clock(qint64 milliseconds);

}  // namespace Continuo
