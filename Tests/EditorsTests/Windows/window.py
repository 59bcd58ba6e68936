#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A person in front of a display: presses the keys that it is told to, and tells what a screen reader is told.

window.py PIPE: makes the named pipe. An order in it is a line `type N` or `press N`, and N lines: texts, or keys by
tmux's names. Keys wait until a window is active: what is pressed before that goes nowhere. Whenever a window has
changed, all that it shows is printed, a line each, and a form feed; the last line is `NAME  Ln LINE, Col COLUMN` of
the text that has the caret, in scalars, from 1.

The calls are those of AT-SPI on its own bus: libatspi waits for itself for ever where an event comes while it asks.
"""
import os
import re
import subprocess
import sys

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, Gio, GLib  # noqa: E402

# What of a window is no text of it; what hangs in a closed menu is not shown.
PASSED = {"tool bar", "scroll bar", "ruler", "table", "tree", "tree table", "separator", "desktop frame"}
TEXTS = {"text", "label", "paragraph", "entry", "heading"}
WINDOWS = {"frame", "dialog", "alert", "window", "menu"}
KEYS = {"Enter": "Return", "Escape": "Escape", "BSpace": "BackSpace", "NPage": "Next", "PPage": "Prior", "Space": "space"}
PREFIXES = {"C": "ctrl", "M": "alt", "S": "shift"}
LONGEST = 2000
# Of more windows than that, only the one in front is read.
MANY = 4
PACE = 60
# Behind the last event: Qt tells of a new text before it shows it.
CALM = 700
# Kate tells of nothing when it has read a file again.
ANYWAY = 1500
# How long a program may think about one question, in milliseconds.
PATIENCE = 5000
REGISTRY = "org.a11y.atspi.Registry"


def symbol(key):
    """The key as xdotool calls it; None for a text."""
    parts = key.split("-")
    if len(parts) > 1 and all(part in PREFIXES for part in parts[:-1]) and parts[-1]:
        return "+".join([PREFIXES[part] for part in parts[:-1]] + [KEYS.get(parts[-1], parts[-1])])
    if key in KEYS or re.fullmatch(r"F\d+|Left|Right|Up|Down|Home|End|Tab|Delete|Menu", key):
        return KEYS.get(key, key)
    return None


class Keyboard:
    def __init__(self, path):
        os.mkfifo(path, 0o600)
        self.pipe = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        self.rest = b""
        GLib.io_add_watch(self.pipe, GLib.IO_IN, self.receive)

    def receive(self, *_):
        self.rest += os.read(self.pipe, 65536)
        # Looked at now: a window may have come or gone since the last look.
        reader.tell()
        return True

    @staticmethod
    def has_window():
        """Whether one is active: openbox names none before the first has the focus."""
        found = subprocess.run(["xdotool", "getactivewindow"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        return found.returncode == 0 and found.stdout.strip() not in (b"", b"0")

    def perform_orders(self):
        """Each whole order, while a window takes keys."""
        while self.rest.count(b"\n") and self.has_window():
            lines = self.rest.split(b"\n")
            verb, count = lines[0].decode().split(" ")
            if len(lines) < int(count) + 2:
                break
            self.perform(verb, [line.decode().replace("\r", "\n") for line in lines[1 : 1 + int(count)]])
            self.rest = b"\n".join(lines[1 + int(count) :])

    def perform(self, verb, words):
        for word in words:
            key = symbol(word) if verb == "press" else None
            arguments = ["key", "--clearmodifiers", key] if key else ["type", "--clearmodifiers", "--delay", "8", "--", word]
            subprocess.run(["xdotool"] + arguments, check=True)


class Bus:
    """The bus of accessibility, which the session's bus knows."""

    def __init__(self):
        session = Gio.bus_get_sync(Gio.BusType.SESSION)
        (address,) = session.call_sync(
            "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None, None, Gio.DBusCallFlags.NONE, PATIENCE,
        ).unpack()
        flags = Gio.DBusConnectionFlags
        self.connection = Gio.DBusConnection.new_for_address_sync(
            address, flags.AUTHENTICATION_CLIENT | flags.MESSAGE_BUS_CONNECTION)

    def call(self, name, path, interface, method, kinds="", *arguments):
        answer = self.connection.call_sync(
            name, path, interface, method, GLib.Variant(f"({kinds})", arguments), None, Gio.DBusCallFlags.NONE, PATIENCE)
        return answer.unpack()

    def listen(self, events, happened):
        """Programs tell of what somebody registered for."""
        for event in events:
            self.call(REGISTRY, "/org/a11y/atspi/registry", REGISTRY, "RegisterEvent", "s", event)
        for kind in ("Object", "Window", "Focus"):
            self.connection.signal_subscribe(
                None, "org.a11y.atspi.Event." + kind, None, None, None, Gio.DBusSignalFlags.NONE, happened)


