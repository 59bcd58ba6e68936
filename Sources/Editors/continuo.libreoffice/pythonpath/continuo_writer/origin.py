# SPDX-License-Identifier: MIT
"""What a file tells of who wrote it, and whether writing it again would lose something: pure but for the file."""
import os
import re
import zipfile
from typing import Optional

# What is written by itself: Writer's own formats.
FILTERS = {"writer8", "OpenDocument Text Flat XML"}
# Texts for other editors, too: never written by itself.
PLAIN = {"Text", "Text (encoded)"}

# What is a ZIP package by its name; and a format that holds zero bytes.
_PACKAGES = (".odt", ".ott", ".odm", ".docx", ".docm")
_BINARY = (".doc", ".dot")
_MARKS = (b"\xff\xfe", b"\xfe\xff")
_LOOKED_AT = 8000

_GENERATOR = re.compile(rb"<meta:generator>([^<]*)</meta:generator>")
_FLAT = 1 << 20


def unreadable(path: str) -> Optional[str]:
    """Why Writer is not asked to read the file. It would take it for a text, and a megabyte of any bytes stops its
    window for minutes. None for what looks as its name says."""
    name = path.lower()
    try:
        if name.endswith(_PACKAGES):
            return None if zipfile.is_zipfile(path) else "it is no document, whatever its name says"
        with open(path, "rb") as file:
            begin = file.read(_LOOKED_AT)
    except OSError as failure:
        return failure.strerror or "it cannot be read"
    isText = b"\0" not in begin or begin.startswith(_MARKS) or name.endswith(_BINARY)
    return None if isText else "it is no text"


def _meta(path: str) -> "tuple[bytes, list[str]]":
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as package:
            names = package.namelist()
            return package.read("meta.xml") if "meta.xml" in names else b"", names
    with open(path, "rb") as file:
        return file.read(_FLAT), []


def generator(path: str) -> str:
    """What the file says that wrote it; empty where it says nothing, or cannot be read."""
    try:
        found = _GENERATOR.search(_meta(path)[0])
    except (OSError, zipfile.BadZipFile, RuntimeError, NotImplementedError, KeyError, EOFError):
        return ""
    return found.group(1).decode("utf-8", "replace") if found else ""


def obstacle(path: str, isSavedHere: bool = False) -> Optional[str]:
    """Why the file is not written again without a question; None where nothing speaks against it."""
    try:
        _, names = _meta(path)
        manifest = b""
        if "META-INF/manifest.xml" in names:
            with zipfile.ZipFile(path) as package:
                manifest = package.read("META-INF/manifest.xml")
    except (OSError, zipfile.BadZipFile, RuntimeError, NotImplementedError, KeyError, EOFError):
        return "cannot be read"
    if b"encryption-data" in manifest or "encrypted-package" in names:
        return "has a password"
    if any(name.startswith("META-INF/") and name.endswith("signatures.xml") for name in names):
        return "is signed, and would not be any more"
    if not os.access(path, os.W_OK):
        return "cannot be written"
    if not isSavedHere and not generator(path).startswith("LibreOffice"):
        return "was not written by LibreOffice before: save it yourself once"
    return None


def lines(path: str, limit: int = 10 << 20) -> Optional["list[str]"]:
    """The lines of a plain text as other editors count them; None for what is large, or no UTF-8."""
    try:
        if os.path.getsize(path) > limit:
            return None
        with open(path, "rb") as file:
            found = file.read().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return None
    return [line[:-1] if line.endswith("\r") else line for line in found.split("\n")]
