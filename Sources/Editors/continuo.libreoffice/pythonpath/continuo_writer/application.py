# SPDX-License-Identifier: MIT
"""Writer's documents and the core of behaviour, put together; begins with LibreOffice's first window."""
import time
from typing import Any, Optional

from continuo import App, DocumentType
from continuo.editing import Continuity, Settings, load, settings_path
from continuo.editing.health import findings

from . import view as views
from .events import is_writer
from .pace import Pace
from .writer import Writer

IDENTIFIER = "org.libreoffice.writer"
# What is no plain text; the others are for every editor.
DOCUMENTS = ("odt", "fodt", "ott", "fott", "doc", "docx", "docm", "rtf", "odm")

_one: "Optional[Application]" = None


def begin(context: Any) -> "Application":
    global _one
    if _one is None:
        _one = Application(context)
        _one.start()
    return _one


def _version(context: Any) -> str:
    provider = context.ServiceManager.createInstanceWithContext(
        "com.sun.star.configuration.ConfigurationProvider", context)
    node = provider.createInstanceWithArguments(
        "com.sun.star.configuration.ConfigurationAccess",
        views.writing.properties(nodepath="/org.openoffice.Setup/Product"))
    return node.getByName("ooSetupVersion")


class Application:
    def __init__(self, context: Any) -> None:
        self.context = context
        self.writer = Writer(context, self)
        self.settings = settings_path("libreoffice")
        given, self.fault = load(self.settings, Settings(app=IDENTIFIER))
        app = App(
            id=given.app, name="LibreOffice Writer", version=_version(context), position_encoding="utf-32",
            document_types=(
                DocumentType(DOCUMENTS, views.ACTIVITY, "Text document"),
                DocumentType(("*",), "public.text-editing", "Text")))
        self.continuity = Continuity(self.writer, app, given)
        # What something happened to since the last look.
        self._touched: "set[views.WriterView]" = set()
        self._pace = Pace()

    def start(self) -> None:
        for model in self.writer.events.models():
            self.writer.adopt(model)
        self.continuity.start()
        if self.fault:
            self.continuity.messages.warn(self.fault)

    # MARK: What LibreOffice says

    def opened(self, model: Any) -> None:
        reloading = self.writer.reloading
        if reloading is not None and model.CurrentController.Frame in reloading.frames:
            return reloading.arrive(model)
        view = self.writer.adopt(model)
        if view.path() is not None:
            self.continuity.opened(view)
        self.focused(model)

    def shown(self, model: Any) -> None:
        self.writer.events.watch(model)
        view = self.writer.view(model)
        if view is not None:
            view.note_windows()
        self.writer.later(0, self.writer.redraw)

    def focused(self, model: Any) -> None:
        view = self.writer.view(model)
        if view is not None:
            view.note_windows()
            self.continuity.entered(view)
        self.writer.later(0, self.writer.redraw)

    def saving(self, model: Any) -> None:
        view = self.writer.view(model)
        if view is not None:
            view.isSaving = True

    def notSaved(self, model: Any) -> None:
        view = self.writer.view(model)
        if view is not None:
            view.isSaving = False

    def saved(self, model: Any) -> None:
        view = self.writer.view(model)
        if view is None:
            return
        view.isSaving, view.isSavedHere = False, True
        view.look_at_file()
        self.continuity.saved(view)

    def touched(self, model: Any) -> None:
        """Once for all that happens within a moment, which is longer where looking takes long."""
        view = self.writer.view(model)
        if view is None:
            return
        if not self._touched:
            self.writer.later(self._pace.pause, self._touch)
        self._touched.add(view)

    def _touch(self) -> None:
        touched, self._touched = self._touched, set()
        begun = time.monotonic()
        for view in touched:
            if not view.isClosing and is_writer(view.model):
                self.continuity.touched(view)
        self._pace.note(time.monotonic() - begun)

    def closed(self, model: Any) -> None:
        view = self.writer.view(model)
        if view is None or view is self.writer.reloading:
            return
        view.isClosing = True

        def decide() -> None:
            # After File > Reload it has another model by now.
            if view.isClosing:
                self.writer.drop(view)
                self.continuity.closed(view)

        self.writer.later(0.2, decide)

    def terminated(self) -> None:
        self.continuity.stop()

    # MARK: What the person asks for

    def perform(self, command: str) -> None:
        if self.writer.act(command):
            return
        commands = {
            "Resume": self.continuity.resume, "Offers": self.continuity.choose_offer, "Choose": self.continuity.choose,
            "Cancel": self.continuity.cancel, "Dismiss": self.continuity.dismiss, "Jump": self.continuity.jump,
            "Resolve": self.continuity.resolve, "Status": self._status, "Health": self._health,
            "Start": self.continuity.restart,
        }
        act = commands.get(command)
        if act is not None:
            act()

    def _status(self) -> None:
        self.writer.read("Continuo: status", "\n".join(self.continuity.report()))

    def _health(self) -> None:
        found = findings(self.continuity, self.settings, "org.libreoffice.LibreOffice")
        self.writer.read("Continuo: check", "\n".join(f"{kind}: {sentence}" for kind, sentence in found))
