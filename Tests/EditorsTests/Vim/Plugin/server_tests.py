# SPDX-License-Identifier: MIT
"""The server and its life, what is shown of others, and what a Vim without something says."""

import os
import subprocess
import time

from harness import PLUGIN, VIM, VimTest, offer


class Life(VimTest):
    def test_a_server_that_dies_is_started_again_and_hears_everything_until_it_dies_too_often(self):
        self.write("plan.md", "one\n")
        self.edit("plan.md")
        for count in range(2, 6):
            self.forget()
            self.server.kill()
            self.eventually("another server", lambda: self.server.starts == count)
            self.eventually("the file to be told", lambda: self.heard("document/becomeCurrent"))
            self.assertEqual(len(self.heard("document/open")), 1)
        self.server.kill()
        self.eventually("a message", lambda: "ended 5 times in a minute" in "".join(self.messages()))
        self.command("ContinuoStart")
        self.eventually("another server", lambda: self.server.starts == 6)

    def test_the_agents_absence_is_told_once(self):
        self.write("plan.md", "one\n")
        self.edit("plan.md")
        for _ in range(2):
            self.say("connection/didChange", connected=False, message="the agent is gone")
        self.assertEqual(self.messages(), ["the agent is gone"])
        self.assertIn("the agent cannot be reached", self.value("continuo#Report()[0]"))
        self.say("connection/didChange", connected=True)
        self.say("connection/didChange", connected=False, message="the agent is gone")
        self.assertEqual(len(self.messages()), 2)

    def test_nonsense_from_the_server_does_no_harm(self):
        self.write("plan.md", "one\n")
        self.edit("plan.md")
        for message in [{"id": 7}, {"id": 8, "result": None}, {"method": 3}, {"method": "offers/didChange", "params": []},
                        {"method": "offers/didChange", "params": {"offers": None}}, {"method": "document/changedOnDisk"},
                        {"method": "continuation/progress", "params": {}}, {"id": "x", "method": "no/such", "params": {}}]:
            self.server.send(message)
        self.settle()
        self.say("offers/didChange", offers=[offer("far.md", at=1.0, remark=None)])
        self.assertIn("far.md", self.prompt())
        self.press("ix<Esc>")
        self.assertEqual(self.round("plan.md")["edited"], False)

    def test_files_in_no_synced_folder_are_left_in_silence(self):
        self.server.results["document/open"] = {"synced": False, "reason": "it lies in no synced folder"}
        self.write("plan.md", "one\n")
        self.edit("plan.md")
        self.command("edit new.md")
        self.command("edit plan.md")
        self.assertEqual([self.prompt(), self.messages(), self.value("popup_list()")], ["", [], []])
        self.eventually(
            "the reason", lambda: "it lies in no synced folder" in "".join(self.value("continuo#Report()")))

    def test_a_new_file_in_a_synced_folder_is_told_once_and_offered_when_it_was_written(self):
        os.mkdir(self.path(".continuo"))
        self.command("edit new.md")
        self.eventually("a message", lambda: "offered after the first :write" in "".join(self.messages()))
        self.eventually("the question to end", lambda: len(self.heard("document/close")) == 1)
        self.press("ihello<Esc>:write<CR>")
        self.eventually("the file", lambda: len(self.heard("document/open")) == 2)
        self.eventually("its turn", lambda: self.heard("document/becomeCurrent"))

    def test_who_goes_on_with_a_document_is_said_until_the_person_does_something_in_it(self):
        self.write("plan.md", "one\n")
        self.edit("plan.md")
        self.server.results["document/otherEditors"] = {"editors": [
            {"device": "phone", "since": 1700000000000, "unsavedChanges": True, "leftOpen": False}]}
        self.say("offers/didChange", offers=[])
        editing = "phone is editing this since " + time.strftime("%F %H:%M", time.localtime(1700000000)) \
            + ", with unsaved changes"
        self.eventually("the other editor", lambda: self.value("continuo#Statusline()") == editing)
        now = int(time.time())
        told = "continued on laptop 100% at " + time.strftime("%H:%M", time.localtime(now))
        self.say("activity/wasContinued", uri=self.uri("plan.md"), device="laptop 100%", at=now * 1000, givenUp=True)
        self.assertEqual(self.value("continuo#Statusline()"), told.replace("%", "%%"))
        self.command("set laststatus=2 statusline=%{%continuo#Statusline()%}")
        self.assertTrue(any(told in row for row in self.screen()))
        self.assertEqual(self.messages()[-1], "plan.md was " + told)
        self.forget()
        self.write("plan.md", "one\ntwo\n")
        self.say("document/changedOnDisk", uri=self.uri("plan.md"), change="changed")
        self.eventually("the other device's text", lambda: self.lines() == ["one", "two"])
        self.command("doautocmd CursorMoved")
        self.command("sleep 400m")
        self.assertFalse(any(change["byPerson"] for change in self.heard("document/didChange")))
        self.assertEqual(self.value("continuo#Statusline()"), told.replace("%", "%%"))
        self.press("ix<Esc>")
        self.eventually("the change", lambda: any(change["byPerson"] for change in self.heard("document/didChange")))
        self.assertEqual(self.value("continuo#Statusline()"), editing)

    def test_health_and_status_tell_how_all_stands(self):
        self.write("plan.md", "one\n")
        self.edit("plan.md")
        self.command("silent ContinuoHealth")
        lines = self.lines()
        self.assertIn("OK the server runs and is connected to the agent", lines)
        self.assertIn("OK %s/plan.md is in Notes" % self.folder, lines)
        self.command("close")
        self.assertIn("plan.md: in Notes", self.call("execute", "ContinuoStatus"))


