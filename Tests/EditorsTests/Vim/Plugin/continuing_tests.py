# SPDX-License-Identifier: MIT
"""What is shown of other devices' offers, and what becomes of windows, buffers and cursors."""

import os
import subprocess

from harness import VIM, VimTest, offer, place


class Prompt(VimTest):
    def setUp(self):
        super().setUp()
        self.write("plan.md", "one\n")
        self.edit("plan.md")

    def offer(self, *offers):
        self.say("offers/didChange", offers=list(offers))

    def test_an_offer_is_a_line_that_takes_neither_focus_nor_keys(self):
        self.press("i")
        self.offer(offer("far.md"))
        line = "⇄ far.md from laptop – <leader>ch continues, <leader>cd dismisses"
        self.assertEqual(self.prompt(), line)
        screen = self.screen()
        self.assertTrue(any(row.rstrip().endswith(line) for row in screen[-3:]), screen)
        self.assertIn("-- INSERT --", screen[-1])
        self.press("\\ch")
        self.assertEqual(self.lines(), ["\\chone"])
        self.assertEqual(self.heard("continuation/accept"), [])
        self.press("<Esc>\\ch")
        self.eventually("the acceptance", lambda: self.heard("continuation/accept"))
        self.assertEqual(self.heard("continuation/accept"), [{"offer": "o1"}])
        self.eventually("the line to go", lambda: self.value("popup_list()") == [])

    def test_it_disturbs_no_menu_of_completion_and_follows_the_size(self):
        self.press("oone ones on\x0e")
        self.eventually("the menu", lambda: self.value("pumvisible()") == 1)
        self.offer(offer("far.md"))
        self.assertEqual([self.value("pumvisible()"), self.mode()], [1, "ic"])
        self.press("\x05<Esc>")
        self.command("set lines=12 columns=60")
        self.command("doautocmd VimResized")
        self.assertTrue(any("far.md from laptop" in row for row in self.screen()[-3:]), self.screen())

    def test_a_key_that_the_person_has_mapped_stays_theirs(self):
        self.command("nnoremap <leader>ch ifoo<Esc>")
        self.offer(offer("far.md"))
        self.press("\\ch")
        self.assertEqual(self.lines(), ["fooone"])
        self.press("\\cd")
        self.eventually("the line to go", lambda: self.prompt() == "")
        self.assertEqual(self.value("mapcheck('<leader>cd', 'n')"), "")
        self.offer(offer("far.md", at=2))
        self.assertEqual(self.prompt(), "")
        self.offer(offer("far.md", at=600002))
        self.assertNotEqual(self.prompt(), "")
        self.command("nnoremap <leader>cd ibar<Esc>")
        self.offer()
        self.assertEqual(self.value("maparg('<leader>cd', 'n')"), "ibar<Esc>")

    def test_what_comes_back_of_the_persons_own_work_is_no_offer(self):
        def own(arrival, at):
            self.offer(offer("plan.md", at=at, uri=self.uri("plan.md"), status={"arrival": arrival}))
            return self.prompt()
        self.assertNotEqual(own("current", 1), "")
        self.press("ix<Esc>")
        self.eventually("the line to go", lambda: self.prompt() == "")
        self.assertEqual(own("ahead", 2), "")
        self.assertNotEqual(own("behind", 3), "")
        self.press(":write<CR>")
        self.assertEqual(own("current", 4), "")
        self.write("plan.md", "two\n")
        self.say("document/changedOnDisk", uri=self.uri("plan.md"), change="changed")
        self.eventually("the new text", lambda: self.lines() == ["two"])
        self.assertNotEqual(own("current", 5), "")

    def test_of_two_offers_of_one_document_the_newer_one_counts(self):
        self.offer(offer("far.md", "o1", 1), offer("far.md", "o2", 3), offer("far.md", "o3", 2))
        self.command("ContinuoResume")
        self.eventually("the acceptance", lambda: self.heard("continuation/accept"))
        self.assertEqual(self.heard("continuation/accept"), [{"offer": "o2"}])

    def test_what_is_asked_for_before_the_server_has_told_is_continued_once_it_has(self):
        self.command("ContinuoResume")
        self.offer(offer("far.md"))
        self.eventually("the acceptance", lambda: self.heard("continuation/accept"))
        self.offer(offer("near.md", "o2"))
        self.assertEqual(len(self.heard("continuation/accept")), 1)
        self.assertEqual(self.messages(), [])

    def test_what_is_asked_of_an_agent_that_was_just_started_is_continued_once_it_tells_of_it(self):
        self.say("connection/didChange", connected=True)
        self.offer()
        self.command("ContinuoResume")
        self.offer(offer("far.md"))
        self.eventually("the acceptance", lambda: self.heard("continuation/accept"))
        self.assertEqual(self.messages(), [])

    def test_what_is_asked_for_once_an_offer_was_told_is_not_answered_with_a_later_one(self):
        self.say("connection/didChange", connected=True)
        self.offer(offer("far.md"))
        self.offer()
        self.command("ContinuoResume")
        self.offer(offer("far.md"))
        self.eventually("the sentence", lambda: self.messages())
        self.assertEqual(self.heard("continuation/accept"), [])

    def test_one_offer_is_continued_at_once_one_of_several_by_its_name(self):
        self.offer()
        self.command("ContinuoResume")
        self.eventually("the sentence", lambda: self.messages())
        self.assertIn("no other device offers anything", self.messages()[-1])
        self.offer(offer("far.md"), offer("near.md", "o2"))
        self.assertEqual(self.call("getcompletion", "ContinuoResume n", "cmdline"), ["near.md"])
        self.command("ContinuoResume near.md")
        self.command("ContinuoResume fa")
        self.command("ContinuoResume nobody.md")
        self.settle()
        self.assertEqual(self.heard("continuation/accept"), [{"offer": "o2"}, {"offer": "o1"}])
        self.assertIn("nobody offers nobody.md", self.messages()[-1])

    def test_one_of_several_is_chosen_from_a_list(self):
        self.offer(offer("far.md"), offer("near.md", "o2"))
        self.command("ContinuoOffers")
        self.press("j<CR>")
        self.settle()
        self.command("ContinuoResume")
        self.press("1")
        self.settle()
        self.assertEqual(self.heard("continuation/accept"), [{"offer": "o2"}, {"offer": "o1"}])

    def test_a_wait_tells_its_reason_and_the_person_decides(self):
        self.accept("far.md")
        self.say("continuation/progress", request="r1", offer=offer("far.md"),
                 status={"arrival": "behind", "reason": "the engine brings it", "received": 12, "expected": 40})
        self.assertEqual(self.prompt(), "Waiting for far.md from laptop (12 B of 40 B): the engine brings it"
                         " – :ContinuoChoose, :ContinuoCancel")
        for key, choice in [("1", "openHere"), ("2", "keepWaiting"), ("3", "giveUp")]:
            self.command("ContinuoChoose")
            self.press(key)
            self.settle()
            self.assertEqual(self.heard("continuation/choose")[-1], {"request": "r1", "choice": choice})
        self.command("ContinuoChoose")
        self.press("<Esc>")
        self.command("ContinuoCancel")
        self.settle()
        self.assertEqual([len(self.heard("continuation/choose")), self.heard("continuation/cancel")],
                         [3, [{"request": "r1"}]])
        self.say("continuation/didFail", request="r1", code="userCancelled", message="no", shown=False)
        self.assertNotIn("Waiting", self.prompt())
        self.assertEqual(self.messages(), [])

    def test_many_messages_ask_for_no_key(self):
        for number in range(6):
            self.server.send({"method": "continuation/didFail", "params": {
                "request": "r", "code": "x", "message": "m%d " % number * 60, "shown": True}})
        self.settle()
        self.press("ix")
        self.assertEqual([self.lines(), self.mode()], [["xone"], "i"])
        self.say("continuation/didFail", request="r", code="x", message="while typing", shown=True)
        self.eventually("the note", lambda: any("while typing" in row for row in self.screen()))
        self.assertIn("-- INSERT --", self.screen()[-1])
        self.press("y")
        self.assertEqual(self.lines(), ["xyone"])

    def test_closed_in_the_middle_of_a_prompt_nothing_is_lost(self):
        self.accept("far.md")
        self.press("ix<Esc>")
        self.command("ContinuoOffers")
        os.write(self.terminal, b"\x1b:wqall\r")
        self.gone()
        self.assertEqual(self.read("plan.md"), b"xone\n")


