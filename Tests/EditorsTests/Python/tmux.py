# SPDX-License-Identifier: MIT
"""A program in a terminal of a device, as a person sees it and types into it."""

import subprocess
import time


class Terminal:
    patience = 60

    def __init__(self, device, command, columns=120):
        self.device = device
        self.tmux(
            "-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", "24", command)

    def tmux(self, *words):
        command = ["tmux", "-S", self.device.home + "/tmux", *words]
        return subprocess.run(
            command, env=self.device.environment, cwd=self.device.home, capture_output=True,
            timeout=self.patience).stdout.decode()

    def press(self, *keys):
        self.tmux("send-keys", *keys)

    def type(self, text):
        self.tmux("send-keys", "-l", "--", text)

    def until(self, *texts):
        """The rows of the screen, once it shows all of these."""
        deadline = time.monotonic() + self.patience
        while not all(text in (screen := self.tmux("capture-pane", "-p")) for text in texts):
            if time.monotonic() > deadline:
                raise AssertionError(f"{texts} in {screen}")
        return screen.splitlines()

    def end(self):
        self.tmux("kill-server")
