#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Two texts of one document side by side: what is taken, what is saved, and what is never overwritten."""

import glob
import os
import time
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

    def marked(self, name):
        """The marked lines of a text whose first one is: every other piece of what looks alike."""
        view = next(each for each in self.screen.items() if each.name == name)
        text, found, plain, offset = view.text, [], True, 0
        while offset < len(text):
            start, end = view.run(offset)
            plain = not plain
            if not plain:
                found.append(text[start:end])
            offset = max(end, offset + 1)
        return found

    def test_parts_are_taken_saved_and_taken_back(self):
        self.compared()
        kept = self.kept()
        self.assertEqual((kept["yours"], kept["other"]), (YOURS, OTHER))
        self.screen.press("F8", "ctrl+t")
        self.screen.awaits("Difference 2 of 3: the other text is taken")
        self.screen.awaits_text("mine one\ntwo\n3\nfour\nfive\n")
        self.assertEqual(self.marked("Your text with what you take"), ["mine one\n", "3\n"])
        self.assertEqual(self.marked("The other text"), ["one\n", "3\n", "six\n"])
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

    def test_both_texts_have_the_colors_of_the_desktop(self):
        self.sets("color-scheme", "default")
        self.compared()
        for scheme, is_dark in (("prefer-dark", True), ("default", False)):
            self.sets("color-scheme", scheme)
            for name in ("Your text with what you take", "The other text"):
                view = next(each for each in self.screen.items() if each.name == name)
                until(lambda view=view: self.is_dark(view) == is_dark, lambda view=view: view.style)

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

    def compared_with_copy(self):
        """The conflict copy that a sync engine has laid beside the document, by its name."""
        copy = "plan.sync-conflict-20261122-040000-ABCDEFG.md"
        self.device.run("folder", "add", self.device.notes)
        self.opened("plan.md", "one\ntwo\n")
        self.screen.awaits_text("one\ntwo\n")
        self.device.write(copy, "one\n2\n")
        self.screen.awaits("plan.md has a conflict copy")
        self.screen.press("ctrl+d")
        self.screen.awaits(copy, "Later")
        self.screen.press("F6", "Return")
        self.screen.awaits("Difference 1 of 1: your text stays")
        return copy

    def test_a_file_that_was_told_to_be_deleted_is_saved_even_where_nothing_is_taken(self):
        copy = self.compared_with_copy()
        os.unlink(self.device.path("plan.md"))
        self.screen.awaits("plan.md was deleted on disk; Ctrl-S writes it again", "Difference 1 of 1")
        self.screen.press("ctrl+s")
        self.screen.awaits("is saved. Its conflict copy", "Remove Copy")
        self.assertEqual(self.device.read("plan.md"), b"one\ntwo\n")
        self.assertEqual(self.device.read(copy), b"one\n2\n")

    def test_a_text_that_vanishes_is_told_of_and_what_is_taken_is_written_then(self):
        self.compared()
        # From now on the folder is watched, and what becomes of the file is told.
        self.device.run("folder", "add", self.device.notes)
        self.screen.press("F8", "ctrl+t")
        self.screen.awaits("Difference 2 of 3: the other text is taken")
        until(lambda: not self.screen.sees("not synced"), self.screen.texts)
        os.unlink(self.device.path("plan.md"))
        self.screen.awaits("plan.md was deleted on disk; Ctrl-S writes it again", "Difference 2 of 3")
        self.assertFalse(os.path.exists(self.device.path("plan.md")))
        self.screen.press("ctrl+s")
        self.screen.awaits("Saved plan.md")
        self.assertEqual(self.device.read("plan.md"), b"mine one\ntwo\n3\nfour\nfive\n")

    def test_save_as_takes_what_is_chosen_along_and_asks_nothing_about_the_other_documents_copy(self):
        copy = self.compared_with_copy()
        self.screen.press("ctrl+t")
        self.screen.awaits("Difference 1 of 1: the other text is taken")
        self.screen.press("ctrl+shift+s")
        self.screen.awaits_window("Save As")
        self.screen.press("ctrl+a")
        self.screen.type(self.device.path("new.md"))
        self.screen.press("Return")
        self.screen.awaits_window("new.md")
        self.screen.awaits("Saved new.md")
        for word in ("Difference", "Remove Copy"):
            self.assertFalse(self.screen.sees(word), self.screen.texts())
        self.screen.awaits_text("one\n2\n")
        self.assertEqual(self.device.read("new.md"), b"one\n2\n")
        self.assertEqual(self.device.read("plan.md"), b"one\ntwo\n")
        self.assertEqual(self.device.read(copy), b"one\n2\n")

    def test_a_file_that_is_deleted_meanwhile_is_written_again_on_purpose_only(self):
        self.compared()
        self.screen.press("F8", "ctrl+t")
        self.screen.awaits("Difference 2 of 3: the other text is taken")
        os.unlink(self.device.path("plan.md"))
        self.screen.press("ctrl+s")
        self.screen.awaits("Not saved", "was deleted meanwhile; save once more to write it again")
        self.assertFalse(os.path.exists(self.device.path("plan.md")))
        self.screen.awaits_text("mine one\ntwo\n3\nfour\nfive\n")
        self.assertEqual((self.kept()["yours"], self.kept()["other"]), (YOURS, OTHER))
        self.screen.press("ctrl+s")
        self.screen.awaits("Saved plan.md")
        self.assertEqual(self.device.read("plan.md"), b"mine one\ntwo\n3\nfour\nfive\n")

    def test_texts_of_a_month_ago_go_with_the_next_start(self):
        state = os.path.join(self.device.environment["XDG_STATE_HOME"], "continuo-write/compared")
        for name, days in (("texts-old", 31), ("texts-new", 29)):
            folder = os.path.join(state, name)
            os.makedirs(folder)
            with open(os.path.join(folder, "yours"), "wb") as file:
                file.write(b"kept")
            then = time.time() - days * 24 * 3600
            os.utime(folder, (then, then))
        self.opened("plan.md", "one\n")
        until(lambda: os.listdir(state) == ["texts-new"], lambda: os.listdir(state))
        self.assertEqual(self.kept(), {"yours": b"kept"})

    def test_both_texts_outlast_a_power_cut_with_the_folders_that_they_lie_in(self):
        log = os.path.join(self.device.home, "calls")
        self.screen.wrapper = ["strace", "-f", "-y", "-e", "trace=fsync", "-o", log]
        self.compared()
        with open(log) as file:
            synced = {line.split("<", 1)[1].split(">")[0] for line in file if " fsync(" in line}
        state = self.device.environment["XDG_STATE_HOME"]
        texts = glob.glob(os.path.join(state, "continuo-write/compared/*"))
        self.assertEqual(len(texts), 1)
        for path in (state, os.path.dirname(state), os.path.join(state, "continuo-write"),
                     os.path.join(state, "continuo-write/compared"), *texts, *glob.glob(texts[0] + "/*")):
            self.assertIn(os.path.realpath(path), synced)

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
