# SPDX-License-Identifier: MIT
"""A display that nobody sees, with keys, and what a screen reader is told there; one for each device."""

import json
import os
import re
import select
import subprocess
import threading
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, Gio, GLib  # noqa: E402

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), *[".."] * 5))
PROGRAM = os.environ.get("CONTINUO_WRITE", os.path.join(ROOT, ".build/window/debug/continuo-write"))
PROGRAMS = os.path.join(ROOT, ".build/debug")
REGISTRY = ("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")
# How long a program may think about one question, in milliseconds.
PATIENCE = 5000
LONGEST = 4000


def until(found, what, seconds=float(os.environ.get("CONTINUO_PATIENCE", 30))):
    """What `found` finds, as soon as it finds something; what an AssertionError says may be a function."""
    deadline = time.monotonic() + seconds
    pause = threading.Event()
    while True:
        result = found()
        if result:
            return result
        if time.monotonic() > deadline:
            raise AssertionError(f"waited in vain for {what() if callable(what) else what}")
        pause.wait(0.05)


class Item:
    """What a program shows, as it was when it was asked."""

    def __init__(self, bus, address):
        self.bus, self.address = bus, address
        self.role = Atspi.Role(self.ask("GetRole")).value_nick.replace("-", " ")
        low, high = self.ask("GetState")
        self.bits = low | high << 32
        self.name = self.value("Name")

    def call(self, method, kinds, *arguments, interface):
        return self.bus.call_sync(
            *self.address, "org.a11y.atspi." + interface, method, GLib.Variant(f"({kinds})", arguments), None,
            Gio.DBusCallFlags.NONE, PATIENCE).unpack()

    def ask(self, method, kinds="", *arguments, interface="Accessible"):
        return self.call(method, kinds, *arguments, interface=interface)[0]

    def value(self, name, interface="Accessible"):
        answer = self.bus.call_sync(
            *self.address, "org.freedesktop.DBus.Properties", "Get",
            GLib.Variant("(ss)", ("org.a11y.atspi." + interface, name)), None, Gio.DBusCallFlags.NONE,
            PATIENCE)
        return answer.unpack()[0]

    def has(self, state):
        return bool(self.bits >> int(state) & 1)

    @property
    def text(self):
        length = min(self.value("CharacterCount", "Text"), LONGEST)
        return self.ask("GetText", "ii", 0, length, interface="Text")

    @property
    def caret(self):
        """Line and column, from 1, in scalars."""
        before = self.ask("GetText", "ii", 0, self.value("CaretOffset", "Text"), interface="Text")
        return before.count("\n") + 1, len(before.rsplit("\n", 1)[-1]) + 1

    @property
    def style(self):
        """Font and colors of a text, but for what is marked in it."""
        return self.ask("GetDefaultAttributes", interface="Text")

    def run(self, offset):
        """The ends of what looks alike around a place of a text: marked, highlighted or neither."""
        _, start, end = self.call("GetAttributes", "i", offset, interface="Text")
        return start, end

    def children(self):
        return [Item(self.bus, tuple(each)) for each in self.ask("GetChildren")]

    @property
    def is_seen(self):
        """GTK 4.8 says only of main windows that they are showing."""
        return self.has(Atspi.StateType.SHOWING if self.role == "frame" else Atspi.StateType.VISIBLE)

    def all(self):
        """It, and all that is seen in it."""
        yield self
        for child in self.children():
            if child.is_seen:
                yield from child.all()


def offered_places(device):
    """What a person is in on other devices, each with its place; one that is just replaced has none."""
    rows = json.loads(device.run("offers", "--json"))
    return [
        (each["path"], each.get("line"), each.get("column")) for each in rows if not each.get("openedBeside")]


def offered_beside(device):
    """What is open beside it there."""
    return [each["path"] for each in json.loads(device.run("offers", "--json")) if each.get("openedBeside")]


