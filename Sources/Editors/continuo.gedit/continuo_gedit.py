# SPDX-License-Identifier: MIT
"""Continuo for gedit."""

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("Gedit", "3.0")

import continuo_gtk  # noqa: E402

if continuo_gtk.missing is None:
    from continuo_gtk.gedit import ContinuoApp, ContinuoWindow  # noqa: F401
else:
    from gi.repository import GObject, Gedit

    class ContinuoWindow(GObject.Object, Gedit.WindowActivatable):
        """Says what is missing, in the first window."""

        __gtype_name__ = "ContinuoGeditWindow"
        window = GObject.Property(type=Gedit.Window)

        def do_activate(self):
            continuo_gtk.tell(self.window)

        def do_deactivate(self):
            pass

        def do_update_state(self):
            pass
