# SPDX-License-Identifier: MIT
"""An editor without a screen, for tests of `continuo.editing`: its documents are texts, its main loop is run by the
test."""

import heapq
import itertools
import os
import queue
import time

from continuo import Place, Position
from continuo.editing import DocumentView, Editor, SaveObstacle


class Loop:
    def __init__(self):
        self._inbox = queue.SimpleQueue()
        self._timers = []
        self._count = itertools.count()

    def post(self, act):
        self._inbox.put(act)

    def later(self, seconds, act):
        heapq.heappush(self._timers, (time.monotonic() + seconds, next(self._count), act))

    def step(self, seconds):
        """Runs what is due, and waits at most so long for more."""
        until = time.monotonic() + seconds
        while True:
            now = time.monotonic()
            while self._timers and self._timers[0][0] <= now:
                heapq.heappop(self._timers)[2]()
            try:
                next_timer = self._timers[0][0] if self._timers else until
                self._inbox.get(timeout=max(0, min(until, next_timer) - now))()
            except queue.Empty:
                if time.monotonic() >= until:
                    return

    def until(self, condition, what="it", patience=120):
        deadline = time.monotonic() + patience
        while not condition():
            if time.monotonic() > deadline:
                raise AssertionError(f"{what} did not come about")
            self.step(0.01)


class PaperView(DocumentView):
    def __init__(self, editor, path):
        self.editor = editor
        self.name = path
        self.count = 0
        self.at = Place(Position(0, 0), None, 0)
        self.modified = self.read_only = self.busy = self.is_deleted = False
        self.obstacle = None
        self.content = ""
        self.saves = self.reads = 0
        if os.path.exists(path):
            self.take()

    def take(self):
        with open(self.name, encoding="utf-8", errors="surrogateescape", newline="") as file:
            self.content = file.read()
        self.count += 1
        self.reads += 1
        self.modified = False

    def type(self, text):
        """The person types at the end."""
        self.content += text
        self.count += 1
        self.modified = True
        lines = self.content.split("\n")
        self.at = Place(Position(len(lines) - 1, len(lines[-1])), None, 0)
        self.editor.continuity.touched(self)

    def move(self, line, character):
        self.at = Place(Position(line, character), None, 0)
        self.editor.continuity.touched(self)

    def path(self):
        return self.name

    def is_modified(self):
        return self.modified

    def revision(self):
        return self.count

    def place(self):
        return self.at

    def go(self, place):
        self.at = place

    def text(self):
        return self.content

    def is_typing(self):
        return self.busy

    def set_read_only(self, is_read_only):
        self.read_only = is_read_only

    def save_obstacle(self, is_pause):
        return None if is_pause and self.obstacle and self.obstacle.is_passing else self.obstacle

    def save(self, done):
        def write():
            with open(self.name, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
                file.write(self.content)
            self.modified = False
            self.saves += 1
            self.editor.continuity.saved(self)
            done(None)

        self.editor.later(0, write)

    def was_deleted(self):
        self.is_deleted = True

    def reload(self, done):
        def read():
            self.take()
            # As a text that tells of each change.
            self.editor.continuity.touched(self)
            done(None)

        self.editor.later(0, read)


class Paper(Editor):
    def __init__(self, loop=None):
        self.loop = loop or Loop()
        self.views = []
        self.front = None
        self.prompt = None
        self.told = []
        self.asked = []
        self.choice = None
        self.presence = {}
        self.compared = []
        self.busy = False
        self.continuity = None

    def documents(self):
        return self.views

    def current(self):
        return self.front

    def read(self, path):
        view = PaperView(self, path)
        self.views.append(view)
        self.front = view
        self.continuity.opened(view)
        self.continuity.entered(view)
        return view

    def open(self, path, in_front, done):
        def act():
            front = self.front
            view = self.read(path)
            self.front = view if in_front else front
            done(view, None)

        self.later(0, act)

    def close(self, view):
        self.views.remove(view)
        self.continuity.closed(view)

    def show(self, view):
        self.front = view

    def show_prompt(self, prompt):
        self.prompt = prompt

    def tell(self, text, is_warning):
        self.told.append(text)

    def ask(self, question, choices, answer):
        self.asked.append((question, list(choices)))
        answer(self.choice(choices) if self.choice else None)

    def compare(self, view, path, label, done):
        self.compared.append((view, path, label))
        done(None)

    def rename(self, view, path):
        view.name = path

    def is_busy(self):
        return self.busy

    def show_presence(self, view, line):
        self.presence[view] = line

    def later(self, seconds, act):
        self.loop.later(seconds, act)

    def post(self, act):
        self.loop.post(act)


__all__ = ["Loop", "Paper", "PaperView", "SaveObstacle"]
