# SPDX-License-Identifier: MIT
"""What becomes of documents whose files other programs change, and showing what is continued."""

from __future__ import annotations

from typing import Callable, Optional, Tuple

from ..events import ChangedOnDisk
from ..model import Restore, Restored
from ..names import path_of, short, shown_path
from . import stamps
from .documents import Document, Documents
from .editor import DocumentView, Editor
from .messages import Messages

# In seconds: when it is looked again whether the person still types.
AGAIN = 0.3

Then = Callable[[bool], None]


class Files:
    def __init__(self, editor: Editor, documents: Documents, messages: Messages) -> None:
        self._editor = editor
        self._documents = documents
        self._messages = messages
        # Where another device was.
        self._target: Optional[Tuple[DocumentView, Restore]] = None

    # MARK: Reading again

    def _reload(self, document: Document, then: Then) -> None:
        """Reads the file again; view and place stay. False, and the text stays, when that fails."""
        view, name = document.view, document.name
        if not document.is_there():
            self._messages.warn(f"{name} cannot be read now; your text stays")
            return then(False)
        if document.is_being_read:
            # It is being read anyway, perhaps an older one: looked at once more afterwards.
            self._editor.later(AGAIN, lambda: self._reload_again(document, then))
            return
        document.is_being_read = True
        found = stamps.stamp(view.path())

        def done(failure: Optional[str]) -> None:
            self._documents.settle(document)
            document.is_being_read = False
            if failure is not None:
                self._messages.warn(f"{name} could not be read again: {failure}")
                return then(False)
            if self._documents.of(view) is document:
                self._documents.read(view)
                # What came while it was read was not read.
                if not view.is_modified():
                    document.stamp = found
                self._documents.settle(document)
            then(True)

        view.reload(done)

    def _reload_again(self, document: Document, then: Then) -> None:
        if document.is_unchanged() or self._documents.of(document.view) is not document:
            return then(True)
        self._reload(document, then)

    def _is_typing(self, document: Document) -> bool:
        self._documents.look(document)
        if document.view is not self._editor.current():
            return False
        return document.view.is_typing() or not document.is_pause()

    def _changed(self, document: Document) -> None:
        if document.is_unchanged() or self._documents.of(document.view) is not document:
            return
        name, wording = document.name, self._editor.wording
        if document.view.is_modified():
            return self._messages.warn(
                f"{name} was changed on disk; your text stays: {wording.save_over}, or {wording.reload} to read the "
                "file")
        # Not between two keys.
        if self._is_typing(document):
            return self._editor.later(AGAIN, lambda: self._changed(document))
        self._reload(document, lambda _: None)

    def _moved(self, document: Document, new: str) -> None:
        path = path_of(new)
        if path is None:
            return
        # What still lies where it was did not move: what moved was another folder's copy of it.
        if document.is_unchanged() and not stamps.is_same_file(document.view.path() or "", path):
            return
        name = document.name
        if self._view_of(path, document.view) is not None:
            return self._messages.warn(
                f"{name} was moved to {shown_path(path)}, which is open already; this one stays as it is")
        failure = self._editor.rename(document.view, path)
        if failure is not None:
            return self._messages.warn(f"{name} was moved to {shown_path(path)}: {failure}")
        self._documents.renamed(document.view)
        self._messages.tell(f"{name} was moved: it is {shown_path(path)} now")
        if not document.view.is_modified() and not document.is_unchanged() and not self._is_typing(document):
            self._reload(document, lambda _: None)

    def changed_on_disk(self, event: ChangedOnDisk) -> None:
        """`document/changedOnDisk`."""
        document = self._documents.find(event.uri)
        if document is None:
            return
        wording = self._editor.wording
        if event.change == "changed":
            self._changed(document)
        elif event.change == "moved" and event.new_uri is not None:
            self._moved(document, event.new_uri)
        elif event.change == "deleted":
            document.view.was_deleted()
            self._messages.warn(
                f"{document.name} was deleted; the text stays here: {wording.save} to make the file again")
        elif event.change == "conflict" and event.copies:
            copies = ", ".join(short(path_of(uri)) for uri in event.copies)
            self._messages.warn(
                f"{document.name} is in conflict with {copies}: {wording.resolve} compares them, and keeps one")

    def _view_of(self, path: str, but: Optional[DocumentView] = None) -> Optional[DocumentView]:
        return next((view for view in self._editor.documents() if view is not but and view.path() == path), None)

    # MARK: Restoring

    def restore(self, restore: Restore, moment: float, answer: Callable[[Restored], None]) -> None:
        """`document/restore`; `moment`: when the person asked to continue, by time.monotonic."""
        path = restore.path
        if path is None:
            return answer(Restored(False, "no file"))
        _Restoring(self, self._editor, self._documents, self._messages, restore, path, moment, answer).begin()

    def reload_then(self, document: Document, then: Then) -> None:
        self._reload(document, then)

    def view_of(self, path: str) -> Optional[DocumentView]:
        return self._view_of(path)

    def aim(self, document: Document, restore: Restore) -> None:
        """Remembers where the other device was."""
        self._target = (document.view, restore)

    def jump(self) -> None:
        """Goes where the other device was."""
        document = self._documents.of(self._target[0]) if self._target else None
        if self._target is None or document is None:
            return self._messages.tell(
                f"no other device's place is known; {self._editor.wording.resume} continues what one offers")
        self._editor.show(document.view)
        restore = self._target[1]
        document.view.go_activity(restore.activity, restore.place, restore.certainty)
        self._documents.settle(document)
        self._documents.touch(document.view)


