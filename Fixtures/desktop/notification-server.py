#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A notification server for plays: that of python3-dbusmock, and a person in front of it.

notification-server.py show "CAPABILITIES…"    shows what it is given, and prints each call in a line
notification-server.py press ID KEY TOKEN      presses a button of the notification with that ID
"""
import json
import os
import sys

NAME, PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"


def show(capabilities):
    template = ["--template", "notification_daemon", "-p", json.dumps({"capabilities": capabilities})]
    os.execv(sys.executable, [sys.executable, "-u", "-m", "dbusmock"] + template)


def press(number, key, token):
    import dbus

    server = dbus.SessionBus().get_object(NAME, PATH)

    def emit(signal, signature, *arguments):
        server.EmitSignal(NAME, signal, signature, arguments, dbus_interface="org.freedesktop.DBus.Mock")

    number = dbus.UInt32(number)
    emit("ActivationToken", "us", number, token)
    emit("ActionInvoked", "us", number, key)
    # A server takes away what was pressed.
    emit("NotificationClosed", "uu", number, dbus.UInt32(2))


{"show": show, "press": press}[sys.argv[1]](*sys.argv[2:])
