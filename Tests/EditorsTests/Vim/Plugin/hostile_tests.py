# SPDX-License-Identifier: MIT
"""Names of files, titles and devices are data: nothing in them is a command, whatever bytes they hold."""

import os
import re
import unicodedata

from harness import ROOT, VimTest, offer, place


def fixture():
    """The names of Fixtures/hostile-names.txt, as bytes."""
    with open(ROOT + "/Fixtures/hostile-names.txt", "rb") as file:
        lines = [line for line in file.read().split(b"\n") if line and not line.startswith(b"#")]
    return [re.sub(rb"\\x([0-9A-F]{2})", lambda hit: bytes([int(hit[1], 16)]), line) for line in lines]


def names():
    """Those, and every byte that a name may have by itself."""
    found = fixture()
    for byte in range(1, 256):
        name = bytes([byte])
        if name not in (b"/", b"."):
            found += [name] if name not in found else []
            found.append(b"a" + name + b"b.md")
    return found


def text_of(name):
    """As the server says it: what is no UTF-8 is replaced."""
    return name.decode("utf-8", "replace")


def named(name, **more):
    text = text_of(name)
    return offer(text, device=text, type="public.text-editing", folder=text, remark=text,
                 status={"arrival": "current", "reason": text}, **more)


class Hostile(VimTest):
    more = "set hidden"

    def setUp(self):
        super().setUp()
        self.write("plan.md", "one\n")
        self.edit("plan.md")

    def unhurt(self, name):
        """Nothing ran: no command of a name's made a file or a variable."""
        self.assertEqual(self.value("exists('g:continuo_pwned')"), 0, name)
        made = [found for found in os.listdir(self.folder) if re.fullmatch(r"pwned\d*", found)]
        self.assertEqual(made, [], name)

    def is_clean(self, name, text):
        """One line, in which nothing directs a terminal or hides."""
        for character in text:
            self.assertNotIn(unicodedata.category(character), ("Cc", "Zl", "Zp", "Cs", "Cf"), (name, text))

    def is_shown(self, name, lines):
        self.assertEqual(self.value("Hex(getbufinfo(bufnr())[0].name)"), self.path(name).hex(), name)
        self.assertEqual(self.lines(), lines, name)

    def type_and_save(self, name, text):
        self.command("normal! ggix")
        self.assertEqual(self.round(name)["edited"], False, name)
        self.assertEqual(self.read(name), b"x" + text, name)

    def test_a_name_is_data_when_its_offer_is_continued(self):
        for number, name in enumerate(names()):
            # Vim's own plugin shows what is packed in it.
            if name.endswith(b".docx"):
                continue
            text = "text %d" % number
            self.write(name, text + "\n")
            self.say("offers/didChange", offers=[named(name, at=number + 1)])
            self.command("ContinuoResume")
            self.say("continuation/willContinue", request="r1", offer=named(name))
            self.assertEqual(self.restore(name, place(0, 0)), {"opened": True}, name)
            self.is_shown(name, [text])
            self.type_and_save(name, text.encode() + b"\n")
            self.unhurt(name)

    def test_a_name_is_data_when_an_open_file_is_moved_to_it(self):
        old, text = b"plan.md", b"one\n"
        for name in names():
            os.rename(self.path(old), self.path(name))
            self.say("document/changedOnDisk", uri=self.uri(old), change="moved", newUri=self.uri(name))
            self.is_shown(name, [text.decode()[:-1]])
            self.type_and_save(name, text)
            self.unhurt(name)
            self.assertEqual(self.read(old), None)
            old, text = name, b"x" + text
        self.assertEqual(self.value("len(getbufinfo())"), 1)

    def test_a_title_in_the_status_line_is_data(self):
        self.command("set laststatus=2 statusline=%{%continuo#Statusline()%}")
        for number, name in enumerate(names()):
            self.say("offers/didChange", offers=[named(name, identifier="o%d" % number)])
            self.command("redrawstatus")
            line = self.value("continuo#Statusline()")
            self.is_clean(name, line)
            self.unhurt(name)
            if re.fullmatch(rb"[!-~]{1,60}", name):
                self.assertEqual(line, "⇄ " + name.decode().replace("%", "%%"))
                self.assertIn("⇄ " + name.decode(), self.screen()[-2])

    def test_messages_prompt_and_lists_show_names_titles_devices_and_reasons_in_one_line(self):
        for number, name in enumerate(names()):
            text, identifier = text_of(name), "o%d" % number
            self.say("document/changedOnDisk", uri=self.uri("plan.md"), change="conflict", copies=[self.uri(name)])
            self.say("activity/wasContinued", uri=self.uri(name), device=text)
            self.say("activity/withheld", uri=self.uri(name), reason="no: " + text + self.uri(name))
            self.say("continuation/didFail", request="r9", code="x", message="no: " + text, shown=True)
            self.say("connection/didChange", connected=False, message="gone: " + text)
            self.say("offers/didChange", offers=[named(name, identifier=identifier), offer("other.md", "other")])
            self.is_clean(name, self.prompt())
            self.say("continuation/progress", request="r1", offer=named(name, identifier=identifier),
                     status={"arrival": "behind", "reason": text, "received": 1, "expected": 2})
            self.is_clean(name, self.prompt())
            for line in self.value("continuo#Report()") + self.value("continuo#Titles('')"):
                self.is_clean(name, line)
            self.command("ContinuoOffers")
            for line in self.value("continuo#choices#asked"):
                self.is_clean(name, line)
            self.command("call popup_clear()")
            self.say("continuation/didFail", request="r1", code="userCancelled", message=text, shown=False)
            self.unhurt(name)

    def test_a_uri_that_is_no_files_name_opens_nothing(self):
        for each in [self.uri("plan.md") + "%00.md", "file:plan.md", "plan.md", "http://x/plan.md", "", 7]:
            self.assertEqual(self.ask("document/restore", request="r1", uri=each)["opened"], False)
