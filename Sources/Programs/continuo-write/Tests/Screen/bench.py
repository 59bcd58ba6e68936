#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Key to screen, start to first frame and memory of the window, beside other editors.

All have the same files. A key is injected by XTest, and the server's damage tells when to look at its frame
buffer. The editors stand side by side on one display and take turns, so that what else the machine does falls
on each.
"""

import ctypes
import datetime
import mmap
import os
import platform
import random
import select
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import time

import place  # noqa: F401
from devices import Device
from screen import PROGRAM, Screen, until

WIDTH, HEIGHT = 2700, 700
# Without the fade of a scroll bar, a blinking cursor or an animation, what changes is what was typed.
SETTINGS = "[Settings]\ngtk-cursor-blink=false\ngtk-enable-animations=false\n"
KEYS = int(os.environ.get("BENCH_KEYS", 40))
STARTS = int(os.environ.get("BENCH_STARTS", 10))


def median(values):
    return statistics.median(values)


def high(values):
    """The 95th percentile."""
    return sorted(values)[max(0, -(-len(values) * 95 // 100) - 1)]


class FrameBuffer:
    """The pixels of the display, and the moments at which some of them are drawn."""

    def __init__(self, display, path):
        self.x = ctypes.CDLL("libX11.so.6")
        self.damages = ctypes.CDLL("libXdamage.so.1")
        self.test = ctypes.CDLL("libXtst.so.6")
        self.x.XOpenDisplay.restype = ctypes.c_void_p
        self.x.XDefaultRootWindow.restype = ctypes.c_ulong
        self.damages.XDamageCreate.restype = ctypes.c_ulong
        self.display = ctypes.c_void_p(self.x.XOpenDisplay(display.encode()))
        root = self.x.XDefaultRootWindow(self.display)
        base, error = ctypes.c_int(), ctypes.c_int()
        self.damages.XDamageQueryExtension(self.display, ctypes.byref(base), ctypes.byref(error))
        # Told once, and again after it was taken note of.
        self.damage = ctypes.c_ulong(self.damages.XDamageCreate(self.display, ctypes.c_ulong(root), 3))
        self.connection = self.x.XConnectionNumber(self.display)
        self.event = ctypes.create_string_buffer(192)
        self.x.XFlush(self.display)
        with open(path, "rb") as file:
            self.pixels = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
        head = struct.unpack(">25I", self.pixels[:100])
        self.start, self.stride = head[0] + head[19] * 12, head[12]

    def region(self, left, top, width, height, step=1):
        first = self.start + left * 4
        return b"".join(
            self.pixels[first + row * self.stride:first + row * self.stride + width * 4]
            for row in range(top, top + height, step))

    def drawn(self, seconds):
        """Waits until something is drawn; False when nothing is."""
        if not self.x.XPending(self.display):
            if not select.select([self.connection], [], [], max(0, seconds))[0]:
                return False
        while self.x.XPending(self.display):
            self.x.XNextEvent(self.display, self.event)
        self.damages.XDamageSubtract(self.display, self.damage, ctypes.c_ulong(0), ctypes.c_ulong(0))
        self.x.XFlush(self.display)
        return True

    def quiet(self, seconds, longest=30):
        """Waits until nothing is drawn for so long."""
        end = time.monotonic() + longest
        while self.drawn(seconds):
            if time.monotonic() > end:
                raise AssertionError("the display does not come to rest")

    def press(self, symbol):
        code = self.x.XKeysymToKeycode(self.display, ctypes.c_ulong(symbol))
        begun = time.monotonic()
        for down in (1, 0):
            self.test.XTestFakeKeyEvent(self.display, code, down, ctypes.c_ulong(0))
        self.x.XFlush(self.display)
        return begun

    def changed(self, region, before, begun, longest=20):
        """Seconds since `begun` at which the region is another one."""
        while self.region(*region) == before:
            self.drawn(0.5)
            if time.monotonic() - begun > longest:
                raise AssertionError(f"nothing changes in {region}")
        return time.monotonic() - begun


class BenchScreen(Screen):
    def display(self):
        folder = os.path.join(self.device.home, "frame")
        os.mkdir(folder)
        size = f"{WIDTH}x{HEIGHT}x24"
        number = self.line(
            ["Xvfb", "-screen", "0", size, "-fbdir", folder, "-nolisten", "tcp", "-displayfd", "1"])
        self.frame = FrameBuffer(":" + number, os.path.join(folder, "Xvfb_screen0"))
        for version in ("3.0", "4.0"):
            settings = os.path.join(self.device.environment["XDG_CONFIG_HOME"], "gtk-" + version)
            os.makedirs(settings)
            with open(os.path.join(settings, "settings.ini"), "w") as file:
                file.write(SETTINGS)
        return {"DISPLAY": ":" + number, "GDK_BACKEND": "x11", "GSETTINGS_BACKEND": "memory"}


class Editor:
    """One of the editors, and its share of the display."""

    def __init__(self, screen, name, words, number):
        self.screen, self.name, self.words, self.left = screen, name, words, number * WIDTH // 3
        self.process, self.window, self.begun = None, None, 0

    def begin(self, path):
        """Seconds to the first frame."""
        frame = self.screen.frame
        frame.quiet(0.3)
        whole = (0, 0, WIDTH, HEIGHT, 10)
        before = frame.region(*whole)
        begun = time.monotonic()
        with open(os.path.join(self.screen.device.home, self.name + ".log"), "ab") as log:
            self.process = self.screen.spawn([*self.words, path], stdout=log, stderr=log)
        self.begun = begun
        return frame.changed(whole, before, begun, longest=60)

    def rest(self, begun):
        """Seconds since `begun` after which it used less than a tenth of a core for a second."""
        frame, ticks = self.screen.frame, os.sysconf("SC_CLK_TCK")
        last, used = time.monotonic(), self.used()
        while time.monotonic() - last < 1:
            frame.drawn(0.1)
            now = self.used()
            if now - used > (time.monotonic() - last) * ticks / 10 + 1:
                last, used = time.monotonic(), now
            if last - begun > 300:
                raise AssertionError(f"{self.name} does not come to rest")
        return last - begun

    def used(self):
        """The processor time that it has taken, in ticks."""
        with open(f"/proc/{self.process.pid}/stat") as file:
            words = file.read().rpartition(")")[2].split()
        return int(words[11]) + int(words[12])

    def place(self):
        """Puts its window beside those of the others."""
        found = self.screen.output("search", "--onlyvisible", "--pid", str(self.process.pid)).split()
        self.window = found[-1]
        self.screen.xdotool("windowsize", self.window, str(WIDTH // 3 - 40), str(HEIGHT - 40))
        self.screen.xdotool("windowmove", self.window, str(self.left), "0")
        self.screen.frame.quiet(0.5)

    def memory(self):
        """Its share of the memory in use, in MB."""
        with open(f"/proc/{self.process.pid}/smaps_rollup") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("Pss:")) / 1024

    def focus(self):
        self.screen.xdotool("windowactivate", "--sync", self.window)
        self.screen.frame.quiet(0.3)

    def rows(self):
        """Where a key shows in the text: the rows that one changes."""
        frame = self.screen.frame
        text = (self.left + 10, 48, WIDTH // 3 - 120, HEIGHT - 170)
        for _ in range(3):
            before = frame.region(*text)
            frame.press(ord("x"))
            frame.quiet(0.5)
            after = frame.region(*text)
        width = text[2] * 4
        rows = [row for row in range(text[3])
                if before[row * width:(row + 1) * width] != after[row * width:(row + 1) * width]]
        if not rows:
            raise AssertionError(f"a key in {self.name} shows nothing")
        return text[0], text[1] + rows[0], text[2], rows[-1] - rows[0] + 1

    def key(self, region):
        frame = self.screen.frame
        # At no particular moment of a clock that the editor may have.
        frame.quiet(0.1 + random.random() / 10)
        before = frame.region(*region)
        return frame.changed(region, before, frame.press(ord("x"))) * 1000

    def end(self):
        self.process.kill()
        self.process.wait()
        state = self.screen.device.environment["XDG_STATE_HOME"]
        for folder in ("continuo-write", "continuo/autosaved"):
            shutil.rmtree(os.path.join(state, folder), ignore_errors=True)
        self.screen.frame.quiet(0.3)


class Bench:
    def __init__(self, screen):
        self.screen = screen
        self.editors = [
            Editor(screen, name, words, number) for number, (name, words) in enumerate([
                ("continuo-write", [PROGRAM]), ("gnome-text-editor", ["gnome-text-editor", "--standalone"]),
                ("gedit", ["gedit", "--standalone"])])]
        self.rows = []

    def row(self, name, unit, values, limit):
        """Medians and 95th percentiles; the limit is of the median beside the least of the others."""
        ours, others = values[0], values[1:]
        least = min(median(each) for each in others)
        ratio = median(ours) / least
        cells = [f"{median(each):.3g} ({high(each):.3g})" for each in values]
        met = "-" if limit is None else "yes" if ratio <= limit else "NO"
        self.rows.append(
            f"| {name} | {unit} | {' | '.join(cells)} | {ratio:.2f} | {limit or '-'} | {met} | {len(ours)} |")
        print(self.rows[-1], flush=True)

    def starts(self, name, path, count, warm=1):
        """The first `warm` starts read programs and files from the disk, and do not count."""
        frames, rests = [[] for _ in self.editors], [[] for _ in self.editors]
        memory = [[] for _ in self.editors]
        for turn in range(count + warm):
            for number, editor in enumerate(self.editors):
                frame = editor.begin(path)
                rest = editor.rest(editor.begun)
                if turn >= warm:
                    frames[number].append(frame * 1000)
                    rests[number].append(rest * 1000)
                    memory[number].append(editor.memory())
                editor.end()
        self.row(f"start to first frame, {name}", "ms", frames, 1.3)
        self.row(f"start until it rests, {name}", "ms", rests, None)
        self.row(f"memory, {name}", "MB", memory, None)

    def keys(self, name, path):
        regions, times = [], [[] for _ in self.editors]
        for number, editor in enumerate(self.editors):
            # A file of its own: another's unsaved text is nobody's business.
            own = f"{path[:-4]}-{number}.txt"
            shutil.copy(path, own)
            editor.begin(own)
            editor.rest(editor.begun)
            editor.place()
            editor.focus()
            regions.append(editor.rows())
        while len(times[0]) < KEYS:
            for number, editor in enumerate(self.editors):
                editor.focus()
                times[number] += [editor.key(regions[number]) for _ in range(5)]
        self.row(f"key to screen, {name}", "ms", times, 1.1)
        for editor in self.editors:
            editor.end()


class OutputScreen(BenchScreen):
    def output(self, *words):
        def found():
            command = ["xdotool", *words]
            done = subprocess.run(command, env=self.device.environment, capture_output=True, timeout=60)
            return done.stdout.decode()
        return until(found, f"xdotool {words}")


def text(path, size):
    """Lines of words, the same each time."""
    line = "{:07} the quick brown fox jumps over the lazy dog and goes on\n"
    with open(path, "w") as file:
        file.write("".join(line.format(number) for number in range(size // len(line.format(0)))))
    return path


def main():
    home = tempfile.mkdtemp(prefix="b")
    device = Device(home, "desktop")
    screen = OutputScreen(device)
    try:
        bench = Bench(screen)
        machine = f"{platform.release()}, {os.cpu_count()} cores"
        print(f"{datetime.date.today()}, {machine}; median (95th percentile)")
        print("| name | unit | continuo-write | gnome-text-editor | gedit | ratio | target | met | rounds |")
        print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |", flush=True)
        small = text(os.path.join(home, "small.txt"), 10_000)
        large = text(os.path.join(home, "large.txt"), 50_000_000)
        bench.starts("10 KB", small, STARTS)
        bench.keys("10 KB", small)
        # Minutes each: most of it goes by until the editors have measured all lines.
        bench.starts("50 MB", large, max(1, STARTS // 5), warm=0)
        bench.keys("start of 50 MB", large)
    finally:
        screen.end()
        device.continuo("agent", "stop", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).wait(30)
        shutil.rmtree(home, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
