# SPDX-License-Identifier: MIT
"""What Pluma does its own way."""

import shutil
import subprocess

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("Pluma", "1.0")
from gi.repository import Gio, GObject, Gtk, Pluma  # noqa: E402

from .document import TextDocument  # noqa: E402
from .program import COMMANDS, TabbedEditor  # noqa: E402


class PlumaDocument(TextDocument):
    def __init__(self, editor, tab):
        super().__init__(editor, tab)
        self._ends = {"loaded": [], "saved": []}
        self._listen(self.buffer, "loaded", self._over, "loaded", lambda: editor.was_read(self))
        self._listen(self.buffer, "saved", self._over, "saved", lambda: editor.was_saved(self))
        self._listen(self.buffer, "notify::uri", lambda *_: editor.continuity.renamed(self))

    def _over(self, _buffer, failure, what, tell):
        """Reading or writing is over. `failure` is the address of an error, and Pluma's tab goes on only after this."""

        def act():
            waiting, self._ends[what] = self._ends[what], []
            if not failure:
                tell()
            for done in waiting:
                done("Pluma says why in its tab" if failure else None)

        self.editor.later(0, act)

    def path(self):
        location = self.buffer.get_location()
        return location.get_path() if location is not None else None

    def encoding(self):
        found = self.buffer.get_encoding()
        return found.get_charset() if found is not None else "UTF-8"

    def is_readonly(self):
        return self.buffer.get_readonly()

    def was_deleted(self):
        """Pluma saves nothing that it takes for saved."""
        self.buffer.set_modified(True)

    def write(self, done):
        self._ends["saved"].append(done)
        Pluma.commands_save_document(self.tab.get_toplevel(), self.buffer)

    def reload(self, done):
        """Pluma reads again only what is in front: another tab is until it is done."""
        window = self.tab.get_toplevel()
        front, place = window.get_active_tab(), self.place()
        action = window.get_ui_manager().get_action("/MenuBar/FileMenu/FileRevertMenu")
        window.set_active_tab(self.tab)

        def over(failure):
            if failure is None:
                self.go(place)
            done(failure)

        self._ends["loaded"].append(over)
        # Pluma asks where the file is newer, too, though there is nothing to lose: nobody gets to see that.
        asked = []

        def realized(widget, *_):
            if isinstance(widget, Gtk.MessageDialog):
                # It is on the screen for a moment: no key goes there.
                widget.set_accept_focus(False)
                asked.append(widget)
            return True

        hook = GObject.add_emission_hook(Gtk.Widget, "realize", realized)
        action.activate()
        GObject.remove_emission_hook(Gtk.Widget, "realize", hook)
        for each in asked:
            each.response(Gtk.ResponseType.OK)
        if front is not self.tab:
            window.set_active_tab(front)


class PlumaEditor(TabbedEditor):
    name = "Pluma"
    identifier = "org.mate.pluma"
    program = "pluma"
    Document = PlumaDocument

    def tab_of(self, buffer):
        return Pluma.Tab.get_from_document(buffer)

    def open_tab(self, window, path, in_front):
        front = window.get_active_tab()
        # An empty document makes room for it. Tabs are made by C alone: they want an encoding, which is not known.
        Pluma.commands_load_uri(window, Gio.File.new_for_path(path).get_uri(), None, 0)
        if front is not None and not in_front:
            window.set_active_tab(front)

    def rename(self, view, path):
        view.buffer.set_uri(Gio.File.new_for_path(path).get_uri())
        return None

    def compare_tabs(self, window, view, path, done):
        """Pluma shows no two texts side by side; Meld does where it is installed."""
        meld = shutil.which("meld")
        if meld is not None:
            subprocess.Popen([meld, view.path(), path], start_new_session=True)
            return done(None)
        self.open(path, True, lambda _, failure: done(failure))


editor = None

_MENU = """<ui><menubar name="MenuBar"><menu name="ToolsMenu" action="Tools"><placeholder name="ToolsOps_3">
<menu name="ContinuoMenu" action="Continuo">%s</menu></placeholder></menu></menubar></ui>""" % "".join(
    f'<menuitem name="Continuo{name}" action="Continuo{name}"/>' for name, _, _ in COMMANDS)


class ContinuoWindow(GObject.Object, Pluma.WindowActivatable):
    __gtype_name__ = "ContinuoPlumaWindow"
    window = GObject.Property(type=Pluma.Window)

    def do_activate(self):
        global editor
        if editor is None:
            editor = PlumaEditor()
        manager = self.window.get_ui_manager()
        self._group = Gtk.ActionGroup(name="ContinuoActions")
        self._group.add_action(Gtk.Action(name="Continuo", label="Continuo"))
        for name, label, keys in COMMANDS:
            action = Gtk.Action(name="Continuo" + name, label=label)
            action.connect("activate", lambda _, name=name: editor.perform(name))
            self._group.add_action_with_accel(action, keys or "")
        manager.insert_action_group(self._group, -1)
        self._menu = manager.add_ui_from_string(_MENU)
        editor.add_window(self.window)

    def do_deactivate(self):
        global editor
        manager = self.window.get_ui_manager()
        manager.remove_ui(self._menu)
        manager.remove_action_group(self._group)
        manager.ensure_update()
        editor.remove_window(self.window)
        if editor.is_over():
            editor = None

    def do_update_state(self):
        pass