class Quiet(VimTest):
    options = {"prompt": False, "keys": {"continue": ""}, "app": "org.example.mine"}
    more = "let g:continuo.nonsense = 1"

    def test_settings_are_kept_and_wrong_ones_told(self):
        self.write("plan.md", "one\n")
        self.edit("plan.md")
        self.say("offers/didChange", offers=[offer("far.md")])
        self.assertEqual([self.prompt(), self.value("popup_list()")], ["", []])
        self.assertEqual(self.heard("initialize")[0]["app"]["id"], "org.example.mine")
        self.eventually("a sentence", lambda: "nonsense" in "".join(self.messages()))


class Restoring(VimTest):
    def setUp(self):
        super().setUp()
        self.write("plan.md", "one\n")
        self.edit("plan.md")

    def test_what_is_continued_is_opened_at_its_character_and_in_its_window(self):
        self.write("far.md", "a line\n" * 100 + "aé😀漢\tz\n" + "a line\n" * 100)
        self.accept("far.md")
        self.assertEqual(self.restore("far.md", place(100, 5, 95)), {"opened": True})
        self.assertEqual([self.shown(), self.cursor(), self.value("line('w0')")], ["far.md", [101, 11], 96])
        self.assertEqual(self.heard("document/open")[1], {"uri": self.uri("far.md"), "edited": False})
        self.press("ix")
        self.assertEqual(self.value("getline(101)"), "aé😀漢\txz")

    def test_combining_marks_count_each(self):
        self.write("far.md", "e\u0301\u0308x\n")
        self.accept("far.md")
        self.restore("far.md", place(0, 3))
        self.assertEqual(self.cursor(), [1, 5])
        self.assertEqual(self.round("far.md")["place"]["position"], {"line": 0, "character": 3})

    def test_folds_around_the_cursor_are_opened(self):
        self.write("far.md", "\n".join(str(number) for number in range(50)))
        self.command("edit far.md")
        self.command("set foldmethod=manual")
        self.command("10,40fold")
        self.command("buffer plan.md")
        self.accept("far.md")
        self.restore("far.md", place(19, 1))
        self.assertEqual([self.cursor()[0], self.value("foldclosed(20)")], [20, -1])

    def test_what_was_selected_is_selected_in_both_directions(self):
        self.write("far.md", "one\naé😀漢\tz\nthree\n")
        self.command("edit far.md")
        for start, end in [(1, 4), (4, 1)]:
            where = place(1, start, 0, (1, end))
            self.accept("far.md", at=start)
            self.restore("far.md", where)
            self.eventually("Visual mode", lambda: self.mode() == "v")
            self.assertEqual(self.round("far.md")["place"], where)
            self.press("y")
            self.assertEqual(self.value("@\""), "é😀漢")
        self.press("ggjVj")
        self.assertEqual(self.round("far.md")["place"], place(2, 5, 0, (1, 0)))
        self.press("o")
        self.assertEqual(self.round("far.md")["place"]["selection"], {"line": 2, "character": 5})
        self.press("<Esc>")
        self.assertNotIn("selection", self.round("far.md")["place"])

    def test_a_cursor_that_is_used_stays_and_a_jump_goes_to_the_place(self):
        self.write("far.md", "one\ntwo\nthree\n")
        self.command("edit far.md")
        self.settle()
        self.accept("far.md")
        self.press("l")
        self.assertEqual(self.restore("far.md", place(2, 3, 0)), {"opened": True})
        self.assertEqual(self.cursor(), [1, 1])
        self.assertIn("your cursor stays; :ContinuoJump", self.messages()[-1])
        self.command("ContinuoJump")
        self.assertEqual(self.cursor(), [3, 3])
        self.press("\x0f")
        self.assertEqual(self.cursor(), [1, 1])
        self.accept("far.md", at=99)
        self.restore("far.md", place(2, 3, 0))
        self.assertEqual(self.cursor(), [3, 3])

    def test_in_the_middle_of_typing_nothing_is_put_in_front(self):
        self.write("far.md", "one\ntwo\n")
        self.accept("far.md")
        self.press("iab")
        self.assertEqual(self.restore("far.md", place(1, 2, 0)), {"opened": True})
        self.press("cd")
        self.assertEqual([self.shown(), self.lines(), self.mode()], ["plan.md", ["abcdone"], "i"])
        self.press("<Esc>")
        self.command("ContinuoJump")
        self.assertEqual([self.shown(), self.cursor()], ["far.md", [2, 2]])

    def test_unsaved_text_elsewhere_is_never_given_up(self):
        for number, options in enumerate(["nohidden", "hidden", "autowriteall", "confirm", "bufhidden=wipe"]):
            self.command("set nohidden bufhidden= noautowriteall noconfirm")
            self.command("buffer plan.md")
            self.press("ix<Esc>")
            self.command("set autowriteall hidden bufhidden=wipe" if "wipe" in options else "set " + options)
            self.write("%s.md" % options, "far\n")
            self.accept("%s.md" % options, at=number + 1)
            self.assertEqual(self.restore("%s.md" % options, place(0, 1, 0)), {"opened": True})
            self.assertEqual(self.shown(), options + ".md")
            self.assertEqual([self.value("getbufvar('plan.md', '&modified')"), self.read("plan.md")], [1, b"one\n"])
            self.command("only!" if options == "hidden" else "close!" if self.value("winnr('$')") > 1 else "")

    def test_an_older_buffer_is_read_again_one_with_unsaved_text_is_not(self):
        self.write("plan.md", "new\none\n")
        self.accept("plan.md")
        self.assertEqual(self.restore("plan.md", place(0, 1, 0)), {"opened": True})
        self.assertEqual(self.lines(), ["new", "one"])
        self.press("ix<Esc>")
        self.write("plan.md", "two\n")
        answer = self.restore("plan.md", place(0, 1, 0))
        self.assertEqual(answer["opened"], False)
        self.assertIn("unsaved changes", answer["message"])
        self.assertEqual([self.lines()[0], self.read("plan.md")], ["nxew", b"two\n"])

    def test_what_is_only_for_reading_is_so(self):
        self.write("far.md", "one\n")
        for found, readonly in [(True, 1), (False, 0)]:
            self.restore("far.md", place(0, 1, 0), readOnly=found)
            self.assertEqual([self.shown(), self.value("&readonly")], ["far.md", readonly])
        self.command("set readonly")
        self.restore("far.md", place(0, 1, 0), readOnly=True)
        self.restore("far.md", place(0, 1, 0))
        self.assertEqual(self.value("&readonly"), 1)

    def test_a_place_that_is_not_there_is_the_nearest_one_and_hostile_numbers_do_no_harm(self):
        self.write("far.md", "one\ntwo\n")
        for where in [place(99, 0, 99), place(0, 99, 0), place(2**31, 2**31, 2**31), place(-1, -1, -1)]:
            self.assertEqual(self.restore("far.md", where), {"opened": True})
        self.assertEqual(self.cursor(), [1, 0])
        self.assertEqual(self.restore("none.md", place(0, 0, 0))["opened"], False)
        self.assertEqual(self.ask("document/restore", request="r1", uri="https://example.org")["opened"], False)
        self.assertEqual(self.ask("document/restore", request="r1")["opened"], False)

    def test_windows_that_are_no_files_stay(self):
        self.write("far.md", "far\n")
        for command in ["terminal", "copen", "help"]:
            self.command("silent only | edit plan.md")
            self.command("silent " + command)
            buffer = self.value("bufnr()")
            self.press("\x1c\x0e")
            self.assertEqual(self.restore("far.md", place(0, 1, 0))["opened"], True, command)
            self.assertNotEqual(self.value("bufwinnr(%d)" % buffer), -1, command)
            self.command("silent! %dbwipeout!" % buffer)
            self.command("silent! bwipeout far.md")

    def test_a_file_that_another_vim_edits_is_opened_for_reading(self):
        self.write("far.md", "far\n")
        self.command("set directory=%s// updatecount=200 swapfile" % self.root)
        terminal, child = os.openpty()
        other = subprocess.Popen(
            [VIM, "-N", "-u", "NONE", "-i", "NONE", "--cmd", "set directory=%s//" % self.root, "far.md"],
            cwd=self.folder, stdin=child, stdout=child, stderr=child)
        try:
            self.eventually("the swap file", lambda: any("far.md.swp" in name for name in os.listdir(self.root)))
            self.assertEqual(self.restore("far.md", place(0, 1, 0)), {"opened": True})
            self.assertEqual([self.shown(), self.value("&readonly"), self.lines()], ["far.md", 1, ["far"]])
            self.assertIn("open in another Vim", "".join(self.messages()))
            self.press("ix<Esc>")
            self.assertEqual([self.round("far.md")["edited"], self.read("far.md")], [True, b"far\n"])
        finally:
            other.kill()
            other.wait()
            os.close(terminal)
            os.close(child)


