#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The app of docs/authors/gtk.md, as `fixtures page` has built it from the page's listings."""

import os
import subprocess
import unittest

import place  # noqa: F401
from devices import Circle
from screen import ROOT, Screen, until

APP = os.path.join(ROOT, ".build/page/pad")


class PageTests(unittest.TestCase):
    def setUp(self):
        self.circle = Circle()
        self.addCleanup(self.circle.end)
        self.screens = []
        for device in (self.circle.desktop, self.circle.laptop):
            screen = Screen(device)
            self.addCleanup(lambda screen=screen: self.assertEqual(screen.complaints(), []))
            self.addCleanup(screen.end)
            self.screens.append(screen)

    def start(self, screen, *files):
        screen.start(*files, program=os.path.join(APP, ".build/debug/pad"))

    def test_the_pages_app_hands_over_from_window_to_window(self):
        desktop, laptop = self.screens
        self.start(desktop, self.circle.desktop.write("trip.note", "one\ntwo\n"))
        desktop.awaits_window("trip.note")
        desktop.press("ctrl+End")
        desktop.type("three")
        desktop.press("Up")
        until(
            lambda: self.circle.laptop.read("trip.note") == b"one\ntwo\nthree", "the text to be carried")
        self.start(laptop)
        laptop.awaits_window("Untitled")
        laptop.awaits("Continue trip.note from desktop")
        laptop.press("ctrl+shift+Tab", "space")
        laptop.awaits_window("trip.note")
        laptop.awaits_text("one\ntwo\nthree", (2, 1))

    def test_the_pages_desktop_file_is_valid(self):
        done = subprocess.run(
            ["desktop-file-validate", os.path.join(APP, "org.example.pad.desktop")], capture_output=True,
            timeout=60)
        self.assertEqual((done.returncode, done.stdout + done.stderr), (0, b""))


if __name__ == "__main__":
    unittest.main()
