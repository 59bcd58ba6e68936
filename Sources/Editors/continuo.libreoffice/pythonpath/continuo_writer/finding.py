# SPDX-License-Identifier: MIT
"""Places in the running text of a document, and finding them again in a changed one: pure.

A text is what Writer copies as plain text: paragraphs and manual line breaks end with a line feed. Places count
Unicode scalars.
"""
from typing import NamedTuple, Optional

# How much of the text around a place travels with it, on each side.
QUOTED = 48
# The shortest piece of it that is looked for, and how many places are compared.
PIECES = (24, 12, 6)
COMPARED = 512


class Found(NamedTuple):
    offset: int
    certainty: str


def paragraph(text: str, offset: int) -> "tuple[int, int]":
    """The paragraph, from 1, and the character in it, from 1, of a place."""
    begin = text.rfind("\n", 0, offset) + 1
    return text.count("\n", 0, offset) + 1, offset - begin + 1


def offset(text: str, number: int, character: int) -> int:
    """The nearest place that exists."""
    begin = 0
    for _ in range(max(number, 1) - 1):
        end = text.find("\n", begin)
        if end < 0:
            return len(text)
        begin = end + 1
    end = text.find("\n", begin)
    return min(begin + max(character, 1) - 1, len(text) if end < 0 else end)


def quote(text: str, place: int) -> "tuple[str, str]":
    """What stands before and after a place."""
    return text[max(0, place - QUOTED) : place], text[place : place + QUOTED]


def _agreement(text: str, place: int, before: str, after: str) -> int:
    """How many of the quoted characters stand there, counted from the place."""
    count = 0
    while count < len(before) and count < place and text[place - 1 - count] == before[-1 - count]:
        count += 1
    behind = 0
    while behind < len(after) and place + behind < len(text) and text[place + behind] == after[behind]:
        behind += 1
    return count + behind


def _candidates(text: str, near: int, before: str, after: str) -> "set[int]":
    places: "set[int]" = set()
    for size in PIECES:
        for piece, shift in ((before[-size:], min(size, len(before))), (after[:size], 0)):
            if len(piece) < min(size, PIECES[-1]):
                continue
            start = text.find(piece)
            while start >= 0 and len(places) < 16 * COMPARED:
                places.add(start + shift)
                start = text.find(piece, start + 1)
        if places:
            break
    return set(sorted(places, key=lambda place: abs(place - near))[:COMPARED])


def find(text: str, near: int, before: str, after: str) -> Found:
    """The place that was quoted, which was at `near`."""
    near = min(max(near, 0), len(text))
    whole = len(before) + len(after)
    if _agreement(text, near, before, after) == whole:
        return Found(near, "sure")
    best: Optional[int] = None
    most = 0
    for place in sorted(_candidates(text, near, before, after), key=lambda place: abs(place - near)):
        agreement = _agreement(text, place, before, after)
        if agreement > most:
            best, most = place, agreement
    if best is not None and 2 * most >= whole:
        return Found(best, "likely")
    # The beginning of the paragraph is where nothing is claimed of.
    return Found(near, "unsure")
