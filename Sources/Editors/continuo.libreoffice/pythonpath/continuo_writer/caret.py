# SPDX-License-Identifier: MIT
"""Where the caret is in a Writer document, and going there."""
from typing import Any, NamedTuple, Optional

import uno  # noqa: F401 (makes com.sun.star importable)
from com.sun.star.uno import Exception as UnoException
from continuo.model import Place, Position

from . import finding

# goRight takes a short.
FARTHEST = 32000


class Spot(NamedTuple):
    """A caret, and the other end of what is selected, as offsets in the text of a container."""

    container: "dict[str, Any]"
    text: str
    caret: int
    selection: Optional[int]
    page: int


def _given(view: Any, name: str) -> Any:
    try:
        return view.getPropertyValue(name)
    except UnoException:
        return None


def _number(notes: Any, note: Any) -> int:
    return next((index for index in range(notes.Count) if notes.getByIndex(index) == note), 0)


def _container(document: Any, view: Any) -> "Optional[dict[str, Any]]":
    """What of the document holds the caret; None for what has no place of its own, as a text in a drawing."""
    text = view.Text
    if text == document.Text:
        return {"kind": "body"}
    table, cell = _given(view, "TextTable"), _given(view, "Cell")
    if table is not None and cell is not None:
        return {"kind": "cell", "name": table.Name, "cell": cell.CellName}
    frame = _given(view, "TextFrame")
    if frame is not None:
        return {"kind": "frame", "name": frame.Name}
    for kind, notes in (("footnote", document.Footnotes), ("endnote", document.Endnotes)):
        note = _given(view, kind.capitalize())
        if note is not None:
            return {"kind": kind, "number": _number(notes, note)}
    style = document.StyleFamilies.getByName("PageStyles").getByName(_given(view, "PageStyleName") or "Standard")
    for kind in ("Header", "Footer"):
        for part in ("", "Left", "First"):
            if _given(style, kind + "IsOn") and _given(style, kind + "Text" + part) == text:
                return {"kind": kind.lower(), "name": style.Name, "part": part.lower()}
    return None


def _text(document: Any, container: "dict[str, Any]") -> Any:
    """The text of a container; the body's where there is no such one here."""
    kind, name = container.get("kind"), container.get("name")
    try:
        if kind == "cell":
            return document.TextTables.getByName(name).getCellByName(container.get("cell")).Text
        if kind == "frame":
            return document.TextFrames.getByName(name).Text
        if kind in ("footnote", "endnote"):
            notes = document.Footnotes if kind == "footnote" else document.Endnotes
            return notes.getByIndex(container.get("number", 0)).Text
        if kind in ("header", "footer"):
            style = document.StyleFamilies.getByName("PageStyles").getByName(name)
            part = str(container.get("part", "")).capitalize()
            return style.getPropertyValue(kind.capitalize() + "Text" + part) or document.Text
    except (UnoException, AttributeError):
        pass
    return document.Text


def _before(text: Any, point: Any) -> str:
    cursor = text.createTextCursor()
    cursor.gotoStart(False)
    cursor.gotoRange(point, True)
    return cursor.String


def _is_backward(text: Any, view: Any) -> bool:
    """Whether the caret is at the beginning of what is selected: one more to the right is one less selected."""
    cursor = text.createTextCursorByRange(view)
    size = len(cursor.String)
    cursor.goRight(1, True)
    return len(cursor.String) < size


def spot(document: Any) -> Optional[Spot]:
    """Where the person is; None where no caret is shown."""
    try:
        view = document.CurrentController.ViewCursor
        container = _container(document, view)
        if container is None:
            return None
        text = view.Text
        start, end = len(_before(text, view.Start)), len(_before(text, view.End))
        caret, other = (start, end) if start != end and _is_backward(text, view) else (end, start)
        return Spot(container, text.String, caret, None if caret == other else other, view.Page)
    except (UnoException, AttributeError):
        return None


def _go(cursor: Any, steps: int) -> None:
    cursor.gotoStart(False)
    while steps > 0:
        cursor.goRight(min(steps, FARTHEST), False)
        steps -= FARTHEST


def _cursor(text: Any, offset: int) -> Any:
    """A cursor behind so many characters. A table, a field or a picture is one step, and none or many characters."""
    cursor = text.createTextCursor()
    _go(cursor, offset)
    if len(_before(text, cursor)) == offset:
        return cursor
    low, high = 0, max(2 * offset, 64)
    while low < high:
        middle = (low + high) // 2
        _go(cursor, middle)
        if len(_before(text, cursor)) < offset:
            low = middle + 1
        else:
            high = middle
    _go(cursor, low)
    return cursor


def go(document: Any, container: "dict[str, Any]", caret: int, selection: Optional[int]) -> None:
    """Goes there, and scrolls as far as it is needed."""
    text = _text(document, container)
    view = document.CurrentController.ViewCursor
    view.gotoRange(_cursor(text, caret if selection is None else selection), False)
    if selection is not None:
        view.gotoRange(_cursor(text, caret), True)


def contents(document: Any, container: "dict[str, Any]") -> str:
    return _text(document, container).String


# As it travels, in the user info of `public.word-processing`.


def info(found: Spot) -> "dict[str, Any]":
    number, character = finding.paragraph(found.text, found.caret)
    before, after = finding.quote(found.text, found.caret)
    result = {
        "version": 1, "container": found.container, "paragraph": number, "character": character, "page": found.page,
        "before": before, "after": after,
    }
    if found.selection is not None:
        number, character = finding.paragraph(found.text, found.selection)
        result.update(selectionParagraph=number, selectionCharacter=character)
    return result


def _whole(given: "dict[str, Any]", name: str) -> Optional[int]:
    value = given.get(name)
    isNumber = isinstance(value, (int, float)) and not isinstance(value, bool) and value == int(value)
    return int(value) if isNumber else None


def restore(document: Any, given: "dict[str, Any]") -> str:
    """Goes where `info` says: how certainly that is the place."""
    number = _whole(given, "paragraph")
    if number is None:
        return "sure"
    container = given.get("container")
    container = container if isinstance(container, dict) else {"kind": "body"}
    text = contents(document, container)
    near = finding.offset(text, number, _whole(given, "character") or 1)
    before, after = (value if isinstance(value := given.get(name), str) else "" for name in ("before", "after"))
    found = finding.find(text, near, before, after)
    other = _whole(given, "selectionParagraph")
    selection = None
    if other is not None and found.certainty != "unsure":
        end = finding.offset(text, other, _whole(given, "selectionCharacter") or 1)
        selection = min(max(end + found.offset - near, 0), len(text))
    go(document, container, found.offset, selection)
    return found.certainty


def position(text: str, place: int) -> Position:
    """The same in a plain text: lines and characters, from 0."""
    line, character = finding.paragraph(text, place)
    return Position(line - 1, character - 1)


def restore_place(document: Any, place: Place) -> None:
    text = document.Text.String

    def offset(given: Position) -> int:
        return finding.offset(text, given.line + 1, given.character + 1)

    selection = None if place.selection is None else offset(place.selection)
    go(document, {"kind": "body"}, offset(place.position), selection)