class Changing(VimTest):
    def setUp(self):
        super().setUp()
        self.write("plan.md", "a line\n" * 100)
        self.edit("plan.md")

    def changed(self, change="changed", name="plan.md", **more):
        self.say("document/changedOnDisk", uri=self.uri(name), change=change, **more)

    def test_a_file_that_changes_on_disk_is_read_again_where_nothing_is_lost_by_it(self):
        self.press("50Gzt")
        self.write("plan.md", "b line\n" * 100)
        self.changed()
        self.eventually("the new text", lambda: self.value("getline(1)") == "b line")
        self.assertEqual([self.cursor()[0], self.value("line('w0')"), self.value("&modified")], [50, 50, 0])
        self.press("u")
        self.assertEqual(self.value("getline(1)"), "a line")
        self.press("\x1250Gix<Esc>")
        self.write("plan.md", "c line\n" * 100)
        self.changed()
        self.eventually("a message", lambda: "your text stays" in "".join(self.messages()))
        self.assertEqual([self.value("getline(50)"), self.read("plan.md")[:6]], ["xb line", b"c line"])

    def test_a_replaced_file_of_the_same_size_and_time_is_read_again_too(self):
        before = os.stat(self.path("plan.md"))
        for command in ["", "set hidden | enew"]:
            self.command(command)
            text = "q line" if command else "p line"
            self.write("plan.md", (text + "\n") * 100)
            os.utime(self.path("plan.md"), ns=(before.st_atime_ns, before.st_mtime_ns))
            self.changed()
            self.eventually("the new text", lambda: self.value("getbufline('plan.md', 1)") == [text])

    def test_another_line_end_is_taken_over(self):
        self.write("plan.md", "one\r\ntwo\r\n")
        self.changed()
        self.eventually("the new text", lambda: self.lines() == ["one", "two"])
        self.assertEqual(self.value("&fileformat"), "dos")

    def test_vim_itself_asks_nothing_about_it(self):
        self.write("plan.md", "b line\n" * 100)
        self.command("checktime")
        self.eventually("the new text", lambda: self.value("getline(1)") == "b line")
        self.press("ix<Esc>")
        self.write("plan.md", "c line\n" * 100)
        self.command("checktime")
        self.eventually("a message", lambda: "your text stays" in "".join(self.messages()))

    def test_a_file_that_changes_under_insert_mode_is_read_again_when_nobody_types(self):
        self.press("ix")
        self.round("plan.md")
        self.write("plan.md", "xone\ntwo\n")
        self.changed()
        self.assertEqual(self.value("getline(2)"), "a line")
        self.eventually("the new text", lambda: self.value("getline(2)") == "two")
        self.assertEqual(self.mode(), "i")
        self.press("y<Esc>")
        self.assertEqual(self.lines(), ["xyone", "two"])

    def test_a_hidden_buffer_is_read_again(self):
        self.write("other.md", "other\n")
        self.command("set hidden | edit other.md")
        self.write("plan.md", "two\n")
        self.changed()
        self.eventually("the new text", lambda: self.value("getbufline('plan.md', 1, '$')") == ["two"])
        self.assertEqual([self.shown(), self.value("winnr('$')")], ["other.md", 1])

    def test_a_file_that_is_gone_leaves_the_text(self):
        os.remove(self.path("plan.md"))
        self.changed()
        self.eventually("a message", lambda: "cannot be read now" in "".join(self.messages()))
        self.changed("deleted")
        self.changed("conflict", copies=[self.uri("plan.copy.md")])
        self.assertIn("was deleted; the text stays", self.messages()[-2])
        self.assertIn("plan.copy.md: :ContinuoResolve", self.messages()[-1])
        self.assertEqual(self.restore("plan.md", place(0, 1, 0))["opened"], False)
        self.assertEqual(self.value("getline(1)"), "a line")

    def test_a_moved_file_is_followed_with_unsaved_text_and_saved_under_its_new_name(self):
        self.press("ix<Esc>")
        os.rename(self.path("plan.md"), self.path("new.md"))
        self.changed("moved", newUri=self.uri("new.md"))
        self.assertEqual(len(self.heard("document/didMove")), 1)
        self.assertEqual([self.shown(), self.value("getline(1)")], ["new.md", "xa line"])
        self.assertEqual(self.round("new.md")["edited"], False)
        self.assertEqual([self.read("new.md")[:8], self.read("plan.md")], [b"xa line\n", None])
        self.write("other.md", "other\n")
        self.command("set hidden | edit other.md")
        os.rename(self.path("new.md"), self.path("newer.md"))
        self.changed("moved", "new.md", newUri=self.uri("newer.md"))
        self.assertEqual(len(self.heard("document/didMove")), 2)
        self.assertEqual([self.shown(), self.value("tabpagenr('$')"), self.value("len(getbufinfo())")], ["other.md", 1, 2])
        self.command("buffer newer.md")
        self.press("iy<Esc>:write!<CR>")
        self.assertEqual([self.shown(), self.read("newer.md")[:9]], ["newer.md", b"yxa line\n"])

    def test_a_name_that_was_opened_before_there_was_a_file_is_read_when_it_is_continued(self):
        self.command("set hidden | edit far.md | edit plan.md")
        self.write("far.md", "far\n")
        self.assertEqual(self.restore("far.md", place(0, 2, 0)), {"opened": True})
        self.assertEqual([self.shown(), self.lines(), self.cursor()], ["far.md", ["far"], [1, 2]])

    def test_fifty_megabytes_are_read_and_saved(self):
        text = b"".join(b"line %d of a long text\n" % number for number in range(2000000))
        self.write("big.txt", text)
        self.assertEqual(self.restore("big.txt", place(1500000, 3, 1499990)), {"opened": True})
        self.assertEqual(self.cursor(), [1500001, 3])
        self.press("iQ<Esc>")
        self.assertEqual(self.round("big.txt")["edited"], False)
        self.assertEqual(len(self.read("big.txt")), len(text) + 1)
