# SPDX-License-Identifier: MIT
"""File names and `file:` URIs. A name may hold any bytes but NUL; in text they are as os.fsdecode has them."""

from __future__ import annotations

import os
from typing import Optional, Union
from urllib.parse import quote_from_bytes, unquote_to_bytes

from .errors import ContinuoError
from .shown import shown

PathLike = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]


def uri_of(path: PathLike) -> str:
    """The URI of a file; a relative name counts from the working directory. A `file:` URI stays as it is."""
    name = os.fspath(path)
    if isinstance(name, str) and name.startswith("file:/"):
        return name
    data = os.path.abspath(os.fsencode(name))
    if b"\0" in data:
        raise ContinuoError("a file's name cannot hold NUL")
    return "file://" + quote_from_bytes(data, safe="/")


def path_of(uri: str) -> Optional[str]:
    """The name of a file of this machine; None for anything else."""
    if not uri.startswith("file://"):
        return None
    _, slash, rest = uri[len("file://"):].partition("/")
    data = unquote_to_bytes(slash + rest.replace("\0", "%00"))
    if not slash or b"\0" in data:
        return None
    return os.fsdecode(data)


def shown_path(path: str) -> str:
    """The whole, for people."""
    return shown(path)


def short(path: Optional[str]) -> str:
    """The last part, for people."""
    if not path:
        return "a document"
    return shown(path.rstrip("/").rpartition("/")[2] or path)
