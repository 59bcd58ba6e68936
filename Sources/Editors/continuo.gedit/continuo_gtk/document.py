# SPDX-License-Identifier: MIT
"""One document of gedit or Pluma, in its tab."""

import os

from continuo.editing import DocumentView, SaveObstacle

from . import places


class TextDocument(DocumentView):
    """What both programs have alike; they add `path`, `encoding`, `is_readonly`, `write` and `reload`."""

    def __init__(self, editor, tab):
        self.editor = editor
        self.tab = tab
        self.buffer = tab.get_document()
        self.view = tab.get_view()
        self._revision = 0
        self._preedit = ""
        self.is_odd = places.ODD.search(places.text_of(self.buffer)) is not None
        self._handlers = []
        self._listen(self.buffer, "changed", self._changed)
        self._listen(self.buffer, "insert-text", self._inserted)
        for signal in ("notify::cursor-position", "mark-set", "modified-changed"):
            self._listen(self.buffer, signal, self._touched)
        self._listen(self.view, "preedit-changed", self._composed)
        self._listen(self.view.get_vadjustment(), "value-changed", self._touched)

    def _listen(self, source, signal, handler, *more):
        self._handlers.append((source, source.connect(signal, handler, *more)))

    def forget(self):
        """The tab goes, or the plugin."""
        for source, handler in self._handlers:
            source.disconnect(handler)
        self._handlers = []

    def _changed(self, *_):
        self._revision += 1
        self._touched()

    def _inserted(self, _buffer, _at, text, _length):
        if not self.is_odd and places.ODD.search(text):
            self.is_odd = True

    def _composed(self, _view, text):
        self._preedit = text

    def _touched(self, *_):
        self.editor.touched(self)

    # What the core asks

    def is_modified(self):
        return self.buffer.get_modified()

    def revision(self):
        return self._revision

    def place(self):
        return places.place_of(self.view, self.is_odd)

    def go(self, place):
        places.go(self.view, place, self.is_odd, self.editor.later)

    def text(self):
        return places.text_of(self.buffer)

    def is_typing(self):
        return bool(self._preedit)

    def set_read_only(self, is_read_only):
        self.view.set_editable(not is_read_only)

    def is_loading(self):
        return "LOADING" in self.state() or "REVERTING" in self.state()

    def state(self):
        """The tab's, as "STATE_NORMAL"."""
        return self.tab.get_state().value_nick.upper().replace("-", "_")

    def save_obstacle(self, is_pause):
        # While the program writes, it takes no keys.
        if self._preedit or self.view.has_focus() and not is_pause:
            return SaveObstacle("is being typed in", is_passing=True)
        state = self.state()
        if "SAVING" in state and "ERROR" not in state or self.is_loading():
            return SaveObstacle("is being read or written", is_passing=True)
        if not state.endswith("NORMAL"):
            return SaveObstacle(f"has a question of {self.editor.name}'s that waits for an answer")
        if self.is_readonly():
            return SaveObstacle("is read-only")
        path = self.path() or ""
        if not os.access(os.path.dirname(path), os.W_OK):
            return SaveObstacle("is in a folder that cannot be written")
        return self._loss()

    def _loss(self):
        """What writing would change without being asked to."""
        text, encoding = self.text(), self.encoding()
        if self.is_odd:
            ends = {"\r\n" if each == "\r\n" else each for each in places.re.findall("\r\n|[\r\n\u2029]", text)}
            if len(ends) > 1 or "\u2029" in ends:
                return SaveObstacle(f"has line ends of several kinds, and {self.editor.name} would make them alike")
        if encoding.lower().replace("-", "") not in ("utf8", "utf16", "utf32"):
            try:
                text.encode(encoding)
            except UnicodeError:
                return SaveObstacle(f"has characters that {encoding} has not")
            except LookupError:
                return SaveObstacle(f"is in {encoding}, which cannot be looked at here")
        return None

    def save(self, done):
        self.write(done)
