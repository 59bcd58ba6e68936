#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What an installation with the editor in a window puts where: the bus starts it from there."""

import os
import shutil
import subprocess
import unittest

import place  # noqa: F401
from screen import PROGRAM, ROOT, until
from window import WindowCase

NAME = "org.continuo.write"


class InstallTests(WindowCase):
    def install_service(self):
        """By the script of `make install`; of the other programs only the names are there."""
        self.prefix = os.path.join(self.device.home, "prefix")
        built = os.path.join(self.device.home, "built")
        os.makedirs(built)
        for name in ("libcontinuo.so.0", "continuo"):
            with open(os.path.join(built, name), "wb"):
                pass
        shutil.copy2(PROGRAM, built)
        self.built = ":".join([built] * 4)
        self.play("install")
        self.device.environment["XDG_DATA_DIRS"] = os.path.join(self.prefix, "share") + ":/usr/share"

    def play(self, action):
        subprocess.run(
            [os.path.join(ROOT, "Sources/Packaging/install.sh"), action, "/.", self.prefix, "lib", "0.1",
             self.built, "continuo", "continuo-write"], check=True, capture_output=True, timeout=60)

    def looks_at_entry(self, entry, share):
        """The desktop starts it for texts, by a name that icon and service have, too."""
        with open(entry) as file:
            lines = dict(line.rstrip("\n").split("=", 1) for line in file if "=" in line)
        self.assertEqual((lines["Icon"], lines["DBusActivatable"]), (NAME, "true"))
        environment = dict(
            self.device.environment, PATH=os.path.join(self.prefix, "bin") + ":" + os.environ["PATH"])
        subprocess.run(["update-desktop-database", os.path.dirname(entry)], check=True, timeout=60)
        for kind in ("text/plain", "text/markdown"):
            told = subprocess.run(["gio", "mime", kind], env=environment, capture_output=True, timeout=60)
            self.assertIn(f"{NAME}.desktop", told.stdout.decode(), told.stderr)
        os.unlink(os.path.join(share, "applications/mimeinfo.cache"))

    def test_it_is_described_started_by_the_bus_and_taken_away_again(self):
        share = os.path.join(self.prefix, "share")
        entry = os.path.join(share, f"applications/{NAME}.desktop")
        done = subprocess.run(["desktop-file-validate", entry], capture_output=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout + done.stderr), (0, b""))
        self.looks_at_entry(entry, share)
        for path in (f"icons/hicolor/scalable/apps/{NAME}.svg", f"continuo/apps/{NAME}/Info.plist"):
            self.assertTrue(os.path.exists(os.path.join(share, path)), path)
        with open(os.path.join(share, f"dbus-1/services/{NAME}.service")) as file:
            self.assertIn(f"Exec={self.prefix}/bin/continuo-write --gapplication-service\n", file.read())
        self.device.write("plan.md", "one\n")
        self.screen.call_application("Open", f"['file://{self.device.path('plan.md')}']", "{}")
        self.screen.awaits_window("plan.md")
        self.screen.press("ctrl+q")
        until(lambda: not self.screen.titles(), self.screen.titles)
        self.play("uninstall")
        self.assertEqual([files for _, _, files in os.walk(self.prefix) if files], [])


if __name__ == "__main__":
    unittest.main()
