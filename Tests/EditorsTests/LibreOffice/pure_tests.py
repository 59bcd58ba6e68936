# SPDX-License-Identifier: MIT
"""The parts of Writer's extension that need no Writer: pure_tests.py FOLDER, the extension's."""
import os
import sys
import tempfile
import types
import unittest
import zipfile
from unittest import mock

FOLDER = sys.argv.pop(1)
sys.path[:0] = [os.path.join(FOLDER, "pythonpath"), os.path.join(FOLDER, "../continuo.python")]
# What the views name of LibreOffice; nothing of it is called here.
for name in ["uno", "unohelper", "com", "com.sun", "com.sun.star"] + [
    "com.sun.star." + module for module in ("awt", "beans", "document", "frame", "lang", "uno", "util", "view")
]:
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = []
    sys.modules[name].__getattr__ = lambda member: type(member, (Exception,) if member == "Exception" else (), {})
from continuo_writer import finding, locks, origin, pace, view  # noqa: E402

TEXT = "First line of it\naé😀漢\tz\n\nThe third has more words than the others\nlast"
MANIFEST = '<manifest:manifest xmlns:manifest="m">{}</manifest:manifest>'
META = "<office:meta><meta:generator>{}</meta:generator></office:meta>"


class Finding(unittest.TestCase):
    def test_everyPlaceIsItself(self):
        for place in range(len(TEXT) + 1):
            number, character = finding.paragraph(TEXT, place)
            self.assertEqual(finding.offset(TEXT, number, character), place)
            self.assertEqual(finding.find(TEXT, place, *finding.quote(TEXT, place)), (place, "sure"))

    def test_placesBeyondAreTheNearest(self):
        self.assertEqual(finding.offset(TEXT, 99, 1), len(TEXT))
        self.assertEqual(finding.offset(TEXT, 1, 99), 16)
        self.assertEqual(finding.offset(TEXT, 0, -4), 0)
        self.assertEqual(finding.offset("", 3, 3), 0)

    def test_whatWasPutInAboveMovesThePlace(self):
        place = TEXT.index("more")
        quoted = finding.quote(TEXT, place)
        changed = "A new beginning\nof two lines\n" + TEXT
        self.assertEqual(finding.find(changed, place, *quoted), (changed.index("more"), "likely"))

    def test_wordsChangedBesideIt(self):
        place = TEXT.index("more words")
        quoted = finding.quote(TEXT, place)
        changed = "x\n" + TEXT.replace("line of it", "one").replace("last", "end")
        self.assertEqual(finding.find(changed, place, *quoted), (changed.index("more words"), "likely"))

    def test_theNearestOfTwins(self):
        twins = "intro\n" + "one two three four five six\n" * 6
        place = twins.index("three", 80)
        before, after = "one two ", "three four five six\n"
        shifted = "__" + twins
        self.assertEqual(finding.find(shifted, place, before, after).offset, place + 2)

    def test_aPlaceThatIsGoneIsUnsure(self):
        found = finding.find("nothing of that is here", 5, "Alpha beta gamma ", "delta epsilon zeta")
        self.assertEqual(found, (5, "unsure"))
        self.assertEqual(finding.find("", 9, "Alpha", "beta"), (0, "unsure"))

    def test_aLargeTextOfOneLetter(self):
        text = "a" * 300_000
        self.assertEqual(finding.find(text, 150_000, "a" * 48, "a" * 47 + "b").certainty, "likely")


class Reading(unittest.TestCase):
    def test_theTimeOfAnEarlierReadingEndsNoLaterOne(self):
        document, timers, ends = view.WriterView.__new__(view.WriterView), [], []
        document.writer = mock.Mock(reloading=None, later=lambda seconds, act: timers.append((seconds, act)))
        document.model, document.identity = mock.Mock(URL="file:///notes/plan.md", Args=[]), "1"
        document._moved = document._former = document._arrived = None
        document._replacements, document._isFaithful = 0, False
        with mock.patch.object(view, "caret"), mock.patch.object(view, "origin") as files:
            files.unreadable.return_value = None
            document.reload(lambda failure: ends.append((1, failure)))
            document.arrive(document.model)
            timers.pop()[1]()
            document.reload(lambda failure: ends.append((2, failure)))
            late = [act for seconds, act in timers if seconds == view.LONGEST]
            late[0]()
            self.assertEqual(ends, [(1, None)])
            late[1]()
            self.assertEqual(ends, [(1, None), (2, "it took too long")])


class Looking(unittest.TestCase):
    def test_itTakesATenthOfTheTimeAtMost(self):
        paced = pace.Pace()
        self.assertEqual(paced.pause, 0.1)
        for spent in (0.0, 0.005, 0.02, 0.5, 7.0):
            paced.note(spent)
            self.assertGreaterEqual(paced.pause, 0.1)
            self.assertLessEqual(spent, (paced.pause + spent) / 10 + 1e-9)
        paced.note(0.0)
        self.assertEqual(paced.pause, 0.1)


