# SPDX-License-Identifier: MIT
"""Who else has a document: the device that goes on with it, and those that have it open or edit it, too."""

from __future__ import annotations

import time
from typing import Dict, List, Optional

from ..errors import ContinuoError
from ..events import PresenceChanged, WasContinued
from ..hosts import HostedSession
from ..model import OtherEditor
from .documents import Document, Documents
from .editor import DocumentView, Editor
from .messages import Messages


def clock(milliseconds: Optional[int]) -> Optional[str]:
    """The time of day, with the date where it is not today's."""
    if milliseconds is None:
        return None
    try:
        moment = time.localtime(milliseconds / 1000)
    except (OverflowError, OSError, ValueError):
        return None
    is_today = time.strftime("%F", moment) == time.strftime("%F")
    return time.strftime("%H:%M" if is_today else "%F %H:%M", moment)


def sentence(editor: OtherEditor) -> str:
    since = clock(editor.since)
    if editor.left_open:
        return f"{editor.device} left this open" + (f" at {since}" if since else "")
    return (f"{editor.device} is editing this" + (f" since {since}" if since else "")
            + (", with unsaved changes" if editor.unsaved_changes else ""))


class Others:
    def __init__(self, editor: Editor, session: HostedSession, messages: Messages, documents: Documents) -> None:
        self._editor = editor
        self._session = session
        self._messages = messages
        self._documents = documents
        self._continued: Dict[DocumentView, str] = {}
        self._present: Dict[DocumentView, str] = {}
        self._editing: Dict[DocumentView, str] = {}
        self._shown: Dict[DocumentView, str] = {}

    def was_continued(self, event: WasContinued) -> None:
        moment = clock(event.at)
        words = f"continued on {event.device}" + (f" at {moment}" if moment else "")
        document = self._documents.find(event.uri)
        if document is not None and event.given_up:
            self._continued[document.view] = words
            self._show(document.view)
        self._messages.tell(f"{document.name if document else 'your work'} was {words}")

    def present(self, event: PresenceChanged) -> None:
        """Linked devices that have a document open this moment."""
        document = self._documents.find(event.uri)
        if document is not None:
            self._present[document.view] = "; ".join(each.sentence for each in event.devices)
            self._show(document.view)

    def take_back(self, document: Document) -> None:
        """The person changed the document here, or saved it: it is theirs again."""
        if self._continued.pop(document.view, None) is not None:
            self._show(document.view)

    def ask(self, document: Document) -> None:
        """Asks who edits a document elsewhere."""
        uri, view = document.uri, document.view

        def took(_: Optional[ContinuoError], editors: Optional[List[OtherEditor]]) -> None:
            if self._documents.of(view) is not document:
                return
            if editors:
                self._editing[view] = sentence(editors[0])
            else:
                self._editing.pop(view, None)
            self._show(view)

        self._session.ask(lambda session: session.other_editors(uri), took)

    def refresh(self) -> None:
        """What other devices offer has changed."""
        for document in self._documents.all():
            self.ask(document)

    def closed(self, view: DocumentView) -> None:
        for memory in (self._continued, self._present, self._editing, self._shown):
            memory.pop(view, None)

    def forget(self) -> None:
        """The server is gone, and what it told."""
        self._continued, self._present, self._editing = {}, {}, {}
        for view in list(self._shown):
            self._show(view)

    def line(self, view: DocumentView) -> Optional[str]:
        """What is to be said of a document; None for nothing."""
        return self._continued.get(view) or self._present.get(view) or self._editing.get(view)

    def _show(self, view: DocumentView) -> None:
        line = self.line(view)
        if self._shown.get(view) == line:
            return
        if line is None:
            self._shown.pop(view, None)
        else:
            self._shown[view] = line
        self._editor.show_presence(view, line)
