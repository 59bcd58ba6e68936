#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The window on Wayland: what a person does most, with keys, also for what is on no keyboard."""

import glob
import os
import unittest

import place  # noqa: F401
# As modules: a class by its own name would be run here once more.
import test_compare
import test_handover
import test_window
from screen import PROGRAMS, offered_places, until
from terminal import Terminal
from wayland import WaylandScreen
from window import WindowCase


class WaylandTests(unittest.TestCase):
    kind = WaylandScreen
    setUp = test_handover.HandoverTests.setUp
    shown = test_handover.HandoverTests.shown
    look_at_log = test_handover.HandoverTests.look_at_log
    opened = test_handover.HandoverTests.opened
    test_neovim_goes_on_and_hands_back = test_handover.HandoverTests.test_from_a_window_to_neovim_and_back

    def test_what_is_typed_is_saved_and_handed_over(self):
        desktop, laptop, screen = self.desktop, self.laptop, self.screen
        self.opened()
        screen.type("Hä漢😀")
        screen.press("Return", "ctrl+s")
        screen.awaits("Saved plan.md")
        screen.awaits_text("Hä漢😀\nfirst\naé😀漢\tz\nthird\n", (2, 1))
        self.assertEqual(desktop.read("plan.md").decode(), "Hä漢😀\nfirst\naé😀漢\tz\nthird\n")
        screen.press("ctrl+End")
        screen.type("four ")
        until(lambda: desktop.read("plan.md").endswith(b"third\nfour "), "saving in place")
        place = [("plan.md", 5, 6)]
        until(lambda: offered_places(laptop) == place, lambda: offered_places(laptop))
        terminal = Terminal(laptop, PROGRAMS, "--resume")
        self.addCleanup(terminal.end)
        terminal.awaits("Continued from desktop")
        terminal.awaits("Ln 5, Col 6")
        screen.awaits("continued on laptop")
        terminal.type("five")
        until(lambda: desktop.read("plan.md").endswith(b"four five"), "saving in place there")
        screen.awaits("Continue plan.md from laptop")
        screen.press("ctrl+r")
        screen.awaits("Continued from laptop")


class WaylandWindowTests(WindowCase):
    kind = WaylandScreen
    compared = test_compare.CompareTests.compared
    kept = test_compare.CompareTests.kept
    marked = test_compare.CompareTests.marked
    test_both_texts_are_shown = test_compare.CompareTests.test_parts_are_taken_saved_and_taken_back
    bytes = staticmethod(test_window.WindowTests.bytes)

    def test_what_is_in_no_file_comes_back_after_a_kill(self):
        process = self.opened("plan.md", "one\n")
        self.screen.type("unsaved ")
        self.screen.press("ctrl+n")
        self.screen.awaits_window("Untitled")
        self.screen.type("a draft")
        held = os.path.join(self.device.environment["XDG_STATE_HOME"], "continuo/autosaved/**")

        def texts():
            return b"".join(self.bytes(path) for path in glob.glob(held, recursive=True))
        until(lambda: b"a draft" in texts() and b"unsaved one" in texts(), texts)
        process.kill()
        process.wait()
        self.screen.start()
        until(lambda: self.screen.titles() == ["*Untitled", "*plan.md"], self.screen.titles)
        self.screen.awaits("Unsaved text of an earlier session is open again")
        self.assertEqual(self.device.read("plan.md"), b"one\n")


if __name__ == "__main__":
    unittest.main()
