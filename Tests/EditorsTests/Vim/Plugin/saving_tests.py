# SPDX-License-Identifier: MIT
"""What is offered, and when a text is saved for it."""

import os

from harness import VimTest, place


class Saving(VimTest):
    def test_opening_and_typing_are_told(self):
        self.write("plan.md", "one\naé😀漢\tz\nthree\n")
        self.edit("plan.md")
        self.assertEqual(self.heard("document/open"), [{"uri": self.uri("plan.md"), "edited": False}])
        self.assertEqual(self.heard("document/becomeCurrent"), [{"uri": self.uri("plan.md")}])
        app = self.heard("initialize")[0]["app"]
        self.assertEqual([app["id"], app["name"]], ["org.vim.vim", "Vim"])
        self.press("jfzix<Esc>")
        self.eventually("the change", lambda: self.heard("document/didChange"))
        self.assertEqual(self.heard("document/didChange")[-1],
                         {"uri": self.uri("plan.md"), "edited": True, "byPerson": True})
        self.assertEqual(self.round("plan.md"),
                         {"edited": False, "title": "plan.md", "place": place(1, 5, 0)})
        self.assertEqual(self.read("plan.md").decode(), "one\naé😀漢\txz\nthree\n")
        self.assertEqual(len(self.heard("document/didSave")), 1)

    def test_saving_while_the_person_types_leaves_mode_cursor_undo_and_the_last_line(self):
        self.write("plan.md", "one\n")
        self.edit("plan.md")
        self.press("Aab")
        self.assertIn("-- INSERT --", self.screen()[-1])
        self.assertEqual(self.round("plan.md")["edited"], False)
        self.assertEqual(self.read("plan.md"), b"oneab\n")
        self.assertEqual(self.mode(), "i")
        self.assertIn("-- INSERT --", self.screen()[-1])
        self.press("cd")
        self.assertEqual(self.lines(), ["oneabcd"])
        self.press("<Esc>u")
        self.assertEqual(self.lines(), ["one"])
        self.press("otwo<Esc>kA!")
        self.round("plan.md")
        self.press("?<Esc>j.")
        self.assertEqual(self.lines(), ["one!?", "two!?"])

    def test_saving_while_the_person_selects_leaves_what_is_selected(self):
        self.write("plan.md", "one two three\n")
        self.edit("plan.md")
        self.press("ix<Esc>wve")
        self.assertEqual(self.round("plan.md")["edited"], False)
        self.assertEqual([self.mode(), self.read("plan.md")], ["v", b"xone two three\n"])
        self.press("d")
        self.assertEqual(self.lines(), ["xone  three"])

    def test_half_a_command_stays(self):
        self.write("plan.md", "one\ntwo\n")
        self.edit("plan.md")
        self.press("ix<Esc>d")
        self.assertEqual(self.round("plan.md")["edited"], True)
        self.press("d")
        self.assertEqual(self.lines(), ["two"])

    def test_a_menu_of_completion_stays_and_the_text_is_saved_afterwards(self):
        self.write("plan.md", "alpha alps\n")
        self.edit("plan.md")
        self.press("oal\x0e")
        self.eventually("the menu", lambda: self.value("pumvisible()") == 1)
        self.assertEqual(self.round("plan.md")["edited"], True)
        self.assertEqual(self.value("pumvisible()"), 1)
        self.assertEqual(self.read("plan.md"), b"alpha alps\n")
        self.forget()
        self.press("\x05<Esc>")
        self.eventually("another round", lambda: self.heard("document/didChange"))
        self.assertEqual(self.round("plan.md")["edited"], False)

    def test_what_others_hang_on_a_save_does_not_act_between_two_keys(self):
        self.write("plan.md", "one\n")
        self.edit("plan.md")
        self.command(r"autocmd BufWritePre *.md silent! %s/\s\+$//e")
        self.command("let continuo#documents#pause = 20.0")
        self.press("A ")
        # The plugin may ask for another round as soon as this one is answered.
        self.forget()
        self.assertEqual(self.round("plan.md")["edited"], True)
        self.assertEqual(self.lines(), ["one "])
        self.eventually("another round", lambda: self.heard("document/didChange"))
        self.press("<Esc>")
        self.assertEqual(self.round("plan.md")["edited"], False)
        self.assertEqual(self.read("plan.md"), b"one\n")

    def test_a_text_with_a_key_is_written_encrypted_and_in_a_pause(self):
        self.write("plan.md", "one\n")
        self.edit("plan.md")
        self.command("set cryptmethod=blowfish2 key=secret")
        self.command("let continuo#documents#pause = 20.0")
        self.press("Ax")
        self.assertEqual(self.round("plan.md")["edited"], True)
        self.press("<Esc>")
        self.assertEqual(self.round("plan.md")["edited"], False)
        self.assertTrue(self.read("plan.md").startswith(b"VimCrypt~"))

    def test_a_hidden_buffer_is_saved_and_nobody_sees_it(self):
        self.write("plan.md", "one\n")
        self.write("other.md", "other\n")
        self.edit("plan.md")
        self.press("ix<Esc>")
        self.command("set hidden")
        self.command("edit other.md")
        self.assertEqual(self.round("plan.md")["edited"], False)
        self.assertEqual([self.read("plan.md"), self.shown(), self.value("winnr('$')")], [b"xone\n", "other.md", 1])

    def test_a_round_for_another_device_saves_at_once_and_says_why_where_it_cannot(self):
        """Semantics 25g: nobody is in the middle of a word here."""
        self.write("plan.md", "one\n")
        self.edit("plan.md")
        self.command("autocmd BufWritePre *.md silent! %s/\\s\\+$//e")
        self.press("Ax")
        asked = {"uri": self.uri("plan.md"), "requestedBy": "laptop"}
        answer = self.ask("activity/update", **asked)
        self.assertEqual([answer["edited"], answer.get("refusal")], [False, None])
        self.assertEqual(self.read("plan.md"), b"onex\n")
        self.press("y<Esc>")
        self.write("plan.md", "two\n")
        answer = self.ask("activity/update", **asked)
        self.assertEqual([answer["edited"], answer["refusal"]], [True, "plan.md was changed on disk"])
        self.assertEqual(self.read("plan.md"), b"two\n")
        self.assertNotIn("refusal", self.round("plan.md"))

    def test_a_read_only_buffer_is_not_saved(self):
        for number, option in enumerate(["readonly", "nomodifiable"]):
            name = "plan%d.md" % number
            self.write(name, "one\n")
            self.command("edit! " + name)
            self.settle()
            self.press("ix<Esc>")
            self.command("set " + option)
            self.assertEqual(self.round(name)["edited"], True)
            self.assertEqual(self.read(name), b"one\n")
            self.eventually("a message", lambda: any(name in text and "read-only" in text for text in self.messages()))

    def test_a_file_that_somebody_else_wrote_is_not_saved_over_however_much_alike_it_is(self):
        self.write("plan.md", "one\n")
        self.edit("plan.md")
        self.press("ix<Esc>")
        before = os.stat(self.path("plan.md"))
        self.write("plan.md", "two\n")
        os.utime(self.path("plan.md"), ns=(before.st_atime_ns, before.st_mtime_ns))
        self.assertEqual(self.round("plan.md")["edited"], True)
        self.assertEqual(self.read("plan.md"), b"two\n")
        self.eventually("a message", lambda: "changed on disk" in "".join(self.messages()))
        self.round("plan.md")
        self.assertEqual(len(self.messages()), 1)

    def test_recovered_text_is_not_saved_over_the_file(self):
        self.write("plan.md", "one\n")
        self.edit("plan.md")
        self.press("ix<Esc>")
        self.write("plan.md", "newer from elsewhere\n")
        self.command("doautocmd BufReadPost")
        self.assertEqual(self.round("plan.md")["edited"], True)
        self.assertEqual([self.read("plan.md"), self.lines()], [b"newer from elsewhere\n", ["xone"]])

    def test_text_that_the_files_encoding_has_not_is_not_saved(self):
        self.write("plan.md", b"caf\xe9\n")
        self.command("edit ++enc=latin1 plan.md")
        self.settle()
        self.press("A漢字<Esc>")
        self.assertEqual(self.round("plan.md")["edited"], True)
        self.assertEqual(self.read("plan.md"), b"caf\xe9\n")
        self.press("xx")
        self.assertEqual(self.round("plan.md")["edited"], False)
        self.assertEqual([self.read("plan.md"), self.lines()], [b"caf\xe9\n", ["café"]])

    def test_line_ends_byte_order_mark_and_bytes_stay_what_they_are(self):
        for number, (text, option) in enumerate([
                (b"\xef\xbb\xbfone\r\ntwo\r\n", ""), (b"one\rtwo\r", "++ff=mac"), (b"a\x00b\xff\xc3\n\x80", "++bin")]):
            name = "plan%d.md" % number
            self.write(name, text)
            self.command("edit! %s %s" % (option, name))
            self.settle()
            self.press("ggiQ<Esc>")
            answer = self.round(name)
            self.assertEqual(answer["edited"], False)
            self.assertEqual(answer.get("place"), None if number == 1 else place(0, 0, 0))
            mark = 3 if number == 0 else 0
            self.assertEqual(self.read(name), text[:mark] + b"Q" + text[mark:])

    def test_a_deleted_file_is_not_made_again_by_itself(self):
        self.write("plan.md", "one\n")
        self.edit("plan.md")
        self.press("ix<Esc>")
        os.remove(self.path("plan.md"))
        self.assertEqual(self.round("plan.md")["edited"], True)
        self.assertEqual(self.read("plan.md"), None)

    def test_nothing_is_told_while_nothing_differs_and_little_while_much_does(self):
        self.write("plan.md", "a line of text\n" * 200)
        self.edit("plan.md")
        self.round("plan.md")
        self.forget()
        self.press("jk" + "j" * 150 + "5G")
        self.eventually("the changes", lambda: self.heard("document/didChange"))
        self.assertLess(len(self.heard("document/didChange")), 50)

    def test_a_new_name_is_told_and_a_copy_elsewhere_is_not(self):
        self.write("plan.md", "one\n")
        self.edit("plan.md")
        self.command("write copy.md")
        self.settle()
        self.assertEqual(self.heard("document/didSave"), [])
        self.command("saveas new.md")
        self.settle()
        self.assertEqual(self.heard("document/didMove"),
                         [{"uri": self.uri("plan.md"), "newUri": self.uri("new.md")}])
        self.assertEqual(self.heard("document/didSave"), [{"uri": self.uri("new.md")}])

    def test_reading_again_is_told_as_such_and_a_buffer_that_goes_is_closed(self):
        self.write("plan.md", "one\n")
        self.edit("plan.md")
        self.forget()
        self.command("edit!")
        self.settle()
        self.assertEqual(len(self.heard("document/open")), 1)
        self.command("enew")
        self.command("bdelete plan.md")
        self.eventually("the end", lambda: len(self.heard("document/close")) == 1)

    def test_buffers_without_a_file_are_none_of_ours(self):
        self.write("plan.md", "one\n")
        self.edit("plan.md")
        self.forget()
        for command in ["enew", "copen", "terminal", "help", "new | setlocal buftype=nofile", "Explore"]:
            self.command("silent! " + command)
        self.command("silent! edit scratch://name")
        self.settle()
        self.assertEqual(self.heard("document/open"), [])

    def test_a_hundred_files_are_told_and_the_last_one_is_current(self):
        for number in range(100):
            self.write("%d.md" % number, "one\n")
        self.command("set hidden")
        for number in range(100):
            self.command("edit %d.md" % number)
        self.settle()
        self.eventually("all", lambda: len(self.value("filter(continuo#State().documents, 'get(v:val.standing, \"synced\")')")) == 100)
        self.assertEqual(self.heard("document/becomeCurrent")[-1], {"uri": self.uri("99.md")})

    def test_of_two_windows_on_one_file_the_current_one_counts(self):
        self.write("plan.md", "one\ntwo\nthree\n")
        self.edit("plan.md")
        self.command("split")
        self.press("G")
        self.assertEqual(self.round("plan.md")["place"]["position"]["line"], 2)
        self.command("wincmd w")
        self.assertEqual(self.round("plan.md")["place"]["position"]["line"], 0)

    def test_quitting_withdraws_nothing_and_saves_nothing_that_was_given_up(self):
        self.write("plan.md", "one\n")
        self.edit("plan.md")
        self.press("ix<Esc>")
        self.forget()
        os.write(self.terminal, b":qall!\r")
        self.gone()
        self.assertEqual([self.heard("document/close"), len(self.heard("shutdown")), len(self.heard("exit"))], [[], 1, 1])
        self.assertEqual(self.read("plan.md"), b"one\n")