class Empty(VimTest):
    def test_who_begins_without_a_file_is_told_of_offers(self):
        self.say("offers/didChange", offers=[offer("far.md")])
        self.assertIn("far.md", self.prompt())


class Missing(VimTest):
    options = {"cmd": "no-such-program"}

    def test_a_program_that_is_not_there_is_told_once(self):
        for name in ["plan.md", "other.md"]:
            self.write(name, "one\n")
            self.command("edit " + name)
        self.eventually("a message", lambda: len(self.messages()) == 1)
        self.assertIn("not installed, or not on PATH", self.messages()[0])
        self.assertEqual(self.server.starts, 0)
        self.command("ContinuoHealth")
        self.assertIn("ERROR no-such-program is not on PATH", "\n".join(self.lines()))


class Refusing(VimTest):
    def test_a_server_that_refuses_is_told_and_not_asked_again(self):
        self.server.results["initialize"] = Exception("too old")
        self.write("plan.md", "one\n")
        self.command("edit plan.md")
        self.eventually("a message", lambda: "refuses this editor: too old" in "".join(self.messages()))
        self.assertEqual(self.server.starts, 1)


class Late(VimTest):
    more = "let g:loaded_continuo = 1"

    def test_files_that_were_open_before_the_plugin_are_saved_only_if_they_are_as_they_were_read(self):
        for name, text in [("plan.md", "one\n"), ("other.md", "two\n")]:
            self.write(name, text)
        self.command("set hidden | edit other.md | edit plan.md")
        self.write("other.md", "changed\n")
        self.command("unlet g:loaded_continuo | runtime plugin/continuo.vim")
        self.eventually("the files", lambda: len(self.heard("document/open")) == 2)
        self.press("ix<Esc>")
        self.assertEqual(self.round("plan.md")["edited"], False)
        self.command("call setbufline('other.md', 1, 'x')")
        self.assertEqual([self.round("other.md")["edited"], self.read("other.md")], [True, b"changed\n"])


class Old(VimTest):
    begins = False

    def test_a_vim_that_lacks_something_says_so_in_a_sentence(self):
        with open(PLUGIN + "/plugin/continuo.vim") as file:
            text = file.read()
        for old, new, expected in [("v:version < 900", "v:version < 9000", "Vim 9.0 or newer is needed"),
                                   ("!has(l:feature)", "1", "this Vim lacks +job")]:
            os.makedirs(self.root + "/plugin", exist_ok=True)
            with open(self.root + "/plugin/continuo.vim", "w") as file:
                file.write(text.replace(old, new))
            out = subprocess.run(
                [VIM, "-N", "-u", "NONE", "-i", "NONE", "-es", "--cmd", "set rtp^=" + self.root, "-S",
                 self.root + "/plugin/continuo.vim", "-c", "edit plan.md | redir! > %s/said" % self.root, "-c",
                 "ContinuoResume plan", "-c", "silent ContinuoStatus", "-c", "redir END | qall!"],
                cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=30)
            with open(self.root + "/said") as file:
                said = file.read()
            self.assertEqual(said.count("continuo: nothing is handed over: " + expected), 2, said)
            self.assertNotIn("Error", said + out.stderr.decode() + out.stdout.decode())
