# SPDX-License-Identifier: MIT
"""Infobars: lines above the page that take no focus, no key, and no place from a dialog.

One shows what is offered or awaited, with buttons; one tells what happened. Both are in the window in front.
LibreOffice gives the focus to a window from which one is taken away, so those of other windows stay until the person
goes there.
"""
from typing import Any, NamedTuple, Optional

from com.sun.star.beans import StringPair
from com.sun.star.uno import Exception as UnoException

INFO, WARNING = 0, 2
PROTOCOL = "org.continuo.writer:"


def _pair(label: str, command: str) -> Any:
    pair = StringPair()
    pair.First, pair.Second = label, PROTOCOL + command
    return pair


class _Shown(NamedTuple):
    """A line as it stands in one window."""

    controller: Any
    frame: Any
    title: str
    text: str
    kind: int
    buttons: "tuple[tuple[str, str], ...]"


class Bar:
    """One line, in each window that was in front while it was there."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._shown: "list[_Shown]" = []

    def show(self, controller: Any, title: str, text: str, kind: int = INFO, buttons: Any = ()) -> None:
        # LibreOffice before 7.0 has none: the menu has it all.
        if controller is None or not hasattr(controller, "appendInfobar"):
            return
        wanted = _Shown(controller, controller.Frame, title, text, kind, tuple(buttons))
        former = self._find(controller)
        if former is not None and former.buttons == wanted.buttons:
            if former != wanted:
                controller.updateInfobar(self.name, title, text, kind)
                self._shown[self._shown.index(former)] = wanted
            return
        self.hide(controller)
        pairs = tuple(_pair(label, command) for label, command in reversed(wanted.buttons))
        try:
            controller.appendInfobar(self.name, title, text, kind, pairs, True)
            self._shown.append(wanted)
        except UnoException:
            pass

    def hide(self, controller: Any) -> None:
        """Takes it from the window in front."""
        former = self._find(controller)
        if former is not None:
            controller.removeInfobar(self.name)
            self._shown.remove(former)

    def _find(self, controller: Any) -> Optional[_Shown]:
        self._shown = [each for each in self._shown if self._is_there(each)]
        return next((each for each in self._shown if each.controller == controller), None)

    def _is_there(self, shown: _Shown) -> bool:
        """The person may have closed it, or the window. LibreOffice 7.4 ends when a window's former controller is
        asked, as in the middle of File > Reload."""
        try:
            return shown.frame.Controller == shown.controller and shown.controller.hasInfobar(self.name)
        except UnoException:
            return False
