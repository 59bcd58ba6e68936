# SPDX-License-Identifier: MIT
"""What is shown of names, titles and sentences from elsewhere: one line of text. Nothing in it directs a terminal,
turns the order of the characters around, or is there without being seen."""

from __future__ import annotations

# Longer than any title that travels; a name with a thousand accents fills no screen. In bytes of UTF-8.
_LIMIT = 4096
_UNKNOWN = "\N{REPLACEMENT CHARACTER}"
_BLANKS = frozenset([*range(0x09, 0x0E), 0x85, 0x2028, 0x2029])

# Scalars that are seen by nobody or that move others, as first and last.
_HIDDEN = (
    (0xAD, 0xAD), (0x61C, 0x61C), (0x180E, 0x180E), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F),
    (0xFEFF, 0xFEFF), (0xFFF9, 0xFFFB), (0xE0000, 0xE0FFF),
)


def _stand_in(character: str) -> str:
    """What stands for one character, or for a byte that was none (a surrogate, as os.fsdecode makes them)."""
    scalar = ord(character)
    if scalar in _BLANKS:
        return " "
    if scalar < 0x20 or 0x7F <= scalar < 0xA0 or 0xD800 <= scalar < 0xE000:
        return _UNKNOWN
    return "" if any(first <= scalar <= last for first, last in _HIDDEN) else character


def shown(text: str) -> str:
    """`text` for people. Doing it twice changes nothing more."""
    if text.isascii() and text.isprintable() and len(text) <= _LIMIT:
        return text
    parts = []
    size = 0
    for character in text:
        part = _stand_in(character)
        size += len(part.encode())
        if size > _LIMIT:
            break
        parts.append(part)
    return "".join(parts)
