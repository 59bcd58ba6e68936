# SPDX-License-Identifier: MIT
"""Infobars: lines above the page that take no focus, no key, and no place from a dialog.

One shows what is offered or awaited, with buttons; one tells what happened. Both are in the window in front.
"""
from typing import Any, Optional

from com.sun.star.beans import StringPair
from com.sun.star.uno import Exception as UnoException

INFO, WARNING = 0, 2
PROTOCOL = "org.continuo.writer:"

# What a button says, and the command that it gives.
Buttons = "tuple[tuple[str, str], ...]"


def _pair(label: str, command: str) -> Any:
    pair = StringPair()
    pair.First, pair.Second = label, PROTOCOL + command
    return pair


class Bar:
    """One line in one window at a time."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.shown: "Optional[tuple[str, str, int, tuple[tuple[str, str], ...]]]" = None
        self.controller: Any = None
        self.frame: Any = None

    def show(self, controller: Any, title: str, text: str, kind: int = INFO, buttons: Any = ()) -> None:
        wanted = (title, text, kind, tuple(buttons))
        if self.shown == wanted and self.controller == controller and self._is_there():
            return
        isSameBar = self.shown is not None and self.shown[3] == wanted[3] and self.controller == controller
        if isSameBar and self._is_there():
            controller.updateInfobar(self.name, title, text, kind)
            self.shown = wanted
            return
        self.hide()
        # LibreOffice before 7.0 has none: the menu has it all.
        if controller is None or not hasattr(controller, "appendInfobar"):
            return
        pairs = tuple(_pair(label, command) for label, command in reversed(buttons))
        try:
            controller.appendInfobar(self.name, title, text, kind, pairs, True)
            self.shown, self.controller, self.frame = wanted, controller, controller.Frame
        except UnoException:
            pass

    def hide(self) -> None:
        if self._is_there():
            self.controller.removeInfobar(self.name)
        self.shown = self.controller = self.frame = None

    def _is_there(self) -> bool:
        """The person may have closed it, or the window. LibreOffice 7.4 ends when a window's former controller is
        asked, as in the middle of File > Reload."""
        try:
            isAlive = self.controller is not None and self.frame.Controller == self.controller
            return isAlive and self.controller.hasInfobar(self.name)
        except UnoException:
            return False

    @property
    def is_closed_by_person(self) -> bool:
        return self.shown is not None and not self._is_there()
