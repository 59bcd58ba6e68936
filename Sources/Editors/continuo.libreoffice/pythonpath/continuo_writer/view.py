# SPDX-License-Identifier: MIT
"""One document of Writer, as the core of behaviour sees it."""
from typing import Any, Callable, Mapping, NamedTuple, Optional

import unohelper
from com.sun.star.uno import Exception as UnoException
from com.sun.star.util import XModifyListener
from continuo.editing import DocumentView, Done, SaveObstacle
from continuo.model import Delivered, Place, Position
from continuo.names import path_of

from . import caret, locks, origin, writing
from .events import controllers

# What is published of texts that are no plain ones; docs/authors/word-processing-activity.md describes it.
ACTIVITY = "public.word-processing"


# In seconds: how long reading may take, and how long a window settles behind it.
LONGEST = 30
SETTLING = 0.3


class _Changes(unohelper.Base, XModifyListener):
    def __init__(self, view: "WriterView") -> None:
        self.view = view

    def modified(self, event: Any) -> None:
        """Saving says this, too."""
        if event.Source.isModified():
            self.view.changes += 1

    def disposing(self, _event: Any) -> None:
        pass


class _Former(NamedTuple):
    """How a view stood when another document was asked to come into its window: the former one cannot be asked now."""

    path: str
    place: Optional[Place]
    spot: Optional[Place]
    user_info: Optional[Mapping[str, Any]]


