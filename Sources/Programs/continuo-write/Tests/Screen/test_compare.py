#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Two texts of one document side by side: what is taken, what is saved, and what is never overwritten."""

import glob
import os
import unittest

import place  # noqa: F401
from screen import until
from window import WindowCase

YOURS = b"mine one\ntwo\nthree\nfour\nfive\n"
OTHER = b"one\ntwo\n3\nfour\nfive\nsix\n"


class CompareTests(WindowCase):
    def compared(self):
        """The text was typed in while another program wrote the file."""
        self.opened("plan.md", YOURS.replace(b"mine ", b""))
        self.screen.type("mine ")
        self.screen.awaits_window("*plan.md")
        self.device.write("plan.md", OTHER)
        self.screen.press("ctrl+s")
        self.screen.awaits("plan.md changed on disk", "Show Both")
        self.screen.press("alt+b")
        self.screen.awaits("Difference 1 of 3: your text stays", "The other text")

    def kept(self):
        """The texts that the state holds, by what they are called there."""
        state = self.device.environment["XDG_STATE_HOME"]
        found = glob.glob(os.path.join(state, "continuo-write/compared/*/*"))
        texts = {}
        for path in found:
            with open(path, "rb") as file:
                texts[os.path.basename(path)] = file.read()
        return texts

    def test_parts_are_taken_saved_and_taken_back(self):
        self.compared()
        kept = self.kept()
        self.assertEqual((kept["yours"], kept["other"]), (YOURS, OTHER))
        self.screen.press("F8", "ctrl+t")
        self.screen.awaits("Difference 2 of 3: the other text is taken")
        self.screen.awaits_text("mine one\ntwo\n3\nfour\nfive\n")
        self.screen.picture("both")
        # Taken back and taken again, by the button's letter.
        self.screen.press("ctrl+z")
        self.screen.awaits("Difference 2 of 3: your text stays")
        self.screen.press("alt+t")
        self.screen.awaits("Difference 2 of 3: the other text is taken")
        self.assertEqual(self.device.read("plan.md"), OTHER)
        self.screen.press("ctrl+s")
        self.screen.awaits("Saved plan.md")
        self.assertEqual(self.device.read("plan.md"), b"mine one\ntwo\n3\nfour\nfive\n")
        self.screen.awaits_window("plan.md")
        self.screen.press("ctrl+z")
        self.screen.awaits_text(YOURS.decode())
        self.screen.press("ctrl+z")
        self.screen.awaits_text(YOURS.decode().replace("mine ", ""))
        self.assertEqual(self.kept()["other"], OTHER)

    def test_a_file_that_changes_meanwhile_is_not_overwritten(self):
        self.compared()
        self.screen.press("ctrl+shift+t")
        self.screen.awaits("Difference 1 of 3: the other text is taken")
        self.device.write("plan.md", "newer\n")
        self.screen.press("ctrl+s")
        self.screen.awaits("plan.md changed on disk", "Show Both")
        self.assertEqual(self.device.read("plan.md"), b"newer\n")
        self.screen.awaits_text(OTHER.decode())
        self.screen.press("alt+b")
        self.screen.awaits("Difference 1 of 1: your text stays")
        self.screen.press("Escape")
        self.screen.awaits_text(OTHER.decode())
        self.assertEqual(self.device.read("plan.md"), b"newer\n")

    def test_who_ends_it_has_changed_nothing(self):
        self.compared()
        self.screen.press("ctrl+shift+t")
        self.screen.awaits("Difference 1 of 3: the other text is taken")
        self.screen.press("ctrl+w")
        self.screen.awaits_text(YOURS.decode())
        self.assertEqual(self.device.read("plan.md"), OTHER)
        self.assertEqual(self.kept(), {})

    def test_a_conflict_copy_is_there_until_it_is_to_be_removed(self):
        copy = "plan.sync-conflict-20261122-040000-ABCDEFG.md"
        self.device.run("folder", "add", self.device.notes)
        self.opened("plan.md", "one\ntwo\nthree\n")
        self.screen.awaits_text("one\ntwo\nthree\n")
        self.device.write(copy, "one\n2\nthree\nfour\n")
        self.screen.awaits("plan.md has a conflict copy")
        self.screen.press("ctrl+d")
        self.screen.awaits(copy, "Later")
        self.screen.press("F6", "Return")
        self.screen.awaits("Difference 1 of 2: your text stays")
        self.screen.press("ctrl+t")
        self.screen.awaits("Difference 1 of 2: the other text is taken")
        self.assertEqual(self.device.read("plan.md"), b"one\ntwo\nthree\n")
        self.screen.press("ctrl+s")
        self.screen.awaits(f"Its conflict copy {copy} is still there", "Remove Copy")
        self.assertEqual(self.device.read("plan.md"), b"one\n2\nthree\n")
        self.assertEqual(self.device.read(copy), b"one\n2\nthree\nfour\n")
        self.screen.press("alt+r")
        until(lambda: not os.path.exists(self.device.path(copy)), self.screen.texts)
        self.assertEqual(self.device.read("plan.md"), b"one\n2\nthree\n")

    def test_without_git_it_says_what_to_install(self):
        empty = os.path.join(self.device.home, "empty")
        os.makedirs(empty)
        for name in ("continuo", "continuo-watch", "continuo-lan"):
            os.symlink(os.path.join(self.programs, name), os.path.join(empty, name))
        path = self.device.environment["PATH"]
        self.device.environment["PATH"] = empty
        self.opened("plan.md", "one\n")
        self.device.environment["PATH"] = path
        self.screen.type("mine ")
        self.screen.awaits_window("*plan.md")
        self.device.write("plan.md", "theirs\n")
        self.screen.press("ctrl+s")
        self.screen.awaits("Show Both")
        self.screen.press("alt+b")
        self.screen.awaits("git is needed, and it is not installed: install it, on Debian with sudo apt")
        self.assertEqual(self.device.read("plan.md"), b"theirs\n")
        self.screen.awaits_text("mine one\n")

    def test_a_kill_loses_neither_text(self):
        self.compared()
        self.screen.press("ctrl+t")
        self.screen.awaits("Difference 1 of 3: the other text is taken")
        self.process.kill()
        self.process.wait()
        self.assertEqual(self.device.read("plan.md"), OTHER)
        self.screen.start()
        self.screen.awaits_window("*plan.md")
        self.screen.awaits_text(YOURS.decode())
        self.assertEqual(self.kept()["yours"], YOURS)


if __name__ == "__main__":
    unittest.main()
