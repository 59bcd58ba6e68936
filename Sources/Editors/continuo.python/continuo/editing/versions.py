# SPDX-License-Identifier: MIT
"""A document and the conflict copies that sync engines left beside it: comparing them, and keeping one."""

from __future__ import annotations

import time
from typing import Dict, List, Optional, Sequence, Tuple

from ..errors import ContinuoError
from ..events import ChangedOnDisk
from ..hosts import HostedSession
from ..model import Aside, Version
from ..names import path_of, short, shown_path
from ..shown import shown
from .documents import Document, Documents
from .editor import DocumentView, Editor
from .files import Files
from .messages import Messages


def _label(version: Version) -> str:
    parts = ["the document here" if version.is_document else short(path_of(version.uri))]
    if version.device:
        parts.append(f"of device {version.device}")
    if version.put_aside:
        parts.append(f"put aside {version.put_aside}")
    parts.append(time.strftime("changed %F %H:%M", time.localtime(version.changed_at // 1000)))
    parts.append(f"{version.size} bytes")
    if not version.readable:
        parts.append("cannot be read")
    return shown(", ".join(parts))


class Versions:
    def __init__(self, editor: Editor, session: HostedSession, messages: Messages, documents: Documents,
                 files: Files) -> None:
        self._editor = editor
        self._session = session
        self._messages = messages
        self._documents = documents
        self._files = files
        # What was opened to be compared, by its path.
        self._compared_with: Dict[str, Document] = {}

    def _meant(self, view: Optional[DocumentView]) -> Optional[Document]:
        """The document of a view. A copy that was opened to be compared stands for the one it was compared with."""
        known = self._compared_with.get(view.path() or "") if view is not None else None
        return known if known is not None and self._documents.of(known.view) is known else self._documents.of(view)

    def resolve(self, view: Optional[DocumentView]) -> None:
        """Asks what to do about the file of a document."""
        document = self._meant(view)
        if document is None:
            return self._messages.tell("this document has no file in which versions can be in conflict")
        known, uri = document, document.uri

        def took(failure: Optional[ContinuoError], versions: Optional[List[Version]]) -> None:
            if failure is not None:
                return self._messages.warn(failure.sentence)
            if not versions:
                return self._messages.tell(
                    f"no conflict copy lies beside {known.name}: there is nothing to resolve")
            self._ask(known, versions)

        if not self._session.ask(lambda session: session.versions(uri), took):
            self._messages.tell(f"the server is not running: {self._editor.wording.start} starts it")

    def _ask(self, document: Document, versions: Sequence[Version]) -> None:
        actions: List[Tuple[bool, Version, str]] = [
            (False, each, f"Compare with {_label(each)}") for each in versions if not each.is_document]
        actions += [(True, each, f"Keep {_label(each)}") for each in versions if each.readable]

        def chosen(index: Optional[int]) -> None:
            if index is None or self._documents.of(document.view) is not document:
                return
            is_kept, version, _ = actions[index]
            if is_kept:
                return self._keep(document, version)
            path = path_of(version.uri)
            if path is not None:
                self._compared_with[path] = document
                self._editor.compare(document.view, path, _label(version), self._compared)

        self._editor.ask(f"{document.name} has {len(versions)} versions", [each[2] for each in actions], chosen)

    def _compared(self, failure: Optional[str]) -> None:
        if failure is not None:
            return self._messages.warn(failure)
        self._messages.tell(f"change and save either; then {self._editor.wording.resolve} keeps it")

    def _is_saved(self, view: DocumentView) -> bool:
        """Text that the file does not hold would be lost to the version that is kept, or be kept in its place."""
        if not view.is_modified():
            return True
        self._messages.warn(f"{short(view.path())} has unsaved changes: {self._editor.wording.save} first")
        return False

    def _keep(self, document: Document, version: Version) -> None:
        # A copy that is open here may hold text that was not saved, either.
        path, uri = path_of(version.uri), document.uri
        views = [document.view] + [each for each in self._editor.documents() if each.path() == path]
        if not all(self._is_saved(each) for each in views):
            return

        def took(failure: Optional[ContinuoError], asides: Optional[List[Aside]]) -> None:
            if failure is not None:
                return self._messages.warn(failure.sentence)
            for each in asides or []:
                if each.reason:
                    self._messages.warn(each.reason)
                else:
                    self._messages.tell(
                        f"{short(path_of(each.source))} is in {shown_path(path_of(each.uri) or each.uri)} now")
            self._files.changed_on_disk(ChangedOnDisk(uri, "changed"))

        self._session.ask(lambda session: session.resolve(uri, version), took)
