# SPDX-License-Identifier: MIT
"""Which file is the one that was read: what stat(2) says of it."""

from __future__ import annotations

import os
import stat
from typing import Optional, Tuple

Stamp = Tuple[int, int, int, int]

# What would take long to compare.
_LIMIT = 10 * 1024 * 1024


def stamp(path: Optional[str]) -> Optional[Stamp]:
    """None where there is no file."""
    try:
        found = os.stat(path) if path else None
    except (OSError, ValueError):
        return None
    if found is None or not stat.S_ISREG(found.st_mode):
        return None
    return found.st_ino, found.st_dev, found.st_size, found.st_mtime_ns


def is_same_file(path: str, other: str) -> bool:
    """Whether both are names of one file, as where upper and lower case are one."""
    left, right = stamp(path), stamp(other)
    return left is not None and right is not None and left[:2] == right[:2]


def holds_text(path: str, text: str) -> bool:
    """Whether a file holds this text, in UTF-8. False for what would take long to compare."""
    found = stamp(path)
    if found is None or found[2] > _LIMIT:
        return False
    try:
        with open(path, "rb") as file:
            there = file.read(_LIMIT + 1).decode("utf-8")
    except (OSError, ValueError):
        return False
    there = there[1:] if there.startswith("\N{ZERO WIDTH NO-BREAK SPACE}") else there
    there = there.replace("\r\n", "\n")
    # Editors that hide the last line's end.
    return there == text or there == text + "\n"
