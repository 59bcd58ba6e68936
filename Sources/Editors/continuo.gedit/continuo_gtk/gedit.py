# SPDX-License-Identifier: MIT
"""What gedit does its own way."""

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("Gedit", "3.0")
from gi.repository import Gedit, Gio, GObject, Gtk, GtkSource  # noqa: E402

from .document import TextDocument  # noqa: E402
from .program import COMMANDS, TabbedEditor  # noqa: E402


class GeditDocument(TextDocument):
    def __init__(self, editor, tab):
        super().__init__(editor, tab)
        self._listen(self.buffer, "loaded", lambda *_: editor.was_read(self))
        self._listen(self.buffer, "saved", lambda *_: editor.was_saved(self))
        self._listen(self.buffer.get_file(), "notify::location", lambda *_: editor.continuity.renamed(self))

    def path(self):
        location = self.buffer.get_file().get_location()
        return location.get_path() if location is not None else None

    def encoding(self):
        found = self.buffer.get_file().get_encoding()
        return found.get_charset() if found is not None else "UTF-8"

    def is_readonly(self):
        return self.buffer.get_file().is_readonly()

    def write(self, done):
        def over(buffer, result):
            is_saved = Gedit.commands_save_document_finish(buffer, result)
            done(None if is_saved else "gedit says why in its tab")

        Gedit.commands_save_document_async(self.buffer, self.tab.get_toplevel(), None, over)

    def reload(self, done):
        bar = self._question()
        if bar is not None:
            # gedit has asked already whether to read it again; this is the answer.
            handler = None

            def loaded(_):
                self.buffer.disconnect(handler)
                done(None)

            handler = self.buffer.connect("loaded", loaded)
            bar.response(Gtk.ResponseType.OK)
            return
        place = self.place()
        loader = GtkSource.FileLoader.new(self.buffer, self.buffer.get_file())

        def over(source, result):
            try:
                source.load_finish(result)
            except GObject.GError as failure:
                return done(failure.message)
            self.go(place)
            done(None)

        loader.load_async(0, None, None, None, over)

    def _question(self):
        """The bar that asks whether to read a file that was changed; None for none."""
        if not self.state().endswith("EXTERNALLY_MODIFIED_NOTIFICATION"):
            return None
        return _bar(self.tab)


def _bar(widget):
    """The information bar that a tab shows; None for none."""
    if isinstance(widget, Gtk.InfoBar):
        return widget if widget.get_visible() else None
    inner = widget.get_children() if isinstance(widget, Gtk.Container) else []
    return next((found for found in map(_bar, inner) if found is not None), None)


class GeditEditor(TabbedEditor):
    name = "gedit"
    identifier = "org.gnome.gedit"
    program = "gedit"
    Document = GeditDocument

    def tab_of(self, buffer):
        return Gedit.Tab.get_from_document(buffer)

    def open_tab(self, window, path, in_front):
        location = Gio.File.new_for_path(path)
        if in_front:
            # An empty document makes room for it.
            Gedit.commands_load_location(window, location, None, 0, 0)
        else:
            window.create_tab_from_location(location, None, 0, 0, False, False)

    def rename(self, view, path):
        view.buffer.get_file().set_location(Gio.File.new_for_path(path))
        return None

    def compare_tabs(self, window, view, path, done):
        known = self.document_of(path)
        if known is not None and known.is_modified():
            return done("the other text is open with unsaved changes: save it first")
        if known is not None:
            window.close_tab(known.tab)
        window.lookup_action("new-tab-group").activate(None)

        def opened(copy, failure):
            if copy is not None:
                self.show(view)
            done(failure)

        self.open(path, True, opened)


editor = None


class ContinuoApp(GObject.Object, Gedit.AppActivatable):
    __gtype_name__ = "ContinuoGeditApp"
    app = GObject.Property(type=Gedit.App)

    def do_activate(self):
        global editor
        editor = GeditEditor()
        self._menu = self.extend_menu("tools-section")
        menu = Gio.Menu()
        for name, label, keys in COMMANDS:
            menu.append(label, "win.continuo-" + name)
            if keys:
                self.app.set_accels_for_action("win.continuo-" + name, [keys])
        item = Gio.MenuItem.new_submenu("Continuo", menu)
        self._menu.append_menu_item(item)
        self._handler = self.app.connect("shutdown", lambda _: editor.end())

    def do_deactivate(self):
        self.app.disconnect(self._handler)
        for name, _, keys in COMMANDS:
            if keys:
                self.app.set_accels_for_action("win.continuo-" + name, [])
        self._menu.remove_items()
        editor.end()


class ContinuoWindow(GObject.Object, Gedit.WindowActivatable):
    __gtype_name__ = "ContinuoGeditWindow"
    window = GObject.Property(type=Gedit.Window)

    def do_activate(self):
        for name, _, _ in COMMANDS:
            action = Gio.SimpleAction(name="continuo-" + name)
            action.connect("activate", lambda *_, name=name: editor.perform(name))
            self.window.add_action(action)
        editor.add_window(self.window)

    def do_deactivate(self):
        for name, _, _ in COMMANDS:
            self.window.remove_action("continuo-" + name)
        editor.remove_window(self.window)
