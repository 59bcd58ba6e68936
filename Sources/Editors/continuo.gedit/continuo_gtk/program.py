# SPDX-License-Identifier: MIT
"""The program as the core sees it: windows with tabs. gedit and Pluma add what each of them does its own way."""

from gi.repository import GLib, Gtk

from continuo import App
from continuo.editing import Continuity, Editor, Settings, Wording, load, settings_path
from continuo.editing.health import findings
from continuo.shown import shown

from . import dialogs
from .bars import WindowBars

# What the menu has: a name, what it says, and its keys.
COMMANDS = (
    ("resume", "Resume", "<Primary><Alt>h"), ("offers", "Offers…", None), ("dismiss", "Dismiss", "<Primary><Alt>n"),
    ("wait", "While Waiting…", "<Primary><Alt>w"), ("jump", "Jump to the Other Place", "<Primary><Alt>j"),
    ("resolve", "Resolve Conflict…", "<Primary><Alt>r"), ("status", "Status", "<Primary><Alt>s"),
    ("health", "Health", "<Primary><Alt>i"), ("start", "Start", None),
)


class TabbedEditor(Editor):
    """`name` is the program's, as people call it; a face gives `Document`, `open_tab` and `compare_tabs`."""

    name = ""
    identifier = ""
    program = ""
    Document = None
    wording = Wording(save="save it with Ctrl+S", reload="File > Reload")

    def __init__(self):
        self.settings_path = settings_path(self.program)
        settings, wrong = load(self.settings_path, Settings(self.identifier))
        self._documents = {}
        self._windows = {}
        self._opening = []
        self._presence = {}
        self._prompt = None
        self.continuity = Continuity(self, App(settings.app, self.name), settings)
        self._wrong = wrong

    # Windows and tabs, as the face tells of them

    def add_window(self, window):
        """A window is there. The first one starts everything."""
        self._windows[window] = WindowBars(window)
        handlers = [
            window.connect("tab-added", lambda _, tab: self.add_tab(tab)),
            window.connect("tab-removed", lambda _, tab: self._remove_tab(tab)),
            window.connect("active-tab-changed", lambda *_: self._entered()),
            window.connect("focus-in-event", lambda *_: self._entered()),
        ]
        self._windows[window].handlers = handlers
        for view in window.get_views():
            self.add_tab(self.tab_of(view.get_buffer()))
        if len(self._windows) == 1:
            self.continuity.start()
            if self._wrong:
                self.continuity.messages.warn(self._wrong)
                self._wrong = None
        self._windows[window].prompt.show(self._prompt)

    def remove_window(self, window):
        bars = self._windows.pop(window, None)
        if bars is not None:
            for handler in bars.handlers:
                window.disconnect(handler)
            bars.remove()
        if not self._windows:
            self.end()

    def end(self):
        """The program ends, or the plugin is switched off."""
        self.continuity.stop()
        for document in list(self._documents.values()):
            document.forget()
        self._documents.clear()

    def is_over(self):
        return not self._windows

    def add_tab(self, tab):
        if tab is None or tab.get_document() in self._documents:
            return
        document = self.Document(self, tab)
        self._documents[tab.get_document()] = document
        # It was read before anybody looked.
        if self.continuity.session.is_running and document.path() and not document.is_loading():
            self.continuity.documents.adopt_late(document)

    def _remove_tab(self, tab):
        buffer = tab.get_document()

        # A program that quits closes its tabs, too: what it had open stays offered.
        def look():
            document = self._documents.pop(buffer, None) if self._windows else None
            if document is not None:
                document.forget()
                self.continuity.closed(document)

        GLib.idle_add(look)

    def _entered(self):
        view = self.current()
        if view is not None:
            self.continuity.entered(view)
        self._show_presence()
        return False

    def touched(self, document):
        self.continuity.touched(document)

    def was_read(self, document):
        """The program has read the document's file."""
        self.continuity.opened(document)
        self._opened(document, None)

    def was_saved(self, document):
        self.continuity.saved(document)

    # What the core asks

    def window(self):
        """The one that the person used last."""
        active = next((each for each in self._windows if each.is_active()), None)
        return active or next(iter(self._windows), None)

    def documents(self):
        return list(self._documents.values())

    def document_of(self, path):
        return next((each for each in self._documents.values() if each.path() == path), None)

    def current(self):
        window = self.window()
        buffer = window.get_active_document() if window is not None else None
        return self._documents.get(buffer)

    def open(self, path, in_front, done):
        if self.window() is None:
            return done(None, f"no window of {self.name}'s is open")
        known = self.document_of(path)
        if known is not None and not known.is_loading():
            if in_front:
                self.show(known)
            return done(known, None)
        self._opening.append((path, done))
        self.open_tab(self.window(), path, in_front)
        document = self.document_of(path)
        if document is not None:
            document.tab.connect("notify::state", lambda *_: self._looked(document))

    def _looked(self, document):
        if document.state().endswith("LOADING_ERROR"):
            self._opened(document, f"{self.name} cannot read it, and says why in its tab")

    def _opened(self, document, failure):
        path = document.path()
        waiting = [each for each in self._opening if each[0] == path]
        self._opening = [each for each in self._opening if each[0] != path]
        for _, done in waiting:
            # After the program's own handlers, which go to the place where the file was left last.
            self.later(0, lambda done=done: done(None if failure else document, failure))

    def show(self, view):
        window = view.tab.get_toplevel()
        if window in self._windows:
            window.set_active_tab(view.tab)
            if not window.is_active():
                window.present()

    def is_busy(self):
        return any(each.get_modal() and each.get_visible() for each in Gtk.Window.list_toplevels())

    def show_prompt(self, prompt):
        self._prompt = prompt
        for bars in self._windows.values():
            bars.prompt.show(prompt)

    def tell(self, text, is_warning):
        bars = self._windows.get(self.window())
        if bars is not None:
            bars.message.tell(text, is_warning)

    def ask(self, question, choices, answer):
        dialogs.choose(self.window(), question, choices, answer)

    def compare(self, view, path, label, done):
        self.show(view)
        self.compare_tabs(view.tab.get_toplevel(), view, path, done)

    def show_presence(self, view, line):
        self._presence[view] = line
        self._show_presence()

    def _show_presence(self):
        for window, bars in self._windows.items():
            document = self._documents.get(window.get_active_document())
            bars.show_presence(self._presence.get(document))

    def later(self, seconds, act):
        def once():
            act()
            return GLib.SOURCE_REMOVE

        GLib.timeout_add(int(seconds * 1000), once)

    def post(self, act):
        def once():
            act()
            return GLib.SOURCE_REMOVE

        GLib.idle_add(once, priority=GLib.PRIORITY_DEFAULT)

    # What the person does

    def perform(self, command):
        """One of COMMANDS."""
        core, window = self.continuity, self.window()
        if command == "status":
            return dialogs.report(window, "Continuo: Status", core.report())
        if command == "health":
            found = findings(core, self.settings_path, self.identifier)
            lines = [f"{word.upper()}: {sentence}" for word, sentence in found]
            return dialogs.report(window, "Continuo: Health", lines)
        act = {
            "resume": core.resume, "offers": core.choose_offer, "dismiss": core.dismiss, "wait": core.choose,
            "jump": core.jump, "resolve": core.resolve, "start": core.restart,
        }[command]
        return act()

    def failed(self, what, error):
        """A sentence for a GLib.Error."""
        return shown(f"{what}: {error.message}")
