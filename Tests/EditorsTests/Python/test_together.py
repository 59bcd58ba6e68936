# SPDX-License-Identifier: MIT
"""All that is open in one Neovim, continued in another with one command (semantics 52)."""

import unittest

from devices import CircleTests
from test_recent import Neovim

NAMES = [f"part {number}.md" for number in range(10)]


class TogetherTests(CircleTests):
    def setUp(self):
        self.desktop = Neovim(self.circle.desktop, "{ open_documents = true }")
        self.addCleanup(self.desktop.end)
        self.laptop = Neovim(self.circle.laptop)
        self.addCleanup(self.laptop.end)

    def test_ten_files_come_with_one_command(self):
        for name in NAMES:
            path = self.circle.desktop.write(name, f"one\nof {name}\nthree\n")
            # At the place from the first: what is offered next may come too late for the laptop.
            self.desktop.value(f"vim.cmd('edit +3 ' .. vim.fn.fnameescape('{path}'))")
        offers = "require('continuo').state().offers"
        self.laptop.until(f"#{offers} == 1 and #({offers}[1].openedBeside or {{}}) == 9")
        self.laptop.value("vim.cmd('ContinuoResume!')")
        for name in NAMES:
            self.laptop.until(f"vim.fn.bufloaded('{self.circle.laptop.notes}/{name}') == 1")
            self.laptop.until(
                f"vim.fn.getbufline(vim.fn.bufnr('{name}'), 2)[1] == 'of {name}'")
        # The one that the person was in is at its place.
        self.laptop.until("vim.fn.line('.') == 3 and vim.fn.bufname('%'):find('part 9.md', 1, true)")


if __name__ == "__main__":
    unittest.main()
