#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""One device: windows, keys, dialogs, files, and what becomes of texts when things go wrong."""

import glob
import json
import os
import signal
import subprocess
import time
import unittest

import place  # noqa: F401
from screen import PROGRAM, until
from window import WindowCase


class WindowTests(WindowCase):
    def test_what_is_typed_is_saved_and_line_ends_stay(self):
        self.opened("plan.md", "one\r\ntwo\r\n")
        self.screen.type("H")
        self.screen.enter("ä")
        self.screen.type("llo")
        self.screen.press("Return")
        self.screen.enter("漢")
        self.screen.awaits_text("Hällo\n漢one\ntwo\n", (2, 2))
        self.screen.press("ctrl+s")
        self.screen.awaits_window("plan.md")
        self.screen.awaits("Saved plan.md")
        self.assertEqual(self.device.read("plan.md").decode(), "Hällo\r\n漢one\r\ntwo\r\n")

    def test_undo_takes_back_words_and_survives_a_file_that_was_changed(self):
        self.device.run("folder", "add", self.device.notes)
        self.opened("plan.md", "one\ntwo\n")
        self.screen.type("my ")
        self.screen.press("ctrl+s")
        self.screen.awaits("Saved plan.md")
        self.device.write("plan.md", "my one\ntwo\nthree\n")
        self.screen.awaits_text("my one\ntwo\nthree\n")
        self.screen.awaits("its new text is shown")
        self.screen.press("ctrl+z")
        self.screen.awaits_text("my one\ntwo\n")
        self.screen.press("ctrl+z")
        self.screen.awaits_text("one\ntwo\n", (1, 1))
        self.screen.press("ctrl+y", "ctrl+shift+z")
        self.screen.awaits_text("my one\ntwo\nthree\n")

    def test_typing_over_a_selection_is_one_step(self):
        self.opened("plan.md", "one two\n")
        self.screen.press("ctrl+a")
        self.screen.type("x")
        self.screen.awaits_text("x")
        self.screen.press("ctrl+z")
        self.screen.awaits_text("one two\n")
        self.screen.press("End", "BackSpace", "BackSpace")
        self.screen.awaits_text("one t\n")

    def test_two_texts_are_decided_about_by_keys_and_both_are_kept(self):
        self.opened("plan.md", "one\n")
        self.screen.type("mine ")
        self.screen.awaits_window("*plan.md")
        self.device.write("plan.md", "theirs\n")
        self.screen.press("ctrl+s")
        self.screen.awaits("plan.md changed on disk", "Keep Yours", "Load Theirs", "Later")
        self.screen.picture("changed")
        self.screen.press("alt+k")
        self.screen.awaits("theirs is kept in plan.md~theirs")
        self.assertEqual(self.device.read("plan.md"), b"mine one\n")
        self.assertEqual(self.device.read("plan.md~theirs"), b"theirs\n")
        self.screen.type("more ")
        self.screen.awaits_window("*plan.md")
        self.device.write("plan.md", "again\n")
        self.screen.press("ctrl+s")
        self.screen.awaits("Load Theirs")
        self.screen.press("alt+l")
        self.screen.awaits_text("again\n")
        self.assertEqual(self.device.read("plan.md~mine"), b"mine more one\n")

    def test_closing_asks_about_what_no_file_holds(self):
        process = self.screen.start()
        self.screen.awaits_window("Untitled")
        self.screen.type("draft")
        self.screen.press("ctrl+w")
        self.screen.awaits("Save changes to Untitled before closing?", "Discard", "Cancel", "Save")
        self.screen.picture("closing")
        self.screen.press("Escape")
        self.screen.awaits_window("*Untitled")
        self.screen.press("ctrl+w")
        self.screen.awaits("Save changes to Untitled before closing?")
        self.screen.press("alt+s")
        self.screen.awaits_window("Save As")
        self.screen.press("ctrl+a")
        self.screen.type(self.device.path("kept.txt"))
        self.screen.press("Return")
        self.assertEqual(process.wait(30), 0)
        self.assertEqual(self.device.read("kept.txt"), b"draft")

    def test_a_text_that_was_given_up_is_not_opened_again(self):
        process = self.screen.start()
        self.screen.awaits_window("Untitled")
        self.screen.type("draft")
        self.screen.press("ctrl+q")
        self.screen.awaits("Save changes to Untitled before closing?")
        self.screen.press("alt+d")
        self.assertEqual(process.wait(30), 0)
        self.screen.start()
        self.screen.awaits_window("Untitled")
        self.screen.awaits_text("")

    def test_a_file_is_opened_by_a_dialog_and_shown_among_the_recent(self):
        self.device.write("a_plan.md", "one\n")
        self.screen.start()
        self.screen.awaits_window("Untitled")
        self.screen.press("ctrl+o")
        self.screen.awaits_window("Open")
        self.screen.type(self.device.path("a_plan.md"))
        self.screen.awaits_entry(self.device.path("a_plan.md"))
        self.screen.press("Return")
        self.screen.awaits_window("a_plan.md")
        until(lambda: self.screen.titles() == ["a_plan.md"], self.screen.titles)
        self.screen.press("ctrl+q")
        until(lambda: not self.screen.titles(), self.screen.titles)
        # The next start knows it, too.
        self.opened("other.md", "two\n")
        # A pointer above the menu would choose in it.
        self.screen.xdotool("mousemove", "0", "0")
        self.screen.press("F10", "Down", "Down", "Right")
        until(lambda: self.recent() == ["other.md", "a_plan.md"], self.recent)
        self.screen.press("Down", "Down", "Return")
        self.screen.awaits_window("a_plan.md")
        self.screen.awaits_text("one\n")
        self.assertEqual(self.screen.titles(), ["a_plan.md", "other.md"])

    def recent(self):
        """The files that the open menu names."""
        return [each.name for each in self.screen.items()
                if each.role == "menu item" and each.name.endswith(".md")]

    def test_a_text_gets_its_file_and_another_one_by_a_dialog(self):
        self.device.write("old.txt", "old")
        self.screen.start()
        self.screen.awaits_window("Untitled")
        self.screen.type("text")
        self.screen.press("ctrl+s")
        self.screen.awaits_window("Save As")
        self.name_file("new.txt")
        self.screen.awaits_window("new.txt")
        self.assertEqual(self.device.read("new.txt"), b"text")
        self.screen.type(" more")
        self.screen.press("ctrl+s")
        self.screen.awaits("Saved new.txt")
        self.assertEqual(self.device.read("new.txt"), b"text more")
        # What is there is replaced only where the person says so.
        self.screen.press("ctrl+shift+s")
        self.screen.awaits_window("Save As")
        self.name_file("old.txt")
        self.screen.awaits("already exists", "Replace")
        self.assertEqual(self.device.read("old.txt"), b"old")
        self.screen.press("alt+r")
        self.screen.awaits_window("old.txt")
        self.assertEqual(self.device.read("old.txt"), b"text more")
        self.screen.type("!")
        self.screen.press("ctrl+s")
        self.screen.awaits("Saved old.txt")
        self.assertEqual(self.device.read("old.txt"), b"text more!")
        self.assertEqual(self.device.read("new.txt"), b"text more")

    def name_file(self, name):
        self.screen.press("ctrl+a")
        self.screen.type(self.device.path(name))
        self.screen.press("Return")

    def test_all_windows_come_back_after_a_kill(self):
        lines = "".join(f"line {number}\n" for number in range(1, 201))
        process = self.opened("long.md", lines)
        self.screen.press("ctrl+End", "Up", "Up")
        self.screen.awaits("Ln 199, Col 1")
        self.device.write("other.md", "other\n")
        self.screen.start(self.device.path("other.md"))
        self.screen.awaits_window("other.md")
        self.screen.type("unsaved ")
        self.screen.press("ctrl+n")
        self.screen.awaits_window("Untitled")
        self.screen.type("a draft")
        held = os.path.join(self.device.environment["XDG_STATE_HOME"], "continuo/autosaved/**")
        windows = os.path.join(self.device.environment["XDG_STATE_HOME"], "continuo-write/windows.json")

        def texts():
            return b"".join(self.bytes(path) for path in glob.glob(held, recursive=True))
        until(lambda: b"a draft" in texts() and b"unsaved other" in texts(), texts)
        until(lambda: b'"line" : 199' in self.bytes(windows), lambda: self.bytes(windows))
        top = self.first_line(windows)
        self.assertGreater(top, 150)
        process.kill()
        process.wait()
        self.screen.start()
        until(lambda: self.screen.titles() == ["*Untitled", "*other.md", "long.md"], self.screen.titles)
        self.screen.awaits("Unsaved text of an earlier session is open again")
        self.screen.focus("long.md")
        self.screen.awaits_text(lines, (199, 1))
        self.screen.picture("restored")
        # By a key the view tells where it really is.
        self.screen.press("Up")
        until(lambda: b'"line" : 198' in self.bytes(windows), lambda: self.bytes(windows))
        self.assertEqual(self.first_line(windows), top)
        self.assertEqual(self.device.read("other.md"), b"other\n")

    def first_line(self, windows):
        entries = json.loads(self.bytes(windows))["entries"]
        return next(each["topLine"] for each in entries if each["url"].endswith("/long.md"))

    @staticmethod
    def bytes(path):
        try:
            with open(path, "rb") as file:
                return file.read()
        except OSError:
            return b""

    def test_who_is_told_to_end_saves_and_comes_back(self):
        process = self.opened("plan.md", "one\n")
        self.screen.type("two ")
        self.screen.awaits_window("*plan.md")
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(30), 0)
        self.assertEqual(self.device.read("plan.md"), b"two one\n")
        self.screen.start()
        self.screen.awaits_window("plan.md")
        self.screen.awaits_text("two one\n", (1, 5))

    def test_a_second_program_hands_its_files_to_the_first(self):
        first = self.opened("plan.md", "one\n")
        self.device.write("other.md", "two\n")
        second = self.screen.start(self.device.path("other.md"), self.device.path("plan.md"))
        self.assertEqual(second.wait(30), 0)
        until(lambda: self.screen.titles() == ["other.md", "plan.md"], self.screen.titles)
        self.assertIsNone(first.poll())

    def test_files_that_no_editor_opens_are_refused_with_a_sentence(self):
        with open(self.device.path("huge.txt"), "wb") as file:
            for _ in range(100):
                file.write(b"x" * 1_000_000)
        with open(self.device.path("line.txt"), "wb") as file:
            file.write(b"x" * 64_000_000)
        self.device.write("binary.dat", b"ELF\0\1\2")
        self.opened("plan.md", "one\n")
        begun = time.monotonic()
        self.screen.start(self.device.path("huge.txt"))
        self.screen.awaits("huge.txt is larger than 64 MB, the most this editor opens")
        self.assertLess(time.monotonic() - begun, 2)
        begun = time.monotonic()
        self.screen.start(self.device.path("line.txt"))
        self.screen.awaits("line.txt: this file has a line of more than 512 KB, which is shown here only")
        self.assertLess(time.monotonic() - begun, 2)
        self.screen.start(self.device.path("binary.dat"))
        self.screen.awaits("binary.dat: this file is a binary file, not text")
        self.screen.start(self.device.notes)
        self.screen.awaits("is a folder: name a file in it")
        self.assertEqual(self.screen.titles(), ["plan.md"])

    def test_two_long_lines_do_not_become_one(self):
        line = "word " * 60_000
        self.opened("lines.txt", f"{line}\n{line}\n")
        self.screen.press("ctrl+Home", "Down", "Home")
        self.screen.awaits("Ln 2, Col 1")
        self.screen.press("BackSpace")
        self.screen.awaits("its window 512 KB in one line")
        self.screen.type("x")
        self.screen.press("ctrl+s")
        self.screen.awaits("Saved lines.txt")
        self.assertEqual(self.device.read("lines.txt").decode(), f"{line}\nx{line}\n")

    def test_a_folder_that_goes_while_somebody_types_costs_no_text(self):
        self.opened("plan.md", "one\n")
        self.screen.type("two ")
        self.screen.awaits_window("*plan.md")
        os.rename(self.device.notes, self.device.notes + ".away")
        self.screen.type("three ")
        self.screen.press("ctrl+s")
        self.screen.awaits("Not saved", "bring it back")
        self.screen.awaits_text("two three one\n")
        os.rename(self.device.notes + ".away", self.device.notes)
        self.screen.press("ctrl+s")
        self.screen.awaits("Saved plan.md")
        self.assertEqual(self.device.read("plan.md"), b"two three one\n")

    def test_a_disk_that_is_unmounted_while_somebody_types_costs_no_text(self):
        notes, disk = self.device.notes, os.path.join(self.device.home, "disk")
        os.mkdir(disk)
        mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "none", disk]
        if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode:
            self.skipTest("only root mounts a disk")
        self.addCleanup(lambda: subprocess.run(["umount", "-l", disk], capture_output=True))
        self.addCleanup(lambda: subprocess.run(["umount", "-l", notes], capture_output=True))
        subprocess.run(["mount", "--bind", disk, notes], check=True)
        with open(self.device.path("plan.md"), "wb") as file:
            file.write(b"one\n")
        process = self.screen.start(self.device.path("plan.md"))
        self.screen.awaits_window("plan.md")
        self.screen.type("two ")
        self.screen.awaits_window("*plan.md")
        subprocess.run(["umount", "-l", notes], check=True)
        self.screen.type("three ")
        self.screen.press("ctrl+s")
        self.screen.awaits("Not saved", "its disk is gone; bring it back")
        self.assertEqual(os.listdir(notes), [])
        self.screen.awaits_text("two three one\n")
        subprocess.run(["mount", "--bind", disk, notes], check=True)
        self.screen.press("ctrl+s")
        self.screen.awaits("Saved plan.md")
        self.assertEqual(self.device.read("plan.md"), b"two three one\n")
        # What no file holds outlasts a kill, too, with the disk gone again.
        self.screen.type("four ")
        self.screen.awaits_window("*plan.md")
        subprocess.run(["umount", "-l", notes], check=True)
        held = os.path.join(self.device.environment["XDG_STATE_HOME"], "continuo/autosaved/**")

        def texts():
            return [self.bytes(path) for path in glob.glob(held, recursive=True)]
        until(lambda: any(b"two three four one" in text for text in texts()), texts)
        process.kill()
        process.wait()
        self.screen.start()
        self.screen.awaits_window("*plan.md")
        self.screen.awaits_text("two three four one\n")
        self.screen.press("ctrl+s")
        self.screen.awaits("Not saved", "its disk is gone; bring it back")
        self.assertEqual(os.listdir(notes), [])
        subprocess.run(["mount", "--bind", disk, notes], check=True)
        self.screen.press("ctrl+s")
        self.screen.awaits("Saved plan.md")
        self.assertEqual(self.device.read("plan.md"), b"two three four one\n")

    def test_bytes_that_are_no_text_are_shown_and_stay(self):
        self.opened("old.txt", b"caf\xe9\rlone\xe2\x80\xa9end\n")
        self.screen.awaits("old.txt is not UTF-8: 1 byte is shown as")
        self.screen.press("ctrl+End")
        self.screen.type("x")
        self.screen.press("ctrl+s")
        self.screen.awaits("Saved old.txt")
        self.assertEqual(self.device.read("old.txt"), b"caf\xe9\rlone\xe2\x80\xa9end\nx")

    def test_a_file_that_is_taken_away_is_written_again_on_purpose_only(self):
        self.device.run("folder", "add", self.device.notes)
        self.opened("plan.md", "one\n")
        os.unlink(self.device.path("plan.md"))
        self.screen.awaits("plan.md was deleted on disk")
        self.assertFalse(os.path.exists(self.device.path("plan.md")))
        self.screen.press("ctrl+s")
        until(lambda: os.path.exists(self.device.path("plan.md")), self.screen.texts)

    def test_the_bus_starts_it_with_a_file(self):
        self.device.write("plan.md", "one\n")
        self.screen.call_application("Open", f"['file://{self.device.path('plan.md')}']", "{}")
        self.screen.awaits_window("plan.md")
        self.screen.type("two ")
        self.screen.press("ctrl+s")
        self.screen.awaits("Saved plan.md")
        self.screen.call_application("Activate", "{}")
        self.assertEqual(self.screen.titles(), ["plan.md"])
        self.screen.press("ctrl+q")
        until(lambda: not self.screen.titles(), self.screen.titles)

    def test_without_a_display_it_says_so_and_ends(self):
        environment = dict(self.device.environment)
        del environment["DISPLAY"]
        done = subprocess.run([PROGRAM], env=environment, capture_output=True, timeout=30)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"continuo-write: there is no display to open a window on", done.stderr)

    def test_colors_and_font_are_the_desktops_and_follow_it(self):
        self.sets("color-scheme", "prefer-dark")
        self.sets("monospace-font-name", "DejaVu Serif 15")
        self.opened("plan.md", "one\n")

        def font():
            style = self.screen.view().style
            return style["family-name"], style["size"]
        # Told in pixels: four for three points.
        until(lambda: font() == ("DejaVu Serif", "20"), font)
        self.assertTrue(self.is_dark(), self.screen.view().style)
        self.screen.picture("dark-by-desktop")
        self.sets("color-scheme", "default")
        self.sets("monospace-font-name", "DejaVu Sans 12")
        until(lambda: font() == ("DejaVu Sans", "16"), font)
        until(lambda: not self.is_dark(), lambda: self.screen.view().style)
        self.sets("color-scheme", "prefer-dark")
        until(self.is_dark, lambda: self.screen.view().style)

    def test_a_screen_reader_may_ask_how_every_word_looks(self):
        # GTK 4.8 does not outlive it where a word, or a bracket, has a color of its own.
        text = "# Plan\n\n[one](two) *three* `four`\n"
        process = self.opened("plan.md", text)
        self.screen.press("Down", "Down")
        self.screen.awaits_text(text, (3, 1))
        view = self.screen.view()
        for offset in range(len(text)):
            self.assertGreaterEqual(view.run(offset)[1], offset)
        self.screen.type("x")
        self.screen.awaits_window("*plan.md")
        self.assertIsNone(process.poll())

    def test_a_theme_without_icons_is_no_hindrance(self):
        folder = os.path.join(self.device.environment["XDG_CONFIG_HOME"], "gtk-4.0")
        os.makedirs(folder)
        with open(os.path.join(folder, "settings.ini"), "w") as file:
            file.write("[Settings]\ngtk-icon-theme-name=none-such\ngtk-theme-name=Adwaita-dark\n")
        self.opened("plan.md", "# Plan\n\none *two*\n")
        until(self.is_dark, lambda: self.screen.view().style)
        self.screen.press("F10")
        self.screen.awaits("Save As…", "Open Recent", "Quit")
        self.screen.picture("dark")
        self.screen.press("Escape")
        self.screen.awaits_window("plan.md")


if __name__ == "__main__":
    unittest.main()
