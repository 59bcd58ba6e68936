# SPDX-License-Identifier: MIT
"""Saving without a question."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Callable, Optional

from .editor import DocumentView, SaveObstacle

if TYPE_CHECKING:
    from .documents import Document


@dataclass(frozen=True)
class Outcome:
    """Whether the file holds the text; else whether it is worth trying again soon, and why it was not saved."""

    is_saved: bool
    is_worth_trying: bool = False
    reason: Optional[str] = None


def _obstacle(document: Document, is_pause: bool) -> Optional[SaveObstacle]:
    path = document.view.path()
    if not path:
        return SaveObstacle("has no file")
    if document.is_read_only_by_us:
        return SaveObstacle("is shown for reading")
    if not document.is_unchanged():
        return SaveObstacle("was changed on disk" if document.is_there() else "was deleted on disk")
    if not os.access(path, os.W_OK):
        return SaveObstacle("is read-only")
    return document.view.save_obstacle(is_pause)


def save(document: Document, is_pause: bool, saved: Callable[[DocumentView], None],
         then: Callable[[Outcome], None]) -> None:
    """Saves the document if it is modified and that needs no question."""
    view = document.view
    if not view.is_modified():
        return then(Outcome(True))
    obstacle = _obstacle(document, is_pause)
    if obstacle is not None:
        return then(Outcome(False, obstacle.is_passing, None if obstacle.is_passing else obstacle.reason))
    before = document.saves

    def done(failure: Optional[str]) -> None:
        if failure is not None:
            return then(Outcome(False, False, f"could not be saved: {failure}"))
        # The editor tells of saving by itself, or not.
        if document.saves == before:
            saved(view)
        then(Outcome(not view.is_modified()))

    view.save(done)
