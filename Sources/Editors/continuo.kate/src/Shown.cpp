// SPDX-License-Identifier: MIT
#include "Shown.h"

#include <QDateTime>
#include <QFile>

namespace Continuo {

namespace {

// Longer than any title that travels; a name with a thousand accents fills no screen.
const int limit = 4096;

struct Range {
  uint first, last;
};

// Scalars that are seen by nobody or that move others.
const Range hidden[] = {
    {0xAD, 0xAD},     {0x61C, 0x61C},   {0x180E, 0x180E}, {0x200B, 0x200F},   {0x202A, 0x202E},
    {0x2060, 0x206F}, {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE0FFF},
};

bool isHidden(uint scalar) {
  for (const Range &range : hidden) {
    if (scalar >= range.first && scalar <= range.last) return true;
  }
  return false;
}

QString standIn(uint scalar) {
  if ((scalar >= 9 && scalar <= 13) || scalar == 0x85 || scalar == 0x2028 || scalar == 0x2029) {
    return QStringLiteral(" ");
  }
  const bool isControl = scalar < 0x20 || (scalar >= 0x7F && scalar < 0xA0);
  if (isControl || (scalar >= 0xD800 && scalar < 0xE000)) return QString(QChar(QChar::ReplacementCharacter));
  if (isHidden(scalar)) return QString();
  const char32_t one = scalar;
  return QString::fromUcs4(&one, 1);
}

}  // namespace

QString shown(const QString &text) {
  QString found;
  const auto scalars = text.toUcs4();
  for (const uint scalar : scalars) {
    const QString part = standIn(scalar);
    if (found.size() + part.size() > limit) break;
    found += part;
  }
  return found;
}

QString shown(const continuo_text &text) { return shown(QString::fromUtf8(bytes(text))); }

QString rich(const QString &plain) { return QStringLiteral("<qt>%1</qt>").arg(plain.toHtmlEscaped()); }

QString label(const QString &plain) {
  QString found = plain;
  return found.replace(QLatin1Char('&'), QLatin1String("&&"));
}

QByteArray bytes(const continuo_text &text) {
  return QByteArray(reinterpret_cast<const char *>(text.bytes), static_cast<int>(text.length));
}

QString fileName(const QByteArray &path) {
  const QString name = QFile::decodeName(path);
  return QFile::encodeName(name) == path ? name : QString();
}

QByteArray filePath(const QString &name) { return QFile::encodeName(name); }

QString shortName(const QByteArray &path) {
  const int slash = path.lastIndexOf('/');
  return shown(QString::fromUtf8(path.mid(slash + 1)));
}

QString clock(qint64 milliseconds) {
  if (milliseconds <= 0) return QString();
  const QDateTime moment = QDateTime::fromMSecsSinceEpoch(milliseconds);
  const bool isToday = moment.date() == QDate::currentDate();
  return moment.toString(isToday ? QStringLiteral("HH:mm") : QStringLiteral("yyyy-MM-dd HH:mm"));
}

}  // namespace Continuo
