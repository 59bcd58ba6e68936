# SPDX-License-Identifier: MIT
"""Messages in bytes: the framing of the Language Server Protocol around JSON-RPC 2.0."""

from __future__ import annotations

import json
from typing import Any, Dict, Iterator, List, Optional

from .errors import ProtocolError

HEADERS_LIMIT = 8 * 1024
CONTENT_LIMIT = 8 * 1024 * 1024
DEPTH_LIMIT = 128

_END = b"\r\n\r\n"


def framed(message: Dict[str, Any]) -> bytes:
    """A message as it is written. Text that is no Unicode travels with question marks."""
    text = json.dumps(message, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    content = text.encode("utf-8", "replace")
    if len(content) > CONTENT_LIMIT:
        raise ProtocolError("a message is longer than 8 MiB")
    return b"Content-Length: %d\r\n\r\n%s" % (len(content), content)


def _is_too_deep(content: bytes) -> bool:
    depth = 0
    is_text = is_escaped = False
    # What is in a text counts for nothing. The brackets alone decide whether looking closer is needed.
    if content.count(b"{") + content.count(b"[") <= DEPTH_LIMIT:
        return False
    for byte in content:
        if is_text:
            is_text = is_escaped or byte != 0x22
            is_escaped = not is_escaped and byte == 0x5C
        elif byte == 0x22:
            is_text = True
        elif byte in b"{[":
            depth += 1
            if depth > DEPTH_LIMIT:
                return True
        elif byte in b"}]":
            depth -= 1
    return False


def _message(content: bytes) -> Dict[str, Any]:
    if _is_too_deep(content):
        raise ProtocolError(f"a message has more than {DEPTH_LIMIT} levels")
    try:
        found = json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError) as failure:
        raise ProtocolError(f"a message is no JSON: {failure}") from failure
    if not isinstance(found, dict) or found.get("jsonrpc") != "2.0":
        raise ProtocolError("a message is none of JSON-RPC 2.0")
    return found


def _length(headers: bytes) -> int:
    for line in headers.split(b"\r\n"):
        name, colon, value = line.partition(b":")
        if not colon:
            raise ProtocolError("the server wrote something that is no header: is it `continuo serve --stdio`?")
        if name.strip().lower() == b"content-length":
            digits = value.strip()
            if not digits.isdigit() or len(digits) > 10:
                raise ProtocolError("a message has a length that is no number")
            if int(digits) > CONTENT_LIMIT:
                raise ProtocolError("a message is longer than 8 MiB")
            return int(digits)
    raise ProtocolError("a message has no length")


class Decoder:
    """Bytes in pieces of any size become messages. What is no message raises a ProtocolError, and nothing that comes
    after it means anything."""

    def __init__(self) -> None:
        self._pieces: List[bytes] = []
        self._size = 0
        self._needed = 0
        self._length: Optional[int] = None

    def feed(self, data: bytes) -> Iterator[Dict[str, Any]]:
        """The messages that end in `data`."""
        self._pieces.append(data)
        self._size += len(data)
        while self._size >= max(self._needed, 1):
            whole = b"".join(self._pieces)
            if self._length is None:
                end = whole.find(_END, 0, HEADERS_LIMIT + len(_END))
                if end < 0:
                    if len(whole) > HEADERS_LIMIT:
                        raise ProtocolError("the headers of a message are longer than 8 KiB")
                    self._keep(whole, len(whole) + 1)
                    return
                self._length = _length(whole[:end])
                self._keep(whole[end + len(_END):], self._length)
                if self._length > 0:
                    continue
                whole = b""
            if len(whole) < self._length:
                self._keep(whole, self._length)
                return
            content, rest = whole[:self._length], whole[self._length:]
            self._length = None
            self._keep(rest, 0)
            yield _message(content)

    def _keep(self, rest: bytes, needed: int) -> None:
        self._pieces, self._size, self._needed = [rest], len(rest), needed
