# SPDX-License-Identifier: MIT
"""What the server tells, and what becomes of the server."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Dict, Mapping, Optional, Tuple, Union

from .model import Offer, Presence, Standing, Status, listed, member, optional
from .shown import shown


@dataclass(frozen=True)
class OffersChanged:
    """The whole list."""

    offers: Tuple[Offer, ...]


@dataclass(frozen=True)
class WillContinue:
    """A continuation begins; a restore, or `Failed`, follows."""

    request: str
    offer: Offer


@dataclass(frozen=True)
class Progress:
    """How the awaited version stands."""

    request: str
    offer: Offer
    status: Status


@dataclass(frozen=True)
class Failed:
    """A continuation came to nothing; `name` is the error's, and `is_shown` whether to tell the person."""

    request: str
    name: str
    sentence: str
    is_shown: bool


@dataclass(frozen=True)
class StandingChanged:
    """How a document stands now."""

    standing: Standing


@dataclass(frozen=True)
class ChangedOnDisk:
    """Somebody else "changed", "moved" or "deleted" a document, or it has copies ("conflict")."""

    uri: str
    change: str
    new_uri: Optional[str] = None
    copies: Tuple[str, ...] = ()


@dataclass(frozen=True)
class PresenceChanged:
    """These linked devices have a document open now; none when the last one has left."""

    uri: str
    devices: Tuple[Presence, ...] = ()


@dataclass(frozen=True)
class WasContinued:
    """The person went on elsewhere. `uri` or `activity` is there, the latter as the server calls it."""

    device: str
    given_up: bool
    uri: Optional[str] = None
    activity: Optional[str] = None
    at: Optional[int] = None


@dataclass(frozen=True)
class Withheld:
    """The current activity is not offered."""

    reason: str
    uri: Optional[str] = None
    activity: Optional[str] = None


@dataclass(frozen=True)
class StreamsReceived:
    """The app on `device` that continues an activity has asked for streams: `Session.streams(event.streams)`."""

    streams: str
    device: str
    uri: Optional[str] = None
    activity: Optional[str] = None


@dataclass(frozen=True)
class StreamsEnded:
    """Streams are over; with a reason, what came is not all that was to come."""

    streams: str
    reason: Optional[str] = None


@dataclass(frozen=True)
class ConnectionChanged:
    """Whether the agent can be reached."""

    connected: bool
    message: Optional[str] = None


@dataclass(frozen=True)
class ServerReady:
    """A server runs, and was told everything."""

    version: str
    connected: bool


@dataclass(frozen=True)
class ServerStopped:
    """The server is gone, with all that it told; another one is started unless ServerGivenUp follows."""


@dataclass(frozen=True)
class ServerGivenUp:
    """No server is started any more, until `restart`."""

    sentence: str


Event = Union[
    OffersChanged, WillContinue, Progress, Failed, StandingChanged, ChangedOnDisk, PresenceChanged,
    WasContinued, Withheld, StreamsReceived, StreamsEnded, ConnectionChanged, ServerReady, ServerStopped, ServerGivenUp,
]


def _shown(given: Mapping[str, Any], name: str) -> Optional[str]:
    found = optional(given, name, str)
    return None if found is None else shown(found)


def _copy(given: Any) -> str:
    return member({"copy": given}, "copy", str)


_READERS: Dict[str, Callable[[Mapping[str, Any]], Event]] = {
    "offers/didChange": lambda told: OffersChanged(tuple(listed(told, "offers", Offer.read))),
    "continuation/willContinue":
        lambda told: WillContinue(member(told, "request", str), Offer.read(told.get("offer"))),
    "continuation/progress":
        lambda told: Progress(member(told, "request", str), Offer.read(told.get("offer")),
                              Status.read(told.get("status"))),
    "continuation/didFail":
        lambda told: Failed(member(told, "request", str), member(told, "code", str),
                            shown(member(told, "message", str)), member(told, "shown", bool)),
    "document/standingDidChange": lambda told: StandingChanged(Standing.read(told)),
    "document/changedOnDisk":
        lambda told: ChangedOnDisk(member(told, "uri", str), member(told, "change", str),
                                   optional(told, "newUri", str), tuple(listed(told, "copies", _copy))),
    "document/presenceDidChange":
        lambda told: PresenceChanged(member(told, "uri", str), tuple(listed(told, "devices", Presence.read))),
    "activity/wasContinued":
        lambda told: WasContinued(shown(member(told, "device", str)), member(told, "givenUp", bool),
                                  optional(told, "uri", str), optional(told, "activity", str),
                                  optional(told, "at", int)),
    "activity/withheld":
        lambda told: Withheld(shown(member(told, "reason", str)), optional(told, "uri", str),
                              optional(told, "activity", str)),
    "streams/didReceive":
        lambda told: StreamsReceived(member(told, "streams", str), shown(member(told, "device", str)),
                                     optional(told, "uri", str), optional(told, "activity", str)),
    "streams/didEnd": lambda told: StreamsEnded(member(told, "streams", str), _shown(told, "reason")),
    "connection/didChange":
        lambda told: ConnectionChanged(member(told, "connected", bool), _shown(told, "message")),
}


def read(method: str, told: Mapping[str, Any]) -> Optional[Event]:
    """The event of a notification; None for a method that is not known. Raises a ProtocolError."""
    reader = _READERS.get(method)
    return None if reader is None else reader(told)
