# SPDX-License-Identifier: MIT
"""The prompt and the messages: bars at the window's lower edge. They take no focus, and their texts are no markup."""

from gi.repository import GLib, Gtk, Pango

# How long a message stays, in seconds.
_STAY = {False: 8, True: 30}


def _label(lines):
    """A text of at most so many lines; the whole is its tip."""
    label = Gtk.Label(xalign=0, use_markup=False, ellipsize=Pango.EllipsizeMode.END, hexpand=True)
    if lines > 1:
        label.set_line_wrap(True)
        label.set_line_wrap_mode(Pango.WrapMode.WORD_CHAR)
        label.set_lines(lines)
    return label


class PromptBar:
    """What is offered or awaited, with a button for each thing that can be done about it."""

    def __init__(self):
        self.widget = Gtk.InfoBar(message_type=Gtk.MessageType.QUESTION, no_show_all=True)
        self._label = _label(4)
        self._progress = Gtk.ProgressBar()
        self._column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, valign=Gtk.Align.CENTER, spacing=6)
        self._column.pack_start(self._label, True, True, 0)
        self._column.pack_start(self._progress, False, False, 0)
        self.widget.get_content_area().pack_start(self._column, True, True, 0)
        self._actions = ()
        self._names = None
        self.widget.connect("response", self._respond)

    def _respond(self, _bar, response):
        if 0 <= response < len(self._actions):
            self._actions[response].act()

    def show(self, prompt):
        if prompt is None:
            self._actions, self._names = (), None
            self.widget.hide()
            return
        # A button that is pressed right now stays.
        self._actions = prompt.actions
        names = [action.name for action in prompt.actions]
        if names != self._names:
            self._names = names
            area = self.widget.get_action_area()
            for button in area.get_children():
                area.remove(button)
            for index, action in enumerate(prompt.actions):
                button = self.widget.add_button(action.label, index)
                button.set_focus_on_click(False)
        self._label.set_text(prompt.text)
        self._label.set_tooltip_text(prompt.text)
        self._progress.set_visible(prompt.fraction is not None)
        self._progress.set_fraction(prompt.fraction or 0)
        for child in (self._label, self._column, self.widget.get_content_area(), self.widget.get_action_area()):
            child.show()
        self.widget.show()


class MessageBar:
    """The last sentence, for a while."""

    def __init__(self):
        self.widget = Gtk.InfoBar(show_close_button=True, no_show_all=True)
        self._label = _label(3)
        self.widget.get_content_area().pack_start(self._label, True, True, 0)
        self.widget.connect("response", lambda *_: self.hide())
        self._timer = 0
        for button in self.widget.get_action_area().get_children():
            button.set_focus_on_click(False)

    def tell(self, text, is_warning):
        self._stop()
        self._label.set_text(text)
        self._label.set_tooltip_text(text)
        self.widget.set_message_type(Gtk.MessageType.WARNING if is_warning else Gtk.MessageType.INFO)
        self._label.show()
        self.widget.show()
        self._timer = GLib.timeout_add_seconds(_STAY[is_warning], self._over)

    def _over(self):
        self._timer = 0
        self.widget.hide()
        return GLib.SOURCE_REMOVE

    def _stop(self):
        if self._timer:
            GLib.source_remove(self._timer)
            self._timer = 0

    def hide(self):
        self._stop()
        self.widget.hide()


class WindowBars:
    """All that one window shows: above the status bar, and in it."""

    def __init__(self, window):
        self.prompt, self.message = PromptBar(), MessageBar()
        self._presence = _label(1)
        self._presence.set_no_show_all(True)
        bar = window.get_statusbar()
        box = bar.get_parent()
        if box.query_child_packing(bar).pack_type == Gtk.PackType.END:
            # What is packed later is farther from the edge.
            for widget in (self.prompt.widget, self.message.widget):
                box.pack_end(widget, False, False, 0)
        else:
            place = box.get_children().index(bar)
            for widget in (self.prompt.widget, self.message.widget):
                box.pack_start(widget, False, False, 0)
                box.reorder_child(widget, place)
        bar.pack_end(self._presence, False, False, 12)
        self._bar = bar

    def show_presence(self, line):
        # Screen readers are told of a status bar's name, and of nothing in it.
        self._bar.get_accessible().set_name(line or "")
        self._presence.set_text(line or "")
        self._presence.set_tooltip_text(line)
        self._presence.set_visible(bool(line))

    def remove(self):
        self.message.hide()
        for widget in (self.prompt.widget, self.message.widget, self._presence):
            widget.destroy()
