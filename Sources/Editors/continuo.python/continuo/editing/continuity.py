# SPDX-License-Identifier: MIT
"""The behaviour of an editor in one object: the editor tells it what happens, and it calls the editor."""

from __future__ import annotations

from typing import Callable, List, Optional

from .. import events
from ..hosts import HostedSession
from ..model import App, Restore, Restored, Round
from ..names import path_of, short, shown_path
from ..session import Patience, Update
from .documents import Document, Documents
from .editor import DocumentView, Editor
from .files import Files
from .fresh import Fresh
from .messages import Messages
from .offers import Offers
from .others import Others
from .settings import Settings
from .versions import Versions

# In seconds: how long the agent may be away before the person is told.
ABSENCE = 3.0


class Continuity:
    """`app.id` is what `settings.app` says. All methods are called in the main loop."""

    def __init__(self, editor: Editor, app: App, settings: Settings, patience: Patience = Patience()) -> None:
        self.settings = settings
        self._editor = editor
        self.session = HostedSession(
            app, editor.post, command=settings.command, patience=patience, on_update=self._round,
            on_restore=self._restore, on_event=self._told)
        self.messages = Messages(editor)
        self.documents = Documents(editor, self.session, self.messages, settings, self._touched)
        self.offers = Offers(editor, self.session, self.messages, self.documents, settings)
        self.files = Files(editor, self.documents, self.messages)
        self.others = Others(editor, self.session, self.messages, self.documents)
        self.versions = Versions(editor, self.session, self.messages, self.documents, self.files)
        self.fresh = Fresh(editor, self.session, self.messages, self.documents)
        self._is_stopped = False
        # Why the agent cannot be reached; None while it can.
        self._absence: Optional[str] = None

    # MARK: What the editor tells

    def start(self) -> None:
        """The editor runs: the server is started, and what is open already is taken up."""
        self._is_stopped = False
        self.session.start()
        for view in list(self._editor.documents()):
            self.documents.adopt_late(view)

    def stop(self) -> None:
        """The editor ends, or does without; waits at most some seconds for the last state to be told."""
        if not self._is_stopped:
            self._is_stopped = True
            self.documents.leave()
            self.session.stop()
            self._editor.show_prompt(None)

    def opened(self, view: DocumentView) -> None:
        """A file was read into the view, for the first time or again; or the view is for a file that is not there."""
        if self.documents.read(view) is None:
            self.fresh.begin(view)

    def saved(self, view: DocumentView) -> None:
        """The view was written into its file, by whomever."""
        self.documents.saved(view)

    def renamed(self, view: DocumentView) -> None:
        """The view has another name."""
        self.documents.renamed(view)

    def closed(self, view: DocumentView) -> None:
        self.others.closed(view)
        self.fresh.closed(view)
        self.documents.closed(view)

    def entered(self, view: DocumentView) -> None:
        """The view is in front."""
        self.documents.enter(view)

    def touched(self, view: DocumentView) -> None:
        """Text, cursor, selection or scroll changed, perhaps."""
        self.documents.touch(view)

    def _touched(self, document: Document) -> None:
        self.others.take_back(document)
        self.offers.refresh_shown()

    # MARK: What the server tells

    def _told(self, event: events.Event) -> None:
        if isinstance(event, events.OffersChanged):
            self.offers.changed(event.offers)
            self.others.refresh()
        elif isinstance(event, events.WillContinue):
            self.offers.will_continue(event.request, event.offer)
        elif isinstance(event, events.Progress):
            self.offers.progressed(event)
        elif isinstance(event, events.Failed):
            self.offers.failed(event)
        elif isinstance(event, events.ChangedOnDisk):
            self.files.changed_on_disk(event)
        elif isinstance(event, events.PresenceChanged):
            self.others.present(event)
        elif isinstance(event, events.WasContinued):
            self.others.was_continued(event)
        elif isinstance(event, events.Withheld):
            name = short(path_of(event.uri)) if event.uri else "your work"
            self.messages.once(f"{name} is not offered: {event.reason}")
        elif isinstance(event, events.StandingChanged):
            self.documents.stood(event.standing, event.standing.uri)
        elif isinstance(event, events.ConnectionChanged):
            self._connected(event)
        elif isinstance(event, events.ServerReady):
            self.offers.renew()
        elif isinstance(event, events.ServerStopped):
            self.offers.forget()
            self.others.forget()
        elif isinstance(event, events.ServerGivenUp):
            self.offers.forget()
            self.others.forget()
            self.messages.once(f"{event.sentence} ({self._editor.wording.start})")

    def _connected(self, event: events.ConnectionChanged) -> None:
        """An agent that only starts is not worth a word."""
        self._absence = None if event.connected else event.message
        if event.connected:
            self.offers.renew()
            self.messages.again()
        elif event.message:
            message = event.message
            self._editor.later(ABSENCE, lambda: self._absent(message))

    def _absent(self, message: str) -> None:
        if self._absence == message and not self._is_stopped:
            self.messages.once(message)

    def _round(self, update: Update, answer: Callable[[Optional[Round]], None]) -> None:
        self.documents.round(update, answer)

    def _restore(self, restore: Restore, answer: Callable[[Restored], None]) -> None:
        self.files.restore(restore, self.offers.finish(restore.request), answer)

    # MARK: What the person does

    def resume(self, title: Optional[str] = None) -> None:
        """Continues what another device offers."""
        self.offers.resume(title)

    def choose_offer(self) -> None:
        self.offers.choose_offer()

    def choose(self, choice: Optional[str] = None) -> None:
        """Decides what becomes of a continuation that waits."""
        self.offers.choose(choice)

    def cancel(self) -> None:
        self.offers.cancel()

    def dismiss(self) -> None:
        """Puts the prompt away."""
        self.offers.dismiss()

    def jump(self) -> None:
        """Goes where the other device was."""
        self.files.jump()

    def resolve(self, view: Optional[DocumentView] = None) -> None:
        """Chooses between the file and its conflict copies."""
        self.versions.resolve(view or self._editor.current())

    def restart(self) -> None:
        """Starts the server (again)."""
        self.messages.again()
        self.session.restart()

    def report(self) -> List[str]:
        """How all stands, as lines."""
        if self.session.obstacle:
            lines = [f"Server: {self.session.obstacle}"]
        elif not self.session.is_running or self.session.connected is None:
            lines = [f"Server: not running; it starts with the first file, or {self._editor.wording.start}"]
        else:
            lines = ["Server: running, "
                     + ("connected to the agent" if self.session.connected else "the agent cannot be reached")]
        lines.append("Documents:")
        for document in self.documents.all():
            standing, line = document.standing, self.others.line(document.view)
            how = "not told yet"
            if standing is not None:
                how = f"in {standing.folder or 'a synced folder'}" if standing.synced else standing.reason or how
            lines.append(f"  {shown_path(path_of(document.uri) or '')}: {how}" + (f"; {line}" if line else ""))
        lines += ["  " + line for line in self.fresh.lines()]
        lines += ["Offers:"] + ["  " + line for line in self.offers.lines()]
        return lines + ["Messages:"] + ["  " + line for line in self.messages.log]
