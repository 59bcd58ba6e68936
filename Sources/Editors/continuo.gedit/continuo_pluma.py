# SPDX-License-Identifier: MIT
"""Continuo for Pluma."""

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("Pluma", "1.0")

import continuo_gtk  # noqa: E402

if continuo_gtk.missing is None:
    from continuo_gtk.pluma import ContinuoWindow  # noqa: F401
else:
    from gi.repository import GObject, Pluma

    class ContinuoWindow(GObject.Object, Pluma.WindowActivatable):
        """Says what is missing, in the first window."""

        __gtype_name__ = "ContinuoPlumaWindow"
        window = GObject.Property(type=Pluma.Window)

        def do_activate(self):
            continuo_gtk.tell(self.window)

        def do_deactivate(self):
            pass

        def do_update_state(self):
            pass
