#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""`GTKFocus` in an app of its own: the activity of what has the keys is the current one."""

import os
import unittest

import place  # noqa: F401
from screen import ROOT, until
from window import WindowCase

PROBE = os.path.join(ROOT, ".build/window/debug/focus-probe")


class FocusTests(WindowCase):
    def awaits_current(self, name):
        def last():
            return self.screen.log().splitlines()[-1:]
        until(lambda: last() == [f"current: org.example.probe.{name}"], self.screen.log)

    def test_the_first_responder_is_what_has_the_keys(self):
        self.screen.start(program=PROBE)
        self.screen.awaits_window("Probe")
        # The keys are in a part of the entry, in the text itself, and in nothing that is followed.
        self.awaits_current("entry")
        self.screen.press("Tab")
        self.awaits_current("text")
        self.screen.press("ctrl+Tab")
        self.awaits_current("window")
        self.screen.press("shift+Tab")
        self.awaits_current("text")
        self.screen.press("ctrl+shift+Tab")
        self.awaits_current("entry")


if __name__ == "__main__":
    unittest.main()
