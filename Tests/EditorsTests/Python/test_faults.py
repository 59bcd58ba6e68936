# SPDX-License-Identifier: MIT
"""Servers that do something wrong, and names and texts that nobody would choose."""

import asyncio
import os
import re
import signal
import sys
import tempfile
import time
import unittest

import continuo
from continuo import framing, userinfo
from continuo.editing import Settings, load
from continuo.editing.health import boxed_sentence
from continuo.hosts import HostedSession

from paper import Loop

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
APP = continuo.App("org.example.ed", "Ed")
SHORT = continuo.Patience(starts=2, within=60, end=1)
PATIENT = continuo.Patience(end=60)


def server(mode, *more):
    return [sys.executable, os.path.join(HERE, "fake_server.py"), mode, *more]


class FaultTests(unittest.TestCase):
    def outcome(self, command):
        """The sentence with which the session is given up."""

        async def run():
            told = asyncio.get_running_loop().create_future()

            def hear(event):
                if isinstance(event, continuo.ServerGivenUp) and not told.done():
                    told.set_result(event.sentence)

            session = continuo.connect(APP, command=command, on_event=hear, patience=SHORT)
            try:
                try:
                    await session.start()
                except continuo.ServerUnavailable as failure:
                    self.assertEqual(failure.sentence, session.obstacle)
                sentence = await told
                with self.assertRaises(continuo.ServerUnavailable):
                    await session.list_offers()
                return sentence
            finally:
                await session.close()

        return asyncio.run(asyncio.wait_for(run(), 120))

    def test_a_program_that_is_not_there(self):
        self.assertIn("no-such-program is not installed, or not on PATH", self.outcome(["no-such-program"]))
        self.assertIn("does not start", self.outcome([HERE]))
        self.assertIn("no command is given", self.outcome([]))

    def test_a_server_that_ends_too_often(self):
        sentence = self.outcome(server("dies"))
        self.assertRegex(sentence, r"^the server ended 2 times in 60 s \(exit code 3: it is broken\)")

    def test_a_server_that_refuses(self):
        self.assertEqual(self.outcome(server("refuses")), "the server refuses this app: app.id is missing")

    def test_output_that_is_no_message_ends_the_server(self):
        for mode, words in (
            ("pager", "no header: is it `continuo serve --stdio`?"), ("headers", "longer than 8 KiB"),
            ("length", "longer than 8 MiB"), ("number", "a length that is no number"),
            ("deep", "more than 128 levels"), ("no-json", "no JSON"),
        ):
            with self.subTest(mode):
                self.assertIn(words, self.outcome(server(mode)))

    def test_odd_members_are_ignored_or_refused(self):
        async def run():
            session = continuo.connect(APP, command=server("odd"), patience=SHORT)
            told = session.events()
            async with session:
                async for event in told:
                    if isinstance(event, continuo.Withheld):
                        return event.reason

        self.assertEqual(asyncio.run(asyncio.wait_for(run(), 120)), "[-32601, -32602] ")

    def test_pieces_of_any_size(self):
        async def run():
            session = continuo.connect(APP, command=server("pieces"), patience=SHORT)
            told = session.events()
            async with session:
                async for event in told:
                    if isinstance(event, continuo.Withheld):
                        return event.reason

        self.assertEqual(asyncio.run(asyncio.wait_for(run(), 120)), "é😀")

    def test_an_agent_that_comes_as_the_server_answers_is_there(self):
        async def run():
            async with continuo.connect(APP, command=server("quick-agent"), patience=SHORT) as session:
                return session.connected

        self.assertIs(asyncio.run(asyncio.wait_for(run(), 120)), True)

    def test_what_is_told_before_it_is_read_is_kept(self):
        async def run():
            heard = asyncio.get_running_loop().create_future()

            def hear(event):
                if isinstance(event, continuo.Withheld):
                    heard.set_result(None)

            session = continuo.connect(APP, command=server("pieces"), patience=SHORT, on_event=hear)
            told = session.events()
            async with session:
                await heard
            reasons = [event.reason async for event in told if isinstance(event, continuo.Withheld)]
            return reasons + [event async for event in told]

        self.assertEqual(asyncio.run(asyncio.wait_for(run(), 120)), ["é😀"])

    def test_a_question_without_an_answer_fails_and_the_next_is_asked(self):
        with tempfile.TemporaryDirectory() as folder:
            async def run():
                async with continuo.connect(APP, command=server("once", folder + "/first")) as session:
                    with self.assertRaises(continuo.ServerEnded):
                        await session.list_offers()
                    return await session.list_offers()

            self.assertEqual(asyncio.run(asyncio.wait_for(run(), 120)), [])

    def until_shutdown(self, mode, act):
        """What the last server hears and answers until it is told to end; `act` gets the session."""
        with tempfile.TemporaryDirectory() as folder:
            async def run():
                session = continuo.connect(APP, command=server(mode, folder + "/log"), patience=PATIENT)
                await session.start()
                await act(session)
                await session.close()

            asyncio.run(asyncio.wait_for(run(), 120))
            with open(folder + "/log") as file:
                lines = file.read().split("\n")
        return lines[:lines.index("shutdown")]

    def test_the_last_state_is_told_after_what_a_new_server_is_told_again(self):
        async def act(session):
            await session.open("/plan.md")
            activity = await session.create_activity("org.example.call")
            await activity.become_current()
            os.kill(session.server_process, signal.SIGKILL)

        lines = self.until_shutdown("late", act)
        self.assertEqual(lines[lines.index("answered activity/becomeCurrent") + 1:], [
            "document/open", "activity/create", "answered document/open", "answered activity/create",
            "activity/becomeCurrent"])

    def test_the_last_state_is_told_after_what_was_just_opened(self):
        async def act(session):
            session.open("/plan.md")
            session.become_current("/plan.md")

        lines = self.until_shutdown("late", act)
        self.assertEqual(lines, ["document/open", "document/becomeCurrent", "answered document/open"])

    def test_the_last_state_is_told_after_an_agent_has_come(self):
        async def act(session):
            activity = await session.create_activity("org.example.call")
            activity.become_current()

        lines = self.until_shutdown("late-agent", act)
        self.assertEqual(lines[-1], "told connection/didChange")

    def test_a_start_that_is_closed_fails_and_the_next_one_starts(self):
        async def run():
            session = continuo.connect(APP, command=server("quick-agent"), patience=SHORT)
            begun = session.start()
            await session.close()
            with self.assertRaises(continuo.ServerUnavailable):
                await begun
            async with session:
                self.assertIsNotNone(session.server_process)

        asyncio.run(asyncio.wait_for(run(), 20))

    def test_closing_that_was_cancelled_is_finished_by_the_next(self):
        with tempfile.TemporaryDirectory() as folder:
            async def run():
                session = continuo.connect(APP, command=server("late", folder + "/log"), patience=PATIENT)
                await session.start()
                with self.assertRaises(asyncio.TimeoutError):
                    await asyncio.wait_for(session.close(), 0.1)
                self.assertIsNotNone(session.server_process)
                closings = [asyncio.ensure_future(session.close()) for _ in range(2)]
                await asyncio.wait(closings, return_when=asyncio.FIRST_COMPLETED)
                self.assertIsNone(session.server_process)
                await asyncio.wait(closings)

            asyncio.run(asyncio.wait_for(run(), 120))
            with open(folder + "/log") as file:
                self.assertEqual(file.read(), "shutdown\nanswered shutdown\nexit\n")

    def test_a_new_server_is_told_how_a_document_was_described(self):
        told = ('{"supportsStreams": true, "title": "Plan", "uri": "file:///plan.md", '
                '"webpageURL": "http://x/y"}')
        for mode, more in (("late", []), ("late-folder", ["told document/standingDidChange"])):
            async def act(session):
                await session.open("/old.md")
                first = session.set_document("/old.md", title="Plan", webpage_url="http://x/z")
                session.did_move("/old.md", "/plan.md")
                await asyncio.gather(
                    first, session.set_document("/plan.md", webpage_url="http://x/y", supports_streams=True))
                events = session.events()
                os.kill(session.server_process, signal.SIGKILL)
                async for event in events:
                    if isinstance(event, continuo.StandingChanged) and event.standing.synced:
                        break

            with self.subTest(mode):
                lines = self.until_shutdown(mode, act)
                again = lines[len(lines) - lines[::-1].index("document/open") - 1:]
                self.assertEqual([line for line in again if not line.startswith("answered activity")],
                                 ["document/open", "answered document/open", *more, "activity/set", told])

    def test_a_host_is_told_of_all_that_in_its_own_loop(self):
        loop, told = Loop(), []
        hosted = HostedSession(APP, loop.post, command=server("dies"), on_event=told.append, patience=SHORT)
        hosted.start()
        loop.until(lambda: hosted.obstacle and told and isinstance(told[-1], continuo.ServerGivenUp), "the sentence")
        failures = []
        hosted.ask(lambda session: session.list_offers(), lambda failure, _: failures.append(failure))
        loop.until(lambda: failures, "the failure")
        self.assertIsInstance(failures[0], continuo.ServerUnavailable)
        began = time.monotonic()
        hosted.stop()
        self.assertLess(time.monotonic() - began, 5)
        self.assertFalse(hosted.is_running)


