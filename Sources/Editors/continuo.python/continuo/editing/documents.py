# SPDX-License-Identifier: MIT
"""Which views are documents, what the server hears of them, and what it asks."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from typing import Callable, Dict, List, Optional

from ..errors import ContinuoError
from ..hosts import HostedSession
from ..model import Place, Position, Round, Standing
from ..names import path_of, short, uri_of
from ..session import Update
from . import saving, stamps
from .editor import DocumentView, Editor
from .messages import Messages
from .settings import Settings

# In seconds: how often a change is told, how long nobody types in a pause, how long reading moves the cursor.
PACE = 0.15
PAUSE = 1.5
READING = 0.3


@dataclass(frozen=True)
class State:
    """What can differ between two rounds."""

    revision: int
    position: Optional[Position]
    selection: Optional[Position]
    top_line: Optional[int]
    is_modified: bool

    @classmethod
    def of(cls, view: DocumentView) -> State:
        place = view.spot() or Place(Position(0, 0))
        return cls(view.revision(), place.position, place.selection, place.top_line, view.is_modified())

    def is_moved(self, other: State) -> bool:
        """What the person has to do with the place is what makes it used, not what the window shows."""
        mine = (self.revision, self.position, self.selection)
        return mine != (other.revision, other.position, other.selection)


class Document:
    """A view with a file that the server knows."""

    def __init__(self, view: DocumentView, uri: str) -> None:
        self.view = view
        self.uri = uri
        self.standing: Optional[Standing] = None
        # The file that was read or written; None where that is not known.
        self.stamp: Optional[stamps.Stamp] = None
        # The state told last, and the state seen last.
        self.told: Optional[State] = None
        self.seen: Optional[State] = None
        # When the person last typed or moved, when they last typed, when the file was read.
        self.used_at = self.typed_at = self.read_at = float("-inf")
        # Whether the person did something since another device's version came, and since the server was told.
        self.is_worked_on = self.is_touched = False
        self.is_wanted = False
        # The core has it read again; what changes by that is nobody's doing.
        self.is_being_read = False
        self.is_read_only_by_us = False
        self.saves = 0

    @property
    def name(self) -> str:
        return short(path_of(self.uri))

    def is_unchanged(self) -> bool:
        """Whether the file by the view's name is the one that was read. A rename leaves it so."""
        return self.stamp is not None and self.stamp == stamps.stamp(self.view.path())

    def is_there(self) -> bool:
        return stamps.stamp(self.view.path()) is not None

    def is_arriving(self) -> bool:
        """Whether it is being read. What changes by that is nobody's doing."""
        return self.is_being_read or self.view.is_loading()

    def is_news(self) -> bool:
        """Whether what was seen last differs from what the server knows."""
        return not self.is_arriving() and self.told != self.seen

    def is_pause(self) -> bool:
        """Whether the person has not typed for a moment."""
        return time.monotonic() - self.typed_at >= PAUSE


