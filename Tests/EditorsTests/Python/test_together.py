# SPDX-License-Identifier: MIT
"""All that is open in one Neovim, continued in another with one command (semantics 52)."""

import json
import subprocess
import time
import unittest

from devices import CircleTests
from test_recent import Neovim
from tmux import Terminal

NAMES = [f"part {number}.md" for number in range(10)]


class OpenTests(CircleTests):
    """A Neovim on the desktop has ten files open."""

    def setUp(self):
        self.desktop = Neovim(self.circle.desktop, "{ open_documents = true }")
        self.addCleanup(self.desktop.end)

    def open_all(self):
        for name in NAMES:
            path = self.circle.desktop.write(name, f"one\nof {name}\nthree\n")
            # At the place from the first: what is offered next may come too late for the laptop.
            self.desktop.value(f"vim.cmd('edit +3 ' .. vim.fn.fnameescape('{path}'))")


class TogetherTests(OpenTests):
    def setUp(self):
        super().setUp()
        self.laptop = Neovim(self.circle.laptop)
        self.addCleanup(self.laptop.end)

    def open_all(self):
        super().open_all()
        offers = "require('continuo').state().offers"
        self.laptop.until(f"#{offers} == 1 and #({offers}[1].openedBeside or {{}}) == 9")

    def test_ten_files_come_with_one_command(self):
        self.open_all()
        self.laptop.value("vim.cmd('ContinuoResume!')")
        self.see_all()

    def test_the_command_line_hands_all_ten_to_an_editor(self):
        self.open_all()
        command = self.circle.laptop.continuo("resume", "--all", "--json", stdout=subprocess.PIPE)
        rows = [json.loads(row) for row in command.communicate(timeout=60)[0].splitlines()]
        self.assertEqual(command.returncode, 0)
        self.assertEqual([row["offer"]["path"] for row in rows][-1], "part 9.md")
        self.assertEqual(sorted(row["offer"]["path"] for row in rows), sorted(NAMES))
        self.see_all()

    def see_all(self):
        for name in NAMES:
            self.laptop.until(f"vim.fn.bufloaded('{self.circle.laptop.notes}/{name}') == 1")
            self.laptop.until(
                f"vim.fn.getbufline(vim.fn.bufnr('{name}'), 2)[1] == 'of {name}'")
        # The one that the person was in is at its place.
        self.laptop.until("vim.fn.line('.') == 3 and vim.fn.bufname('%'):find('part 9.md', 1, true)")
        # What comes later would be said of the document in the next test, which goes on with it.
        self.desktop.until_said("part 9.md was continued on laptop")


class TerminalTests(OpenTests):
    """No app runs on the laptop: the command line becomes the editor, on its terminal."""

    def setUp(self):
        super().setUp()
        self.open_all()
        self.wait_for_all()
        self.terminal = Terminal(self.circle.laptop, "continuo resume --all", columns=80)
        self.addCleanup(self.terminal.end)

    def wait_for_all(self):
        watch = self.circle.laptop.continuo("offers", "--json", "--watch", stdout=subprocess.PIPE)
        try:
            end = time.monotonic() + 60
            while time.monotonic() < end:
                rows = json.loads(watch.stdout.readline())
                if {row["path"] for row in rows if row["arrival"] == "current"} == set(NAMES):
                    return
            raise AssertionError(f"ten offers: {rows}")
        finally:
            watch.kill()
            watch.wait()
            watch.stdout.close()

    def test_all_ten_come_and_the_one_in_front_is_shown(self):
        self.terminal.until("of part 9.md", "part 9.md  Ln 3, Col 1", "10/10")
        for number in range(1, 10):
            self.terminal.press(f"M-{number}")
            self.terminal.until(f"  {number}/10", "of part ")
        # In turn the editor offers all that is open in it.
        offers = "require('continuo').state().offers"
        self.desktop.until(f"#{offers} == 1 and #({offers}[1].openedBeside or {{}}) == 9")


if __name__ == "__main__":
    unittest.main()
