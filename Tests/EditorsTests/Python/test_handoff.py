# SPDX-License-Identifier: MIT
"""The session against the real server: two devices with agents of their own."""

import asyncio
import os
import signal
import unittest

import continuo
from continuo import Place, Position, Round

from devices import CircleTests

APP = continuo.App("org.example.ed", "Ed")
PATIENCE = 60


def within(awaitable):
    return asyncio.wait_for(awaitable, PATIENCE)


async def next_event(told, kind):
    async for event in told:
        if isinstance(event, kind):
            return event
    raise AssertionError(f"the session ended without {kind}")


class LinkedHandoffTests(CircleTests):
    """What is typed on the desktop and not saved, over a link (semantics 36c)."""

    is_linked = True

    def test_what_was_typed_is_saved_there_before_it_is_continued_here(self):
        asyncio.run(within(self.continue_unsaved("typed.md", None)))

    def test_why_it_is_not_saved_is_told_here(self):
        asyncio.run(within(self.continue_unsaved("held.md", "held.md is being printed")))

    def test_a_text_that_no_file_has_is_handed_over_whoever_is_killed(self):
        self.circle.desktop.write("plan.md", "one\n")
        for victim in (None, "desktop", "laptop", "server"):
            for is_after in (False, True):
                with self.subTest(victim, is_after=is_after):
                    asyncio.run(within(self.hand_over_a_draft(victim, is_after)))
        self.circle.link()

    async def hand_over_a_draft(self, victim, is_after):
        """`victim` is killed when the text is asked for, or once it was handed over. Another try brings it."""
        desktop, laptop = self.circle.desktop, self.circle.laptop
        self.circle.link()
        text, name = "never saved \u2713\n" * 1000, f"Untitled {victim} {is_after}"
        answers, has_killed, answer = asyncio.Queue(), asyncio.Event(), None

        def kill():
            if victim is None or has_killed.is_set():
                return
            has_killed.set()
            if victim == "server":
                os.kill(left.server_process, signal.SIGKILL)
            else:
                getattr(self.circle, victim).kill_agent()

        def round_of(update):
            if update.requested_by is None:
                return Round(edited=True, title=name)
            if is_after:
                asyncio.get_running_loop().call_soon(kill)
            else:
                kill()
            return Round(edited=True, title=name, draft=text, place=Place(Position(3, 4)))

        def heard(event):
            if isinstance(event, continuo.Failed):
                answers.put_nowait(event)

        app = continuo.App(APP.id, APP.name, activity_types=("public.text-editing",))
        left = continuo.connect(app, environment=desktop.environment, on_update=round_of)
        async with left:
            draft = await left.create_activity("public.text-editing", title=name, draft=True)
            await draft.become_current()
            async with continuo.connect(
                    app, environment=laptop.environment, takes_drafts=True, on_restore=answers.put_nowait,
                    on_event=heard) as taken:
                for _ in range(8):
                    async for offer in taken.offers():
                        if offer.title == name and not offer.left_open:
                            break
                    try:
                        await taken.accept(offer)
                    except continuo.RequestFailed:
                        # It ended with its server; another one offers it again.
                        continue
                    answer = await answers.get()
                    if isinstance(answer, continuo.Restore):
                        break
                    self.assertIn(answer.name, ("handoffFailed", "documentMissing"), answer)
                    if victim is not None:
                        self.circle.link()
                self.assertIsInstance(answer, continuo.Restore)
                self.assertEqual((answer.draft, answer.uri, answer.place.position), (text, None, Position(3, 4)))
                self.assertTrue(answers.empty(), "one answer")
                self.assertEqual(has_killed.is_set(), victim is not None)
        self.assertEqual(desktop.read("plan.md").decode(), "one\n")
        for device in (desktop, laptop):
            self.assertFalse([each for each in os.listdir(device.notes) if "Untitled" in each], "it is in no file")

    def test_what_cannot_be_saved_is_handed_over_beside_its_file(self):
        path = self.circle.desktop.write("held.txt", "one\n")
        answer = asyncio.run(within(self.take_draft(path, "held.txt", "two\n", takes_drafts=True)))
        self.assertEqual((answer.draft, answer.uri, answer.read_only), ("two\n", None, False))
        self.assertEqual(self.circle.desktop.read("held.txt").decode(), "one\n")

    def test_an_editor_that_takes_no_drafts_says_so(self):
        answer = asyncio.run(within(self.take_draft(None, "no drafts", "two\n", takes_drafts=False)))
        self.assertIn("opens no text without a file", answer.sentence)

    def test_a_draft_that_is_too_large_for_a_message_is_refused(self):
        answer = asyncio.run(within(self.take_draft(None, "large", "x" * (5 << 20), takes_drafts=True)))
        self.assertIn("5242880 bytes is more than this editor takes", answer.sentence)

    async def take_draft(self, path, name, text, takes_drafts):
        """What the laptop's editor is told, where the desktop's hands `text` over."""
        desktop, laptop = self.circle.desktop, self.circle.laptop
        self.circle.link()
        answers = asyncio.Queue()

        def round_of(update):
            return Round(edited=True, draft=None if update.requested_by is None else text)

        def heard(event):
            if isinstance(event, continuo.Failed):
                answers.put_nowait(event)

        every = continuo.DocumentType(extensions=("*",), activity_type="public.text-editing")
        app = continuo.App(APP.id, APP.name, document_types=(every,), activity_types=("public.text-editing",))
        left = continuo.connect(app, environment=desktop.environment, on_update=round_of)
        async with left:
            if path is None:
                activity = await left.create_activity("public.text-editing", title=name, draft=True)
                await activity.become_current()
            else:
                await left.open(path, edited=True)
                left.become_current(path)
                left.did_change(path, edited=True)
            async with continuo.connect(
                    app, environment=laptop.environment, takes_drafts=takes_drafts, on_restore=answers.put_nowait,
                    on_event=heard) as taken:
                async for offer in taken.offers():
                    if offer.title == name and offer.unsaved_changes:
                        break
                await taken.accept(offer)
                return await answers.get()

    def test_whoever_is_killed_while_it_is_saved_one_answer_comes_and_no_text_is_lost(self):
        for victim in ("desktop", "laptop", "server"):
            for is_saved in (False, True):
                with self.subTest(victim, is_saved=is_saved):
                    asyncio.run(within(self.kill_while_saving(victim, is_saved)))
        self.circle.link()

    def test_where_the_person_is_is_shown_on_the_other_device_until_they_leave(self):
        for device in (self.circle.desktop, self.circle.laptop):
            device.run("folder", "set", "notes", "--presence", "on")
        asyncio.run(within(self.show_presence()))

    async def show_presence(self):
        desktop, laptop = self.circle.desktop, self.circle.laptop
        path = desktop.write("seen.md", "one\ntwo\n")

        def round_of(_):
            return Round(edited=False)

        async with continuo.connect(APP, environment=laptop.environment, on_update=round_of) as there:
            told = there.events()
            async with continuo.connect(APP, environment=desktop.environment, on_update=round_of) as here:
                await here.open(path)
                here.become_current(path)
                here.cursor_moved(path, 39)
                here.did_change(path, edited=False)
                offer = await self.offer_here(there, "seen.md")
                await there.open(offer.local_path)
                there.become_current(offer.local_path)
                there.did_change(offer.local_path, edited=False)
                self.assertEqual(await self.line_seen(told, offer), [39])
                here.cursor_moved(path, 7)
                self.assertEqual(await self.line_seen(told, offer), [7])
                # The next server hears where the cursor is.
                os.kill(here.server_process, signal.SIGKILL)
                self.assertEqual(await self.line_seen(told, offer), [])
                found = await self.line_seen(told, offer)
                while found != [7]:
                    found = await self.line_seen(told, offer)
            self.assertEqual(await self.line_seen(told, offer), [])
            await told.aclose()

    async def offer_here(self, session, name, unsaved=False):
        """The offer, once its document is here: `offers()` tells of it before, and not again for that."""
        news = session.events()
        while True:
            for offer in await session.list_offers():
                if offer.title == name and offer.status.arrival == "current" and offer.unsaved_changes >= unsaved:
                    await news.aclose()
                    return offer
            await next_event(news, continuo.OffersChanged)

    async def line_seen(self, told, offer):
        event = await next_event(told, continuo.PresenceChanged)
        self.assertEqual(event.uri, offer.uri)
        self.assertLessEqual({each.device for each in event.devices}, {"desktop"})
        return [each.line for each in event.devices]

    async def kill_while_saving(self, victim, is_saved):
        desktop, laptop = self.circle.desktop, self.circle.laptop
        self.circle.link()
        name = f"{victim}-{is_saved}.md"
        path = desktop.write(name, "one\n")
        answers, state = asyncio.Queue(), {"text": "one\n", "has_killed": False}

        def save():
            state["text"] = "one\ntwo\n"
            desktop.write(name, state["text"])
            left.did_save(path)

        def round_of(update):
            if update.requested_by is not None and not state["has_killed"]:
                state["has_killed"] = True
                if is_saved:
                    save()
                if victim == "server":
                    os.kill(left.server_process, signal.SIGKILL)
                else:
                    getattr(self.circle, victim).kill_agent()
            return Round(edited=state["text"] == "one\n")

        def heard(event):
            if isinstance(event, continuo.Failed):
                answers.put_nowait(event)

        left = continuo.connect(APP, environment=desktop.environment, on_update=round_of)
        async with left:
            await left.open(path, edited=True)
            left.become_current(path)
            left.did_change(path, edited=True)
            async with continuo.connect(
                    APP, environment=laptop.environment, on_restore=answers.put_nowait, on_event=heard) as taken:
                offer = await self.offer_here(taken, name, unsaved=True)
                told = taken.events()
                await taken.accept(offer)
                answer = await answers.get()
                if isinstance(answer, continuo.Failed):
                    # An agent that was just started may not have the newest record, for no link leads to it yet.
                    # And the folder may bring the next version just then.
                    self.assertIn(answer.name, ("handoffFailed", "changedWhileOpening"), answer)
                else:
                    with open(continuo.path_of(answer.uri), encoding="utf-8") as file:
                        self.assertIn(file.read(), ("one\n", state["text"]))
                self.assertEqual(desktop.read(name).decode(), state["text"], "what was saved there stays")
                while not taken.connected:
                    await next_event(told, continuo.ConnectionChanged)
                await taken.list_offers()
                self.assertTrue(state["has_killed"])
                if not isinstance(answer, continuo.Failed) and not answers.empty():
                    # The folder brought the next version while this one was opened: nothing counts as shown.
                    self.assertEqual(answers.get_nowait().name, "changedWhileOpening")
                self.assertTrue(answers.empty())
                await told.aclose()

    async def continue_unsaved(self, name, refusal):
        desktop, laptop = self.circle.desktop, self.circle.laptop
        path = desktop.write(name, "one\n")
        asked, restored = [], asyncio.get_running_loop().create_future()

        def round_of(update):
            if update.requested_by is None:
                return Round(edited=True)
            asked.append(update.requested_by)
            if refusal is not None:
                return Round(edited=True, refusal=refusal)
            desktop.write(name, "one\ntwo\n")
            left.did_save(path)
            return Round(edited=False)

        left = continuo.connect(APP, environment=desktop.environment, on_update=round_of)
        async with left:
            await left.open(path, edited=True)
            left.become_current(path)
            left.did_change(path, edited=True)
            async with continuo.connect(APP, environment=laptop.environment, on_restore=restored.set_result) as taken:
                await taken.accept(await self.offer_here(taken, name, unsaved=True))
                restore = await restored
                with open(continuo.path_of(restore.uri), encoding="utf-8") as file:
                    self.assertEqual(file.read(), "one\n" if refusal else "one\ntwo\n")
                self.assertEqual(asked, ["laptop"])
                if refusal is not None:
                    self.assertIn(refusal, restore.status.reason)