class Documents:
    def __init__(self, editor: Editor, session: HostedSession, messages: Messages, settings: Settings,
                 touched: Callable[[Document], None]) -> None:
        """`touched` is called when the person did something in a document, or saved it."""
        self._editor = editor
        self._session = session
        self._messages = messages
        self._settings = settings
        self._touched = touched
        self._open: Dict[DocumentView, Document] = {}
        self._current: Optional[DocumentView] = None
        self._is_telling = False
        self._is_leaving = False

    # MARK: Looking up

    def all(self) -> List[Document]:
        return list(self._open.values())

    def of(self, view: Optional[DocumentView]) -> Optional[Document]:
        return None if view is None else self._open.get(view)

    def find(self, uri: Optional[str]) -> Optional[Document]:
        """A document by its name, or by the file that it leads to."""
        path = path_of(uri) if uri else None
        if path is None:
            return None
        for document in self._open.values():
            if document.uri == uri or path_of(document.uri) == path:
                return document
        resolved = os.path.realpath(path)
        for document in self._open.values():
            if os.path.realpath(path_of(document.uri) or "") == resolved:
                return document
        return None

    def is_used(self, document: Document, moment: float) -> bool:
        """Whether the person has used it since `moment`, of time.monotonic."""
        self.look(document)
        return document.used_at > moment

    def is_worked_on(self, uri: Optional[str]) -> bool:
        """Whether the person works on it here, and nothing newer lies beneath."""
        document = self.find(uri)
        if document is None:
            return False
        self.look(document)
        return document.is_worked_on and document.is_unchanged()

    # MARK: What happens to it

    def settle(self, document: Document) -> None:
        """The view is as the core has left it: nobody moved or typed by that."""
        document.seen = State.of(document.view)

    def note_version(self, document: Document) -> None:
        """The view shows what its file holds, or what another device left."""
        self.settle(document)
        document.is_worked_on = False

    def look(self, document: Document) -> bool:
        """Takes note of what the person does; true when anything differs from what the server knows."""
        new, now = State.of(document.view), time.monotonic()
        if document.is_arriving():
            document.seen = new
            return False
        if document.seen is not None and document.seen.is_moved(new):
            document.used_at, document.is_worked_on = now, True
            # An editor may move the cursor a moment after the file was read again.
            if now - document.read_at >= READING or new.is_modified:
                document.is_touched = True
            if document.seen.revision != new.revision:
                document.typed_at = now
        document.seen = new
        return document.is_news()

    def read(self, view: DocumentView) -> Optional[Document]:
        """The view was read from its file, for the first time or again."""
        return self._adopt(view, None if view.is_modified() else stamps.stamp(view.path()))

    def adopt_late(self, view: DocumentView) -> Optional[Document]:
        """A view that was read before anybody looked: its file counts as unchanged only if it holds that text."""
        path, found = view.path(), None
        text = None if view.is_modified() or not path else view.text()
        if path and text is not None and stamps.holds_text(path, text):
            found = stamps.stamp(path)
        return self._adopt(view, found)

    def _adopt(self, view: DocumentView, found: Optional[stamps.Stamp]) -> Optional[Document]:
        path = view.path()
        if not path or stamps.stamp(path) is None:
            return None
        document = self._open.get(view)
        is_new = document is None
        if document is None:
            document = self._open[view] = Document(view, uri_of(path))
        document.stamp = found
        self._session.start()
        self.say_open(document)
        self._let_read(document)
        if is_new and view is self._editor.current():
            self._tell_current(document)
        return document

    def _let_read(self, document: Document) -> None:
        """What the rest of reading does (a place that is remembered) is not the person's doing."""
        used_at, typed_at, is_touched = document.used_at, document.typed_at, document.is_touched
        document.read_at = time.monotonic()

        def settled() -> None:
            if self.of(document.view) is document:
                self.note_version(document)
                document.used_at, document.typed_at, document.is_touched = used_at, typed_at, is_touched

        self._editor.later(0, settled)

    def say_open(self, document: Document) -> None:
        """The server has a document from the moment its file is read; it is asked how that stands."""
        document.told = State.of(document.view)
        document.seen = document.seen or document.told
        uri, edited = document.uri, document.view.is_modified()

        def took(failure: Optional[ContinuoError], standing: Optional[Standing]) -> None:
            if self.of(document.view) is document and document.uri == uri:
                document.standing = standing or Standing(uri, False, reason=failure.sentence if failure else None)

        self._session.ask(lambda session: session.open(uri, edited), took)

    def stood(self, standing: Standing, uri: str) -> None:
        """How a document stands now."""
        document = self.find(uri)
        if document is not None:
            document.standing = standing

    def saved(self, view: DocumentView) -> None:
        """The view was just written into its file."""
        document = self._open.get(view)
        path = view.path()
        if document is None:
            self.read(view)
            return
        if path and uri_of(path) != document.uri:
            self.renamed(view)
        document.stamp = stamps.stamp(path)
        document.saves += 1
        uri = document.uri
        self._touched(document)
        self._session.tell(lambda session: session.did_save(uri))
        self.touch(view)

    def renamed(self, view: DocumentView) -> None:
        """The document has another name."""
        document, path = self._open.get(view), view.path()
        if document is None or not path or uri_of(path) == document.uri:
            return
        old, new = document.uri, uri_of(path)
        document.uri = new
        self._session.tell(lambda session: session.did_move(old, new))

    def closed(self, view: DocumentView) -> None:
        """The view is gone. An editor that quits withdraws nothing."""
        document = self._open.get(view)
        if document is None or self._is_leaving:
            return
        del self._open[view]
        if self._current is view:
            self._current = None
        uri = document.uri
        self._session.ask(lambda session: session.close_document(uri))

    # MARK: Telling

    def touch(self, view: DocumentView) -> None:
        """Something happened that may be worth telling."""
        document = self._open.get(view)
        if document is not None and self.look(document):
            self._tell_soon(PACE)

    def enter(self, view: DocumentView) -> None:
        """The view is in front."""
        document = self._open.get(view)
        if document is not None:
            self._tell_current(document)
            self.touch(view)

    def _tell_current(self, document: Document) -> None:
        self._current = document.view
        uri = document.uri
        self._session.tell(lambda session: session.become_current(uri))

    def _tell_soon(self, seconds: float) -> None:
        if not self._is_telling:
            self._is_telling = True
            self._editor.later(seconds, self._tell_changes)

    def _tell_changes(self) -> None:
        """What was seen and not told. Only what happens to a document is a reason to look at it: of a hundred, each
        look takes its moment of the editor's."""
        self._is_telling = False
        for document in self.all():
            if document.is_news() or document.is_wanted:
                by_person = document.is_touched
                document.told, document.is_wanted, document.is_touched = document.seen, False, False
                if by_person:
                    self._touched(document)
                self._tell_change(document.uri, document.view.is_modified() and not self._is_leaving, by_person)

    def _tell_change(self, uri: str, edited: bool, by_person: bool) -> None:
        self._session.tell(lambda session: session.did_change(uri, edited, by_person))

    def leave(self) -> None:
        """The last that is told. Text that is given up is not saved after all."""
        self._is_leaving = True
        for document in self.all():
            self.look(document)
        self._tell_changes()

    # MARK: Rounds

    def round(self, update: Update, answer: Callable[[Optional[Round]], None]) -> None:
        """`activity/update`."""
        found = self.find(update.uri)
        if found is None:
            return answer(None)
        document = found
        self.look(document)
        if not self._settings.autosave or self._is_leaving:
            return self._finish(document, answer)
        self._save(document, answer, time.monotonic() + PAUSE, update.requested_by is not None)

    def _save(self, document: Document, answer: Callable[[Optional[Round]], None], until: float,
              is_requested: bool) -> None:
        """Saves and answers; where the person is in the way, once they pause, but soon. Where they go on with it on
        another device, nobody is in the middle of a word here."""

        def took(outcome: saving.Outcome) -> None:
            now = time.monotonic()
            if outcome.is_worth_trying and now < until:
                return self._editor.later(min(until - now, 0.1), lambda: self._save(
                    document, answer, until, is_requested))
            refusal = None
            if outcome.is_worth_trying:
                document.is_wanted = True
                self._editor.later(PAUSE, lambda: self._tell_soon(0))
            elif outcome.reason is not None:
                self._messages.once(f"{document.name} is handed over without your last changes: it {outcome.reason}")
                refusal = f"{document.name} {outcome.reason}" if is_requested else None
            self._finish(document, answer, refusal)

        if self.of(document.view) is not document:
            return answer(None)
        self.look(document)
        saving.save(document, is_requested or document.is_pause(), self.saved, took)

    def _finish(self, document: Document, answer: Callable[[Optional[Round]], None],
                refusal: Optional[str] = None) -> None:
        self.look(document)
        # What the person did is told by the round.
        document.told, document.is_touched = document.seen, False
        view = document.view
        answer(Round(view.place(), view.is_modified() and not self._is_leaving, document.name, view.user_info(),
                     refusal))
