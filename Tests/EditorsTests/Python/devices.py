# SPDX-License-Identifier: MIT
"""Two paired devices with agents of their own, and a folder `notes` that is carried between them."""

import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import unittest


class Device:
    def __init__(self, home, name):
        self.name = name
        self.home = os.path.join(home, name)
        self.notes = os.path.join(self.home, "notes")
        os.makedirs(self.notes)
        os.mkdir(self.home + "/run", 0o700)
        self.environment = {
            "HOME": self.home, "XDG_RUNTIME_DIR": self.home + "/run", "PATH": os.environ["PATH"], "LANG": "C.UTF-8",
            "XDG_DATA_HOME": self.home + "/data", "XDG_CONFIG_HOME": self.home + "/config",
            "XDG_STATE_HOME": self.home + "/state", "XDG_CACHE_HOME": self.home + "/cache", "TMPDIR": self.home,
            "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
        }

    def continuo(self, *arguments, **how):
        return subprocess.Popen(["continuo", *arguments], env=self.environment, **how)

    def run(self, *arguments):
        done = subprocess.run(["continuo", *arguments], env=self.environment, capture_output=True, timeout=60)
        if done.returncode:
            raise AssertionError(f"{self.name}: {arguments}: {done.stderr.decode()}")
        return done.stdout

    def kill_agent(self):
        """As a crash does; editors start another one."""
        for process in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{process}/cmdline", "rb") as file:
                    words = file.read().split(b"\0")
                with open(f"/proc/{process}/environ", "rb") as file:
                    is_own = os.fsencode("HOME=" + self.home) in file.read().split(b"\0")
            except OSError:
                continue
            if is_own and words[1:2] == [b"agent"]:
                os.kill(int(process), signal.SIGKILL)

    def path(self, name):
        return os.path.join(self.notes, name)

    def write(self, name, data):
        """Puts a file into the folder as sync engines do: whole, by a rename."""
        made = os.path.join(self.home, "made")
        with open(made, "wb") as file:
            file.write(data.encode() if isinstance(data, str) else data)
        os.replace(made, self.path(name))
        return self.path(name)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()


class CircleTests(unittest.TestCase):
    """Tests on one circle, whose devices are linked where the class says so."""

    is_linked = False

    @classmethod
    def setUpClass(cls):
        cls.circle = Circle()
        if cls.is_linked:
            cls.circle.link()

    @classmethod
    def tearDownClass(cls):
        cls.circle.end()


class Circle:
    """Devices that know each other, in a folder that goes with them."""

    def __init__(self):
        self.home = tempfile.mkdtemp(prefix="c")
        self.desktop, self.laptop = Device(self.home, "desktop"), Device(self.home, "laptop")
        self.is_carrying = True
        self._is_over = threading.Event()
        self._engine = threading.Thread(target=self._carry, daemon=True)
        self.desktop.write("plan.md", "first\naé😀漢\tz\nthird\n")
        self.desktop.run("folder", "add", self.desktop.notes)
        words = self.desktop.run("pair", "--device-name", "desktop")
        self._turn()
        with open(self.home + "/words", "wb") as file:
            file.write(words)
        self.laptop.run("folder", "add", self.laptop.notes)
        self._engine.start()
        self.laptop.run("join", "--device-name", "laptop", "--words-file", self.home + "/words")

    def link(self):
        """Until both say that they are linked on the network."""
        devices = (self.desktop, self.laptop)
        for device in devices:
            device.run("lan", "on")
        deadline = time.monotonic() + 60
        while not all(b"\"linked\"" in device.run("lan", "status", "--json") for device in devices):
            assert time.monotonic() < deadline, devices[0].run("lan", "status", "--json")

    def _turn(self):
        """One turn of a sync engine: what is newer goes over, each file whole."""
        pairs = [(self.desktop.notes, self.laptop.notes), (self.laptop.notes, self.desktop.notes)]
        for source, target in pairs:
            for folder, _, files in os.walk(source):
                there = os.path.join(target, os.path.relpath(folder, source))
                for name in files:
                    self._hand_over(os.path.join(folder, name), os.path.join(there, name))

    def _hand_over(self, source, target):
        carried = target + ".carried~"
        try:
            # Data and time of one and the same file: another one may be put there meanwhile.
            with open(source, "rb") as file:
                found = os.fstat(file.fileno())
                if os.path.exists(target) and os.stat(target).st_mtime_ns >= found.st_mtime_ns:
                    return
                os.makedirs(os.path.dirname(target), exist_ok=True)
                with open(carried, "wb") as made:
                    shutil.copyfileobj(file, made)
            os.chmod(carried, found.st_mode & 0o777)
            os.utime(carried, ns=(found.st_atime_ns, found.st_mtime_ns))
            os.replace(carried, target)
        except OSError:
            pass  # It is gone, or comes with the next turn.

    def _carry(self):
        while not self._is_over.wait(0.05):
            if self.is_carrying:
                self._turn()

    def end(self):
        self._is_over.set()
        if self._engine.is_alive():
            self._engine.join()
        for device in (self.desktop, self.laptop):
            device.continuo("agent", "stop", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).wait(30)
        shutil.rmtree(self.home, ignore_errors=True)
