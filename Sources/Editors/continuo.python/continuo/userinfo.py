# SPDX-License-Identifier: MIT
"""User info, which travels as JSON: dates, bytes, UUIDs, URLs, sets and dictionaries with keys that are no text have
a form of their own."""

from __future__ import annotations

import base64
import uuid
from datetime import datetime, timezone
from typing import Any, Callable, Dict, List, Mapping

from .errors import ProtocolError


class URL(str):
    """A URL; one of a file in a synced folder is the receiver's own when it arrives."""


def _is_plain(values: Mapping[Any, Any]) -> bool:
    return not any(not isinstance(key, str) or key.startswith("$") for key in values)


def encoded(value: Any) -> Any:
    """`value` as it travels."""
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, URL):
        return {"$url": str(value)}
    if isinstance(value, str):
        return value
    if isinstance(value, datetime):
        return {"$date": value.timestamp()}
    if isinstance(value, (bytes, bytearray)):
        return {"$data": base64.b64encode(bytes(value)).decode()}
    if isinstance(value, uuid.UUID):
        return {"$uuid": str(value).upper()}
    if isinstance(value, (set, frozenset)):
        return {"$set": [encoded(each) for each in value]}
    if isinstance(value, (list, tuple)):
        return [encoded(each) for each in value]
    if isinstance(value, Mapping):
        if _is_plain(value):
            return {key: encoded(each) for key, each in value.items()}
        return {"$map": [[encoded(key), encoded(each)] for key, each in value.items()]}
    raise ProtocolError(f"a {type(value).__name__} cannot travel in user info")


def _key(value: Any) -> Any:
    found = decoded(value)
    return found if not isinstance(found, (list, dict, set)) else repr(found)


_FORMS: Dict[str, Callable[[Any], Any]] = {
    "$date": lambda value: datetime.fromtimestamp(value, timezone.utc),
    "$data": lambda value: base64.b64decode(value, validate=True),
    "$uuid": lambda value: uuid.UUID(value),
    "$url": lambda value: URL(value),
    "$set": lambda value: {_key(each) for each in value},
    "$map": lambda value: {_key(key): decoded(each) for key, each in value},
}


def decoded(value: Any) -> Any:
    """What travelled as `value`."""
    if isinstance(value, list):
        found: List[Any] = [decoded(each) for each in value]
        return found
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        (name, inner), = value.items()
        if name in _FORMS:
            try:
                return _FORMS[name](inner)
            except (ValueError, TypeError, AttributeError, OverflowError, OSError) as failure:
                raise ProtocolError(f"user info has a {name} that is none: {failure}") from failure
    return {key: decoded(each) for key, each in value.items()}
