# SPDX-License-Identifier: MIT
"""The types of the protocol. What is shown of them (titles, names of devices, reasons) is one line of text already;
URIs and identifiers are as they came."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple, Type, TypeVar, Union

from .errors import ProtocolError
from .names import path_of
from .shown import shown
from .userinfo import decoded, encoded

_T = TypeVar("_T")


def member(given: Mapping[str, Any], name: str, kind: Type[_T]) -> _T:
    """A member that has to be there."""
    found = given.get(name)
    is_flag = isinstance(found, bool)
    if not isinstance(found, kind) or is_flag and kind is not bool:
        raise ProtocolError(f"{name} is missing or of another type")
    return found


def optional(given: Mapping[str, Any], name: str, kind: Type[_T]) -> Optional[_T]:
    """A member that may be missing; null counts as that."""
    return None if given.get(name) is None else member(given, name, kind)


def _text(given: Mapping[str, Any], name: str) -> str:
    return shown(member(given, name, str))


def _optional_text(given: Mapping[str, Any], name: str) -> Optional[str]:
    found = optional(given, name, str)
    return None if found is None else shown(found)


def listed(given: Mapping[str, Any], name: str, read: Callable[[Any], _T]) -> List[_T]:
    """A member that is an array of objects."""
    return [read(each) for each in (optional(given, name, list) or [])]


def _object(given: Any) -> Dict[str, Any]:
    if not isinstance(given, dict):
        raise ProtocolError("an object is missing")
    return given


@dataclass(frozen=True, order=True)
class Position:
    """A place in a text, from 0; `character` in the unit of the app's `position_encoding`."""

    line: int
    character: int

    @classmethod
    def read(cls, given: Any) -> Position:
        told = _object(given)
        return cls(member(told, "line", int), member(told, "character", int))

    def written(self) -> Dict[str, Any]:
        return {"line": self.line, "character": self.character}


@dataclass(frozen=True)
class Place:
    """The cursor, the other end of what is selected, and the first line that the window shows."""

    position: Position
    selection: Optional[Position] = None
    top_line: Optional[int] = None

    @classmethod
    def read(cls, given: Any) -> Place:
        told = _object(given)
        selection = told.get("selection")
        return cls(Position.read(told.get("position")), None if selection is None else Position.read(selection),
                   optional(told, "topLine", int))

    def written(self) -> Dict[str, Any]:
        found: Dict[str, Any] = {"position": self.position.written()}
        if self.selection is not None:
            found["selection"] = self.selection.written()
        if self.top_line is not None:
            found["topLine"] = self.top_line
        return found


@dataclass(frozen=True)
class Status:
    """How the document here stands to the version meant. `arrival` is "current", "behind", "ahead", "diverged",
    "missing", "unreadable" or "folderUnknown"."""

    arrival: str
    reason: Optional[str] = None
    received: Optional[int] = None
    expected: Optional[int] = None

    @classmethod
    def read(cls, given: Any) -> Status:
        told = _object(given)
        return cls(member(told, "arrival", str), _optional_text(told, "reason"), optional(told, "received", int),
                   optional(told, "expected", int))


@dataclass(frozen=True)
class Offer:
    """What another device offers. `changed_at` is in milliseconds since 1970 by its clock."""

    id: str
    device: str
    type: str
    app: str
    title: str
    changed_at: int
    unsaved_changes: bool
    left_open: bool
    status: Status
    uri: Optional[str] = None
    folder: Optional[str] = None
    path: Optional[str] = None
    remark: Optional[str] = None

    @property
    def local_path(self) -> Optional[str]:
        """Where the document lies here, or will."""
        return None if self.uri is None else path_of(self.uri)

    @classmethod
    def read(cls, given: Any) -> Offer:
        told = _object(given)
        return cls(
            id=member(told, "id", str), device=_text(told, "device"), type=member(told, "type", str),
            app=_text(told, "app"), title=_text(told, "title"), changed_at=member(told, "changedAt", int),
            unsaved_changes=member(told, "unsavedChanges", bool), left_open=member(told, "leftOpen", bool),
            status=Status.read(told.get("status")), uri=optional(told, "uri", str),
            folder=_optional_text(told, "folder"), path=optional(told, "path", str),
            remark=_optional_text(told, "remark"))


@dataclass(frozen=True)
class Standing:
    """How a document stands: in which folder it is offered, or why it is not."""

    uri: str
    synced: bool
    folder: Optional[str] = None
    activity_type: Optional[str] = None
    reason: Optional[str] = None

    @classmethod
    def read(cls, given: Any) -> Standing:
        told = _object(given)
        return cls(member(told, "uri", str), member(told, "synced", bool), _optional_text(told, "folder"),
                   optional(told, "activityType", str), _optional_text(told, "reason"))


@dataclass(frozen=True)
class OtherEditor:
    """A device that edits the same document, since `since` in milliseconds since 1970."""

    device: str
    since: int
    unsaved_changes: bool
    left_open: bool

    @classmethod
    def read(cls, given: Any) -> OtherEditor:
        told = _object(given)
        return cls(_text(told, "device"), member(told, "since", int), member(told, "unsavedChanges", bool),
                   member(told, "leftOpen", bool))


