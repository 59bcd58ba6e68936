// SPDX-License-Identifier: MIT
#include "FileFacts.h"
#include "Shown.h"
#include "Versions.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace Continuo;

class PartsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void whatIsShownIsOneLineOfPlainText() {
    QCOMPARE(shown(QStringLiteral("a\nb\tc\u2028d")), QStringLiteral("a b c d"));
    QCOMPARE(shown(QStringLiteral("a\u202Eb\u200Bc")), QStringLiteral("abc"));
    QCOMPARE(shown(QString(QChar(0x1B)) + QLatin1Char('x')), QStringLiteral("\uFFFDx"));
    QCOMPARE(rich(QStringLiteral("<img src=x>&")), QStringLiteral("<qt>&lt;img src=x&gt;&amp;</qt>"));
    QCOMPARE(label(QStringLiteral("a&b")), QStringLiteral("a&&b"));
  }

  void aNameThatQtCannotSayIsNone() {
    QCOMPARE(fileName("/a/\xFF.md"), QString());
    QCOMPARE(fileName("/a/\xE6\xBC\xA2.md"), QStringLiteral("/a/漢.md"));
  }

  void lineEndsAreUniformMixedOrForeign() {
    const auto ends = [](const QByteArray &text) { return lineEnds(text.constData(), text.size()); };
    QCOMPARE(ends("a\nb"), LineEnds::Uniform);
    QCOMPARE(ends("a\r\nb\r\n"), LineEnds::Uniform);
    QCOMPARE(ends("a\r\nb\n"), LineEnds::Mixed);
    QCOMPARE(ends("a\rb\n"), LineEnds::Foreign);
    QCOMPARE(ends("a\r"), LineEnds::Foreign);
    QCOMPARE(ends("a\xE2\x80\xA8z\n"), LineEnds::Foreign);
  }

  void aFileIsItsBytesAndItsStamp() {
    QTemporaryDir folder;
    const QByteArray path = filePath(folder.filePath(QStringLiteral("a.md")));
    QVERIFY(!FileFacts::read(path));
    QFile file(fileName(path));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("hello\n") == 6);
    file.close();
    const auto facts = FileFacts::read(path);
    QVERIFY(facts.has_value());
    // As `git hash-object` says.
    QCOMPARE(facts->digest.toHex(), QByteArray("ce013625030ba8dba906f756967f9e9ca394464a"));
    QVERIFY(*Stamp::of(path) == facts->stamp);
    QVERIFY(file.open(QIODevice::Append) && file.write("x") == 1);
    file.close();
    QVERIFY(!(*Stamp::of(path) == facts->stamp));
  }

  void differentLinesAreFound() {
    QVector<int> left, right;
    differences({"a", "b", "c", "d"}, {"a", "x", "c", "d", "e"}, left, right);
    QCOMPARE(left, QVector<int>({1}));
    QCOMPARE(right, QVector<int>({1, 4}));
  }
};

QTEST_GUILESS_MAIN(PartsTest)
#include "PartsTest.moc"