class Locks(unittest.TestCase):
    OWN = locks.Lock("", "anna", "desk", "1.1.2026 10:00", "file:///home/anna/lo")

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.document = os.path.join(self.folder.name, "plan.odt")

    def tearDown(self):
        self.folder.cleanup()

    def leave(self, text):
        with open(locks.path(self.document), "w", encoding="utf-8") as file:
            file.write(text)

    def test_thatOfAnotherComputerChangesHands(self):
        self.leave("Anna,anna,laptop,2.1.2026 11:00,file:///home/anna/lo;")
        self.assertIsNone(locks.obstacle(self.document, self.OWN))
        self.assertEqual(locks.take(self.document, self.OWN).host, "laptop")
        self.assertTrue(locks.is_same(locks.read(self.document), self.OWN))
        self.assertIsNone(locks.take(self.document, self.OWN))

    def test_thatOfThisComputerIsRespected(self):
        self.leave("Bob,bob,desk,2.1.2026 11:00,file:///home/bob/lo;")
        self.assertIn("another LibreOffice", locks.obstacle(self.document, self.OWN))
        self.assertIsNone(locks.take(self.document, self.OWN))
        self.assertEqual(locks.read(self.document).user, "bob")

    def test_ownAndNone(self):
        self.assertIsNone(locks.obstacle(self.document, self.OWN))
        self.assertIsNone(locks.take(self.document, self.OWN))
        self.assertFalse(os.path.exists(locks.path(self.document)))
        self.leave(locks.text(self.OWN))
        self.assertIsNone(locks.obstacle(self.document, self.OWN))

    def test_whatWriterHasNotWritten(self):
        self.leave("nonsense")
        self.assertIn("cannot be read", locks.obstacle(self.document, self.OWN))
        self.assertIsNone(locks.take(self.document, self.OWN))

    def test_namesWithCommas(self):
        lock = self.OWN._replace(name="Müller, Anna; \\o/")
        self.assertEqual(locks.parse(locks.text(lock)), lock)


class Origin(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "plan.odt")

    def tearDown(self):
        self.folder.cleanup()

    def package(self, generator="LibreOffice/7.4", manifest="", **more):
        with zipfile.ZipFile(self.path, "w") as package:
            package.writestr("meta.xml", META.format(generator))
            package.writestr("META-INF/manifest.xml", MANIFEST.format(manifest))
            for name, text in more.items():
                package.writestr("META-INF/" + name + ".xml", text)

    def test_whatWriterWroteIsWrittenAgain(self):
        self.package()
        self.assertIsNone(origin.obstacle(self.path))

    def test_othersAreNotUntilThePersonHasSaved(self):
        self.package(generator="MicrosoftOffice/16.0")
        self.assertIn("not written by LibreOffice", origin.obstacle(self.path))
        self.assertIsNone(origin.obstacle(self.path, isSavedHere=True))

    def test_passwordsAndSignatures(self):
        self.package(manifest="<manifest:encryption-data/>")
        self.assertIn("password", origin.obstacle(self.path, isSavedHere=True))
        self.package(documentsignatures="<x/>")
        self.assertIn("signed", origin.obstacle(self.path, isSavedHere=True))

    def test_flatFilesAndBrokenOnes(self):
        with open(self.path, "w", encoding="utf-8") as file:
            file.write("<office:document>" + META.format("LibreOffice/7.4") + "</office:document>")
        self.assertIsNone(origin.obstacle(self.path))
        with open(self.path, "wb") as file:
            file.write(b"PK\x03\x04 nothing more")
        self.assertIn("not written by LibreOffice", origin.obstacle(self.path))
        os.unlink(self.path)
        self.assertIn("cannot be read", origin.obstacle(self.path))

    def test_whatIsNoDocumentIsNotRead(self):
        def told(name, held):
            path = os.path.join(self.folder.name, name)
            with open(path, "wb") as file:
                file.write(held)
            return origin.unreadable(path)

        self.package()
        self.assertIsNone(origin.unreadable(self.path))
        self.assertIn("no document", told("a.ODT", b"\0\1\2" * 100))
        self.assertIn("no document", told("a.docx", b"PK\x03\x04 cut off"))
        self.assertIn("no text", told("a.bin", b"MZ\0\0"))
        self.assertIn("no text", told("plan.md", b"x\0"))
        for name, held in (("a.txt", "é漢\n".encode()), ("b.txt", "\ufeffé".encode("utf-16-le")), ("e.md", b""),
                           ("a.doc", b"\xd0\xcf\x11\xe0\0"), ("a.fodt", b"<?xml"), ("latin.txt", b"\xe9\xff")):
            self.assertIsNone(told(name, held), name)
        self.assertIn("No such file", origin.unreadable(self.path + ".md"))

    def test_linesAsOtherEditorsCountThem(self):
        with open(self.path, "wb") as file:
            file.write("\ufeffone\r\ntwo\x0c\u2028x\ny\r".encode())
        self.assertEqual(origin.lines(self.path), ["one", "two\x0c\u2028x", "y"])
        with open(self.path, "wb") as file:
            file.write(b"\xff\xfe")
        self.assertIsNone(origin.lines(self.path))


unittest.main()