def hostile_names():
    with open(ROOT + "/Fixtures/hostile-names.txt", "rb") as file:
        for line in file.read().split(b"\n"):
            if line and not line.startswith(b"#"):
                yield re.sub(rb"\\x([0-9A-Fa-f]{2})", lambda found: bytes([int(found[1], 16)]), line)


class NameTests(unittest.TestCase):
    def test_every_name_has_a_uri_and_the_uri_that_name(self):
        names = list(hostile_names())
        self.assertGreater(len(names), 40)
        for name in names:
            path = os.fsdecode(b"/notes/" + name)
            uri = continuo.uri_of(path)
            self.assertRegex(uri, r"^file:///notes/[A-Za-z0-9%._~-]+$")
            self.assertEqual(continuo.path_of(uri), path)
            self.assertEqual(continuo.uri_of(os.fsencode(path)), uri)

    def test_every_name_is_shown_in_one_line_without_anything_hidden(self):
        for name in hostile_names():
            text = continuo.shown(os.fsdecode(name))
            self.assertEqual(continuo.shown(text), text)
            hidden = "[\0-\x1f\x7f-\x9f\u2028\u2029\u200b-\u200f\u202a-\u202e\u2060-\u206f\ud800-\udfff]"
            self.assertNotRegex(text, hidden)
            text.encode()
        self.assertLessEqual(len(continuo.shown("é" * 100_000).encode()), 4096)

    def test_what_is_no_file_of_this_machine_has_no_path(self):
        for uri in ("http://x/y", "file:relative", "file://host", "file:///a%00b", ""):
            self.assertIsNone(continuo.path_of(uri))


