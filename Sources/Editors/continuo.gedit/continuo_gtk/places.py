# SPDX-License-Identifier: MIT
"""Places in a GtkTextBuffer. GTK ends lines where others do not: at a lone CR and at U+2029. A text that holds one of
them is counted as a whole; any other one by GTK."""

import re

from continuo import Place, Position

ODD = re.compile("[\r\u2029]")
_MARK = "\ufeff"


def text_of(buffer):
    return buffer.get_text(buffer.get_start_iter(), buffer.get_end_iter(), True)


def _begins_with_mark(buffer):
    return buffer.get_start_iter().get_char() == _MARK


def _counted(text, offset):
    before = text[:offset]
    line = before.count("\n")
    character = len(before) - (before.rfind("\n") + 1)
    # Between the CR and the LF is no place.
    if before.endswith("\r") and text[offset:offset + 1] == "\n":
        character -= 1
    return line, character


def position_of(buffer, at, is_odd):
    """The position of a GtkTextIter."""
    if is_odd:
        line, character = _counted(text_of(buffer), at.get_offset())
    else:
        line, character = at.get_line(), at.get_line_offset()
    if line == 0 and character > 0 and _begins_with_mark(buffer):
        character -= 1
    return Position(line, character)


def _offset(text, position):
    begin = 0
    for _ in range(position.line):
        found = text.find("\n", begin)
        if found < 0:
            return len(text)
        begin = found + 1
    end = text.find("\n", begin)
    end = len(text) if end < 0 else end
    if text[begin:end].endswith("\r") and end < len(text):
        end -= 1
    return min(begin + position.character, end)


def iter_at(buffer, position, is_odd):
    """The nearest place that there is."""
    line, character = max(position.line, 0), max(position.character, 0)
    if line == 0 and _begins_with_mark(buffer):
        character += 1
    if is_odd:
        return buffer.get_iter_at_offset(_offset(text_of(buffer), Position(line, character)))
    if line >= buffer.get_line_count():
        return buffer.get_end_iter()
    at = buffer.get_start_iter()
    at.set_line(line)
    end = at.copy()
    if not end.ends_line():
        end.forward_to_line_end()
    at.set_line_offset(min(character, end.get_line_offset()))
    return at


def place_of(view, is_odd):
    """Where the person is."""
    buffer = view.get_buffer()
    cursor = position_of(buffer, buffer.get_iter_at_mark(buffer.get_insert()), is_odd)
    other = None
    if buffer.get_has_selection():
        other = position_of(buffer, buffer.get_iter_at_mark(buffer.get_selection_bound()), is_odd)
    first, _ = view.get_line_at_y(view.get_visible_rect().y)
    return Place(cursor, other, position_of(buffer, first, is_odd).line)


def _is_shown(view, at):
    seen, where = view.get_visible_rect(), view.get_iter_location(at)
    return seen.y <= where.y and where.y + where.height <= seen.y + seen.height


def go(view, place, is_odd, later):
    """Puts the cursor there, selects, and scrolls."""
    buffer = view.get_buffer()
    cursor = iter_at(buffer, place.position, is_odd)
    other = iter_at(buffer, place.selection, is_odd) if place.selection is not None else cursor
    buffer.select_range(cursor, other)
    insert = buffer.get_insert()
    if place.top_line is None:
        view.scroll_to_mark(insert, 0, True, 0.5, 0.5)
        return
    top = iter_at(buffer, Position(place.top_line, 0), is_odd)
    # GTK knows how high its lines are only later; a mark is scrolled to when it does.
    mark = buffer.create_mark(None, top, True)
    view.scroll_to_mark(mark, 0, True, 0, 0)

    def look():
        buffer.delete_mark(mark)
        if not _is_shown(view, buffer.get_iter_at_mark(insert)):
            view.scroll_to_mark(insert, 0, True, 0.5, 0.5)

    later(0.2, look)
