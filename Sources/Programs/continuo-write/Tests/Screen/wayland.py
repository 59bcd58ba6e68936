# SPDX-License-Identifier: MIT
"""A display of Wayland that nobody sees: sway without outputs, and keys by wtype."""

import glob
import os
import subprocess

from screen import Screen, until


class WaylandScreen(Screen):
    def display(self):
        run = self.device.environment["XDG_RUNTIME_DIR"]
        settings = os.path.join(self.device.home, "sway")
        with open(settings, "w") as file:
            file.write("xwayland disable\nfocus_follows_mouse no\n")
        environment = dict(self.device.environment, WLR_BACKENDS="headless", WLR_RENDERER="pixman",
                           WLR_LIBINPUT_NO_DEVICES="1")
        log = os.path.join(self.device.home, "sway.log")
        with open(log, "wb") as file:
            command = [*self.unprivileged(), "sway", "--config", settings]
            self.processes.append(subprocess.Popen(command, env=environment, stdout=file, stderr=file))

        def socket():
            found = [each for each in glob.glob(run + "/wayland-*") if not each.endswith(".lock")]
            return found and os.path.basename(found[0])

        def what():
            with open(log, errors="replace") as file:
                return "sway; " + file.read()
        return {"WAYLAND_DISPLAY": until(socket, what), "GDK_BACKEND": "wayland"}

    @staticmethod
    def unprivileged():
        """For root, whom sway refuses: under another number, which owns the same files."""
        return [] if os.geteuid() else ["unshare", "--user", "--map-user=1000", "--map-group=1000"]

    def manage(self):
        """sway does. No window has the keys where no keyboard is: one is there all the time."""
        self.spawn(["wtype", "-s", "3600000"])

    def type(self, text):
        self.wtype("-d", "12", "--", text)

    def press(self, *keys):
        for key in keys:
            *held, last = key.split("+")
            self.wtype(*[word for each in held for word in ("-M", each)], "-k", last)

    def picture(self, name):
        """None is taken here."""

    def wtype(self, *words):
        subprocess.run(["wtype", *words], env=self.device.environment, check=True, timeout=60)
