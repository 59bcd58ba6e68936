# SPDX-License-Identifier: MIT
"""The server that a session talks to: it is started, started again when it dies, and given up when it dies too often.
"""

from __future__ import annotations

import asyncio
import inspect
import time
from dataclasses import dataclass
from typing import Any, Awaitable, Callable, List, Mapping, Optional, Sequence, Set, Tuple, TypeVar, Union
from weakref import WeakSet

from . import events
from .activities import Activity
from .errors import ContinuoError, ProtocolError, ServerEnded, ServerUnavailable
from .events import Event
from .model import App, Offer, Restore, Restored, RestoredAnswer, Round, member, optional
from .server import Server, log
from .shown import shown

_T = TypeVar("_T")

COMMAND = ("continuo", "serve", "--stdio")


@dataclass(frozen=True)
class Update:
    """A round: the server asks where the person is in a document (`uri`), or what an `activity` is."""

    uri: Optional[str]
    activity: Optional[Activity]
    # The device on which a person goes on with it and waits for the save; None where nobody does.
    requested_by: Optional[str] = None


# They may be coroutines.
UpdateHandler = Callable[[Update], Union[Optional[Round], Awaitable[Optional[Round]]]]
RestoreHandler = Callable[[Restore], Union[RestoredAnswer, Awaitable[RestoredAnswer]]]
EventHandler = Callable[[Event], None]


@dataclass(frozen=True)
class Patience:
    """How often a server is started within how many seconds, and how long the end may take."""

    starts: int = 5
    within: float = 60.0
    end: float = 2.5


class EventStream:
    """What a session tells from the call of `events()` on, for `async for`, in one loop. It ends with the session, or
    by `aclose()`; a stream that nobody holds any more is fed no more."""

    def __init__(self) -> None:
        # None is the end.
        self._queue: asyncio.Queue[Optional[Event]] = asyncio.Queue()
        self._has_ended = False

    def __aiter__(self) -> EventStream:
        return self

    async def __anext__(self) -> Event:
        event = await self._queue.get()
        if event is None:
            # Whoever asks once more is told the same.
            self._queue.put_nowait(None)
            raise StopAsyncIteration
        return event

    async def aclose(self) -> None:
        self.take(None)

    def take(self, event: Optional[Event]) -> None:
        """The session's side: an event, or the end; nothing follows the end."""
        if not self._has_ended:
            self._has_ended = event is None
            self._queue.put_nowait(event)


async def _settled(given: Any) -> Any:
    return await given if inspect.isawaitable(given) else given


def _heed(done: asyncio.Future[Any]) -> None:
    """A failure that nobody awaits is no fault of the program's."""
    if not done.cancelled():
        done.exception()


