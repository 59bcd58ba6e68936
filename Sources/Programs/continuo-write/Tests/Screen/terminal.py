# SPDX-License-Identifier: MIT
"""The editor in a terminal, on a device without a display."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios

from screen import until

SEQUENCE = re.compile(rb"\x1b(\[[0-9;?]*[A-Za-z]|[()].|[=>]|\][^\a]*\a)")


class Terminal:
    def __init__(self, device, path, *words):
        self.seen = b""
        self.master, end = pty.openpty()
        fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
        environment = dict(device.environment, TERM="xterm", PATH=path + ":" + os.environ["PATH"])
        self.process = subprocess.Popen(
            ["continuo-edit", *words], env=environment, stdin=end, stdout=end, stderr=end,
            start_new_session=True)
        os.close(end)

    def read(self):
        while select.select([self.master], [], [], 0)[0]:
            try:
                self.seen += os.read(self.master, 65536)
            except OSError:
                break
        return SEQUENCE.sub(b"", self.seen)

    def awaits(self, word):
        until(lambda: word.encode() in self.read(), lambda: f"{word!r} in {self.read()[-400:]}")

    def type(self, text):
        os.write(self.master, text.encode())

    def end(self):
        self.process.kill()
        self.process.wait()
        os.close(self.master)