class Item:
    """One thing that a program shows. Each question is asked anew; a GLib.Error says that it is gone."""

    def __init__(self, name, path):
        self.address = (name, path)

    def ask(self, method, kinds="", *arguments, interface="Accessible"):
        return bus.call(*self.address, "org.a11y.atspi." + interface, method, kinds, *arguments)[0]

    def value(self, name, interface="Accessible"):
        properties = "org.freedesktop.DBus.Properties"
        return bus.call(*self.address, properties, "Get", "ss", "org.a11y.atspi." + interface, name)[0]

    def role(self):
        number = self.ask("GetRole")
        return Atspi.Role(number).value_nick.replace("-", " ")

    def states(self):
        low, high = self.ask("GetState")
        bits = low | high << 32
        return lambda state: bool(bits >> int(state) & 1)

    def children(self):
        return [Item(*each) for each in self.ask("GetChildren")[:200]]

    def position(self):
        """How many paragraphs come before this one. Writer has children only for the pages that are seen, but each
        paragraph tells which one it flows from."""
        item, count = Item(*self.value("Parent")).children()[0], self.ask("GetIndexInParent")
        while item := item.previous():
            count += 1
        return count

    def previous(self):
        for kind, items in self.ask("GetRelationSet"):
            if kind == int(Atspi.RelationType.FLOWS_FROM):
                return Item(*items[0])
        return None

    def text(self, begin, end):
        return self.ask("GetText", "ii", begin, end, interface="Text")


class Reader:
    def __init__(self):
        self.due = None
        self.calm = None
        self.last = None
        bus.listen(("object:text-caret-moved", "object:text-changed", "object:text-selection-changed",
                    "object:state-changed:showing", "object:state-changed:focused", "object:children-changed",
                    "object:property-change:accessible-name", "window:", "focus:"),
                   self.happened)
        GLib.timeout_add(ANYWAY, self.look_anyway)

    def look_anyway(self):
        self.tell()
        return True

    def happened(self, *_):
        if self.due is None:
            self.due = GLib.timeout_add(PACE, self.tell)
        if self.calm is not None:
            GLib.source_remove(self.calm)
        self.calm = GLib.timeout_add(CALM, self.look_again)

    def look_again(self):
        self.calm = None
        return self.tell() if self.due is None else False

    def tell(self):
        if self.due is not None:
            GLib.source_remove(self.due)
            self.due = None
        self.lines, self.place, self.title = [], None, ""
        self.has_many = False
        try:
            for program in Item(REGISTRY, "/org/a11y/atspi/accessible/root").children():
                self.walk(program, 0)
        except TimeoutError:
            # A program that is busy shows what it showed before.
            self.happened()
            return False
        screen = "\n".join(self.lines + ([self.place] if self.place else []))
        if screen != self.last:
            self.last = screen
            sys.stdout.write(screen + "\f")
            sys.stdout.flush()
        keyboard.perform_orders()
        return False

    def walk(self, item, depth):
        try:
            role = item.role()
            if role in PASSED or depth > 40:
                return
            states = item.states()
            is_showing = role == "application" or states(Atspi.StateType.SHOWING)
            is_window = role in WINDOWS
            if is_window and not is_showing:
                return
            # What hangs in a notebook of GTK shows itself, and its notebook does not.
            if is_showing:
                name = item.value("Name") if role != "application" else ""
                self.title = name if name and is_window and role != "menu" else self.title
                self.note(item, role, name, states)
            # Reading one takes seconds.
            if role == "frame" and self.has_many and not states(Atspi.StateType.ACTIVE):
                return
            children = item.children()
            if role == "application":
                self.has_many = len(children) > MANY
        except GLib.Error as error:
            if error.matches(Gio.io_error_quark(), Gio.IOErrorEnum.TIMED_OUT):
                raise TimeoutError from error
            # Whatever went away meanwhile is not shown.
            self.happened()
            return
        for child in children:
            self.walk(child, depth + 1)

    def note(self, item, role, name, states):
        has_text = role in TEXTS and "org.a11y.atspi.Text" in item.ask("GetInterfaces")
        content = item.text(0, min(item.value("CharacterCount", "Text"), LONGEST)) if has_text else ""
        for line in dict.fromkeys([name, content]):
            if line:
                # A form feed ends a screen.
                self.lines.append(line.replace("\f", " "))
        is_typed = states(Atspi.StateType.EDITABLE) and states(Atspi.StateType.MULTI_LINE)
        is_focused = states(Atspi.StateType.FOCUSED)
        if has_text and (role == "paragraph" or is_typed) and (self.place is None or is_focused):
            self.note_place(item, role)

    def note_place(self, item, role):
        caret = item.value("CaretOffset", "Text")
        # A paragraph that the caret left may still say that it has the focus.
        if caret < 0 and role == "paragraph":
            return
        before = item.text(0, max(caret, 0))
        line = item.position() if role == "paragraph" else before.count("\n")
        column = len(before.rsplit("\n", 1)[-1])
        document = re.sub(r"^\*|( \([^()]*\))?( : \d+)?( [-–—] [^-–—]*)?\s*$", "", self.title).strip(" *")
        self.place = f"{document}  Ln {line + 1}, Col {column + 1}"
        for index in range(item.ask("GetNSelections", interface="Text")):
            begin, end = bus.call(*item.address, "org.a11y.atspi.Text", "GetSelection", "i", index)
            self.place += f"\nselected {item.text(begin, end)!r}"


bus = Bus()
reader = Reader()
keyboard = Keyboard(sys.argv[1])
print("ready\f", end="", flush=True)
GLib.MainLoop().run()
