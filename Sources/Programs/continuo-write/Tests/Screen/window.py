# SPDX-License-Identifier: MIT
"""One device with a screen and the editor's service, for the tests of its windows."""

import os
import shutil
import subprocess
import tempfile
import unittest

import place  # noqa: F401
from devices import Device
from screen import PROGRAM, PROGRAMS, ROOT, Screen


class WindowCase(unittest.TestCase):
    programs = PROGRAMS
    kind = Screen

    def setUp(self):
        home = tempfile.mkdtemp(prefix="w")
        self.addCleanup(shutil.rmtree, home, True)
        self.device = Device(home, "desktop")
        self.install_service()
        # When no editor is left that would start another one.
        self.addCleanup(lambda: self.device.continuo(
            "agent", "stop", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).wait(30))
        self.screen = self.kind(self.device)
        self.addCleanup(lambda: self.assertEqual(self.screen.complaints(), []))
        self.addCleanup(self.screen.end)

    def install_service(self):
        """As an installation does, for a bus that is started afterwards."""
        services = os.path.join(self.device.environment["XDG_DATA_HOME"], "dbus-1/services")
        os.makedirs(services)
        given = os.path.join(ROOT, "Sources/Programs/continuo-write/Desktop/org.continuo.write.service.in")
        with open(given) as file:
            text = file.read().replace("@PREFIX@/bin/continuo-write", PROGRAM)
        with open(os.path.join(services, "org.continuo.write.service"), "w") as file:
            file.write(text)

    def opened(self, name, text):
        self.device.write(name, text)
        self.process = self.screen.start(self.device.path(name))
        self.screen.awaits_window(name)
        return self.process

    def sets(self, key, value):
        """As the desktop's own settings do; the first time before the editor starts."""
        self.device.environment["GSETTINGS_BACKEND"] = "keyfile"
        subprocess.run(["gsettings", "set", "org.gnome.desktop.interface", key, value],
                       env=self.device.environment, check=True, timeout=60)

    def is_dark(self, view=None):
        """Whether letters are bright; GTK 4.8 calls their color, the latter of two, the background's, too."""
        style = (view or self.screen.view()).style
        color = style.get("fg-color", style["bg-color"])
        return sum(map(int, color.split(","))) > 3 * 32768
