# SPDX-License-Identifier: MIT
"""Choosing between a file and its conflict copies."""

from harness import VimTest

COPY = "plan.sync-conflict-20261122-040000-ABCDEFG.md"


class Versions(VimTest):
    def setUp(self):
        super().setUp()
        self.write("plan.md", "mine\n")
        self.edit("plan.md")

    def listing(self, copy=COPY):
        document = {"uri": self.uri("plan.md"), "document": True, "changedAt": 1000, "size": 5, "readable": True}
        other = {"uri": self.uri(copy), "document": False, "device": "D\x1b[1m", "putAside": "2026-11-22",
                 "changedAt": 2000, "size": 7, "readable": True}
        self.server.results["document/versions"] = {"versions": [document, other]}
        self.server.results["document/resolve"] = {"aside": [{"from": self.uri("plan.md"), "uri": self.uri(copy)}]}

    def choose(self, key):
        self.command("ContinuoResolve")
        self.eventually("the list", lambda: self.value("popup_list()"))
        self.press(key)
        self.settle()

    def test_a_version_is_kept_and_its_text_is_shown(self):
        self.listing()
        self.write("plan.md", "theirs\n")
        self.choose("3")
        self.eventually("the text", lambda: self.lines() == ["theirs"])
        self.assertEqual(self.heard("document/resolve"), [{"uri": self.uri("plan.md"), "keep": self.uri(COPY)}])
        self.assertEqual(len(self.value("continuo#choices#asked")), 3)

    def test_unsaved_text_is_not_resolved_away(self):
        self.press("ix<Esc>")
        self.listing()
        self.choose("3")
        self.assertIn("unsaved changes", "".join(self.messages()))
        self.assertEqual([self.heard("document/resolve"), self.lines()], [[], ["xmine"]])

    def test_two_versions_are_shown_side_by_side_whatever_they_are_called(self):
        for name in [COPY, "| silent! write ran", "`touch ran`.md", "a\nb.md", "%", "+q"]:
            self.command("buffer plan.md")
            self.write(name, "theirs\n")
            self.listing(name)
            self.choose("1")
            self.eventually("two windows", lambda: self.value("winnr('$') == 2 && getwinvar(1, '&diff') && &diff"))
            self.assertEqual([self.lines(), self.read("ran")], [["theirs"], None])
            for text in self.value("continuo#choices#asked"):
                self.assertTrue(text.isprintable(), text)
            # From the copy's window, too, the document's versions are listed.
            self.forget()
            self.choose("<Esc>")
            self.assertEqual(self.heard("document/versions"), [{"uri": self.uri("plan.md")}])
            self.command("tabclose")

    def test_a_file_without_a_copy_has_nothing_to_resolve(self):
        self.server.results["document/versions"] = {"versions": []}
        self.command("ContinuoResolve")
        self.eventually("a sentence", lambda: "nothing to resolve" in "".join(self.messages()))
