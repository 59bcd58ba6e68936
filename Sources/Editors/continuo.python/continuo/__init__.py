# SPDX-License-Identifier: MIT
"""Continue on one device what was left on another: a client of `continuo serve --stdio`.

    async with continuo.connect(continuo.App("org.example.ed", "Ed"), on_update=leave, on_restore=show) as session:
        await session.open("/home/me/Notes/plan.md")
        async for offer in session.offers():
            await session.accept(offer)
"""

from .activities import Activity, Search
from .errors import ContinuoError, ProtocolError, RequestFailed, ServerEnded, ServerUnavailable
from .events import ChangedOnDisk, ConnectionChanged, Event, Failed, OffersChanged, PresenceChanged, Progress
from .events import ServerGivenUp, ServerReady, ServerStopped, StandingChanged, StreamsEnded, StreamsReceived
from .events import WasContinued, WillContinue, Withheld
from .model import App, Aside, Delivered, DocumentType, Offer, OtherEditor, Place, Position, Presence, Restore
from .model import Restored, Round, Standing, Status, Version
from .names import path_of, uri_of
from .session import COMMAND, Patience, Session, Update, connect
from .shown import shown
from .streams import Streams
from .userinfo import URL

__version__ = "0.1.0"

__all__ = [
    "Activity", "App", "Aside", "COMMAND", "ChangedOnDisk", "ConnectionChanged", "ContinuoError", "Delivered",
    "DocumentType", "Event", "Failed", "Offer", "OffersChanged", "OtherEditor", "Patience", "Place", "Position",
    "Presence", "PresenceChanged", "Progress", "ProtocolError", "RequestFailed", "Restore", "Restored", "Round",
    "Search", "ServerEnded", "ServerGivenUp", "ServerReady", "ServerStopped", "ServerUnavailable", "Session",
    "Standing", "StandingChanged", "Status", "Streams", "StreamsEnded", "StreamsReceived", "URL", "Update",
    "Version", "WasContinued", "WillContinue", "Withheld", "connect", "path_of", "shown", "uri_of",
]
