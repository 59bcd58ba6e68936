# SPDX-License-Identifier: MIT
"""One server process, from its start to its end: requests and notifications, both ways."""

from __future__ import annotations

import asyncio
import logging
import os
from typing import Any, Awaitable, Callable, Dict, Mapping, Optional, Sequence

from .errors import ContinuoError, ProtocolError, RequestFailed, ServerEnded, ServerUnavailable
from .framing import Decoder, framed
from .shown import shown

log = logging.getLogger("continuo")

# A server that reads nothing is given up when so many bytes wait for it.
_BACKLOG = 16 * 1024 * 1024

Notified = Callable[[str, Mapping[str, Any]], None]
# Gives the result; raises a ContinuoError, or a KeyError where the method is not known.
Asked = Callable[[str, Mapping[str, Any]], Awaitable[Any]]


def _failure(given: Any) -> RequestFailed:
    told = given if isinstance(given, dict) else {}
    data = told.get("data")
    details = data if isinstance(data, dict) else {}
    code, name, subject = told.get("code"), details.get("code"), details.get("subject")
    return RequestFailed(
        code if isinstance(code, int) else -32603, shown(str(told.get("message", "the server gives no reason"))),
        name if isinstance(name, str) else None, shown(subject) if isinstance(subject, str) else None)


class Server:
    """`start` makes one; `ended` is done when the process is gone."""

    def __init__(self, process: asyncio.subprocess.Process, notified: Notified, asked: Asked) -> None:
        self._process = process
        self._notified = notified
        self._asked = asked
        self._answers: Dict[int, asyncio.Future[Any]] = {}
        self._count = 0
        self._answering: Dict[str, asyncio.Task[None]] = {}
        self.is_open = True
        # What the server wrote last on standard error, and what was wrong with what it wrote: for a sentence.
        self.last_words = ""
        self.ended: asyncio.Task[int] = asyncio.ensure_future(self._run())

    @classmethod
    async def start(cls, command: Sequence[str], environment: Optional[Mapping[str, str]], notified: Notified,
                    asked: Asked) -> Server:
        """Raises ServerUnavailable where the program cannot be started."""
        if not command:
            raise ServerUnavailable("no command is given that starts the server: continuo serve --stdio")
        try:
            process = await asyncio.create_subprocess_exec(
                *command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE, env={**os.environ, **(environment or {})})
        except FileNotFoundError:
            raise ServerUnavailable(
                f"{shown(command[0])} is not installed, or not on PATH: nothing is handed over. Install Continuo, or "
                "say in the settings where it is") from None
        except (OSError, ValueError) as failure:
            raise ServerUnavailable(f"{shown(' '.join(command))} does not start: {shown(str(failure))}") from failure
        return cls(process, notified, asked)

    @property
    def identifier(self) -> int:
        """The process."""
        return self._process.pid

    # MARK: Telling

    def _write(self, message: Dict[str, Any]) -> None:
        stream = self._process.stdin
        if stream is None or stream.is_closing() or not self.is_open:
            raise ServerEnded("the server ended")
        stream.write(framed({"jsonrpc": "2.0", **message}))
        if stream.transport.get_write_buffer_size() > _BACKLOG:
            self.last_words = "it reads nothing any more"
            self.kill()

    def request(self, method: str, params: Any) -> asyncio.Future[Any]:
        """Written at once; the result comes, or the failure."""
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._count += 1
        number = self._count
        message = {"id": number, "method": method}
        if params is not None:
            message["params"] = params
        try:
            self._write(message)
        except ContinuoError as failure:
            answer.set_exception(failure)
            return answer
        self._answers[number] = answer
        answer.add_done_callback(lambda done: self._withdraw(number) if done.cancelled() else None)
        return answer

    def _withdraw(self, number: int) -> None:
        if self._answers.pop(number, None) is not None and self.is_open:
            self.notify("$/cancelRequest", {"id": number})

    def notify(self, method: str, params: Optional[Mapping[str, Any]] = None) -> None:
        message: Dict[str, Any] = {"method": method}
        if params is not None:
            message["params"] = params
        try:
            self._write(message)
        except ServerEnded:
            pass

    def kill(self) -> None:
        self.is_open = False
        try:
            self._process.kill()
        except ProcessLookupError:
            pass

    # MARK: Hearing

    async def _run(self) -> int:
        errors = asyncio.ensure_future(self._keep_errors())
        try:
            await self._read()
        except ProtocolError as failure:
            self.last_words = failure.sentence
            log.warning("continuo serve: %s", failure.sentence)
        except OSError as failure:
            self.last_words = str(failure)
        # What follows something that is no message means nothing.
        self.is_open = False
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            code = await asyncio.wait_for(asyncio.shield(self._process.wait()), 1)
        except asyncio.TimeoutError:
            self.kill()
            code = await self._process.wait()
        await errors
        for task in list(self._answering.values()):
            task.cancel()
        answers, self._answers = self._answers, {}
        for answer in answers.values():
            if not answer.done():
                answer.set_exception(ServerEnded("the server ended before it answered"))
        return code

    async def _keep_errors(self) -> None:
        stream = self._process.stderr
        assert stream is not None
        while True:
            data = await stream.read(4096)
            if not data:
                return
            for line in data.decode("utf-8", "replace").splitlines():
                if line.strip():
                    self.last_words = shown(line.strip())
                    log.info("continuo serve: %s", self.last_words)

    async def _read(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        decoder = Decoder()
        while True:
            data = await stream.read(65536)
            if not data:
                return
            for message in decoder.feed(data):
                self._take(message)

    def _take(self, message: Dict[str, Any]) -> None:
        method, number = message.get("method"), message.get("id")
        params = message.get("params")
        told = params if isinstance(params, dict) else {}
        if number is not None and not isinstance(number, (int, str)):
            raise ProtocolError("a message has an ID that is neither a number nor a text")
        if isinstance(method, str) and number is None:
            if method == "$/cancelRequest":
                task = self._answering.get(str(told.get("id")))
                if task is not None:
                    task.cancel()
                return
            self._notified(method, told)
        elif isinstance(method, str):
            task = asyncio.ensure_future(self._answer(number, method, told))
            self._answering[str(number)] = task
            task.add_done_callback(lambda _: self._answering.pop(str(number), None))
        elif isinstance(number, int):
            answer = self._answers.pop(number, None)
            if answer is None or answer.done():
                return
            if message.get("error") is not None:
                answer.set_exception(_failure(message["error"]))
            else:
                answer.set_result(message.get("result"))

    async def _answer(self, number: Any, method: str, params: Mapping[str, Any]) -> None:
        reply: Dict[str, Any] = {"id": number}
        try:
            reply["result"] = await self._asked(method, params)
        except KeyError:
            reply["error"] = {"code": -32601, "message": method + " is not known here"}
        except ContinuoError as failure:
            reply["error"] = {"code": -32602, "message": failure.sentence}
        try:
            self._write(reply)
        except ServerEnded:
            pass
        except (ContinuoError, ValueError, TypeError) as failure:
            log.warning("%s: %s", method, failure)
            self._write({"id": number, "error": {"code": -32603, "message": shown(str(failure))}})
