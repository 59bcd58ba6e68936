# SPDX-License-Identifier: MIT
"""What the person is told, and the last of it for the status."""

from __future__ import annotations

import time
from typing import List, Set

from ..shown import shown
from .editor import Editor

_KEPT = 50


class Messages:
    def __init__(self, editor: Editor) -> None:
        self.log: List[str] = []
        self._editor = editor
        self._told: Set[str] = set()

    def tell(self, given: str, is_warning: bool = False) -> None:
        text = shown(given)
        self.log.append(time.strftime("%H:%M:%S ") + text)
        del self.log[:-_KEPT]
        self._editor.tell(text, is_warning)

    def warn(self, given: str) -> None:
        self.tell(given, is_warning=True)

    def once(self, given: str) -> None:
        """The same sentence is told once, until `again` is called."""
        if given not in self._told:
            self._told.add(given)
            self.warn(given)

    def again(self) -> None:
        self._told.clear()
