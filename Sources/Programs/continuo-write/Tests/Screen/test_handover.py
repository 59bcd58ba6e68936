#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""From a window to other editors and back, with real agents, files, keys, and what a screen reader hears."""

import json
import os
import shutil
import unittest

import place  # noqa: F401
from devices import Circle
from neovim import Neovim
from screen import PROGRAMS, Screen, offered_beside, offered_places, until
from terminal import Terminal


class HandoverTests(unittest.TestCase):
    kind = Screen

    def setUp(self):
        self.circle = Circle()
        self.addCleanup(self.circle.end)
        self.desktop, self.laptop = self.circle.desktop, self.circle.laptop
        self.screen = self.shown(self.desktop)

    def shown(self, device):
        screen = self.kind(device)
        self.addCleanup(self.look_at_log, screen)
        self.addCleanup(screen.end)
        return screen

    def look_at_log(self, screen):
        self.assertEqual(screen.complaints(), [])

    def opened(self, screen=None):
        screen = screen or self.screen
        screen.start(screen.device.path("plan.md"))
        screen.awaits_window("plan.md")
        until(lambda: not screen.sees("not connected"), "the agent")

    def left_in_a_terminal(self):
        """The engine stands still, and what is saved on the laptop stays there."""
        self.circle.is_carrying = False
        terminal = Terminal(self.laptop, PROGRAMS, self.laptop.path("plan.md"))
        self.addCleanup(terminal.end)
        terminal.type("new ")
        until(lambda: self.laptop.read("plan.md").startswith(b"new "), "saving there")

    def awaits_its_record(self, *why):
        """The engine brings the record alone, of a version that is not here for that reason."""
        def comes():
            shutil.copytree(
                os.path.join(self.laptop.notes, ".continuo"), os.path.join(self.desktop.notes, ".continuo"),
                dirs_exist_ok=True)
            return self.screen.sees("Continue plan.md from laptop", *why)
        until(comes, lambda: f"the offer; {self.screen.texts()}")

    def test_from_a_window_to_a_terminal_and_back(self):
        self.opened()
        self.screen.press("ctrl+End")
        self.screen.type("four ")
        until(lambda: self.desktop.read("plan.md").endswith(b"four "), "saving in place")
        until(lambda: offered_places(self.laptop) == [("plan.md", 4, 6)], lambda: offered_places(self.laptop))
        terminal = Terminal(self.laptop, PROGRAMS, "--resume")
        self.addCleanup(terminal.end)
        terminal.awaits("Continued from desktop")
        terminal.awaits("Ln 4, Col 6")
        self.screen.awaits("continued on laptop")
        terminal.type("five\x1bOA\x1bOH")
        until(lambda: self.desktop.read("plan.md").endswith(b"four five"), "saving in place there")
        self.screen.awaits("Continue plan.md from laptop", "Left there at", "Continue Here", "Hide")
        self.looks_at_bar("Continuation", "Continue plan.md from laptop", "Continue Here", "Hide")
        until(
            lambda: offered_places(self.desktop) == [("plan.md", 3, 1)], lambda: offered_places(self.desktop))
        self.screen.picture("offered")
        text = "first\naé😀漢\tz\nthird\nfour five"
        self.screen.awaits_text(text)
        view, line = self.screen.view(), (text.index("third"), text.index("four"))
        self.assertNotEqual(view.run(line[0]), line)
        self.screen.press("ctrl+r")
        # The line is marked for a moment.
        until(lambda: view.run(line[0]) == line, lambda: view.run(line[0]))
        self.screen.awaits("Continued from laptop")
        self.screen.picture("continued")
        self.screen.awaits_text(text, (3, 1))
        until(lambda: view.run(line[0]) != line, lambda: view.run(line[0]))

    def looks_at_bar(self, name, *names):
        """A screen reader reads it when it changes, and has these very names of what is in it."""
        bar = next(each for each in self.screen.items() if each.name == name)
        self.assertEqual(bar.role, "status bar")
        shown = self.screen.texts(bar.all())
        for each in names:
            self.assertIn(each, shown)

    def test_all_that_is_open_there_comes_with_one_button(self):
        names = ("a.md", "b.md")
        for name in names:
            self.laptop.write(name, f"text of {name}\n")
            until(lambda: self.exists(name), "the file")
        self.opened()
        paths = [self.laptop.path(name) for name in (*names, "plan.md")]
        neovim = Neovim(self.laptop, "-p", *paths, "-c", "tablast", options="open_documents = true")
        self.addCleanup(neovim.end)
        self.screen.awaits("Continue plan.md from laptop", "Continue All 3")
        self.looks_at_bar("Continuation", "Continue All 3")
        self.screen.press("F2")
        until(lambda: set(names) <= set(self.screen.titles()), lambda: f"all among {self.screen.titles()}")
        # The one that the person was in ends in front.
        self.screen.awaits_window("plan.md")
        self.screen.awaits("Continued from laptop")
        for name in names:
            self.screen.focus(name)
            self.screen.awaits_window(name)
            self.screen.awaits_text(f"text of {name}\n")
        # In turn the windows are offered, those beside the one in front with it.
        neovim.awaits("luaeval('#((require(\"continuo\").state().offers[1] or {}).openedBeside or {})')", "2")

    def test_what_was_continued_is_found_again_with_a_key(self):
        self.desktop.run("set", "search.keep-handed-over", "true")
        self.opened()
        terminal = Terminal(self.laptop, PROGRAMS, self.laptop.path("plan.md"))
        self.addCleanup(terminal.end)
        terminal.type("new ")
        self.screen.awaits("Continue plan.md from laptop")
        self.screen.press("ctrl+r")
        self.screen.awaits("Continued from laptop")
        until(lambda: json.loads(self.desktop.run("recent", "--json")), "what is kept")
        self.screen.press("F4")
        self.screen.awaits("Kept on your devices", self.desktop.path("plan.md"))
        self.looks_at_bar("Continuation", "Kept on your devices", "plan.md", "Later")
        self.screen.press("F6")
        self.screen.press("Return")
        until(
            lambda: self.screen.sees("Handed over to") or self.screen.sees("Continued from desktop"),
            lambda: f"what came of it; {self.screen.texts()}")

    def test_a_large_text_is_continued_where_it_was_left(self):
        lines = "".join(f"line {number} of a text that takes its time\n" for number in range(1, 50_001))
        self.laptop.write("large.md", lines)
        until(lambda: self.exists("large.md"), "the file")
        self.opened()
        terminal = Terminal(self.laptop, PROGRAMS, self.laptop.path("large.md"))
        self.addCleanup(terminal.end)
        terminal.type("\x1b[1;5Fend\x1bOA")
        self.screen.awaits("Continue large.md from laptop")
        until(
            lambda: ("large.md", 50000, 4) in offered_places(self.desktop),
            lambda: offered_places(self.desktop))
        self.screen.press("ctrl+r")
        self.screen.awaits("Continued from laptop", "Ln 50000, Col 4")
        self.screen.awaits_window("large.md")
        until(
            lambda: not self.screen.sees("Opening ") and self.screen.view().caret == (50000, 4),
            lambda: self.screen.view().caret)
        self.screen.type("x")
        until(
            lambda: self.desktop.read("large.md").endswith(b"linxe 50000 of a text that takes its time\nend"),
            lambda: self.desktop.read("large.md")[-200:])

    def exists(self, name):
        return os.path.exists(self.desktop.path(name))

    def test_from_a_window_to_neovim_and_back(self):
        self.opened()
        self.screen.press("ctrl+End")
        self.screen.type("four ")
        until(lambda: self.desktop.read("plan.md").endswith(b"four "), "saving in place")
        until(lambda: offered_places(self.laptop) == [("plan.md", 4, 6)], lambda: offered_places(self.laptop))
        neovim = Neovim(self.laptop, self.laptop.path("plan.md"))
        self.addCleanup(neovim.end)
        line = "v:lua.require'continuo'.statusline()"
        until(
            lambda: "desktop" in (neovim.value(line) or ""), lambda: f"the offer there: {neovim.value(line)}")
        neovim.press(":ContinuoResume<CR>")
        # At the end of the line: in normal mode Neovim's cursor is on the last character.
        neovim.awaits("join(getpos('.')[1:2], ',')", "4,5")
        self.screen.awaits("continued on laptop")
        neovim.press("Afive<Esc>:write<CR>gg0")
        until(lambda: self.desktop.read("plan.md").endswith(b"four five\n"), "saving there")
        self.screen.awaits("Continue plan.md from laptop", "Continue Here")
        until(
            lambda: offered_places(self.desktop) == [("plan.md", 1, 1)], lambda: offered_places(self.desktop))
        self.screen.press("ctrl+r")
        self.screen.awaits("Continued from laptop")
        self.screen.awaits_text("first\naé😀漢\tz\nthird\nfour five\n", (1, 1))

    def test_a_wait_tells_why_and_can_be_ended_by_keys(self):
        self.left_in_a_terminal()
        self.opened()
        why = "An older version of plan.md is here; the version from laptop is still on its way"
        self.awaits_its_record("Left there at", why)
        # By keys alone: to the bar, and its first button.
        self.screen.press("F6", "Return")
        self.screen.awaits("Waiting for plan.md", why, "More Choices", "Cancel")
        self.looks_at_bar("Continuation", "Waiting for plan.md", "More Choices", "Cancel")
        self.screen.picture("waiting")
        self.screen.press("alt+e")
        until(lambda: not self.screen.sees("Waiting for plan.md"), "the end of the wait")
        self.screen.press("ctrl+r")
        self.screen.awaits("Waiting for plan.md")
        self.circle.is_carrying = True
        self.screen.awaits("Continued from laptop")
        self.screen.awaits_text("new first\naé😀漢\tz\nthird\n", (1, 5))

    def test_a_wait_shows_how_much_has_come(self):
        text = b"line\n" * 400_000
        self.laptop.write("plan.md", text)
        until(lambda: self.desktop.read("plan.md") == text, "the file")
        self.opened()
        self.left_in_a_terminal()
        self.awaits_its_record("An older version of plan.md is here")
        self.screen.press("ctrl+r")
        self.screen.awaits("Waiting for plan.md")
        self.assertEqual(self.shares(), [])
        # An engine brings the file piece by piece.
        whole, coming = self.laptop.read("plan.md"), self.desktop.path(".syncthing.plan.md.tmp")
        for percent in (25, 75):
            with open(coming, "wb") as file:
                file.write(whole[:len(whole) * percent // 100 + 1])
            self.screen.awaits(f"{percent} % of ")
            until(lambda: self.shares() == [percent], self.shares)
        os.unlink(coming)
        self.circle.is_carrying = True
        self.screen.awaits("Continued from laptop", "Ln 1, Col 5")

    def shares(self):
        """What the bars of progress show, in percent."""
        bars = [each for each in self.screen.items() if each.name == "How much is here"]
        return [round(100 * each.value("CurrentValue", "Value")) for each in bars]

    def test_a_diverged_wait_leads_to_both_texts(self):
        self.left_in_a_terminal()
        self.desktop.write("plan.md", "own first\naé😀漢\tz\nthird\n")
        self.opened()
        copy = "plan.sync-conflict-20261122-040000-ABCDEFG.md"
        # The engine lays the other text beside the one that was written here.
        self.desktop.write(copy, self.laptop.read("plan.md"))
        self.awaits_its_record()
        self.screen.press("ctrl+r")
        self.screen.awaits("plan.md diverged", copy, "Open Read-Only")
        self.screen.press("F6", "Return")
        self.screen.awaits("Difference 1 of 1: your text stays", f"The other: {copy}")
        self.screen.press("ctrl+t")
        self.screen.awaits("Difference 1 of 1: the other text is taken")
        self.screen.press("ctrl+s")
        until(lambda: self.desktop.read("plan.md").startswith(b"new first"), self.screen.texts)
        self.assertTrue(os.path.exists(self.desktop.path(copy)))

    def test_the_window_that_has_the_focus_is_what_is_offered(self):
        self.desktop.write("other.md", "other\n")
        self.opened()
        self.screen.start(self.desktop.path("other.md"))
        self.screen.awaits_window("other.md")
        self.assertEqual(self.screen.titles(), ["other.md", "plan.md"])
        until(lambda: offered_places(self.laptop) == [("other.md", 1, 1)], "the offer of the front window")
        self.screen.focus("plan.md")
        until(lambda: offered_places(self.laptop) == [("plan.md", 1, 1)], "the offer of the other one")
        until(lambda: offered_beside(self.laptop) == ["other.md"], "the other one beside it")

    def test_what_was_hidden_stays_hidden_and_the_continued_text_gets_a_window(self):
        self.opened()
        terminal = Terminal(self.laptop, PROGRAMS, self.laptop.path("list.md"))
        self.addCleanup(terminal.end)
        terminal.type("milk\r")
        self.screen.awaits("Continue list.md from laptop")
        self.screen.press("Escape")
        until(lambda: not self.screen.sees("Continue list.md"), "hiding")
        terminal.type("bread\r")
        self.screen.awaits("Continue list.md from laptop")
        until(lambda: os.path.exists(self.desktop.path("list.md"))
              and self.desktop.read("list.md") == b"milk\nbread\n", "the file")
        self.screen.press("ctrl+r")
        self.screen.awaits_window("list.md")
        self.screen.awaits_text("milk\nbread\n", (3, 1))
        self.assertEqual(self.screen.titles(), ["list.md", "plan.md"])

    def test_a_text_that_no_file_has_goes_from_window_to_terminal(self):
        self.circle.link()
        self.screen.start()
        self.screen.awaits_window("Untitled")
        self.screen.type("no file yet")
        until(lambda: json.loads(self.laptop.run("offers", "--json")), "the offer of the draft")
        terminal = Terminal(self.laptop, PROGRAMS, "--resume")
        self.addCleanup(terminal.end)
        terminal.awaits("Continued from desktop")
        terminal.awaits("no file yet")
        self.screen.awaits("continued on laptop")


if __name__ == "__main__":
    unittest.main()