class HandoffTests(CircleTests):
    def session(self, device, **how):
        return continuo.connect(APP, environment=device.environment, **how)

    def test_a_document_is_left_and_continued_at_its_character(self):
        asyncio.run(within(self.leave_and_continue()))

    async def leave_and_continue(self):
        desktop, laptop = self.circle.desktop, self.circle.laptop
        place = Place(Position(1, 3), Position(1, 1), 0)
        restored = asyncio.get_running_loop().create_future()
        there = Round(place, False, user_info={"org.x": {1, 2}})
        async with self.session(desktop, on_update=lambda update: there) as left:
            standing = await left.open(desktop.path("plan.md"))
            self.assertTrue(standing.synced)
            self.assertEqual(standing.folder, "notes")
            left.become_current(desktop.path("plan.md"))
            left.did_change(desktop.path("plan.md"), edited=False)
            async with self.session(laptop, on_restore=restored.set_result) as taken:
                async for offer in taken.offers():
                    if offer.title == "plan.md" and offer.local_path == laptop.path("plan.md"):
                        break
                self.assertEqual(offer.device, "desktop")
                request = await taken.accept(offer)
                found = await restored
        self.assertEqual(found.request, request)
        self.assertEqual(found.path, laptop.path("plan.md"))
        self.assertEqual(found.place, place)
        self.assertEqual(found.activity.user_info["org.x"], {1, 2})

    def test_a_killed_server_is_started_again_and_told_everything(self):
        asyncio.run(within(self.kill_the_server()))

    async def kill_the_server(self):
        desktop = self.circle.desktop
        rounds = asyncio.Queue()

        def update(told):
            rounds.put_nowait(told.uri)
            return Round(Place(Position(0, 1)), False)

        async with self.session(desktop, on_update=update) as session:
            path = desktop.path("plan.md")
            await session.open(path)
            session.become_current(path)
            told = session.events()
            os.kill(session.server_process, signal.SIGKILL)
            self.assertTrue((await next_event(told, continuo.StandingChanged)).standing.synced)
            while not rounds.empty():
                rounds.get_nowait()
            session.did_change(path, edited=False)
            self.assertEqual(await rounds.get(), continuo.uri_of(path))
            # What is asked while there is no server is asked when there is one.
            os.kill(session.server_process, signal.SIGKILL)
            await next_event(told, continuo.ServerStopped)
            self.assertEqual(await session.other_editors(path), [])
            await told.aclose()

    def test_what_describes_a_document_outlives_its_server(self):
        asyncio.run(within(self.describe_and_kill()))

    async def describe_and_kill(self):
        desktop, laptop = self.circle.desktop, self.circle.laptop
        title, restored = "before", asyncio.get_running_loop().create_future()
        path = desktop.path("plan.md")

        def update(_):
            return Round(Place(Position(0, 0)), False, title)

        async with self.session(desktop, on_update=update) as left:
            await left.open(path)
            left.become_current(path)
            await left.set_document(path, user_info={"org.x.page": 7})
            told = left.events()
            os.kill(left.server_process, signal.SIGKILL)
            await next_event(told, continuo.StandingChanged)
            title = "after"
            left.did_change(path, edited=False)
            async with self.session(laptop, on_restore=restored.set_result) as taken:
                async for offer in taken.offers():
                    if offer.title == "after":
                        break
                await taken.accept(offer)
                self.assertEqual((await restored).activity.user_info.get("org.x.page"), 7)

    def test_conflict_copies_are_listed_and_one_is_kept(self):
        asyncio.run(within(self.resolve()))

    async def resolve(self):
        desktop = self.circle.desktop
        path = desktop.write("list.md", "mine\n")
        async with self.session(desktop) as session:
            await session.open(path)
            told = session.events()
            desktop.write("list.sync-conflict-20260102-030405-ABCDEFG.md", "theirs\n")
            event = await next_event(told, continuo.ChangedOnDisk)
            self.assertEqual((event.change, len(event.copies)), ("conflict", 1))
            versions = await session.versions(path)
            self.assertEqual([each.is_document for each in versions], [True, False])
            asides = await session.resolve(path, versions[1])
            self.assertEqual(len(asides), 1)
            self.assertIsNone(asides[0].reason)
            await told.aclose()
        self.assertEqual(desktop.read("list.md"), b"theirs\n")
        with open(continuo.path_of(asides[0].uri), "rb") as file:
            self.assertEqual(file.read(), b"mine\n")

    def test_an_activity_without_a_document(self):
        asyncio.run(within(self.activity()))

    async def activity(self):
        app = continuo.App("org.example.calls", "Calls", activity_types=("org.example.call",))
        done = asyncio.get_running_loop().create_future()

        async def take(restore):
            done.set_result(restore)
            return True

        desktop, laptop = self.circle.desktop, self.circle.laptop
        async with continuo.connect(app, environment=desktop.environment) as left:
            activity = await left.create_activity("org.example.call", title="Ann", user_info={"bytes": b"\0\xff"})
            await activity.become_current()
            async with continuo.connect(app, environment=laptop.environment, on_continue=take) as taken:
                async for offer in taken.offers():
                    if offer.title == "Ann":
                        break
                await taken.accept(offer)
                self.assertEqual((await done).activity.user_info, {"bytes": b"\0\xff"})
            with self.assertRaises(continuo.RequestFailed) as failure:
                await left.create_activity("org.example.unknown")
            self.assertEqual((failure.exception.code, failure.exception.name), (-32803, "invalidRequest"))

    def test_the_last_state_is_told_to_an_agent_that_only_starts(self):
        asyncio.run(within(self.quit_at_once()))

    async def quit_at_once(self):
        app = continuo.App("org.example.calls", "Calls", activity_types=("org.example.call",))
        desktop, laptop = self.circle.desktop, self.circle.laptop
        desktop.run("agent", "stop")
        patience = continuo.Patience(end=PATIENCE)
        async with continuo.connect(app, environment=desktop.environment, patience=patience) as left:
            activity = await left.create_activity("org.example.call", title="Ben")
            await activity.become_current()
        async with continuo.connect(app, environment=laptop.environment) as taken:
            async for offer in taken.offers():
                if offer.title == "Ben":
                    break


if __name__ == "__main__":
    unittest.main()
