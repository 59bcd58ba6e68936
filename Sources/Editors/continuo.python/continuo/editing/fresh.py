# SPDX-License-Identifier: MIT
"""Documents without a file: what they hold is offered once it was written, and there is a name to write it to."""

from __future__ import annotations

import os
from typing import Dict, List, Optional

from ..errors import ContinuoError
from ..hosts import HostedSession
from ..model import Standing
from ..names import short, shown_path, uri_of
from . import stamps
from .documents import Documents
from .editor import DocumentView, Editor
from .messages import Messages


def _may_be_synced(path: str) -> bool:
    """Whether a folder above holds what Continuo keeps in folders of its own. Else nobody need be asked."""
    folder = path
    while folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
        if os.path.exists(os.path.join(folder, ".continuo")):
            return True
    return False


class Fresh:
    def __init__(self, editor: Editor, session: HostedSession, messages: Messages, documents: Documents) -> None:
        self._editor = editor
        self._session = session
        self._messages = messages
        self._documents = documents
        # The folder in which it will be offered; None where that is not known.
        self._folders: Dict[DocumentView, Optional[str]] = {}

    def _is_fresh(self, view: DocumentView) -> bool:
        path = view.path()
        return bool(path) and self._documents.of(view) is None and stamps.stamp(path) is None

    def begin(self, view: DocumentView) -> None:
        """Nothing is said of files in other folders."""
        self._folders.pop(view, None)
        path = view.path()
        if not path or not self._is_fresh(view) or not _may_be_synced(path):
            return
        self._folders[view] = None
        self._session.start()
        uri = uri_of(path)

        def took(_: Optional[ContinuoError], standing: Optional[Standing]) -> None:
            # It was written meanwhile, and is a document by that.
            if self._documents.of(view) is not None:
                return
            self._session.ask(lambda session: session.close_document(uri))
            if standing is None or not standing.synced or not self._is_fresh(view) or self._folders.get(view):
                return
            folder = standing.folder or "a synced folder"
            self._folders[view] = folder
            self._messages.tell(f"new in {folder}: offered once it is saved – {short(path)}")

        self._session.ask(lambda session: session.open(uri), took)

    def closed(self, view: DocumentView) -> None:
        self._folders.pop(view, None)

    def lines(self) -> List[str]:
        """For the status."""
        found = []
        for view, folder in self._folders.items():
            if self._is_fresh(view):
                how = f"new in {folder}" if folder else "new, in a folder that is perhaps synced"
                found.append(f"{shown_path(view.path() or '')}: {how}; offered once it is saved")
        if any(view.is_modified() and not view.path() for view in self._editor.documents()):
            found.append(
                "a text here has no name: it is neither saved nor offered until you save it in a synced folder")
        return found
