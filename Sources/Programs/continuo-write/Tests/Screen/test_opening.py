#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A large file: its window is there before its text, and nothing is lost by that."""

import glob
import json
import os
import signal
import subprocess
import unittest

import place  # noqa: F401
from gi.repository import Atspi, GLib
from screen import Item, until
from window import WindowCase

LINE = "{:07} the quick brown fox jumps over the lazy dog and goes on\n"


def lines(size):
    return "".join(LINE.format(number) for number in range(1, size // len(LINE.format(0)) + 1))


class OpeningTests(WindowCase):
    def slow(self, name, text, rate):
        """The path of a file on a disk that gives so many megabytes in a second."""
        disk, slow = (os.path.join(self.device.home, name) for name in ("disk", "slow"))
        os.mkdir(disk)
        os.mkdir(slow)
        with open(os.path.join(disk, name), "w") as file:
            file.write(text)
        mount = ["bindfs", f"--read-rate={rate}M", disk, slow]
        if subprocess.run(mount, capture_output=True).returncode:
            self.skipTest("bindfs cannot mount here")
        self.addCleanup(lambda: subprocess.run(["umount", "-l", slow], capture_output=True))
        self.disk = os.path.join(disk, name)
        return os.path.join(slow, name)

    def starts(self, path):
        """Begins the editor, whose window says at once that it is opening the file."""
        process = self.screen.start(path)
        self.screen.awaits(f"Opening {os.path.basename(path)} …")
        return process

    def is_opening(self):
        return self.screen.sees("Opening ")

    def awaits_laying(self):
        """There is a document, and not all of it in the view."""
        until(lambda: self.screen.sees("Opening ", "Ln 1, Col 1"), self.screen.texts)

    def awaits_whole(self, text):
        """The view has all of it, and nobody says any more that it is to come."""
        def has():
            view = self.screen.view()
            try:
                return view and not self.is_opening() and view.value("CharacterCount", "Text") == len(text)
            except GLib.Error:
                return False
        until(has, self.screen.texts, seconds=90)
        view = self.screen.view()
        for start in (0, len(text) // 2, len(text) - 1000):
            part = view.ask("GetText", "ii", start, start + 1000, interface="Text")
            self.assertEqual(part, text[start:start + 1000])

    def held(self):
        """What a crash would leave."""
        held = os.path.join(self.device.environment["XDG_STATE_HOME"], "continuo/autosaved/*/*/*.txt")
        return glob.glob(held)

    def test_the_window_is_there_before_the_text_and_takes_nothing(self):
        text = lines(50_000_000)
        path = self.slow("large.txt", text, 20)
        self.starts(path)
        view = until(self.screen.view, self.screen.texts)
        self.assertFalse(view.has(Atspi.StateType.EDITABLE))
        before = os.stat(self.disk)
        self.screen.type("x ")
        self.screen.press("Return", "BackSpace", "ctrl+v", "ctrl+s", "ctrl+z", "Escape")
        self.assertEqual(self.screen.titles(), ["large.txt"])
        self.assertFalse(self.screen.sees("Ln 1, Col 1"))
        self.awaits_laying()
        is_editable = Item(view.bus, view.address).has(Atspi.StateType.EDITABLE)
        if view.value("CharacterCount", "Text") == 0:
            self.assertFalse(is_editable)
        self.screen.press("ctrl+s")
        self.awaits_whole(text)
        self.assertEqual(self.screen.titles(), ["large.txt"])
        self.assertFalse(self.screen.sees("Saved"))
        self.assertEqual(os.stat(self.disk).st_ino, before.st_ino)
        self.screen.press("ctrl+z")
        self.screen.press("ctrl+s")
        self.screen.awaits("Saved large.txt")
        self.assertEqual(self.screen.titles(), ["large.txt"])
        with open(self.disk) as file:
            self.assertTrue(file.read() == text)
        self.screen.type("new ")
        self.screen.awaits_window("*large.txt")
        self.screen.press("ctrl+s")
        self.screen.awaits_window("large.txt")
        with open(self.disk) as file:
            self.assertTrue(file.read() == "new " + text)
        self.screen.press("ctrl+z", "ctrl+z")
        self.awaits_whole(text)

    def test_it_can_be_closed_meanwhile(self):
        text = lines(20_000_000)
        path = self.slow("large.txt", text, 5)
        process = self.starts(path)
        self.screen.press("ctrl+w")
        until(lambda: not self.screen.titles(), self.screen.titles, seconds=2)
        self.assertEqual(process.wait(30), 0)
        # And while its text is laid in.
        text = lines(50_000_000)
        with open(self.disk, "w") as file:
            file.write(text)
        process = self.starts(self.disk)
        self.awaits_laying()
        self.screen.press("ctrl+w")
        self.assertEqual(process.wait(30), 0)
        self.assertEqual(self.held(), [])
        with open(self.disk) as file:
            self.assertTrue(file.read() == text)
        self.screen.start()
        self.screen.awaits_window("Untitled")
        self.assertEqual(self.screen.titles(), ["Untitled"])

    def test_a_window_that_is_closed_meanwhile_leaves_no_text_in_memory(self):
        path = self.slow("large.txt", lines(50_000_000), 40)
        process = self.opened("plan.md", "one\n")
        used = []
        for _ in range(7):
            self.starts(path)
            # Looked for while the file is read: it takes long while the text is laid in.
            bar = until(self.bar, self.screen.texts)
            until(lambda: self.laid(bar) > 50, self.screen.texts)
            self.screen.press("ctrl+w")
            until(lambda: self.screen.titles() == ["plan.md"], self.screen.titles)
            used.append(self.memory(process))
        # The first ones leave room that the others use: each text that stays would take as much again.
        self.assertLess(used[-1] - used[1], 150, used)

    def bar(self):
        return next((each for each in self.screen.items() if each.name == "Continuation"), None)

    def laid(self, bar):
        """How much of a text is in the view's buffer, in percent."""
        items = self.screen.items_of([bar])
        return sum(100 * each.value("CurrentValue", "Value") for each in items if each.role == "progress bar")

    @staticmethod
    def memory(process):
        """In megabytes."""
        with open(f"/proc/{process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20

    def test_a_file_that_goes_meanwhile_is_told_in_words(self):
        path = self.slow("large.txt", lines(20_000_000), 5)
        self.opened("plan.md", "one\n")
        self.starts(path)
        os.unlink(path)
        self.screen.awaits("large.txt: ", "cannot be opened: it, or its folder, is not there")
        until(lambda: self.screen.titles() == ["plan.md"], self.screen.titles)

    def test_it_comes_back_where_the_person_was(self):
        text = lines(3_000_000)
        path = self.slow("large.txt", text, 1)
        process = self.starts(path)
        self.awaits_whole(text)
        self.screen.press("ctrl+End", "Up", "Up")
        line = text.count("\n") - 1
        self.screen.awaits(f"Ln {line}, Col 1")
        top = self.top(line, lambda top: top > line - 100)
        process.kill()
        process.wait()
        # Ended while it is read again, it is not forgotten.
        process = self.starts_again()
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(30), 0)
        self.starts_again()
        self.awaits_whole(text)
        until(lambda: self.screen.view().caret == (line, 1), lambda: self.screen.view().caret)
        self.assertEqual(self.screen.titles(), ["large.txt"])
        self.top(line, lambda found: found == top)

    def top(self, line, is_right):
        """The first line that is seen, as by keys the view tells it: GTK measures all lines first."""
        def found():
            self.screen.press("Up", "Down")
            top = self.kept(line)
            return top if is_right(top) else None
        return until(found, lambda: self.kept(line))

    def kept(self, line):
        """The first line that the next start shows, as soon as it goes to `line`."""
        windows = os.path.join(self.device.environment["XDG_STATE_HOME"], "continuo-write/windows.json")

        def top():
            with open(windows) as file:
                entry = json.load(file)["entries"][0]
            return entry["topLine"] if entry["line"] == line else None
        return until(top, lambda: line)

    def starts_again(self):
        process = self.screen.start()
        self.screen.awaits("Opening large.txt …")
        return process

    def test_an_unsaved_text_comes_back_after_a_kill(self):
        text = lines(20_000_000)
        self.device.write("large.txt", text)
        process = self.starts(self.device.path("large.txt"))
        self.awaits_whole(text)
        self.screen.type("new ")
        self.screen.awaits_window("*large.txt")
        until(lambda: any(os.path.getsize(path) > len(text) for path in self.held()), self.held)
        process.kill()
        process.wait()
        self.screen.start()
        self.screen.awaits("Opening large.txt …")
        self.awaits_whole("new " + text)
        self.assertEqual(self.screen.titles(), ["*large.txt"])
        self.assertEqual(self.device.read("large.txt").decode(), text)
        self.screen.press("ctrl+s")
        self.screen.awaits_window("large.txt")
        self.assertTrue(self.device.read("large.txt").decode() == "new " + text)


if __name__ == "__main__":
    unittest.main()
