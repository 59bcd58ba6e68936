# SPDX-License-Identifier: MIT
"""What a person does without a document."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import TYPE_CHECKING, Any, Dict, Mapping, NamedTuple, Optional, Sequence, Union

from .userinfo import encoded

if TYPE_CHECKING:
    from .session import Session


class Search(NamedTuple):
    """How an activity is found again on this device: each of its states is kept under `identifier`, until that is
    deleted (`Session.delete_saved`) or the activity expires. Words are those of the title, and these. False instead
    of it keeps no further state."""

    identifier: str
    keywords: Sequence[str] = ()
    description: Optional[str] = None


def described(
    title: Optional[str] = None, user_info: Optional[Mapping[str, Any]] = None, webpage_url: Optional[str] = None,
    required_user_info_keys: Optional[Sequence[str]] = None, expires_at: Optional[datetime] = None,
    eligible_for_handoff: Optional[bool] = None, supports_streams: Optional[bool] = None,
    draft: Optional[bool] = None, search: Union[Search, bool, None] = None,
) -> Dict[str, Any]:
    """The members that describe an activity, as they travel; what is not given is not there."""
    given: Dict[str, Any] = {
        "title": title, "userInfo": None if user_info is None else encoded(dict(user_info)),
        "webpageURL": webpage_url, "eligibleForHandoff": eligible_for_handoff,
        "supportsStreams": supports_streams, "draft": draft,
        "requiredUserInfoKeys": None if required_user_info_keys is None else list(required_user_info_keys),
        "expiresAt": None if expires_at is None else int(expires_at.timestamp() * 1000),
    }
    said = {name: value for name, value in given.items() if value is not None}
    if isinstance(search, Search):
        said.update(eligibleForSearch=True, persistentIdentifier=search.identifier, keywords=list(search.keywords),
                    contentDescription=search.description)
    elif search is not None:
        said["eligibleForSearch"] = search
    return said


class Activity:
    """An activity of a type that the app declared. It outlives servers: each new one is told of it."""

    def __init__(self, session: Session, type: str, members: Dict[str, Any]) -> None:
        self.type = type
        # What the server calls it; None while there is no server.
        self.id: Optional[str] = None
        self.members = members
        self._session = session

    def set(
        self, title: Optional[str] = None, user_info: Optional[Mapping[str, Any]] = None,
        webpage_url: Optional[str] = None, required_user_info_keys: Optional[Sequence[str]] = None,
        expires_at: Optional[datetime] = None, eligible_for_handoff: Optional[bool] = None,
        supports_streams: Optional[bool] = None, search: Union[Search, bool, None] = None,
    ) -> asyncio.Future[None]:
        """What is not given stays as it is."""
        members = described(title, user_info, webpage_url, required_user_info_keys, expires_at, eligible_for_handoff,
                            supports_streams, search=search)
        self.members.update(members)
        return self._session.tell_activity(self, "activity/set", members)

    def become_current(self) -> asyncio.Future[None]:
        """The person does this now."""
        return self._session.make_current(self)

    def resign_current(self) -> asyncio.Future[None]:
        return self._session.resign(self)

    def invalidate(self) -> asyncio.Future[None]:
        """It ends for good."""
        return self._session.forget_activity(self)
