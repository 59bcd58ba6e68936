# SPDX-License-Identifier: MIT
"""The other programs of a desktop: objects of python3-dbusmock on the session bus. Orders come on standard input and
what was called goes to standard output, framed as the agent and continuo-desktop do it. Ends with standard input."""

import os
import sys

import dbus
import dbus.bus
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from dbusmock.mockobject import DBusMockObject
from gi.repository import GLib


def flat(value):
    """One text for a value of any type."""
    if isinstance(value, dbus.Boolean):
        return "true" if value else "false"
    if isinstance(value, dict):
        return ";".join(f"{key}={flat(value[key])}" for key in sorted(value))
    if isinstance(value, (list, tuple)):
        return "|".join(flat(element) for element in value)
    if isinstance(value, int):
        return str(int(value))
    return str(value)


def tell(*fields):
    content = b"".join(field.encode() + b"\0" for field in fields)
    sys.stdout.buffer.write(str(len(content)).encode() + b"\n" + content)
    sys.stdout.buffer.flush()


class Stage:
    def __init__(self):
        self.programs = {}

    def offer(self, name, path, interface, methods, properties=None):
        """A program of its own on the bus that has that name and object."""
        bus = dbus.bus.BusConnection(os.environ["DBUS_SESSION_BUS_ADDRESS"])
        held = dbus.service.BusName(name, bus, do_not_queue=True)
        thing = DBusMockObject(held, path, interface, properties or {}, logfile="/dev/null")
        for method, takes, gives, answer in methods:
            thing.AddMethod(interface, method, takes, gives, self.recorded(method, answer))
        self.programs[name] = (bus, held, thing, interface)

    @staticmethod
    def recorded(method, answer):
        def call(thing, *values):
            tell(method, *[flat(value) for value in values])
            return answer(thing, *values) if answer else None

        return call

    def notifications(self, mode, *capabilities):
        """`mode`: `refusing`, or anything else. IDs count from 1."""

        def notify(thing, app, replaced, *rest):
            if mode == "refusing":
                raise dbus.DBusException("no room", name="org.example.Full")
            if replaced:
                return replaced
            thing.last = getattr(thing, "last", 0) + 1
            return thing.last

        name = "org.freedesktop.Notifications"
        able = lambda thing: dbus.Array(capabilities, signature="s")
        self.offer(name, "/org/freedesktop/Notifications", name, [
            ("GetCapabilities", "", "as", able),
            ("Notify", "susssasa{sv}i", "u", notify),
            ("CloseNotification", "u", "", None),
        ])

    def application(self, name, path):
        self.offer(name, path, "org.freedesktop.Application", [
            ("Activate", "a{sv}", "", None), ("Open", "asa{sv}", "", None),
        ])

    def systemd(self, *environment):
        name = "org.freedesktop.systemd1"
        manager = name + ".Manager"
        self.offer(name, "/org/freedesktop/systemd1", manager, [
            ("StartTransientUnit", "ssa(sv)a(sa(sv))", "o", lambda *_: dbus.ObjectPath("/job/1")),
        ], {"Environment": dbus.Array(environment, signature="s")})

    def portal(self):
        self.offer(
            "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop", "org.freedesktop.portal.OpenURI",
            [("OpenURI", "ssa{sv}", "o", lambda *_: dbus.ObjectPath("/request/1"))])

    def signal(self, signal, *values):
        types = {"ActionInvoked": "us", "ActivationToken": "us", "NotificationClosed": "uu"}[signal]
        _, _, thing, interface = self.programs["org.freedesktop.Notifications"]
        typed = [int(value) if kind == "u" else value for kind, value in zip(types, values)]
        thing.EmitSignal(interface, signal, types, typed)

    def leave(self, name):
        """The program ends."""
        bus, _, _, _ = self.programs.pop(name)
        bus.close()


def main():
    DBusGMainLoop(set_as_default=True)
    stage = Stage()
    loop = GLib.MainLoop()
    rest = bytearray()

    def heard(descriptor, _):
        piece = os.read(descriptor, 65536)
        if not piece:
            loop.quit()
            return False
        rest.extend(piece)
        while b"\n" in rest:
            end = rest.index(b"\n") + 1
            length = int(rest[:end])
            if len(rest) < end + length:
                break
            word, *fields = bytes(rest[end:end + length]).decode().split("\0")[:-1]
            del rest[:end + length]
            getattr(stage, word)(*fields)
            tell("ready", word)
        return True

    GLib.io_add_watch(sys.stdin.fileno(), GLib.IO_IN | GLib.IO_HUP, heard)
    loop.run()


main()
