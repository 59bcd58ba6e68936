# SPDX-License-Identifier: MIT
"""Continuation streams: what one app writes, the app on the other device reads."""

from __future__ import annotations

import asyncio
from typing import Any, Callable, Mapping, Optional, Tuple

from .errors import ContinuoError
from .model import member
from .server import log
from .userinfo import decoded, encoded

_CHUNK = 256 * 1024

_Ask = Callable[[str, Callable[[], Mapping[str, Any]], Callable[[Any], Any]], "asyncio.Future[Any]"]


def _chunk(told: Any) -> Tuple[bytes, bool]:
    given = told if isinstance(told, dict) else {}
    return member({"data": decoded(given.get("data"))}, "data", bytes), member(given, "atEnd", bool)


class Streams:
    """A pair of streams to the app on the other device; of a session's thread. What fails raises a ContinuoError,
    and what came before that is not all that was to come. To be closed in the end, as by `async with`."""

    def __init__(self, ask: _Ask, name: str) -> None:
        # What the server calls it.
        self.name = name
        self._ask = ask
        self._reading: Optional[asyncio.Future[Any]] = None
        self._reads, self._writes = asyncio.Lock(), asyncio.Lock()

    async def __aenter__(self) -> Streams:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def read(self, length: int = _CHUNK) -> bytes:
        """Waits for bytes and gives at most so many; none at the end. No byte is read from the other device before it
        is asked for. A call that is cancelled loses nothing: the next one gives what came, whatever its length."""
        async with self._reads:
            if self._reading is None:
                self._reading = self._ask("streams/read", lambda: {"streams": self.name, "length": length}, _chunk)
                # Nobody may be left to hear of it.
                self._reading.add_done_callback(lambda done: done.cancelled() or done.exception())
            reading = self._reading
            await asyncio.wait([reading])
            self._reading = None
            data: bytes = reading.result()[0]
            return data

    async def write(self, data: bytes) -> None:
        """Waits until there was room for all of it. A call that is cancelled may have written a part."""
        async with self._writes:
            for start in range(0, len(data), _CHUNK):
                told = {"streams": self.name, "data": encoded(bytes(data[start:start + _CHUNK]))}
                await self._ask("streams/write", lambda: told, lambda _: None)

    async def write_eof(self) -> None:
        """The other app reads to the end; reading goes on."""
        await self._close({"direction": "writing"})

    async def close(self) -> None:
        """Ends both directions. Streams that are gone with their server are closed."""
        try:
            await self._close({})
        except ContinuoError as failure:
            log.info("streams/close: %s", failure.sentence)

    async def _close(self, which: Mapping[str, Any]) -> None:
        await self._ask("streams/close", lambda: {"streams": self.name, **which}, lambda _: None)
