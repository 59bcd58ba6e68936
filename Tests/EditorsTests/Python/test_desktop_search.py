# SPDX-License-Identifier: MIT
"""What was saved for search, found and opened as GNOME Shell and KRunner do it: their very calls, over a
private bus that starts the service by the file that is installed; a real agent and a real app."""

import asyncio
import json
import os
import shutil
import subprocess
import unittest

import dbus
import dbus.bus

import continuo

from devices import CircleTests

APP = continuo.App("org.example.reader", "Reader", activity_types=("org.example.page", "public.text-editing"))
PATIENCE = 60
PACKAGING = os.path.join(os.path.dirname(__file__), "../../../Sources/Packaging")
GNOME, KRUNNER = "org.gnome.Shell.SearchProvider2", "org.kde.krunner1"
LOCKER = "org.gnome.ScreenSaver"


class DesktopSearchTests(CircleTests):
    def setUp(self):
        device = self.circle.desktop
        services = device.home + "/data/dbus-1/services"
        os.makedirs(services, exist_ok=True)
        with open(PACKAGING + "/org.continuo.Search.service.in") as file:
            described = file.read()
        programs = os.path.dirname(shutil.which("continuo"))
        with open(services + "/org.continuo.Search.service", "w") as file:
            file.write(described.replace("@PREFIX@/bin", programs))
        address = f"unix:path={device.home}/run/bus"
        self.daemon = subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address",
             "--address=" + address], env=device.environment, stdout=subprocess.PIPE)
        self.daemon.stdout.readline()
        self.address = address
        self.bus = dbus.bus.BusConnection(address)
        self.mock = None

    def tearDown(self):
        for process in (self.mock, self.daemon):
            if process:
                process.terminate()
                process.wait()
        self.daemon.stdout.close()

    def screen(self, is_locked):
        """A shell that says whether the screen is locked."""
        environment = dict(os.environ, DBUS_SESSION_BUS_ADDRESS=self.address)
        if self.mock is None:
            self.mock = subprocess.Popen(
                ["/usr/bin/python3", "-m", "dbusmock", LOCKER, "/org/gnome/ScreenSaver", LOCKER],
                env=environment, stdout=subprocess.DEVNULL)
        while not self.bus.name_has_owner(LOCKER):
            pass
        shell = self.bus.get_object(LOCKER, "/org/gnome/ScreenSaver")
        answer = f"ret = {is_locked}"
        shell.AddMethod(LOCKER, "GetActive", "", "b", answer, dbus_interface="org.freedesktop.DBus.Mock")
        shell.EmitSignal(
            LOCKER, "ActiveChanged", "b", [is_locked], dbus_interface="org.freedesktop.DBus.Mock")

    def call(self, interface, method, *values):
        provider = self.bus.get_object("org.continuo.Search", "/org/continuo/Search", introspect=False)
        return dbus.Interface(provider, interface).get_dbus_method(method)(*values)

    async def until_kept(self, words):
        while not json.loads(await asyncio.to_thread(self.circle.desktop.run, "search", "--json", words)):
            pass

    def terms(self, *words):
        return dbus.Array(words, signature="s")

    def initial(self, *words):
        return [str(name) for name in self.call(GNOME, "GetInitialResultSet", self.terms(*words))]

    def test_found_shown_and_opened_where_it_was_left(self):
        asyncio.run(asyncio.wait_for(self.find_and_open(), PATIENCE))

    async def find_and_open(self):
        device = self.circle.desktop
        self.screen(False)
        continued = asyncio.Queue()
        async with continuo.connect(
                APP, environment=device.environment,
                on_continue=lambda restore: continued.put_nowait(restore.activity)) as session:
            for number, title in enumerate(("Lentil soup", "Zither")):
                search = continuo.Search(f"page/{number}", description=f"About <b>{title}</b>")
                activity = await session.create_activity(
                    "org.example.page", title=title, user_info={"page": number}, search=search)
                await activity.become_current()
                await self.until_kept(title)
            # GNOME Shell: a letter more each time, then what they are, then one is chosen.
            found = await asyncio.to_thread(self.initial, "le")
            self.assertEqual(len(found), 1)
            names = await asyncio.to_thread(
                self.call, GNOME, "GetSubsearchResultSet", self.terms(*found), self.terms("lentil", "so"))
            self.assertEqual([str(name) for name in names], found)
            self.assertEqual(await asyncio.to_thread(self.initial, "lentil", "zither"), [])
            metas = await asyncio.to_thread(self.call, GNOME, "GetResultMetas", self.terms(*found, "unknown"))
            self.assertEqual(
                [(str(meta["id"]), str(meta["name"]), str(meta["description"])) for meta in metas],
                [(found[0], "Lentil soup", "About <b>Lentil soup</b>")])
            await asyncio.to_thread(
                self.call, GNOME, "ActivateResult", found[0], self.terms("lentil"), dbus.UInt32(0))
            activity = await continued.get()
            self.assertEqual((activity.title, activity.user_info["page"]), ("Lentil soup", 0))
            # KRunner: all in one, and the name comes back as it was given.
            self.assertEqual(await asyncio.to_thread(self.call, KRUNNER, "Actions"), [])
            matches = await asyncio.to_thread(self.call, KRUNNER, "Match", "zith")
            (name, text, _, kind, relevance, more), = matches
            self.assertEqual((str(text), int(kind), float(relevance)), ("Zither", 30, 1.0))
            self.assertEqual(str(more["subtext"]), "About <b>Zither</b>")
            await asyncio.to_thread(self.call, KRUNNER, "Run", name, "")
            self.assertEqual((await continued.get()).user_info["page"], 1)
            await asyncio.to_thread(self.call, KRUNNER, "Teardown")
            await session.delete_saved()
            self.assertEqual(await asyncio.to_thread(self.initial, "lentil"), [])

    def test_nothing_is_told_while_the_screen_is_locked(self):
        asyncio.run(asyncio.wait_for(self.look_while_locked(), PATIENCE))

    async def look_while_locked(self):
        device = self.circle.desktop
        async with continuo.connect(APP, environment=device.environment) as session:
            activity = await session.create_activity(
                "org.example.page", title="Oboe", user_info={}, search=continuo.Search("oboe"))
            await activity.become_current()
            await self.until_kept("oboe")
            # Nobody can tell.
            self.assertEqual(await asyncio.to_thread(self.initial, "oboe"), [])
            await asyncio.to_thread(self.screen, False)
            while not (found := await asyncio.to_thread(self.initial, "oboe")):
                pass
            await asyncio.to_thread(self.screen, True)
            while await asyncio.to_thread(self.initial, "oboe"):
                pass
            self.assertEqual(await asyncio.to_thread(self.call, KRUNNER, "Match", "oboe"), [])
            metas = await asyncio.to_thread(self.call, GNOME, "GetResultMetas", self.terms(*found))
            self.assertEqual(metas, [])
            # Its name is known, and nothing opens.
            await asyncio.to_thread(self.call, KRUNNER, "Run", found[0], "")
            await asyncio.to_thread(self.screen, False)
            while not await asyncio.to_thread(self.initial, "oboe"):
                pass
            await session.delete_saved()

    def test_odd_words_and_names_do_no_harm(self):
        self.screen(False)
        for words in (["\"*:^(NEAR", "OR"], [" ", ""], ["x" * 1_000_000], [], ["é"] * 300):
            self.assertEqual(self.initial(*words), [])
        for name in ("", ".", "zz.zz", "6f", "6f2e.ff", "6f.00.00", "x" * 100_000):
            self.call(KRUNNER, "Run", name, "")
        for method in ("LaunchSearch",):
            self.call(GNOME, method, self.terms("a"), dbus.UInt32(0))
        with self.assertRaises(dbus.DBusException):
            self.call(GNOME, "Other")
        self.assertEqual(self.initial("nothing"), [])


if __name__ == "__main__":
    unittest.main()
