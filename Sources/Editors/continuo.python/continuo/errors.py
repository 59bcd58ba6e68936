# SPDX-License-Identifier: MIT
"""What can go wrong, each with a sentence that may be shown."""

from __future__ import annotations

from typing import Optional


class ContinuoError(Exception):
    """Something of this package. `sentence` says what happened, and what to do where something helps."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class ServerUnavailable(ContinuoError):
    """No server: it is not installed, refuses this app, or has ended too often."""


class ServerEnded(ContinuoError):
    """The server ended before it answered. A new one is started; whether the request was done is not known."""


class ProtocolError(ContinuoError):
    """Bytes or members that are none of the protocol."""


class RequestFailed(ContinuoError):
    """The server's own answer.

    `code` is the number of JSON-RPC (-32803 where it could not be done), `name` one of the names of
    stdio-protocol.md, as "documentDiverged", `subject` what it is about.
    """

    def __init__(self, code: int, sentence: str, name: Optional[str] = None, subject: Optional[str] = None) -> None:
        super().__init__(sentence)
        self.code = code
        self.name = name
        self.subject = subject
