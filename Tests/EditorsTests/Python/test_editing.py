# SPDX-License-Identifier: MIT
"""The rules of an editor, with a server that is only heard: what it says is said by the test."""

import os
import shutil
import tempfile
import time
import unittest
from unittest import mock

from continuo import ChangedOnDisk, ConnectionChanged, Offer, OffersChanged, Place, Position, Progress, Standing, Status
from continuo import Presence, Version, WasContinued, WillContinue, events, uri_of
from continuo.editing import Continuity, SaveObstacle, Settings, continuity, documents, health
from continuo.errors import RequestFailed
from continuo.model import App, Aside, Delivered, Restore
from continuo.session import Update

from paper import Paper


class HeardSession:
    """Stands in for HostedSession: keeps what is said, and answers as the test wants."""

    def __init__(self, app, post, *, on_update, on_restore, on_event, **_):
        self.said, self.answers, self.post = [], {}, post
        self.is_running, self.connected, self.obstacle = False, True, None

    def start(self):
        self.is_running = True

    restart = start

    def stop(self):
        self.is_running = False

    def tell(self, act):
        act(self)

    def ask(self, act, answer=None):
        found = act(self)
        failure = found if isinstance(found, Exception) else None
        if answer:
            self.post(lambda: answer(failure, None if failure else found))
        return True

    def __getattr__(self, method):
        def call(*given):
            self.said.append((method, *given))
            return self.answers.get(method)

        return call

    def all(self, method):
        return [each[1:] for each in self.said if each[0] == method]


def offer(name="plan.md", moment=1, **how):
    given = dict(id="o1", device="laptop", type="public.text-editing", app="Ed", title=name, changed_at=moment,
                 unsaved_changes=False, left_open=False, status=Status("current"))
    return Offer(**{**given, **how})


class EditingTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.begin()

    def begin(self, **settings):
        self.editor = Paper()
        with mock.patch("continuo.editing.continuity.HostedSession", HeardSession):
            self.core = Continuity(self.editor, App("org.example.ed", "Ed"), Settings("org.example.ed", **settings))
        self.editor.continuity = self.core
        self.server = self.core.session
        self.server.answers["open"] = Standing("", True, "notes")
        self.core.start()

    def file(self, name="plan.md", text="first\nsecond\n"):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        return path

    def newer(self, **how):
        """Another program's version, of another moment whatever the clock's grain."""
        path = self.file(**how)
        os.utime(path, (time.time() + 2,) * 2)

    def content(self, path):
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()

    def read(self, *how):
        view = self.editor.read(self.file(*how))
        self.editor.loop.step(0.01)
        return view

    def round(self, view, requested_by=None):
        found = []
        self.core._round(Update(uri_of(view.path()), None, requested_by), found.append)
        self.editor.loop.until(lambda: found, "an answer")
        return found[0]

    def restore(self, path, line=1, request="r1", moment=None, **how):
        found = []
        given = dict(certainty="sure", read_only=False, place=Place(Position(line, 2)))
        restore = Restore(request=request, offer=offer(), activity=Delivered("public.text-editing", "plan.md", {}),
                          status=Status("current"), uri=uri_of(path), **{**given, **how})
        self.core._restore(restore, found.append)
        self.editor.loop.until(lambda: found, "an answer")
        return found[0]

    def pause(self):
        for document in self.core.documents.all():
            document.typed_at -= 10

    # Saving

    def test_a_round_saves_what_was_read_and_tells_the_place(self):
        view = self.read()
        view.type("third")
        answer = self.round(view)
        self.assertEqual((view.saves, answer.edited, answer.place), (1, False, view.at))
        self.assertEqual(self.content(view.path()), "first\nsecond\nthird")
        self.assertEqual(self.server.all("did_save"), [(uri_of(view.path()),)])
        self.round(view)
        self.assertEqual(view.saves, 1)

    def test_a_file_that_another_program_wrote_is_never_written_over(self):
        view = self.read()
        view.type("mine")
        self.newer(text="theirs\n")
        for _ in range(2):
            self.assertTrue(self.round(view).edited)
        self.assertEqual(self.content(view.path()), "theirs\n")
        self.assertEqual(self.editor.told, [
            "plan.md is handed over without your last changes: it was changed on disk"])
        os.remove(view.path())
        self.assertTrue(self.round(view).edited)
        self.assertFalse(os.path.exists(view.path()))
        self.assertIn("was deleted on disk", self.editor.told[-1])

    def test_what_cannot_be_saved_without_a_question_travels_as_unsaved(self):
        view = self.read()
        view.obstacle = SaveObstacle("has characters that ISO-8859-15 has not")
        view.type("mine")
        self.assertTrue(self.round(view).edited)
        self.assertIn("ISO-8859-15", self.editor.told[0])

    def test_a_round_waits_for_a_pause_but_not_for_ever(self):
        view = self.read()
        view.obstacle = SaveObstacle("is being typed in", is_passing=True)
        view.type("mine")
        began = time.monotonic()
        self.assertFalse(self.round(view).edited)
        self.assertGreater(time.monotonic() - began, 1)
        busy = mock.patch.object(documents.Document, "is_pause", lambda _: False)
        with mock.patch.object(documents, "PAUSE", 0.05), busy:
            view.type("more")
            self.editor.loop.step(0.3)
            before = len(self.server.all("did_change"))
            self.assertTrue(self.round(view).edited)
            self.editor.loop.until(lambda: len(self.server.all("did_change")) > before, "another round")
        self.assertEqual((self.editor.told, view.saves), ([], 1))

    def test_a_round_for_another_device_waits_for_no_pause_and_says_why_nothing_is_saved(self):
        """Semantics 25g: nobody is in the middle of a word here."""
        view = self.read()
        view.type("mine")
        with mock.patch.object(documents.Document, "is_pause", lambda _: False):
            view.obstacle = SaveObstacle("is being typed in", is_passing=True)
            found = self.round(view, "laptop")
        self.assertEqual((found.edited, found.refusal, view.saves), (False, None, 1))
        view.type("more")
        self.newer(text="theirs\n")
        found = self.round(view, "laptop")
        self.assertEqual((found.edited, found.refusal), (True, "plan.md was changed on disk"))
        self.assertEqual(found.written()["refusal"], "plan.md was changed on disk")
        self.assertIsNone(self.round(view).refusal)

    def test_without_autosave_nothing_is_saved(self):
        self.begin(autosave=False)
        view = self.read()
        view.type("mine")
        self.assertTrue(self.round(view).edited)
        self.assertEqual((view.saves, self.editor.told), (0, []))

    def test_a_view_that_was_read_before_is_saved_only_if_it_holds_its_file(self):
        same, other = self.file("same.md"), self.file("other.md")
        views = []
        for path in (same, other):
            with mock.patch.object(self.core, "opened"), mock.patch.object(self.core, "entered"):
                views.append(self.editor.read(path))
        views[1].content = "what was there before\n"
        self.core.start()
        for view in views:
            view.type("x")
        self.assertEqual([self.round(view).edited for view in views], [False, True])
        self.assertEqual(self.content(other), "first\nsecond\n")

    def test_a_read_only_file_stays(self):
        view = self.read()
        view.type("mine")
        with mock.patch("os.access", return_value=False):
            self.assertTrue(self.round(view).edited)
        self.assertIn("it is read-only", self.editor.told[0])

    # Telling

    def test_what_the_person_does_is_told_at_a_pace(self):
        view = self.read()
        for _ in range(20):
            view.type("x")
        self.editor.loop.until(lambda: self.server.all("did_change"), "a change")
        self.assertEqual(self.server.all("did_change"), [(uri_of(view.path()), True, True)])
        self.editor.close(view)
        self.assertEqual(self.server.all("close_document"), [(uri_of(view.path()),)])

    def test_scrolling_is_told_but_uses_no_cursor(self):
        view = self.read()
        began = time.monotonic()
        view.go(Place(Position(0, 0), None, 1))
        self.core.touched(view)
        self.editor.loop.until(lambda: self.server.all("did_change"), "a change")
        self.assertFalse(self.server.all("did_change")[0][2])
        self.assertFalse(self.core.documents.is_used(self.core.documents.of(view), began))

    def test_a_hundred_documents_are_told_once_each(self):
        for number in range(100):
            self.read(f"{number}.md")
        self.assertEqual(len(self.server.all("open")), 100)
        self.core.stop()
        self.assertEqual(self.server.all("close_document"), [])

    def test_of_a_hundred_documents_only_the_one_that_is_used_is_looked_at(self):
        views = [self.read(f"{number}.md") for number in range(100)]
        self.editor.loop.step(documents.PACE + 0.1)
        seen = []
        for view in views:
            view.spot = lambda view=view: seen.append(view) or view.at
        views[40].move(1, 1)
        self.editor.loop.until(lambda: self.server.all("did_change"), "a change")
        self.assertEqual([each[0] for each in self.server.all("did_change")], [uri_of(views[40].path())])
        self.assertEqual(set(seen), {views[40]})

    def test_a_file_that_is_not_there_yet_is_offered_once_it_is_saved(self):
        os.mkdir(self.folder + "/.continuo")
        path = os.path.join(self.folder, "new.md")
        view = self.editor.read(path)
        self.editor.loop.until(lambda: self.editor.told, "a sentence")
        self.assertEqual(self.editor.told, ["new in notes: offered once it is saved – new.md"])
        view.type("text")
        view.save(lambda _: None)
        self.editor.loop.until(lambda: self.core.documents.of(view), "a document")

    def test_a_text_without_a_name_is_spoken_of_when_asked(self):
        view = self.editor.read("")
        self.assertEqual(self.core.fresh.lines(), [])
        view.type("text")
        self.assertEqual(self.server.all("open"), [])
        found = [sentence for _, sentence in health.findings(self.core, "settings.json", "org.example.ed")]
        for lines in (found, self.core.report()):
            self.assertTrue(any("has no name: it is neither saved nor offered" in line for line in lines), lines)
        self.assertNotIn("no file is open", found)

    # Restoring

    def test_a_document_is_opened_at_the_place(self):
        path = self.file()
        self.assertTrue(self.restore(path).opened)
        self.assertEqual(self.editor.front.at.position, Position(1, 2))
        self.assertEqual(len(self.server.all("open")), 1)

    def test_an_older_text_is_read_again_first(self):
        view = self.read()
        self.newer(text="newer\ntext\n")
        self.assertTrue(self.restore(view.path()).opened)
        self.assertEqual((view.content, view.reads, view.at.position), ("newer\ntext\n", 2, Position(1, 2)))

    def test_unsaved_text_on_both_sides_is_kept(self):
        view = self.read()
        view.type("mine")
        self.newer(text="newer\n")
        answer = self.restore(view.path())
        self.assertFalse(answer.opened)
        self.assertIn("has unsaved changes here, and the file is newer", answer.message)
        self.assertEqual((view.content, self.content(view.path())), ("first\nsecond\nmine", "newer\n"))

    def test_a_cursor_that_was_used_since_accepting_stays(self):
        view = self.read()
        self.core._told(OffersChanged((offer(),)))
        self.core.offers.accept(self.core.offers.list[0])
        self.core._told(WillContinue("r1", offer()))
        view.move(0, 3)
        self.assertTrue(self.restore(view.path()).opened)
        self.assertEqual(view.at.position, Position(0, 3))
        self.assertIn("your cursor stays", self.editor.told[-1])
        self.core.jump()
        self.assertEqual(view.at.position, Position(1, 2))

    def test_a_version_for_reading_is_never_saved(self):
        view = self.read()
        self.restore(view.path(), read_only=True)
        self.assertTrue(view.read_only)
        view.type("mine")
        self.assertTrue(self.round(view).edited)
        view.modified = False
        self.restore(view.path())
        self.assertFalse(view.read_only)

    def test_nothing_is_put_in_front_of_a_busy_person(self):
        view = self.read()
        self.editor.busy = True
        self.restore(self.file("other.md"))
        self.assertIs(self.editor.front, view)
        self.assertIn("open in the background", self.editor.told[-1])

    # Files that others change

    def changed(self, view, **how):
        self.core._told(ChangedOnDisk(uri_of(view.path()), **how))

    def test_a_changed_file_is_read_again_when_nobody_types(self):
        view = self.read()
        self.newer(text="newer\n")
        view.busy = True
        self.changed(view, change="changed")
        self.editor.loop.step(0.4)
        self.assertEqual(view.reads, 1)
        view.busy = False
        self.editor.loop.until(lambda: view.content == "newer\n", "the newer text")
        self.editor.loop.step(0.2)
        self.assertFalse(any(each[2] for each in self.server.all("did_change")), "reading is not the person's doing")

    def test_a_changed_file_leaves_unsaved_text(self):
        view = self.read()
        view.type("mine")
        self.pause()
        self.newer(text="newer\n")
        self.changed(view, change="changed")
        self.editor.loop.step(0.05)
        self.assertEqual(view.content, "first\nsecond\nmine")
        self.assertIn("was changed on disk; your text stays", self.editor.told[0])

    def test_a_moved_file_is_followed(self):
        view = self.read()
        new = os.path.join(self.folder, "new.md")
        os.rename(view.path(), new)
        old = uri_of(view.path())
        self.changed(view, change="moved", new_uri=uri_of(new))
        self.assertEqual(view.path(), new)
        self.assertEqual(self.server.all("did_move"), [(old, uri_of(new))])
        view.type("x")
        self.assertFalse(self.round(view).edited)

    def test_a_copy_that_moved_is_not_followed(self):
        view = self.read()
        self.changed(view, change="moved", new_uri=uri_of(self.file("copy.md")))
        self.assertEqual(os.path.basename(view.path()), "plan.md")

    def test_a_deleted_file_leaves_its_text(self):
        view = self.read()
        os.remove(view.path())
        self.changed(view, change="deleted")
        self.assertTrue(view.is_deleted)
        self.assertIn("was deleted; the text stays here", self.editor.told[0])
        self.assertFalse(self.restore(view.path()).opened)
        self.assertEqual(view.content, "first\nsecond\n")

    # Offers

    def test_the_newest_offer_of_each_document_is_shown(self):
        old = offer(id="o0", path="plan.md", folder="notes", moment=1)
        new = offer(id="o1", path="plan.md", folder="notes", moment=2, unsaved_changes=True)
        self.core._told(OffersChanged((old, new)))
        self.assertEqual(self.editor.prompt.text, "plan.md from laptop, with unsaved changes there")
        self.assertEqual([each.name for each in self.editor.prompt.actions], ["continue", "dismiss"])
        self.editor.prompt.actions[0].act()
        self.assertEqual(self.server.all("accept"), [(new,)])
        self.assertIsNone(self.editor.prompt)

    def test_what_was_put_away_stays_so_for_a_while(self):
        self.core._told(OffersChanged((offer(),)))
        self.editor.prompt.actions[1].act()
        self.core._told(OffersChanged((offer(moment=600_000),)))
        self.assertIsNone(self.editor.prompt)
        self.core._told(OffersChanged((offer(moment=600_002),)))
        self.assertIsNotNone(self.editor.prompt)

    def test_an_offer_of_the_text_that_is_worked_on_brings_nothing(self):
        view = self.read()
        self.pause()
        view.move(1, 1)
        self.core._told(OffersChanged((offer(uri=uri_of(view.path())),)))
        self.assertIsNone(self.editor.prompt)
        self.core._told(OffersChanged((offer(uri=uri_of(view.path()), status=Status("behind")),)))
        self.assertIsNotNone(self.editor.prompt)

    def test_waiting_shows_progress_reason_and_choices(self):
        self.core._told(OffersChanged((offer(),)))
        self.core._told(WillContinue("r1", offer()))
        self.assertIsNone(self.editor.prompt)
        self.core._told(Progress("r1", offer(), Status("behind", "laptop is asleep", 20480, 40960)))
        prompt = self.editor.prompt
        self.assertEqual(prompt.text, "Waiting for plan.md from laptop (20 kB of 40 kB): laptop is asleep")
        self.assertEqual((prompt.fraction, prompt.is_waiting), (0.5, True))
        self.assertEqual([each.name for each in prompt.actions], ["openHere", "keepWaiting", "giveUp"])
        for action in prompt.actions:
            action.act()
        self.assertEqual(self.server.all("choose"), [("r1", each.name) for each in prompt.actions])
        self.core.cancel()
        self.assertEqual(self.server.all("cancel"), [("r1",)])
        self.core._told(events.Failed("r1", "documentDiverged", "it diverged", True))
        self.assertIn("it diverged", self.editor.told)

    def test_without_prompt_the_menu_continues(self):
        self.begin(prompt=False)
        self.core._told(OffersChanged((offer(), offer("b.md", id="o2"))))
        self.assertIsNone(self.editor.prompt)
        self.editor.choice = lambda choices: choices.index("b.md from laptop")
        self.core.resume()
        self.assertEqual(self.server.all("accept")[0][0].id, "o2")

    def test_a_refused_wish_is_told(self):
        self.server.answers["accept"] = RequestFailed(-32803, "the offer is gone", "handoffFailed")
        self.core._told(OffersChanged((offer(),)))
        self.core.resume()
        self.editor.loop.until(lambda: self.editor.told == ["the offer is gone"], "the sentence")

    def test_an_agent_that_was_just_started_is_given_a_moment_to_tell_what_is_offered(self):
        self.core._told(events.ConnectionChanged(True, None))
        self.core._told(OffersChanged(()))
        self.core.resume()
        self.assertEqual(self.editor.told, [])
        self.core._told(OffersChanged((offer(),)))
        self.assertEqual(len(self.server.all("accept")), 1)

    def test_what_is_asked_for_once_an_offer_was_told_is_not_answered_with_a_later_one(self):
        self.core._told(events.ConnectionChanged(True, None))
        self.core._told(OffersChanged((offer(),)))
        self.core._told(OffersChanged(()))
        self.core.resume()
        self.assertIn("no other device offers anything", self.editor.told[-1])
        self.core._told(OffersChanged((offer(),)))
        self.assertEqual(self.server.all("accept"), [])

    # Others

    def test_continued_elsewhere_until_the_person_changes_something(self):
        view = self.read()
        self.core._told(WasContinued("laptop", True, uri_of(view.path()), None, int(time.time() * 1000)))
        self.assertTrue(self.editor.presence[view].startswith("continued on laptop at "))
        self.pause()
        view.type("x")
        self.editor.loop.until(lambda: self.editor.presence[view] is None, "the end of it")

    def test_who_else_edits(self):
        from continuo import OtherEditor
        view = self.read()
        self.server.answers["other_editors"] = [OtherEditor("laptop", int(time.time() * 1000), True, False)]
        self.core._told(OffersChanged(()))
        self.editor.loop.until(lambda: self.editor.presence.get(view), "presence")
        self.assertRegex(self.editor.presence[view], r"^laptop is editing this since .*, with unsaved changes$")
        here = events.PresenceChanged(
            uri_of(view.path()), (Presence("laptop", "o", 39), Presence("phone", "o")))
        self.core._told(here)
        self.assertEqual(self.editor.presence[view], "laptop has this open, at line 40; phone has this open")
        self.core._told(events.PresenceChanged(here.uri))
        self.assertTrue(self.editor.presence[view].startswith("laptop is editing this since "))
        self.core._told(here)
        self.core._told(events.ServerStopped())
        self.assertIsNone(self.editor.presence[view])

    def test_the_agent_goes_and_comes_back(self):
        away = ConnectionChanged(False, "the agent is not running")
        with mock.patch.object(continuity, "ABSENCE", 0.05):
            for expected in (1, 2):
                self.core._told(away)
                self.core._told(away)
                self.editor.loop.step(0.1)
                self.assertEqual(self.editor.told, ["the agent is not running"] * expected)
                self.core._told(ConnectionChanged(True))
            # One that only starts is not worth a word.
            self.core._told(away)
            self.core._told(ConnectionChanged(True))
            self.editor.loop.step(0.1)
            self.assertEqual(len(self.editor.told), 2)

    # Versions

    def versions(self, view):
        copy = self.file("plan.conflict.md", "theirs\n")
        found = [Version(uri_of(view.path()), True, 1000, 13, True),
                 Version(uri_of(copy), False, 1000, 7, True, "laptop")]
        self.server.answers["versions"] = found
        return found

    def test_both_texts_are_shown_and_one_is_kept(self):
        view = self.read()
        versions = self.versions(view)
        self.editor.choice = lambda choices: 0
        self.core.resolve()
        self.editor.loop.until(lambda: self.editor.compared, "comparing")
        self.assertEqual(self.editor.compared[0][1], view.path().replace("plan.md", "plan.conflict.md"))
        self.server.answers["resolve"] = [Aside(versions[0].uri, versions[0].uri + ".aside")]
        self.editor.choice = lambda choices: [each.startswith("Keep plan.conflict") for each in choices].index(True)
        self.core.resolve()
        self.editor.loop.until(lambda: self.server.all("resolve"), "keeping")
        self.assertEqual(self.server.all("resolve"), [(uri_of(view.path()), versions[1])])

    def test_a_copy_that_was_opened_to_be_compared_stands_for_its_document(self):
        view = self.read()
        versions = self.versions(view)
        self.editor.choice = lambda choices: 0
        self.core.resolve()
        self.editor.loop.until(lambda: self.editor.compared, "comparing")
        copy = self.read("plan.conflict.md", "theirs\n")
        self.server.answers["resolve"] = [Aside(versions[1].uri, versions[1].uri + ".aside")]
        self.editor.choice = lambda choices: 1
        self.core.resolve(copy)
        self.editor.loop.until(lambda: self.server.all("resolve"), "keeping")
        self.assertEqual(self.server.all("resolve"), [(uri_of(view.path()), versions[0])])

    def test_nothing_is_kept_while_text_is_unsaved(self):
        view = self.read()
        self.versions(view)
        view.type("mine")
        self.editor.choice = lambda choices: len(choices) - 1
        self.core.resolve()
        self.editor.loop.until(lambda: self.editor.told, "a sentence")
        self.assertIn("has unsaved changes", self.editor.told[0])
        self.assertEqual(self.server.all("resolve"), [])


if __name__ == "__main__":
    unittest.main()
