# SPDX-License-Identifier: MIT
"""Dialogs, which come only when the person asked for something."""

from gi.repository import Gtk, Pango


def choose(window, question, choices, answer):
    """Lets the person choose one of `choices`; answers with its index, or None."""
    dialog = Gtk.Dialog(title="Continuo", transient_for=window, modal=True, destroy_with_parent=True)
    dialog.add_button("_Cancel", Gtk.ResponseType.CANCEL)
    dialog.add_button("_Choose", Gtk.ResponseType.OK)
    dialog.set_default_response(Gtk.ResponseType.OK)
    dialog.set_default_size(560, -1)
    content = dialog.get_content_area()
    content.set_border_width(12)
    content.set_spacing(6)
    content.add(Gtk.Label(label=question, xalign=0, wrap=True))
    first = None
    buttons = []
    for choice in choices:
        button = Gtk.RadioButton.new_with_label_from_widget(first, choice)
        button.get_child().set_ellipsize(Pango.EllipsizeMode.MIDDLE)
        button.set_tooltip_text(choice)
        first = first or button
        buttons.append(button)
        content.add(button)

    def respond(_dialog, response):
        chosen = next((index for index, button in enumerate(buttons) if button.get_active()), None)
        dialog.destroy()
        answer(chosen if response == Gtk.ResponseType.OK else None)

    dialog.connect("response", respond)
    dialog.show_all()
    dialog.present()


def report(window, title, lines):
    """Shows lines, to be read and copied."""
    dialog = Gtk.Dialog(title=title, transient_for=window, destroy_with_parent=True)
    dialog.add_button("_Close", Gtk.ResponseType.CLOSE)
    dialog.set_default_size(700, 400)
    text = Gtk.TextView(editable=False, cursor_visible=False, wrap_mode=Gtk.WrapMode.WORD_CHAR, left_margin=12,
                        top_margin=12)
    text.get_buffer().set_text("\n".join(lines))
    scrolled = Gtk.ScrolledWindow(vexpand=True)
    scrolled.add(text)
    dialog.get_content_area().add(scrolled)
    dialog.connect("response", lambda *_: dialog.destroy())
    dialog.show_all()
    dialog.present()