class UserInfoTests(unittest.TestCase):
    def test_everything_comes_back(self):
        import datetime
        import uuid
        moment = datetime.datetime(2026, 1, 2, tzinfo=datetime.timezone.utc)
        given = {"a": [1, 2.5, True, None, "x"], "b": b"\0\xff", "c": moment, "d": uuid.uuid4(), "e": {1, 2},
                 "f": {"$date": 1, 2: 3}, "g": continuo.URL("https://example.org")}
        found = userinfo.decoded(userinfo.encoded(given))
        self.assertEqual(found, given)
        self.assertIsInstance(found["g"], continuo.URL)

    def test_what_is_no_date_is_refused(self):
        for wrong in ({"$date": "x"}, {"$data": "*"}, {"$uuid": 1}, {"$date": 1e300}, {"$map": [1]}):
            with self.assertRaises(continuo.ProtocolError):
                userinfo.decoded(wrong)
        with self.assertRaises(continuo.ProtocolError):
            userinfo.encoded(object())

    def test_a_text_that_is_no_unicode_travels_with_question_marks(self):
        self.assertIn(b'"a?"', framing.framed({"x": "a\udcff"}))


class SettingsTests(unittest.TestCase):
    def settings(self, text):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.write(text)
            file.flush()
            return load(file.name, Settings("org.example.ed"))

    def test_they_are_read(self):
        found, wrong = self.settings('{"command": "/opt/continuo", "autosave": false, "prompt": false, "app": "a.b"}')
        self.assertEqual(found, Settings("a.b", ("/opt/continuo", "serve", "--stdio"), False, False))
        self.assertIsNone(wrong)
        self.assertEqual(load("/no/such", Settings("a.b")), (Settings("a.b"), None))

    def test_wrong_ones_are_told_and_count_as_absent(self):
        for text, words in (("{", "cannot be read"), ("[]", "holds no object"), ('{"autosave": 1}', "true or false"),
                            ('{"command": [1]}', "an array of texts"), ('{"colour": 1}', "is no setting")):
            found, wrong = self.settings(text)
            self.assertEqual(found, Settings("org.example.ed"))
            self.assertIn(words, wrong)

    def test_boxes_have_a_sentence(self):
        sentence = boxed_sentence("Flatpak", "org.gnome.gedit", "~/x.json")
        self.assertIn("--talk-name=org.freedesktop.Flatpak org.gnome.gedit", sentence)
        self.assertIn('"flatpak-spawn", "--host", "continuo", "serve", "--stdio"', sentence)
        self.assertIn("Snap", boxed_sentence("Snap", "gedit", "~/x.json"))


if __name__ == "__main__":
    unittest.main()
