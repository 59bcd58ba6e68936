#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A person in front of a display: presses the keys that it is told to, and tells what a screen reader is told.

window.py PIPE: makes the named pipe. An order in it is a line `type N` or `press N`, and N lines: texts, or keys by
tmux's names. Whenever a window has changed, all that it shows is printed, a line each, and a form feed; the last
line is `NAME  Ln LINE, Col COLUMN` of the text that has the caret, in scalars, from 1.
"""
import os
import re
import subprocess
import sys

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

# What of a window is no text of it; what hangs in a closed menu is not shown.
PASSED = {"tool bar", "scroll bar", "ruler", "table", "tree", "tree table", "separator", "desktop frame"}
KEYS = {"Enter": "Return", "Escape": "Escape", "BSpace": "BackSpace", "NPage": "Next", "PPage": "Prior", "Space": "space"}
PREFIXES = {"C": "ctrl", "M": "alt", "S": "shift"}
LONGEST = 2000
PACE = 60
# Behind the last event: Qt tells of a new text before it shows it.
CALM = 700
# Kate tells of nothing when it has read a file again.
ANYWAY = 1500


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
        GLib.io_add_watch(self.pipe, GLib.IO_IN, self.take)

    def take(self, *_):
        self.rest += os.read(self.pipe, 65536)
        while self.rest.count(b"\n"):
            lines = self.rest.split(b"\n")
            verb, count = lines[0].decode().split(" ")
            if len(lines) < int(count) + 2:
                break
            self.perform(verb, [line.decode().replace("\r", "\n") for line in lines[1 : 1 + int(count)]])
            self.rest = b"\n".join(lines[1 + int(count) :])
        return True

    def perform(self, verb, words):
        for word in words:
            key = symbol(word) if verb == "press" else None
            arguments = ["key", "--clearmodifiers", key] if key else ["type", "--clearmodifiers", "--delay", "8", "--", word]
            subprocess.run(["xdotool"] + arguments, check=True)


class Reader:
    def __init__(self):
        self.due = None
        self.calm = None
        self.last = None
        listener = Atspi.EventListener.new(self.happened)
        for kind in ("object:text-caret-moved", "object:text-changed", "object:text-selection-changed",
                     "object:state-changed:showing", "object:state-changed:focused", "object:children-changed",
                     "object:property-change:accessible-name", "window", "focus"):
            listener.register(kind)
        GLib.timeout_add(ANYWAY, self.look_anyway)

    def look_anyway(self):
        self.tell()
        return True

    def happened(self, _event):
        if self.due is None:
            self.due = GLib.timeout_add(PACE, self.tell)
        if self.calm is not None:
            GLib.source_remove(self.calm)
        self.calm = GLib.timeout_add(CALM, self.look_again)

    def look_again(self):
        self.calm = None
        return self.tell() if self.due is None else False

    def tell(self):
        self.due = None
        self.lines, self.place, self.title = [], None, ""
        desktop = Atspi.get_desktop(0)
        # What libatspi remembers of children that came while it asked is not always so.
        desktop.clear_cache()
        for index in range(desktop.get_child_count()):
            program = desktop.get_child_at_index(index)
            if program:
                # It would keep asking for parts of Kate's windows that are others by now.
                program.set_cache_mask(Atspi.Cache.NONE)
            self.walk(program, 0)
        screen = "\n".join(self.lines + ([self.place] if self.place else []))
        if screen != self.last:
            self.last = screen
            sys.stdout.write(screen + "\f")
            sys.stdout.flush()
        return False

    def walk(self, item, depth):
        try:
            role = item.get_role_name() if item else "desktop frame"
            states = item.get_state_set() if item else None
            isShowing = role == "application" or states.contains(Atspi.StateType.SHOWING)
            isWindow = role in ("frame", "dialog", "alert", "window", "menu")
            if role in PASSED or depth > 40 or isWindow and not isShowing:
                return
            # What hangs in a notebook of GTK shows itself, and its notebook does not.
            if isShowing:
                if isWindow:
                    item.clear_cache()
                name = item.get_name()
                self.title = name if name and isWindow and role != "menu" else self.title
                self.note(item, role, name, states)
            for index in range(min(item.get_child_count(), 200)):
                self.walk(item.get_child_at_index(index), depth + 1)
        except (GLib.Error, AttributeError):
            # Whatever went away meanwhile is not shown.
            self.happened(None)

    def note(self, item, role, name, states):
        text = item.get_text_iface() if role in ("text", "label", "paragraph", "entry", "heading") else None
        content = Atspi.Text.get_text(text, 0, min(Atspi.Text.get_character_count(text), LONGEST)) if text else ""
        for line in dict.fromkeys([name, content]):
            if line and role != "application":
                self.lines.append(line)
        isTyped = states.contains(Atspi.StateType.EDITABLE) and states.contains(Atspi.StateType.MULTI_LINE)
        if text and (role == "paragraph" or isTyped) and (self.place is None or states.contains(Atspi.StateType.FOCUSED)):
            self.note_place(item, text, role)

    def note_place(self, item, text, role):
        caret = Atspi.Text.get_caret_offset(text)
        # A paragraph that the caret left may still say that it has the focus.
        if caret < 0 and role == "paragraph":
            return
        before = Atspi.Text.get_text(text, 0, max(caret, 0))
        line = item.get_index_in_parent() if role == "paragraph" else before.count("\n")
        column = len(before.rsplit("\n", 1)[-1])
        document = re.sub(r"^\*|( \([^()]*\))?( [-–—] [^-–—]*)?\s*$", "", self.title).strip(" *")
        self.place = f"{document}  Ln {line + 1}, Col {column + 1}"
        for index in range(Atspi.Text.get_n_selections(text)):
            part = Atspi.Text.get_selection(text, index)
            selected = Atspi.Text.get_text(text, part.start_offset, part.end_offset)
            self.place += f"\nselected {selected!r}"


Keyboard(sys.argv[1])
reader = Reader()
print("ready\f", end="", flush=True)
Atspi.event_main()