class Brief(VimTest):
    """Vim quits before it has done anything else."""

    begins = False
    more = "autocmd VimLeavePre * ++once let continuo#connection#farewell = 20.0"

    def methods(self):
        return [message["method"] for message in self.server.heard]

    def test_who_quits_while_the_server_only_starts_has_the_last_state_told_once_the_document_is_known(self):
        self.server.late = {"initialize": 0.1, "document/open": 0.1}
        self.write("plan.md", "one\n")
        self.begin("plan.md", "-c", "normal! ix", "-c", "qall!")
        self.gone()
        self.assertEqual(self.methods(), ["initialize", "answered", "document/open", "document/becomeCurrent",
                                          "answered", "shutdown", "exit"])
        self.assertEqual(self.heard("document/open"), [{"uri": self.uri("plan.md"), "edited": False}])

    def test_who_quits_after_the_server_died_has_the_last_state_told_to_the_next_one(self):
        self.write("plan.md", "one\n")
        self.begin("plan.md")
        self.eventually("the file to be told", lambda: self.heard("document/becomeCurrent"))
        self.settle()
        self.forget()
        self.server.late = {"shutdown": 60}
        os.write(self.terminal, b":qall!\r")
        self.eventually("the last word", lambda: self.heard("shutdown"))
        self.forget()
        self.server.late = {}
        self.server.kill()
        self.gone()
        self.assertEqual(self.methods(), ["initialize", "document/open", "document/becomeCurrent", "shutdown",
                                          "exit"])

    def test_who_quits_with_nothing_to_tell_waits_for_no_server(self):
        self.server.late = {"initialize": 0.1}
        self.begin("-c", "ContinuoStart", "-c", "qall!")
        self.eventually("Vim to end", lambda: os.waitpid(self.process, os.WNOHANG)[0])
        self.assertNotIn("shutdown", self.methods())


class Without(VimTest):
    options = {"autosave": False}

    def test_without_autosave_nothing_is_saved_and_that_is_told(self):
        self.write("plan.md", "one\n")
        self.edit("plan.md")
        self.press("ix<Esc>")
        self.assertEqual(self.round("plan.md")["edited"], True)
        self.assertEqual(self.read("plan.md"), b"one\n")


class Latin(VimTest):
    encoding = "latin1"

    def test_another_encoding_of_vims_counts_the_same_characters(self):
        self.write("plan.md", "é\taé\n".encode())
        self.command("edit ++enc=utf-8 plan.md")
        self.settle()
        self.command("call cursor(1, 4)")
        answer = self.round("plan.md")
        self.assertEqual(answer["place"], place(0, 3, 0))
        self.restore("plan.md", place(0, 2, 0))
        self.assertEqual(self.cursor(), [1, 2])
