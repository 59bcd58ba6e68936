# SPDX-License-Identifier: MIT
"""A session with `continuo serve --stdio`: what an app says and asks."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any, AsyncIterator, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from . import events
from .activities import Activity, Search, described
from .connection import COMMAND, Connection, EventHandler, Patience, RestoreHandler, Update, UpdateHandler
from .errors import ContinuoError, ProtocolError, ServerUnavailable
from .events import Event
from .model import App, Aside, Offer, OtherEditor, Standing, Version, listed, member
from .names import PathLike, uri_of
from .server import log
from .streams import Streams

__all__ = ["COMMAND", "Patience", "Session", "Update", "connect"]


@dataclass
class _Document:
    """What a new server is told of an open document."""

    # Whether there is unsaved text.
    edited: bool
    # What describes its activity, and whether the activity that it has now has heard it.
    members: Dict[str, Any] = field(default_factory=dict)
    is_described: bool = True
    # Of the cursor, as it was told last.
    line: Optional[int] = None


def _took_description(answer: asyncio.Future[Any]) -> None:
    failure = None if answer.cancelled() else answer.exception()
    if failure is not None:
        log.warning("activity/set: %s", failure)


class Session(Connection):
    """Made by `connect`. Its methods belong to the thread of its loop; each of them tells the server at once, in the
    order of the calls, and gives a future for the answer."""

    def __init__(
        self, app: App, *, command: Sequence[str] = COMMAND, environment: Optional[Mapping[str, str]] = None,
        on_update: Optional[UpdateHandler] = None, on_restore: Optional[RestoreHandler] = None,
        on_continue: Optional[RestoreHandler] = None, on_event: Optional[EventHandler] = None,
        patience: Patience = Patience(), takes_drafts: bool = False,
    ) -> None:
        super().__init__(app, command=command, environment=environment, on_update=on_update, on_restore=on_restore,
                         on_continue=on_continue, on_event=on_event, patience=patience, takes_drafts=takes_drafts)
        # By URI.
        self._documents: Dict[str, _Document] = {}
        self._activities: List[Activity] = []
        self._current: Union[str, Activity, None] = None

    async def __aenter__(self) -> Session:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    # MARK: A new server

    def _say_all(self) -> None:
        """A server that was just started hears everything."""
        server = self._server
        assert server is not None
        for uri, document in self._documents.items():
            answer = server.request("document/open", {"uri": uri, "edited": document.edited})
            answer.add_done_callback(partial(self._took_standing, document))
            self._await(answer)
            if document.line is not None:
                server.notify("document/cursorDidMove", {"uri": uri, "line": document.line})
        for activity in self._activities:
            self._create(activity)
        if isinstance(self._current, str):
            server.notify("document/becomeCurrent", {"uri": self._current})

    def _took_standing(self, document: _Document, answer: asyncio.Future[Any]) -> None:
        if answer.cancelled() or answer.exception() is not None:
            return
        try:
            standing = Standing.read(answer.result())
        except ProtocolError as failure:
            return log.warning("document/open: %s", failure.sentence)
        self._describe(document, standing)
        self._emit(events.StandingChanged(standing))

    def _emit(self, event: Event) -> None:
        if isinstance(event, events.StandingChanged):
            document = self._documents.get(event.standing.uri)
            if document is not None:
                self._describe(document, event.standing)
        super()._emit(event)

    def _describe(self, document: _Document, standing: Standing) -> None:
        """A document's activity begins and ends with its standing; what was set for it is set for the next one."""
        if not standing.synced:
            document.is_described = False
        elif not document.is_described and self._server is not None:
            document.is_described = True
            for uri, each in self._documents.items():
                if each is document and document.members:
                    answer = self._server.request("activity/set", {"uri": uri, **document.members})
                    answer.add_done_callback(_took_description)

    def _has_more_to_say(self) -> bool:
        return bool(self._documents or self._activities)

    def _forget(self) -> None:
        super()._forget()
        for document in self._documents.values():
            document.is_described = False
        for activity in self._activities:
            activity.id = None

    def _activity(self, name: Optional[str]) -> Optional[Activity]:
        return next((each for each in self._activities if name and each.id == name), None)

    # MARK: Documents

    def open(self, path: PathLike, edited: bool = False) -> asyncio.Future[Standing]:
        """The app has read this file, for the first time or again."""
        uri = uri_of(path)
        document = self._documents.setdefault(uri, _Document(edited))
        document.edited = edited
        answer = self._ask("document/open", lambda: {"uri": uri, "edited": document.edited}, Standing.read)
        self._await(answer)
        return answer

    def close_document(self, path: PathLike) -> asyncio.Future[None]:
        """The app shows the document no longer; it is no longer offered."""
        uri = uri_of(path)
        self._documents.pop(uri, None)
        if self._current == uri:
            self._current = None
        return self._ask("document/close", lambda: {"uri": uri}, lambda _: None)

    def did_change(self, path: PathLike, edited: bool, by_person: bool = True) -> None:
        """Text or place changed. `edited`: the app holds text that the file does not."""
        uri = uri_of(path)
        if uri in self._documents:
            self._documents[uri].edited = edited
        self._tell("document/didChange", {"uri": uri, "edited": edited, "byPerson": by_person})

    def cursor_moved(self, path: PathLike, line: int) -> None:
        """The cursor is in that line, from 0: linked devices that have the document open may show it. Cheap."""
        uri = uri_of(path)
        document = self._documents.get(uri)
        if document is not None and document.line != line:
            document.line = line
            self._tell("document/cursorDidMove", {"uri": uri, "line": line})

    def did_save(self, path: PathLike) -> None:
        """The file was just written: what lies there now is the app's own."""
        uri = uri_of(path)
        if uri in self._documents:
            self._documents[uri].edited = False
        self._tell("document/didSave", {"uri": uri})

    def did_move(self, path: PathLike, new_path: PathLike) -> None:
        """The document has another name."""
        uri, new = uri_of(path), uri_of(new_path)
        if uri in self._documents:
            self._documents[new] = self._documents.pop(uri)
        if self._current == uri:
            self._current = new
        self._tell("document/didMove", {"uri": uri, "newUri": new})

    def become_current(self, path: PathLike) -> None:
        """The document's window is in front."""
        self._current = uri_of(path)
        self._tell("document/becomeCurrent", {"uri": self._current})

    def resign_current(self, path: PathLike) -> None:
        """Not any more."""
        uri = uri_of(path)
        if self._current == uri:
            self._current = None
        self._tell("document/resignCurrent", {"uri": uri})

    def set_document(self, path: PathLike, title: Optional[str] = None, user_info: Optional[Mapping[str, Any]] = None,
                     webpage_url: Optional[str] = None, supports_streams: Optional[bool] = None,
                     ) -> asyncio.Future[None]:
        """Describes a document's activity; what is not given stays as it is. Each new server is told of it."""
        members = described(title, user_info, webpage_url, supports_streams=supports_streams)
        uri = uri_of(path)
        document = self._documents.get(uri) or _Document(False)

        def took(_: Any) -> None:
            document.members.update(members)
            document.is_described = True

        return self._ask(
            "activity/set", lambda: {"uri": uri, **({} if document.is_described else document.members), **members},
            took)

    def other_editors(self, path: PathLike) -> asyncio.Future[List[OtherEditor]]:
        """Who edits an open document on another device, the latest to change it first."""
        uri = uri_of(path)
        return self._ask("document/otherEditors", lambda: {"uri": uri},
                         lambda told: listed(told, "editors", OtherEditor.read))

    def versions(self, path: PathLike) -> asyncio.Future[List[Version]]:
        """An open document in conflict: the document, then the copies beside it; empty without a copy."""
        uri = uri_of(path)
        return self._ask("document/versions", lambda: {"uri": uri}, lambda told: listed(told, "versions", Version.read))

    def resolve(self, path: PathLike, keep: Union[Version, str]) -> asyncio.Future[List[Aside]]:
        """Keeps one version; the others are put aside, and nothing is deleted. The app reads the file again."""
        uri, kept = uri_of(path), keep.uri if isinstance(keep, Version) else keep
        return self._ask("document/resolve", lambda: {"uri": uri, "keep": kept},
                         lambda told: listed(told, "aside", Aside.read))

    # MARK: Continuing

    async def offers(self) -> AsyncIterator[Offer]:
        """Each offer that is there, and then each one that is new or that the person has gone on with. Raises
        ServerUnavailable when the server is given up."""
        seen: Dict[str, int] = {}

        def news(offers: Tuple[Offer, ...]) -> List[Offer]:
            found = [offer for offer in offers if seen.get(offer.id, -1) < offer.changed_at]
            seen.clear()
            seen.update({offer.id: offer.changed_at for offer in offers})
            return found

        told = self.events()
        for offer in news(self.offered):
            yield offer
        async for event in told:
            if isinstance(event, events.ServerGivenUp):
                raise ServerUnavailable(event.sentence)
            if isinstance(event, events.OffersChanged):
                for offer in news(event.offers):
                    yield offer

    def list_offers(self) -> asyncio.Future[List[Offer]]:
        return self._ask("offers/list", dict, lambda told: listed(told, "offers", Offer.read))

    def accept(self, offer: Union[Offer, str]) -> asyncio.Future[str]:
        """Continues an offer here; gives the continuation's name. The restore comes by itself."""
        name = offer.id if isinstance(offer, Offer) else offer
        return self._ask("continuation/accept", lambda: {"offer": name},
                         lambda told: member(told if isinstance(told, dict) else {}, "request", str))

    def cancel(self, request: str) -> asyncio.Future[None]:
        return self._ask("continuation/cancel", lambda: {"request": request}, lambda _: None)

    def extend(self, request: str, seconds: float) -> asyncio.Future[None]:
        return self._ask("continuation/extend", lambda: {"request": request, "seconds": seconds}, lambda _: None)

    def choose(self, request: str, choice: str) -> asyncio.Future[None]:
        """"openHere" (what is here, for reading), "keepWaiting" or "giveUp"."""
        return self._ask("continuation/choose", lambda: {"request": request, "choice": choice}, lambda _: None)

    # MARK: Streams

    def open_streams(self, request: str) -> asyncio.Future[Streams]:
        """Asks the app that an activity came from for streams, by the continuation's `request`."""
        return self._ask("streams/open", lambda: {"request": request},
                         lambda told: self.streams(member(told if isinstance(told, dict) else {}, "streams", str)))

    def streams(self, name: str) -> Streams:
        """The pair that `events.StreamsReceived` names; to be made once."""
        return Streams(self._ask, name)

    # MARK: Activities

    def create_activity(
        self, type: str, title: Optional[str] = None, user_info: Optional[Mapping[str, Any]] = None,
        webpage_url: Optional[str] = None, required_user_info_keys: Optional[Sequence[str]] = None,
        expires_at: Optional[datetime] = None, eligible_for_handoff: Optional[bool] = None,
        supports_streams: Optional[bool] = None, draft: Optional[bool] = None,
        search: Union[Search, bool, None] = None,
    ) -> asyncio.Future[Activity]:
        """An activity without a document, of a type that the app declared. A `draft` stands for a text that no file
        has: an Update that is `requested_by` a device is answered with the text, in `Round.draft`."""
        members = described(title, user_info, webpage_url, required_user_info_keys, expires_at, eligible_for_handoff,
                            supports_streams, draft, search)
        activity = Activity(self, type, members)

        def made(told: Any) -> Activity:
            activity.id = member(told if isinstance(told, dict) else {}, "activity", str)
            self._activities.append(activity)
            return activity

        return self._ask("activity/create", lambda: {"type": type, **members}, made)

    def delete_saved(self, identifiers: Optional[Sequence[str]] = None) -> asyncio.Future[None]:
        """Deletes what this app had kept for search under these identifiers, or all of it; done once nothing of it
        can be read on this device any more."""
        if isinstance(identifiers, str):
            raise TypeError("delete_saved takes a sequence of identifiers, and not one text")
        named = None if identifiers is None else list(identifiers)
        return self._ask("activity/deleteSaved", lambda: {"persistentIdentifiers": named}, lambda _: None)

    def _create(self, activity: Activity) -> None:
        """Tells a new server of an activity."""
        assert self._server is not None
        server = self._server
        answer = server.request("activity/create", {"type": activity.type, **activity.members})

        def took(done: asyncio.Future[Any]) -> None:
            if done.cancelled() or done.exception() is not None or server is not self._server:
                return
            told = done.result()
            activity.id = told.get("activity") if isinstance(told, dict) else None
            if self._current is activity and activity.id is not None:
                server.request("activity/becomeCurrent", {"activity": activity.id})

        answer.add_done_callback(took)
        self._await(answer)

    def tell_activity(self, activity: Activity, method: str, members: Mapping[str, Any]) -> asyncio.Future[None]:
        def params() -> Mapping[str, Any]:
            if activity.id is None:
                raise ContinuoError("the activity is not there any more, or the server does not know it yet")
            return {"activity": activity.id, **members}

        return self._ask(method, params, lambda _: None)

    def make_current(self, activity: Activity) -> asyncio.Future[None]:
        self._current = activity
        return self.tell_activity(activity, "activity/becomeCurrent", {})

    def resign(self, activity: Activity) -> asyncio.Future[None]:
        if self._current is activity:
            self._current = None
        return self.tell_activity(activity, "activity/resignCurrent", {})

    def forget_activity(self, activity: Activity) -> asyncio.Future[None]:
        if self._current is activity:
            self._current = None
        if activity in self._activities:
            self._activities.remove(activity)
        return self.tell_activity(activity, "activity/invalidate", {})


def connect(
    app: App, *, command: Sequence[str] = COMMAND, environment: Optional[Mapping[str, str]] = None,
    on_update: Optional[UpdateHandler] = None, on_restore: Optional[RestoreHandler] = None,
    on_continue: Optional[RestoreHandler] = None, on_event: Optional[EventHandler] = None,
    patience: Patience = Patience(), takes_drafts: bool = False,
) -> Session:
    """A session, for `async with`. One that `takes_drafts` shows texts without a file: see `Restore.draft`."""
    return Session(app, command=command, environment=environment, on_update=on_update, on_restore=on_restore,
                   on_continue=on_continue, on_event=on_event, patience=patience, takes_drafts=takes_drafts)