class Connection:
    """What a Session stands on."""

    def __init__(
        self, app: App, *, command: Sequence[str] = COMMAND, environment: Optional[Mapping[str, str]] = None,
        on_update: Optional[UpdateHandler] = None, on_restore: Optional[RestoreHandler] = None,
        on_continue: Optional[RestoreHandler] = None, on_event: Optional[EventHandler] = None,
        patience: Patience = Patience(), takes_drafts: bool = False,
    ) -> None:
        self.app = app
        self.command = tuple(command)
        self.environment = environment
        self.on_update = on_update
        self.on_restore = on_restore
        self.on_continue = on_continue
        self.on_event = on_event
        self.patience = patience
        # Whether `on_restore` shows texts that no file has.
        self.takes_drafts = takes_drafts
        # What is offered, as the server told last.
        self.offered: Tuple[Offer, ...] = ()
        # Whether the agent can be reached; None while there is no server.
        self.connected: Optional[bool] = None
        # Why there is no server and none is started; None while there is one, or soon.
        self.obstacle: Optional[str] = None
        self._server: Optional[Server] = None
        self._is_ready = False
        # Since when the agent cannot be reached.
        self._apart_since = 0.0
        # What the last state is told after: the answers that say that a server knows what is open.
        self._awaited: Set[asyncio.Future[Any]] = set()
        # No server is started any more; then: all is ended.
        self._is_closing = self._is_closed = False
        # Done when the `close` that is under way is done with it, or given up.
        self._closing: Optional[asyncio.Future[None]] = None
        # The answer to the server's `shutdown`.
        self._farewell: Optional[asyncio.Future[Any]] = None
        self._starts: List[float] = []
        self._supervisor: Optional[asyncio.Task[None]] = None
        self._begun: Optional[asyncio.Future[None]] = None
        # What was asked for while no server was ready.
        self._postponed: List[Callable[[], None]] = []
        self._listeners: WeakSet[EventStream] = WeakSet()

    # MARK: Servers

    @property
    def server_process(self) -> Optional[int]:
        """The server's process; None while there is none."""
        return None if self._server is None or self._server.ended.done() else self._server.identifier

    def start(self) -> asyncio.Future[None]:
        """Starts a server if none runs, also after it was given up; done when it is ready. Raises
        ServerUnavailable."""
        if self._begun is not None and not self._begun.done() or self._is_ready:
            return self._begun or asyncio.get_running_loop().create_future()
        self._is_closing = self._is_closed = False
        self._closing = None
        self.obstacle = None
        self._begun = asyncio.get_running_loop().create_future()
        self._begun.add_done_callback(_heed)
        if self._supervisor is None or self._supervisor.done():
            self._supervisor = asyncio.ensure_future(self._supervise())
        return self._begun

    def restart(self) -> asyncio.Future[None]:
        """The person asks for it: earlier failures count no more."""
        self._starts.clear()
        return self.start()

    async def _supervise(self) -> None:
        while not self._is_closing:
            now = time.monotonic()
            self._starts = [moment for moment in self._starts if now - moment < self.patience.within] + [now]
            try:
                code = await self._serve()
            except ServerUnavailable as failure:
                return self._give_up(failure.sentence)
            except Exception as failure:
                log.exception("the session failed")
                return self._give_up(shown(f"the session with the server failed: {failure}"))
            if self._is_closing:
                return
            now = time.monotonic()
            recent = [moment for moment in self._starts if now - moment < self.patience.within]
            if len(recent) >= self.patience.starts:
                words = self._server.last_words if self._server else ""
                return self._give_up(
                    f"the server ended {len(recent)} times in {self.patience.within:.0f} s (exit code {code}"
                    + (f": {words}" if words else "") + "); start it again when that is put right")
            await asyncio.sleep(0.1 * 2 ** len(recent))

    async def _serve(self) -> int:
        """One server, from start to end."""
        server = await Server.start(self.command, self.environment, self._notified, self._asked)
        self._server = server
        hello = self.app.written()
        hello["capabilities"] = {"continueActivity": self.on_continue is not None}
        if self.takes_drafts:
            hello["capabilities"]["drafts"] = True
        try:
            told = await server.request("initialize", hello)
            connected: bool = member(told if isinstance(told, dict) else {}, "connected", bool)
            version = str((optional(told, "server", dict) or {}).get("version", ""))
        except ServerEnded:
            code = await server.ended
            self._forget()
            return code
        except ContinuoError as failure:
            server.notify("exit")
            server.kill()
            await server.ended
            self._forget()
            raise ServerUnavailable(f"the server refuses this app: {failure.sentence}") from failure
        # The server may have told a newer state already.
        if self.connected is None:
            self._reaches(connected)
        self._say_all()
        self._is_ready = True
        if self._begun is not None and not self._begun.done():
            self._begun.set_result(None)
        self._emit(events.ServerReady(version, self.connected is True))
        postponed, self._postponed = self._postponed, []
        for each in postponed:
            each()
        code = await server.ended
        self._forget()
        if not self._is_closing:
            self._emit(events.ServerStopped())
        return code

    def _say_all(self) -> None:
        """A server that was just started hears everything."""

    def _reaches(self, connected: bool) -> None:
        if not connected and self.connected is not False:
            self._apart_since = time.monotonic()
        self.connected = connected

    def _await(self, answer: asyncio.Future[Any]) -> None:
        self._awaited.add(answer)
        answer.add_done_callback(self._awaited.discard)

    def _forget(self) -> None:
        self._is_ready = False
        self._farewell = None
        self.connected = None
        self.offered = ()

    def _give_up(self, sentence: str) -> None:
        self.obstacle = sentence
        failure = ServerUnavailable(sentence)
        if self._begun is not None and not self._begun.done():
            self._begun.set_exception(failure)
        postponed, self._postponed = self._postponed, []
        for each in postponed:
            each()
        self._emit(events.ServerGivenUp(sentence))

    async def close(self) -> None:
        """Says the last state, and ends the server. A server that is only starting, also in place of one that died, is
        waited for where there is something to say. What a call that was cancelled has left is done by the next one."""
        while self._closing is not None:
            await asyncio.shield(self._closing)
        if self._is_closed:
            return
        closing = self._closing = asyncio.get_running_loop().create_future()
        try:
            await self._end()
            self._is_closed = True
        finally:
            self._closing = None
            closing.set_result(None)

    async def _end(self) -> None:
        if not self._is_closing:
            try:
                await asyncio.wait_for(self._say_last(), self.patience.end)
            except (ContinuoError, asyncio.TimeoutError):
                pass
        self._is_closing = True
        server, supervisor = self._server, self._supervisor
        if server is not None and not server.ended.done():
            server.notify("exit")
            try:
                await asyncio.wait_for(asyncio.shield(server.ended), 1)
            except asyncio.TimeoutError:
                server.kill()
                await asyncio.shield(server.ended)
        if supervisor is not None:
            supervisor.cancel()
            await asyncio.wait([supervisor])
        if self._begun is not None and not self._begun.done():
            self._begun.set_exception(ServerUnavailable("the session is closed"))
        self._forget()
        postponed, self._postponed = self._postponed, []
        for each in postponed:
            each()
        for stream in tuple(self._listeners):
            stream.take(None)

    async def _say_last(self) -> None:
        while self._is_ready or self._is_coming() and self._has_more_to_say():
            if self._is_ready and self._server is not None:
                if self._awaited:
                    await asyncio.wait(tuple(self._awaited))
                await self._await_agent()
                if self._farewell is None:
                    self._farewell = self._server.request("shutdown", None)
                    self._farewell.add_done_callback(_heed)
                try:
                    # One that is withdrawn would have to be said again, and a server hears it once.
                    await asyncio.shield(self._farewell)
                    return
                except ServerEnded:
                    self._farewell = None
            next_server = asyncio.Event()
            self._postponed.append(next_server.set)
            await next_server.wait()

    async def _await_agent(self) -> None:
        """An agent that only starts hears the last state, too. One that is away for longer is not waited for."""
        if not self._has_more_to_say():
            return
        told = self.events()
        while self.connected is False:
            left = self._apart_since + self.patience.end - time.monotonic()
            try:
                await asyncio.wait_for(told.__anext__(), left)
            except asyncio.TimeoutError:
                return

    def _is_coming(self) -> bool:
        """Whether a server starts, or will."""
        return self.obstacle is None and self._supervisor is not None and not self._supervisor.done()

    def _has_more_to_say(self) -> bool:
        """Whether a server that was just started would hear of anything."""
        return False

    # MARK: Hearing

    def _emit(self, event: Event) -> None:
        for stream in tuple(self._listeners):
            stream.take(event)
        if self.on_event is not None:
            try:
                self.on_event(event)
            except Exception:
                log.exception("a handler of events failed")

    def _notified(self, method: str, told: Mapping[str, Any]) -> None:
        try:
            event = events.read(method, told)
        except ProtocolError as failure:
            return log.warning("%s: %s", method, failure.sentence)
        if event is None:
            return
        if isinstance(event, events.OffersChanged):
            self.offered = event.offers
        elif isinstance(event, events.ConnectionChanged):
            self._reaches(event.connected)
        self._emit(event)

    async def _asked(self, method: str, told: Mapping[str, Any]) -> Any:
        if method == "activity/update":
            if self.on_update is None:
                return None
            try:
                update = Update(optional(told, "uri", str), self._activity(optional(told, "activity", str)),
                                optional(told, "requestedBy", str))
                found = await _settled(self.on_update(update))
            except Exception:
                log.exception("the handler of updates failed")
                return None
            return found.written() if isinstance(found, Round) else None
        if method == "document/restore":
            return (await self._restored(Restore.read(told), self.on_restore)).written()
        if method == "activity/continue" and self.on_continue is not None:
            return {"handled": (await self._restored(Restore.read(told), self.on_continue)).opened}
        raise KeyError(method)

    def _activity(self, name: Optional[str]) -> Optional[Activity]:
        """The activity that the server calls `name`."""
        return None

    async def _restored(self, restore: Restore, handler: Optional[RestoreHandler]) -> Restored:
        if handler is None:
            return Restored(False, f"{self.app.name} does not open what is continued")
        try:
            found = await _settled(handler(restore))
        except Exception as failure:
            log.exception("the handler of restores failed")
            return Restored(False, shown(f"{self.app.name} failed: {failure}"))
        return found if isinstance(found, Restored) else Restored(found is not False)

    def events(self) -> EventStream:
        """Whatever the server tells from this call on, and what becomes of it; ends with the session. An author who
        must miss nothing calls it before `start()`: what was told before the call is not told again."""
        stream = EventStream()
        if not self._is_closing:
            self._listeners.add(stream)
        else:
            stream.take(None)
        return stream

    # MARK: Asking

    def _ask(self, method: str, params: Callable[[], Mapping[str, Any]], read: Callable[[Any], _T],
             ) -> asyncio.Future[_T]:
        """Written at once where a server is ready, else when one is; the parameters are made then."""
        result: asyncio.Future[_T] = asyncio.get_running_loop().create_future()

        def took(answer: asyncio.Future[Any]) -> None:
            if result.done():
                return
            if answer.cancelled():
                result.cancel()
                return
            failure = answer.exception()
            if failure is not None:
                result.set_exception(failure)
                return
            try:
                result.set_result(read(answer.result()))
            except ContinuoError as wrong:
                result.set_exception(wrong)

        def send() -> None:
            if result.done():
                return
            if not self._is_ready or self._server is None:
                result.set_exception(ServerUnavailable(self.obstacle or "the session is closed"))
                return
            try:
                told = params()
            except ContinuoError as failure:
                result.set_exception(failure)
                return
            answer = self._server.request(method, told)
            answer.add_done_callback(took)
            result.add_done_callback(lambda done: answer.cancel() if done.cancelled() else None)

        is_coming = self._supervisor is not None and not self._supervisor.done() and not self._is_closing
        if not self._is_ready and is_coming and self.obstacle is None:
            self._postponed.append(send)
        else:
            send()
        return result

    def _tell(self, method: str, params: Mapping[str, Any]) -> None:
        """Nothing is kept for later: a new server hears everything."""
        if self._is_ready and self._server is not None:
            self._server.notify(method, params)