@dataclass(frozen=True)
class Presence:
    """A linked device that has a document open, at `line`, from 0, where its app says one."""

    device: str
    offer: str
    line: Optional[int] = None

    @classmethod
    def read(cls, given: Any) -> Presence:
        told = _object(given)
        return cls(_text(told, "device"), member(told, "offer", str), optional(told, "line", int))

    @property
    def sentence(self) -> str:
        return f"{self.device} has this open" + ("" if self.line is None else f", at line {self.line + 1}")


@dataclass(frozen=True)
class Version:
    """A version of a document in conflict: the document itself, or a conflict copy beside it."""

    uri: str
    is_document: bool
    changed_at: int
    size: int
    readable: bool
    device: Optional[str] = None
    put_aside: Optional[str] = None

    @classmethod
    def read(cls, given: Any) -> Version:
        told = _object(given)
        return cls(member(told, "uri", str), member(told, "document", bool), member(told, "changedAt", int),
                   member(told, "size", int), member(told, "readable", bool), _optional_text(told, "device"),
                   _optional_text(told, "putAside"))


@dataclass(frozen=True)
class Aside:
    """A version that was put aside as `uri`; with a reason it stayed where it was."""

    source: str
    uri: str
    reason: Optional[str] = None

    @classmethod
    def read(cls, given: Any) -> Aside:
        told = _object(given)
        return cls(member(told, "from", str), member(told, "uri", str), _optional_text(told, "reason"))


@dataclass(frozen=True)
class Delivered:
    """The activity that is continued."""

    type: str
    title: str
    user_info: Dict[str, Any]
    webpage_url: Optional[str] = None
    # Whether `Session.open_streams` can be asked for.
    supports_streams: bool = False

    @classmethod
    def read(cls, given: Any) -> Delivered:
        told = _object(given)
        return cls(member(told, "type", str), _text(told, "title"), decoded(optional(told, "userInfo", dict) or {}),
                   optional(told, "webpageURL", str), optional(told, "supportsStreams", bool) or False)


@dataclass(frozen=True)
class DocumentType:
    """A kind of document: extensions without dots ("*" for every file), and the type of its activity."""

    extensions: Tuple[str, ...]
    activity_type: Optional[str] = None
    name: Optional[str] = None

    def written(self) -> Dict[str, Any]:
        found: Dict[str, Any] = {"extensions": list(self.extensions)}
        if self.activity_type is not None:
            found["activityType"] = self.activity_type
        if self.name is not None:
            found["name"] = self.name
        return found


@dataclass(frozen=True)
class App:
    """Who continues here. Without `document_types` and `activity_types` every file is a text."""

    id: str
    name: str
    version: Optional[str] = None
    position_encoding: str = "utf-32"
    document_types: Tuple[DocumentType, ...] = ()
    activity_types: Tuple[str, ...] = ()

    def written(self) -> Dict[str, Any]:
        about = {"id": self.id, "name": self.name}
        if self.version is not None:
            about["version"] = self.version
        found: Dict[str, Any] = {"protocolVersion": 2, "app": about, "positionEncoding": self.position_encoding}
        if self.document_types:
            found["documentTypes"] = [each.written() for each in self.document_types]
        if self.activity_types:
            found["activityTypes"] = list(self.activity_types)
        return found


@dataclass(frozen=True)
class Round:
    """The answer to an Update: where the person is, and whether there is text that the file does not hold."""

    place: Optional[Place] = None
    edited: Optional[bool] = None
    title: Optional[str] = None
    user_info: Optional[Mapping[str, Any]] = None
    # Why the app did not save for `Update.requested_by`: one sentence, which is shown on that device.
    refusal: Optional[str] = None
    # For `Update.requested_by`: the whole text, where no file has it, at most 4 MiB; `place` is one in it.
    draft: Optional[str] = None

    def written(self) -> Dict[str, Any]:
        found: Dict[str, Any] = {}
        if self.refusal is not None:
            found["refusal"] = self.refusal
        if self.draft is not None:
            found["draft"] = self.draft
        if self.place is not None:
            found["place"] = self.place.written()
        if self.edited is not None:
            found["edited"] = self.edited
        if self.title is not None:
            found["title"] = self.title
        if self.user_info is not None:
            found["userInfo"] = encoded(dict(self.user_info))
        return found


@dataclass(frozen=True)
class Restore:
    """The document that was continued is here: open it, and go to the place. With `draft` it is a text that no
    file has, and there is no `uri`: show it without a file; only to a session that `takes_drafts`."""

    request: str
    offer: Offer
    activity: Delivered
    status: Status
    uri: Optional[str]
    place: Optional[Place]
    certainty: Optional[str]
    read_only: bool
    draft: Optional[str] = None

    @property
    def path(self) -> Optional[str]:
        return None if self.uri is None else path_of(self.uri)

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> Restore:
        place = given.get("place")
        return cls(
            member(given, "request", str), Offer.read(given.get("offer")), Delivered.read(given.get("activity")),
            Status.read(given.get("status")), optional(given, "uri", str),
            None if place is None else Place.read(place), optional(given, "certainty", str),
            optional(given, "readOnly", bool) or False, optional(given, "draft", str))


@dataclass(frozen=True)
class Restored:
    """The answer to a Restore; `message` is a sentence that says why not."""

    opened: bool
    message: Optional[str] = None

    def written(self) -> Dict[str, Any]:
        found: Dict[str, Any] = {"opened": self.opened}
        if self.message is not None:
            found["message"] = self.message
        return found


# What continues an activity: the answers that a handler may give.
RestoredAnswer = Union[Restored, bool, None]
