# SPDX-License-Identifier: MIT
"""What other devices offer, what is continued, and what the person decides about it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Callable, Dict, List, Optional, Sequence, Tuple

from ..errors import ContinuoError
from ..events import Failed, Progress
from ..hosts import HostedSession
from ..model import Offer, Status
from ..names import short
from .documents import Documents
from .editor import Action, Editor, Prompt
from .messages import Messages
from .settings import Settings

# What is put away stays so for a while, in the other device's milliseconds.
QUIET = 600_000
# How long a wish to continue waits for a server that was just started.
PATIENCE = 5.0

CHOICES = (
    ("openHere", "Open what is here"), ("keepWaiting", "Keep waiting"), ("giveUp", "Give up"),
)


@dataclass
class Wait:
    """A continuation that was accepted here, at `at` of time.monotonic."""

    offer: Offer
    at: float
    status: Optional[Status] = None


def title(offer: Offer) -> str:
    return offer.title or (short(offer.path) if offer.path else offer.type)


def label(offer: Offer) -> str:
    return f"{title(offer)} from {offer.device}" + (", with unsaved changes there" if offer.unsaved_changes else "")


def _size(count: int) -> str:
    if count < 10240:
        return f"{count} B"
    return f"{count // 1024} kB" if count < 10485760 else f"{count // 1048576} MB"


def _progress(status: Status) -> str:
    if not status.expected:
        return ""
    return f" ({_size(status.received or 0)} of {_size(status.expected)})"


def wait_text(wait: Wait) -> Optional[str]:
    """What is shown while a version is awaited; None before anything is known of it."""
    status = wait.status
    if status is None:
        return None
    reason = f": {status.reason}" if status.reason else ""
    if status.arrival == "diverged":
        return f"{title(wait.offer)} has diverged{reason}"
    return f"Waiting for {label(wait.offer)}{_progress(status)}{reason}"


def newest(offers: Sequence[Offer]) -> List[Offer]:
    """The newest offer of each document: an editor that was killed left its own, and began another one."""
    found: Dict[Tuple[str, ...], Offer] = {}
    for offer in offers:
        key = (offer.device, offer.folder or "", offer.path) if offer.path else (offer.id,)
        if key not in found or offer.changed_at > found[key].changed_at:
            found[key] = offer
    return list(found.values())


class Offers:
    def __init__(self, editor: Editor, session: HostedSession, messages: Messages, documents: Documents,
                 settings: Settings) -> None:
        self.list: List[Offer] = []
        self.prompt: Optional[Prompt] = None
        self._editor = editor
        self._session = session
        self._messages = messages
        self._documents = documents
        self._settings = settings
        # By offer's ID: when it has to have changed again to be shown, after the person put it away or continued it;
        # when it was accepted.
        self._hidden: Dict[str, int] = {}
        self._accepted: Dict[str, float] = {}
        # By request.
        self._waits: Dict[str, Wait] = {}
        # What the person asked to continue before the server could tell of it.
        self._postponed: Optional[Callable[[], None]] = None
        # Since when it is this server and this agent, of which no offer was told yet; a new one may tell a moment
        # later what is offered.
        self._renewed_at = time.monotonic()

    # MARK: The prompt

    def _last_wait(self) -> Optional[Tuple[str, Wait]]:
        waits = sorted(self._waits.items(), key=lambda each: each[1].at)
        return waits[-1] if waits else None

    def _brings(self, offer: Offer) -> bool:
        """Whether it brings anything: not the text that the person works on here anyway."""
        return offer.status.arrival not in ("current", "ahead") or not self._documents.is_worked_on(offer.uri)

    def news(self) -> Optional[Offer]:
        """The newest offer that the person has neither accepted nor put away."""
        found = [
            offer for offer in self.list
            if offer.id not in self._accepted and offer.changed_at > self._hidden.get(offer.id, -1)
            and self._brings(offer)
        ]
        return max(found, key=lambda offer: offer.changed_at) if found else None

    def _wait_prompt(self, request: str, wait: Wait) -> Optional[Prompt]:
        text, status = wait_text(wait), wait.status
        if text is None or status is None:
            return None

        def action(name: str, label: str) -> Action:
            return Action(name, label, lambda: self._decide(request, name))

        fraction = min((status.received or 0) / status.expected, 1.0) if status.expected else None
        return Prompt(text, tuple(action(*each) for each in CHOICES), True, fraction)

    def _wanted(self) -> Optional[Prompt]:
        if not self._settings.prompt:
            return None
        wait = self._last_wait()
        prompt = self._wait_prompt(*wait) if wait else None
        offer = self.news()
        if prompt is not None or offer is None:
            return prompt
        chosen = offer
        return Prompt(label(offer), (
            Action("continue", "Continue", lambda: self.accept(chosen)),
            Action("dismiss", "Dismiss", self.dismiss),
        ))

    def refresh(self) -> None:
        """Shows what there is now; the editor is told only of what differs."""
        wanted, old = self._wanted(), self.prompt
        self.prompt = wanted

        def seen(prompt: Optional[Prompt]) -> object:
            return prompt and (prompt.text, prompt.is_waiting, prompt.fraction, [each.name for each in prompt.actions])

        if seen(wanted) != seen(old):
            self._editor.show_prompt(wanted)
        elif wanted is not None and old is not None:
            # The same to see, but another offer beneath.
            self._editor.show_prompt(wanted)

    def refresh_shown(self) -> None:
        """The person did something: perhaps the offer brings nothing any more."""
        if self.prompt is not None:
            self.refresh()

    # MARK: The server's news

    def changed(self, offers: Sequence[Offer]) -> None:
        self.list = newest(offers)
        if self.list:
            self._renewed_at = float("-inf")
        there = {offer.id for offer in self.list}
        self._hidden = {name: moment for name, moment in self._hidden.items() if name in there}
        self._accepted = {name: moment for name, moment in self._accepted.items() if name in there}
        self.refresh()
        if self._postponed is not None and self.list:
            resume, self._postponed = self._postponed, None
            resume()

    def will_continue(self, request: str, offer: Offer) -> None:
        wait = Wait(offer, self._accepted.get(offer.id, time.monotonic()))
        self._waits[request] = wait
        self._accepted[offer.id] = wait.at
        self.refresh()

    def progressed(self, progress: Progress) -> None:
        if progress.request not in self._waits:
            self.will_continue(progress.request, progress.offer)
        self._waits[progress.request].status = progress.status
        self.refresh()

    def finish(self, request: str) -> float:
        """The continuation is over; when the person asked for it."""
        wait = self._waits.pop(request, None)
        if wait is None:
            return time.monotonic()
        self._accepted.pop(wait.offer.id, None)
        for offer in self.list:
            if offer.id == wait.offer.id:
                self._hidden[offer.id] = offer.changed_at
        self.refresh()
        return wait.at

    def failed(self, failure: Failed) -> None:
        wait = self._waits.pop(failure.request, None)
        if wait is not None:
            self._accepted.pop(wait.offer.id, None)
        if failure.is_shown:
            self._messages.warn(failure.sentence)
        self.refresh()

    def renew(self) -> None:
        """The agent can be reached, after it could not. One that was just started reads its folders first."""
        self._renewed_at = time.monotonic()

    def forget(self) -> None:
        """The server is gone, and with it what it did."""
        self.list, self._waits, self._accepted = [], {}, {}
        self.renew()
        self.refresh()

    # MARK: The person

    def accept(self, offer: Offer) -> None:
        self._accepted[offer.id] = time.monotonic()
        self.refresh()

        def took(failure: Optional[ContinuoError], _: Optional[str]) -> None:
            if failure is not None:
                self._accepted.pop(offer.id, None)
                self._messages.warn(failure.sentence)
                self.refresh()

        self._session.ask(lambda session: session.accept(offer), took)

    def _resume_later(self, wanted: Optional[str]) -> None:
        """Starts the server, unless it runs, and continues when it tells of an offer."""

        def resume() -> None:
            self._resume_now(wanted)

        def give_up() -> None:
            if self._postponed is resume:
                self._postponed = None
                if self._session.obstacle is None:
                    resume()

        self._postponed = resume
        if not self._session.is_running or self._session.obstacle is not None:
            self._session.restart()
        self._editor.later(PATIENCE, give_up)

    def resume(self, wanted: Optional[str] = None) -> None:
        """Continues the offer called `wanted`, the only one, or one that the person chooses."""
        is_early = not self.list and time.monotonic() - self._renewed_at < PATIENCE
        if not self._session.is_running or is_early:
            return self._resume_later(wanted)
        self._resume_now(wanted)

    def _resume_now(self, wanted: Optional[str]) -> None:
        found = self.list
        if wanted is not None:
            lead = wanted.strip()
            found = [offer for offer in self.list if title(offer).strip() == lead]
            found = found or [offer for offer in self.list if title(offer).strip().startswith(lead)]
        if not found:
            wording = self._editor.wording
            return self._messages.tell(
                f"nobody offers {wanted}; {wording.offers} lists what there is" if wanted is not None
                else f"no other device offers anything; {wording.status} tells how this one stands")
        if len(found) == 1:
            return self.accept(found[0])
        self._choose_among(found)

    def choose_offer(self) -> None:
        """The list, to choose from, however short."""
        if len(self.list) < 2:
            return self.resume()
        self._choose_among(self.list)

    def _choose_among(self, offers: Sequence[Offer]) -> None:
        found = list(offers)

        def chosen(index: Optional[int]) -> None:
            if index is not None:
                self.accept(found[index])

        self._editor.ask("Continue", [label(offer) for offer in found], chosen)

    def dismiss(self) -> None:
        for offer in self.list:
            self._hidden[offer.id] = offer.changed_at + QUIET
        self.refresh()

    def _decide(self, request: str, choice: str) -> None:
        def took(failure: Optional[ContinuoError], _: None) -> None:
            if failure is not None:
                self._messages.warn(failure.sentence)

        self._session.ask(lambda session: session.choose(request, choice), took)

    def choose(self, choice: Optional[str] = None) -> None:
        """Decides about the wait that began last: `choice` is one of the protocol, else the person is asked."""
        last = self._last_wait()
        if last is None:
            return self._messages.tell("nothing waits")
        request, wait = last
        if choice is not None:
            return self._decide(request, choice)

        def chosen(index: Optional[int]) -> None:
            if index is not None:
                self._decide(request, CHOICES[index][0])

        reason = f": {wait.status.reason}" if wait.status and wait.status.reason else ""
        self._editor.ask(title(wait.offer) + reason, [each[1] for each in CHOICES], chosen)

    def cancel(self) -> None:
        """Waits no longer."""
        last = self._last_wait()
        if last is None:
            return self._messages.tell("nothing waits")
        request = last[0]
        self._session.ask(lambda session: session.cancel(request))

    def lines(self) -> List[str]:
        """For the status."""
        found = [label(offer) + (f" ({offer.remark})" if offer.remark else "") for offer in self.list]
        return found + [wait_text(wait) or f"continuing {label(wait.offer)}" for wait in self._waits.values()]