class _Restoring:
    """One restore, step by step: editors read files in the background."""

    def __init__(self, files: Files, editor: Editor, documents: Documents, messages: Messages, restore: Restore,
                 path: str, moment: float, answer: Callable[[Restored], None]) -> None:
        self._files = files
        self._editor = editor
        self._documents = documents
        self._messages = messages
        self._restore = restore
        self._path = path
        self._moment = moment
        self._answer = answer
        self._name = short(path)
        self._is_kept = self._is_behind = False

    def _refuse(self, sentence: str) -> None:
        self._messages.warn(sentence)
        self._answer(Restored(False, sentence))

    def begin(self) -> None:
        document = self._documents.find(self._restore.uri)
        if document is None:
            return self._read_late()
        known = document
        self._is_kept = self._documents.is_used(document, self._moment)
        if document.is_unchanged():
            if not document.view.is_modified():
                self._documents.read(document.view)
            return self._show(document)
        if document.view.is_modified():
            return self._refuse(
                f"{self._name} has unsaved changes here, and the file is newer: save it under another name, or give "
                "them up by reading the file again, and continue again")

        def then(is_done: bool) -> None:
            if not is_done:
                return self._answer(Restored(False, f"{self._name} cannot be read"))
            self._show(known)

        self._files.reload_then(document, then)

    def _read_late(self) -> None:
        """A view of that name which was never read from the file, as one that was there before it."""
        view = self._files.view_of(self._path)
        if view is None:
            self._is_behind = self._editor.is_busy()
            return self._editor.open(self._path, not self._is_behind, self._opened)
        if view.is_modified():
            return self._refuse(f"{self._name} could not be opened: it has unsaved changes here")
        late = view

        def done(failure: Optional[str]) -> None:
            if failure is not None:
                return self._refuse(f"{self._name} could not be opened: {failure}")
            document = self._documents.read(late)
            if document is None:
                return self._refuse(f"{self._name} could not be opened: it is no document")
            self._show(document)

        view.reload(done)

    def _opened(self, view: Optional[DocumentView], failure: Optional[str]) -> None:
        if view is None:
            return self._refuse(f"{self._name} could not be opened: {failure or 'the editor gives no reason'}")
        document = self._documents.of(view) or self._documents.read(view)
        if document is None:
            return self._refuse(f"{self._name} could not be opened: it is no document")
        self._finish(document)

    def _show(self, document: Document) -> None:
        self._is_behind = document.view is not self._editor.current() and self._editor.is_busy()
        if not self._is_behind:
            self._editor.show(document.view)
        self._finish(document)

    def _finish(self, document: Document) -> None:
        restore, view = self._restore, document.view
        # What was opened for reading alone is written again once the version meant is there.
        if restore.read_only != document.is_read_only_by_us:
            document.is_read_only_by_us = restore.read_only
            view.set_read_only(restore.read_only)
        self._documents.look(document)
        self._is_kept = self._is_kept or document.typed_at > self._moment
        self._files.aim(document, restore)
        if self._is_kept or self._is_behind:
            line = f" ({view.line_of(restore.place)})" if restore.place else ""
            self._messages.tell(
                (f"{self._name}: your cursor stays; " if self._is_kept else f"{self._name} is open in the background; ")
                + f"{self._editor.wording.jump} goes where {restore.offer.device} was{line}")
        else:
            certainty = view.go_activity(restore.activity, restore.place, restore.certainty)
            self._documents.note_version(document)
            if certainty == "unsure":
                self._messages.tell(f"{self._name}: the place is gone; this is the nearest line")
        self._answer(Restored(True))


