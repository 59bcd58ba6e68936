# SPDX-License-Identifier: MIT
"""Two editors without a screen on two devices, with the real server and agents: from key to key."""

import os
import signal
import unittest
from unittest import mock

from continuo import Patience, Position
from continuo.editing import Continuity, Settings
from continuo.hosts import HostedSession
from continuo.model import App

from devices import Circle
from paper import Loop, Paper


class HostTests(unittest.TestCase):
    def setUp(self):
        self.circle = Circle()
        self.addCleanup(self.circle.end)
        self.loop = Loop()
        self.desktop, self.laptop = (self.editor(device) for device in (self.circle.desktop, self.circle.laptop))

    def editor(self, device):
        editor = Paper(self.loop)
        hosted = HostedSession

        def made(app, post, **how):
            return hosted(app, post, environment=device.environment, **how)

        with mock.patch("continuo.editing.continuity.HostedSession", made):
            editor.continuity = Continuity(
                editor, App("org.example.ed", "Ed"), Settings("org.example.ed"), Patience(end=60))
        editor.continuity.start()
        self.addCleanup(editor.continuity.stop)
        return editor

    def test_what_is_typed_here_is_continued_there(self):
        view = self.desktop.read(self.circle.desktop.path("plan.md"))
        core = self.desktop.continuity
        self.loop.until(lambda: core.documents.of(view).standing, "the standing")
        view.type("漢字 é")
        self.loop.until(lambda: self.circle.desktop.read("plan.md").endswith("漢字 é".encode()), "saving")
        self.loop.until(lambda: self.laptop.prompt, "the prompt")
        self.assertTrue(self.laptop.prompt.text.startswith("plan.md from desktop"), self.laptop.prompt)
        # Agents write records at their own pace: the latest one is meant.
        wanted = Position(3, 4)
        self.loop.until(lambda: self.continues_at(wanted), "the place")
        self.assertTrue(self.laptop.front.content.endswith("漢字 é"))
        self.loop.until(lambda: (self.desktop.presence.get(view) or "").startswith("continued on laptop"), "presence")
        # The person goes on there, and back again.
        self.laptop.front.type("!")
        self.loop.until(lambda: view.content.endswith("é!"), "the text back here")
        self.assertEqual(view.saves, 1)

    def test_a_killed_server_loses_nothing(self):
        view = self.desktop.read(self.circle.desktop.path("plan.md"))
        core = self.desktop.continuity
        self.loop.until(lambda: core.documents.of(view).standing, "the standing")
        os.kill(core.session._session.server_process, signal.SIGKILL)
        view.type("more")
        self.loop.until(lambda: self.circle.desktop.read("plan.md").endswith(b"more"), "saving by the next server")
        self.desktop.continuity.stop()
        self.loop.until(lambda: self.laptop.prompt, "the prompt")

    def test_the_last_place_is_told_though_the_server_died(self):
        view = self.desktop.read(self.circle.desktop.path("plan.md"))
        core = self.desktop.continuity
        self.loop.until(lambda: core.documents.of(view).standing, "the standing")
        self.loop.until(lambda: self.laptop.prompt, "the prompt")
        os.kill(core.session._session.server_process, signal.SIGKILL)
        view.move(1, 2)
        core.stop()
        wanted = Position(1, 2)
        self.loop.until(lambda: self.continues_at(wanted), "the place")

    def continues_at(self, position):
        if self.laptop.prompt and not self.laptop.prompt.is_waiting:
            self.laptop.prompt.actions[0].act()
        return self.laptop.front and self.laptop.front.at.position == position


if __name__ == "__main__":
    unittest.main()
