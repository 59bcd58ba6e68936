#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The window on Wayland: keys, also for what is on no keyboard, saving, and handing over to a terminal."""

import unittest

import place  # noqa: F401
from devices import Circle
from screen import PROGRAMS, offered_places, until
from terminal import Terminal
from wayland import WaylandScreen


class WaylandTests(unittest.TestCase):
    def test_what_is_typed_is_saved_and_handed_over(self):
        circle = Circle()
        self.addCleanup(circle.end)
        desktop, laptop = circle.desktop, circle.laptop
        screen = WaylandScreen(desktop)
        self.addCleanup(lambda: self.assertEqual(screen.complaints(), []))
        self.addCleanup(screen.end)
        screen.start(desktop.path("plan.md"))
        screen.awaits_window("plan.md")
        until(lambda: not screen.sees("not connected"), "the agent")
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


if __name__ == "__main__":
    unittest.main()