class Screen:
    """The display of a device of the circle."""

    def __init__(self, device):
        self.device, self.processes, self.logs, self.wrapper = device, [], [], []
        # What speaks for the desktop, and what of GTK needs no graphics card.
        device.environment.update(
            self.display(), GSK_RENDERER="cairo", NO_AT_BRIDGE="0",
            # GTK and what it loads keep some memory for good: only what is used wrongly is looked for.
            ASAN_OPTIONS="detect_leaks=0",
            PATH=PROGRAMS + ":" + os.environ["PATH"])
        # With what the programs say that it starts.
        self.bus_log = os.path.join(device.home, "bus.log")
        with open(self.bus_log, "wb") as file:
            device.environment["DBUS_SESSION_BUS_ADDRESS"] = self.line(
                ["dbus-daemon", "--session", "--nofork", "--print-address=1"], stderr=file)
        self.manage()
        session = self.connect(device.environment["DBUS_SESSION_BUS_ADDRESS"])
        (address,) = session.call_sync(
            "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None, None, Gio.DBusCallFlags.NONE,
            20000).unpack()
        self.bus = self.connect(address)

    def display(self):
        """Begins one, and tells how programs find it."""
        # One that starts anew when its last client has gone takes no other for a moment.
        number = self.line(
            ["Xvfb", "-noreset", "-screen", "0", "1000x700x24", "-nolisten", "tcp", "-displayfd", "1"])
        return {"DISPLAY": ":" + number, "GDK_BACKEND": "x11"}

    def manage(self):
        """Begins what gives windows their place and the keys."""
        self.spawn(["openbox"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    @staticmethod
    def connect(address):
        flags = Gio.DBusConnectionFlags
        return Gio.DBusConnection.new_for_address_sync(
            address, flags.AUTHENTICATION_CLIENT | flags.MESSAGE_BUS_CONNECTION)

    def spawn(self, command, **how):
        process = subprocess.Popen(command, env=self.device.environment, **how)
        self.processes.append(process)
        return process

    def line(self, command, stderr=subprocess.DEVNULL):
        """The first line that a program prints, which goes on running."""
        process = self.spawn(command, stdout=subprocess.PIPE, stderr=stderr)
        assert select.select([process.stdout], [], [], 30)[0], f"{command[0]} says nothing"
        return process.stdout.readline().decode().strip()

    def end(self):
        for process in reversed(self.processes):
            if process.poll() is None:
                process.terminate()
        for process in self.processes:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(10)
            if process.stdout:
                process.stdout.close()

    # What the person does.

    def start(self, *files, program=PROGRAM):
        """The editor, or another program, behind `wrapper`, and its log."""
        log = os.path.join(self.device.home, f"write-{len(self.logs)}.log")
        self.logs.append(log)
        with open(log, "wb") as file:
            return self.spawn([*self.wrapper, program, *files], stdout=file, stderr=subprocess.STDOUT)

    def call_application(self, method, *arguments):
        """As a desktop starts an app, or speaks to one that runs."""
        subprocess.run(
            ["gdbus", "call", "--session", "--dest", "org.continuo.write",
             "--object-path", "/org/continuo/write",
             "--method", "org.freedesktop.Application." + method, *arguments],
            env=self.device.environment, check=True, stdout=subprocess.DEVNULL, timeout=60)

    def log(self):
        return "".join(self.contents(log) for log in self.logs)

    @staticmethod
    def contents(log):
        with open(log, errors="replace") as file:
            return file.read()

    def complaints(self):
        """What GTK, GLib and a sanitizer complain about."""
        words = ("CRITICAL", "WARNING", "AddressSanitizer")
        # Of its own scroll bars, in a text that becomes longer while it is drawn.
        known = re.compile(r"Trying to snapshot GtkGizmo \S+ without a current allocation")
        # The bus starts programs of the desktop, too.
        started = [
            line for line in self.contents(self.bus_log).splitlines()
            if "(continuo-write:" in line or "AddressSanitizer" in line]
        return [
            line for line in self.log().splitlines() + started
            if any(word in line for word in words) and not known.search(line)]

    def type(self, text):
        self.xdotool("type", "--clearmodifiers", "--delay", "12", "--", text)

    def enter(self, character):
        """A character that is on no key, by its number: keys that xdotool lays for it get lost in GTK."""
        self.press("ctrl+shift+u")
        self.type(f"{ord(character):x}")
        self.press("space")

    def press(self, *keys):
        for key in keys:
            self.xdotool("key", "--clearmodifiers", key)

    def focus(self, title):
        """Puts a window in front."""
        self.xdotool("search", "--onlyvisible", "--name", f"^{title}$", "windowactivate", "--sync")
        self.awaits_window(title)

    def xdotool(self, *words):
        subprocess.run(["xdotool", *words], env=self.device.environment, check=True, timeout=60)

    def picture(self, name):
        folder = os.environ.get("CONTINUO_PICTURES")
        if folder:
            path = os.path.join(folder, f"window-{name}.png")
            # Without the empty screen around the window.
            for command in (["import", "-window", "root", path],
                            ["convert", path, "-trim", "+repage", "-strip", path]):
                subprocess.run(command, env=self.device.environment, check=True, timeout=60)

    # What the person sees.

    def windows(self):
        """Windows and dialogs; GTK 4.8 has no role for some of these."""
        try:
            programs = Item(self.bus, REGISTRY).children()
            return [each for program in programs for each in program.children() if each.is_seen]
        except GLib.Error:
            # Something of it comes or goes.
            return []

    @staticmethod
    def items_of(windows):
        try:
            return [each for window in windows for each in window.all()]
        except GLib.Error:
            return []

    def items(self):
        """All that is shown now."""
        return self.items_of(self.windows())

    def titles(self):
        return sorted(each.name for each in self.windows())

    def active(self):
        """What is in the window that has the keys: a dialog before any other."""
        for window in sorted(self.windows(), key=lambda each: each.role == "frame"):
            if window.role != "frame" or window.has(Atspi.StateType.ACTIVE):
                return self.items_of([window])
        return []

    def texts(self, items=None):
        return [each.name for each in (self.items() if items is None else items) if each.name]

    def view(self):
        """The text of the window that has the keys."""
        for each in self.active():
            if each.role == "text" and each.has(Atspi.StateType.MULTI_LINE):
                return each
        return None

    def sees(self, *words):
        """Whether each of the words stands somewhere in what is shown."""
        shown = self.texts()
        return all(any(word in text for text in shown) for word in words)

    # What is awaited.

    def awaits(self, *words):
        until(lambda: self.sees(*words), lambda: f"{words} in {self.texts()}")

    def awaits_window(self, title):
        """A window or dialog of that title that takes keys."""
        def is_there():
            items = self.active()
            return (items and items[0].name == title
                    and any(each.has(Atspi.StateType.FOCUSED) for each in items))
        until(is_there, lambda: f"the window {title!r} among {self.titles()}; {self.log()}")

    def awaits_entry(self, text):
        """A line to type in that holds just that, and what is ready to be pressed after it."""
        def is_there():
            items = self.active()
            return (any(each.role == "text" and each.text == text for each in items)
                    and any(each.name == "Open" and each.has(Atspi.StateType.SENSITIVE) for each in items))
        until(is_there, lambda: f"an entry with {text!r} among {self.texts()}")

    def awaits_text(self, text, caret=None):
        def is_there():
            view = self.view()
            try:
                return view and view.text == text and (caret is None or view.caret == caret)
            except GLib.Error:
                return False

        def what():
            view = self.view()
            return f"{text!r} {caret}; it is {view and (view.text, view.caret)}, {self.texts()}"
        until(is_there, what)
