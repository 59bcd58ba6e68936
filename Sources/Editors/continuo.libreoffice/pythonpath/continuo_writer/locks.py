# SPDX-License-Identifier: MIT
"""Writer's lock files, `.~lock.NAME#`, which sync engines carry to other devices: pure but for the files.

Writer asks a question before it opens or saves a document that somebody else has locked. Devices that sync a
folder have a copy each, so another computer's lock keeps nobody from writing there; it says who works on it. When the
person goes on with a document here, its lock becomes this Writer's, as after Writer's own "Open Anyway".
"""
import datetime
import os
from typing import NamedTuple, Optional


class Lock(NamedTuple):
    name: str
    user: str
    host: str
    since: str
    profile: str


def path(document: str) -> str:
    folder, name = os.path.split(document)
    return os.path.join(folder, ".~lock." + name + "#")


def _fields(text: str) -> "list[str]":
    found = [""]
    escaped = False
    for character in text:
        if escaped:
            found[-1] += character
        elif character == ",":
            found.append("")
        elif character == ";":
            break
        elif character != "\\":
            found[-1] += character
        escaped = character == "\\" and not escaped
    return found


def parse(text: str) -> Optional[Lock]:
    """None for what Writer has not written."""
    fields = _fields(text)
    return Lock(*fields[:5]) if len(fields) >= 5 else None


def read(document: str) -> Optional[Lock]:
    """The lock that lies beside the document; None where there is none, or none that can be read."""
    try:
        with open(path(document), encoding="utf-8") as file:
            return parse(file.read(4096))
    except (OSError, UnicodeDecodeError):
        return None


def text(lock: Lock) -> str:
    def escaped(field: str) -> str:
        return field.replace("\\", "\\\\").replace(",", "\\,").replace(";", "\\;")

    return ",".join(escaped(field) for field in lock) + ";"


def is_same(one: Lock, other: Lock) -> bool:
    """As Writer compares them."""
    return (one.user, one.host, one.profile) == (other.user, other.host, other.profile)


def obstacle(document: str, own: Lock) -> Optional[str]:
    """Why Writer would ask before it writes; None where it would not, or where `take` helps."""
    lock = read(document)
    if lock is None:
        return "has a lock file that cannot be read" if os.path.lexists(path(document)) else None
    if lock.host == own.host and not is_same(lock, own):
        return "is open in another LibreOffice on this computer"
    return None


def take(document: str, own: Lock) -> Optional[Lock]:
    """Makes another computer's lock this Writer's: whose it was. Nothing is done to any other lock."""
    lock = read(document)
    if lock is None or lock.host == own.host:
        return None
    write(document, own._replace(since=datetime.datetime.now().strftime("%d.%m.%Y %H:%M")))
    return lock


def write(document: str, lock: Lock) -> None:
    with open(path(document), "w", encoding="utf-8") as file:
        file.write(text(lock))