class WriterView(DocumentView):
    def __init__(self, writer: Any, model: Any) -> None:
        self.writer = writer
        self.changes = 0
        self.isSavedHere = self.isSaving = self.isClosing = False
        self._listener = _Changes(self)
        self._isFaithful = False
        self._arrived: Optional[Callable[[Any], None]] = None
        self._moved: Optional[str] = None
        self._former: Optional[_Former] = None
        # How often another document was asked to come: who waited for the one before has nothing to end any more.
        self._replacements = 0
        # Its windows, and the one in which the person was last.
        self.frames: "list[Any]" = []
        self._front: Any = None
        self.bind(model)

    def bind(self, model: Any) -> None:
        """It is this model from now on: after reading the file again it is another one."""
        self.model = model
        self.identity = model.RuntimeUID
        self.isClosing = False
        self.changes += 1
        model.addModifyListener(self._listener)
        # LibreOffice reads it again window by window, and takes the last one for the current one.
        for controller in controllers(model):
            if controller.Frame == self._front:
                model.setCurrentController(controller)
        self.note_windows()
        self.lastURL = model.URL
        self.look_at_file()

    def note_windows(self) -> None:
        """A window came, or another one is in front."""
        self.frames = [each.Frame for each in controllers(self.model)]
        self._front = self.model.CurrentController.Frame

    def look_at_file(self) -> None:
        """Whether Writer's paragraphs are the lines that other editors count in this file."""
        path = self.path()
        self._isFaithful = False
        if self.isPlain and path:
            lines, own = origin.lines(path), self.model.Text.String.split("\n")
            self._isFaithful = lines is not None and (lines == own or lines == own + [""])

    @property
    def isPlain(self) -> bool:
        return writing.is_plain(self.model)

    # MARK: What it is

    def path(self) -> Optional[str]:
        if self._moved is not None:
            return self._moved
        if self._former is not None:
            return self._former.path
        return path_of(self.model.URL) if self.model.URL.startswith("file:///") else None

    def is_modified(self) -> bool:
        return self._former is None and self.model.isModified()

    def was_deleted(self) -> None:
        """Writer saves nothing that it takes for saved. That is no change of the person's."""
        before = self.changes
        if self._former is None:
            self.model.setModified(True)
        self.changes = before

    def revision(self) -> int:
        return self.changes

    def text(self) -> Optional[str]:
        return self.model.Text.String if self._former is None and self.isPlain else None

    # MARK: Where the person is

    def _place(self) -> Optional[Place]:
        found = caret.spot(self.model)
        if found is None:
            return None
        selection = None if found.selection is None else caret.position(found.text, found.selection)
        return Place(caret.position(found.text, found.caret), selection)

    def place(self) -> Optional[Place]:
        if self._former is not None:
            return self._former.place
        return self._place() if self.isPlain and self._isFaithful else None

    def spot(self) -> Optional[Place]:
        return self._place() if self._former is None else self._former.spot

    def user_info(self) -> Optional[Mapping[str, Any]]:
        if self._former is not None:
            return self._former.user_info
        found = None if self.isPlain else caret.spot(self.model)
        return None if found is None else caret.info(found)

    def go(self, place: Place) -> None:
        caret.restore_place(self.model, place)

    def go_activity(self, activity: Delivered, place: Optional[Place], certainty: Optional[str]) -> Optional[str]:
        path = self.path()
        if path is not None and not self.model.isReadonly():
            locks.take(path, writing.own_lock(self.writer.context))
        if not self.isPlain:
            return caret.restore(self.model, activity.user_info)
        if place is not None:
            self.go(place)
        return certainty

    def line_of(self, place: Place) -> str:
        return f"paragraph {place.position.line + 1}"

    # MARK: Its file

    def save_obstacle(self, is_pause: bool) -> Optional[SaveObstacle]:
        if self._former is not None:
            return SaveObstacle("is being read", is_passing=True)
        path = self.path()
        if path is None:
            return SaveObstacle("has no file")
        if self.isSaving:
            return SaveObstacle("is being saved", is_passing=True)
        reason = writing.obstacle(self.writer.context, self.model, path, self.isSavedHere)
        if reason is not None:
            return SaveObstacle(reason)
        # Writing takes a moment, in which no key is taken.
        return None if is_pause else SaveObstacle("is being typed in", is_passing=True)

    def save(self, done: Done) -> None:
        path = self.path()
        done("it has no file" if path is None else writing.save(self.writer.context, self.model, path))

    def reload(self, done: Done) -> None:
        self.replace(lambda path: self.writer.files.read_again(self.model, path), done)

    def replace(self, read: "Callable[[str], None]", done: Done) -> None:
        """`read` has another document come into the same window; the place stays. LibreOffice does not bear a caret
        that is moved, or a document that goes, before its window has settled."""
        path, found = self.path(), caret.spot(self.model)
        if path is None:
            return done("it has no file")
        broken = origin.unreadable(path)
        if broken:
            return done(broken)

        self._replacements += 1
        number = self._replacements

        def over(failure: Optional[str]) -> None:
            if self.writer.reloading is self and self._replacements == number:
                self.writer.reloading, self._arrived, self._former = None, None, None
                done(failure)

        def arrived(model: Any) -> None:
            self._former = None
            self.writer.rebind(self, model)
            self.writer.files.read_over(self.path())
            if found is not None:
                caret.go(self.model, found.container, found.caret, found.selection)
            over(None)

        self._former = _Former(path, self.place(), self.spot(), self.user_info())
        self.writer.reloading, self._arrived = self, arrived
        self.writer.later(LONGEST, lambda: over("it took too long"))
        try:
            read(path)
        except UnoException as failure:
            over(str(failure))

    def follow(self, path: str, read: "Callable[[str], None]", done: Done) -> None:
        """The same for a file that lies elsewhere now."""
        self._moved = path

        def over(failure: Optional[str]) -> None:
            self._moved = None
            done(failure)

        self.replace(read, over)

    def arrive(self, model: Any) -> None:
        """LibreOffice tells of the document that was read instead."""
        arrived, self._arrived = self._arrived, None
        if arrived is not None:
            self.writer.later(SETTLING, lambda: arrived(model))

    def set_read_only(self, is_read_only: bool) -> None:
        if self.model.isReadonly() == is_read_only:
            return
        self.writer.files.edit(self.model, not is_read_only)
        # LibreOffice may have read the file again for that, and tells of it later.
        model = self._front.Controller.Model
        if model.RuntimeUID != self.identity:
            self.writer.rebind(self, model)
