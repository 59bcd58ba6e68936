# SPDX-License-Identifier: MIT
"""The same session for programs with a main loop of their own: its loop runs in a thread, and everything that is
called back runs in the main loop."""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from typing import Any, Callable, Mapping, Optional, Sequence, TypeVar

from .errors import ContinuoError
from .events import Event
from .model import App, Restore, Restored, Round
from .session import COMMAND, Patience, Session, Update
from .server import log

_T = TypeVar("_T")

# Gives a function to the main loop, from any thread: `lambda act: GLib.idle_add(act)`.
Post = Callable[[Callable[[], None]], object]
# Called in the main loop with what failed, or with the result.
Answer = Callable[[Optional[ContinuoError], Optional[_T]], None]


class HostedSession:
    """A session in a thread of its own. All of its methods are called from the main thread, and none waits but
    `stop`.

    `on_update(update, answer)` and `on_restore(restore, answer)` run in the main loop and call `answer` once, at once
    or later, with a Round or a Restored.
    """

    def __init__(
        self, app: App, post: Post, *, command: Sequence[str] = COMMAND,
        environment: Optional[Mapping[str, str]] = None,
        on_update: Optional[Callable[[Update, Callable[[Optional[Round]], None]], None]] = None,
        on_restore: Optional[Callable[[Restore, Callable[[Restored], None]], None]] = None,
        on_event: Optional[Callable[[Event], None]] = None, patience: Patience = Patience(),
    ) -> None:
        self._post = post
        self._on_update = on_update
        self._on_restore = on_restore
        self._on_event = on_event
        self._inbox: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        self._thread: Optional[threading.Thread] = None
        self._patience = patience
        self._session = Session(
            app, command=command, environment=environment, patience=patience,
            on_update=None if on_update is None else self._update,
            on_restore=None if on_restore is None else self._restore,
            on_event=lambda event: self._give(lambda: self._tell(event)))

    @property
    def is_running(self) -> bool:
        """Whether `start` was called and `stop` was not."""
        return self._thread is not None

    @property
    def connected(self) -> Optional[bool]:
        """Whether the agent can be reached; None while there is no server."""
        return self._session.connected

    @property
    def obstacle(self) -> Optional[str]:
        """Why there is no server and none is started; None while there is one, or soon."""
        return self._session.obstacle

    # MARK: The main loop

    def _give(self, act: Callable[[], None]) -> None:
        """From the thread: `act` runs in the main loop, in order."""
        self._inbox.put(act)
        self._post(self._take)

    def _take(self) -> None:
        while True:
            try:
                act = self._inbox.get_nowait()
            except queue.Empty:
                return
            act()

    def _tell(self, event: Event) -> None:
        if self._on_event is not None:
            self._on_event(event)

    # MARK: The thread

    def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        asyncio.set_event_loop(loop)
        try:
            loop.run_forever()
        finally:
            loop.close()

    async def _update(self, update: Update) -> Optional[Round]:
        assert self._on_update is not None
        return await self._answer(self._on_update, update, None)

    async def _restore(self, restore: Restore) -> Restored:
        assert self._on_restore is not None
        failed = Restored(False, "the editor failed to open it")
        return await self._answer(self._on_restore, restore, failed)

    async def _answer(self, handler: Callable[[Any, Callable[[_T], None]], None], asked: Any, failed: _T) -> _T:
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[_T] = loop.create_future()

        def settle(given: _T) -> None:
            if not answer.done():
                answer.set_result(given)

        def reply(given: _T) -> None:
            try:
                loop.call_soon_threadsafe(settle, given)
            except RuntimeError:
                pass  # The loop is over, and with it whoever asked.

        def ask() -> None:
            try:
                handler(asked, reply)
            except Exception:
                log.exception("a handler failed")
                reply(failed)

        self._give(ask)
        return await answer

    # MARK: What the host does

    def start(self) -> None:
        """Starts the thread and a server, unless they run; what comes of it is told as events."""
        if self._thread is None:
            loop = asyncio.new_event_loop()
            self._loop = loop
            self._thread = threading.Thread(target=self._run, args=(loop,), name="continuo", daemon=True)
            self._thread.start()
        self.tell(lambda session: session.start())

    def restart(self) -> None:
        """The person asks for it: earlier failures count no more."""
        self.start()
        self.tell(lambda session: session.restart())

    def tell(self, act: Callable[[Session], object]) -> None:
        """Runs `act` in the thread, after all that was told or asked before. Nothing happens before `start`."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(act, self._session)

    def ask(self, act: Callable[[Session], "asyncio.Future[_T]"], answer: Optional[Answer[_T]] = None) -> bool:
        """Asks in the order of the calls; False before `start`. `answer` is called in the main loop."""
        if self._loop is None:
            return False

        def done(result: asyncio.Future[_T]) -> None:
            if result.cancelled():
                return
            failure = result.exception()
            if answer is None:
                return
            hear = answer
            if failure is None:
                found: Optional[_T] = result.result()
                self._give(lambda: hear(None, found))
            else:
                told = failure if isinstance(failure, ContinuoError) else ContinuoError(str(failure))
                self._give(lambda: hear(told, None))

        self.tell(lambda session: act(session).add_done_callback(done))
        return True

    def stop(self) -> None:
        """Says the last state, for which the handlers are still called, and ends the server and the thread."""
        loop, thread = self._loop, self._thread
        if loop is None or thread is None:
            return
        closing = asyncio.run_coroutine_threadsafe(self._session.close(), loop)
        deadline = time.monotonic() + self._patience.end + 2
        while not closing.done() and time.monotonic() < deadline:
            try:
                self._inbox.get(timeout=0.01)()
            except queue.Empty:
                continue
        self._loop = self._thread = None
        loop.call_soon_threadsafe(loop.stop)
        thread.join(2)
