# SPDX-License-Identifier: MIT
"""Neovim with its plugin, on a device without a display."""

import os
import subprocess

from screen import PROGRAMS, ROOT, until

SETTINGS = """
vim.opt.runtimepath:prepend("{}/Sources/Editors/continuo.nvim")
vim.opt.swapfile = false
require("continuo").setup{{{}}}
"""


class Neovim:
    def __init__(self, device, *words, options=""):
        self.socket = os.path.join(device.home, "nvim.sock")
        settings = os.path.join(device.home, "init.lua")
        with open(settings, "w") as file:
            file.write(SETTINGS.format(ROOT, options))
        self.environment = dict(
            device.environment, PATH=PROGRAMS + ":" + os.environ["PATH"],
            # Where it has no folder for it, it would lie beside the tests.
            NVIM_LOG_FILE=os.path.join(device.home, "nvim.log"))
        self.process = subprocess.Popen(
            ["nvim", "--headless", "--listen", self.socket, "-i", "NONE", "-n", "-u", settings, *words],
            env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        until(lambda: self.value("1") == "1", "Neovim")

    def ask(self, how, what):
        return subprocess.run(
            ["nvim", "--server", self.socket, how, what], env=self.environment, capture_output=True,
            timeout=60)

    def value(self, expression):
        """Of an expression in Vim's script, which old versions print as an error; None without an answer."""
        done = self.ask("--remote-expr", expression)
        return (done.stdout + done.stderr).decode().rstrip("\n") if done.returncode == 0 else None

    def press(self, keys):
        self.ask("--remote-send", keys)

    def awaits(self, expression, value):
        until(lambda: self.value(expression) == value, lambda: f"{expression} = {self.value(expression)!r}")

    def end(self):
        self.process.kill()
        self.process.wait()
