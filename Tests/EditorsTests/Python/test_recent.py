# SPDX-License-Identifier: MIT
"""What apps kept for search, chosen in a real Neovim and a real Emacs, with a real agent."""

import asyncio
import json
import os
import subprocess
import time
import unittest

import continuo
from continuo import Place, Position, Round

from devices import CircleTests
from tmux import Terminal

WRITER = continuo.App("org.example.writer", "Writer")
READER = continuo.App("org.example.reader", "Reader", activity_types=("org.example.page",))
EDITORS = os.path.join(os.path.dirname(__file__), *[".."] * 3, "Sources", "Editors")
PATIENCE = 60
# Such a title is one line of the list, and no command of anybody's.
HOSTILE = "Two \x1b[31m|\nsilent! write pwned $(touch pwned) `touch pwned` %"


class Editor:
    """One that runs without a screen; it waits by itself."""

    def __init__(self, device, command):
        self.device = device
        # What a title makes run, runs there.
        self.process = subprocess.Popen(
            command, env=device.environment, cwd=device.home, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def ask(self, *command):
        done = subprocess.run(
            command, env=self.device.environment, cwd=self.device.home, capture_output=True, timeout=PATIENCE)
        # Neovim 0.7 prints a value as an error.
        return (done.stdout or done.stderr).decode().strip() if done.returncode == 0 else None

    def until(self, condition):
        deadline = time.monotonic() + PATIENCE
        while not self.holds(condition):
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(f"{condition}: {self.said()}")

    def end(self):
        self.process.terminate()
        self.process.wait(PATIENCE)


class Neovim(Editor):

    def __init__(self, device, options="{}"):
        self.socket = device.home + "/run/nvim"
        super().__init__(device, [
            "nvim", "--headless", "-u", "NONE", "-i", "NONE", "-n", "--listen", self.socket, "--cmd",
            f"set runtimepath+={EDITORS}/continuo.nvim", "-c", "runtime plugin/continuo.lua",
            "-c", f"lua require('continuo').setup({options})", "-c", "ContinuoStart"])
        self.until("require('continuo').state().connected")

    def holds(self, condition):
        waited = self.value(f"vim.wait(1000, function() return ({condition}) and true end, 10)")
        return waited in ("true", "v:true")

    def value(self, code):
        return self.ask("nvim", "--server", self.socket, "--remote-expr", f"luaeval({json.dumps(code)})")

    def said(self):
        return self.value("table.concat(require('continuo').state().messages, ' ')")

    def choose(self, words, title):
        self.value(f"""(function()
          vim.ui.select = function(items, options, done)
            _G.asked = vim.tbl_map(options.format_item, items)
            for _, each in ipairs(items) do
              if vim.startswith(options.format_item(each), '{title}') then return done(each) end
            end
          end
          vim.cmd('ContinuoRecent {words}')
        end)()""".replace("\n", " "))

    def until_said(self, sentence):
        said = "table.concat(require('continuo').state().messages, ' ')"
        self.until(f"{said}:find('{sentence}', 1, true)")

    def until_open(self, name, text, line):
        self.until(f"vim.endswith(vim.api.nvim_buf_get_name(0), '/{name}') and vim.fn.getline(1) == '{text}' "
                   f"and vim.fn.line('.') == {line}")

    def expects_lines_in_one(self):
        self.until("_G.asked and not table.concat(_G.asked):find('%c')")


class Emacs(Editor):
    def __init__(self, device):
        super().__init__(device, [
            "emacs", "-Q", "--fg-daemon=recent", "--eval",
            f"""(progn (setq native-comp-deferred-compilation nil create-lockfiles nil)
                  (add-to-list 'load-path "{EDITORS}/continuo.el") (require 'continuo) (continuo-mode))"""])
        self.until("(and continuo--ready (not continuo--trouble))")

    def holds(self, condition):
        return self.value(f"""(let ((tries 0))
          (while (and (< tries 50) (not {condition}))
            (accept-process-output nil 0.02) (setq tries (1+ tries)))
          (and {condition} t))""") == "t"

    def value(self, code):
        return self.ask("emacsclient", "-s", "recent", "--eval", code)

    def said(self):
        return self.value('(with-current-buffer "*Messages*" (buffer-string))')

    def choose(self, words, title):
        self.value(f"""(progn
          (setq completing-read-function
                (lambda (_ table &rest _)
                  (setq asked (all-completions "" table))
                  (seq-find (lambda (each) (string-prefix-p "{title}" each)) asked)))
          (continuo-recent "{words}"))""")

    def until_said(self, sentence):
        self.until(f"""(with-current-buffer "*Messages*"
          (save-excursion (goto-char (point-min)) (search-forward "{sentence}" nil t)))""")

    def until_open(self, name, text, line):
        self.until(f"""(with-current-buffer (window-buffer (frame-selected-window))
          (and buffer-file-name (string-suffix-p "/{name}" buffer-file-name) (= {line} (line-number-at-pos))
               (string-prefix-p "{text}\\n" (buffer-string))))""")

    def expects_lines_in_one(self):
        self.until("(not (string-match-p \"[[:cntrl:]]\" (apply #'concat asked)))")


class ContinuoEdit(Terminal):
    """The sample editor."""

    def __init__(self, device):
        super().__init__(device, "continuo-edit")
        self.rows = []
        self.until("Continuo Edit")

    def choose(self, words, title):
        self.press("F4")
        self.until("Recently, anywhere")
        self.type(words)
        self.press("Enter")
        if title:
            rows = self.until("Kept on your devices", "  " + title)
            self.rows = [row for row in rows if row[:1].isdigit() and row[1:3] == "  "]
            self.press(next(row[0] for row in self.rows if row[3:].startswith(title)))

    def until_said(self, sentence):
        self.until(sentence)

    def until_open(self, name, text, line):
        self.until(f"{text}\ntwo\n", f"{name}  Ln {line}, Col")

    def expects_lines_in_one(self):
        assert len(self.rows) == 2, self.rows


class RecentTests(CircleTests):
    def test_in_the_sample_editor(self):
        asyncio.run(asyncio.wait_for(self.choose(ContinuoEdit), 3 * PATIENCE))

    def test_in_neovim(self):
        asyncio.run(asyncio.wait_for(self.choose(Neovim), 3 * PATIENCE))

    def test_in_emacs(self):
        asyncio.run(asyncio.wait_for(self.choose(Emacs), 3 * PATIENCE))

    async def keep_document(self, name, title):
        device = self.circle.desktop
        path = device.write(name, "one\ntwo\nthree\n")
        at_third = Round(edited=False, title=title, place=Place(Position(2, 1)))
        async with continuo.connect(
                WRITER, environment=device.environment, on_update=lambda _: at_third) as writer:
            await writer.open(path)
            kept = {"uri": "file://" + path, "title": title}
            kept.update(eligibleForSearch=True, persistentIdentifier=name)
            # The package has no word for documents that are kept.
            await writer._ask("activity/set", lambda: kept, lambda _: None)
            writer.become_current(path)
            while True:
                found = json.loads(await asyncio.to_thread(device.run, "search", "--json", "--", f'"{name}"'))
                if [row["url"] for row in found] == ["file://" + path]:
                    return found[0]

    async def choose(self, kind):
        device = self.circle.desktop
        editor = await asyncio.to_thread(kind, device)
        try:
            await asyncio.to_thread(editor.choose, "", "")
            await asyncio.to_thread(editor.until_said, "o app has kept anything for search")
            await self.keep_and_choose(editor)
        finally:
            await asyncio.to_thread(editor.end)
            async with continuo.connect(WRITER, environment=device.environment) as writer:
                await writer.delete_saved()
        self.assertFalse([each for each in os.listdir(device.home) if "pwned" in each])

    async def keep_and_choose(self, editor):
        device, continued = self.circle.desktop, asyncio.Queue()
        await self.keep_document("older.md", "One")
        await self.keep_document("newer.md", HOSTILE)
        # In the newest version here, where its app was; not the first of the list, and then the first.
        device.write("older.md", "changed\ntwo\nthree\n")
        await asyncio.to_thread(editor.choose, "", "One")
        await asyncio.to_thread(editor.until_open, "older.md", "changed", 3)
        await asyncio.to_thread(editor.expects_lines_in_one)
        await asyncio.to_thread(editor.choose, "silent! newer", "Two ")
        await asyncio.to_thread(editor.until_open, "newer.md", "one", 3)
        # Words are no options.
        await asyncio.to_thread(editor.choose, "--open", "")
        await asyncio.to_thread(editor.until_said, "othing kept for search has: --open")
        async with continuo.connect(
                READER, environment=device.environment, on_continue=continued.put_nowait) as reader:
            search = continuo.Search("soup", keywords=["lentil"])
            page = await reader.create_activity(
                "org.example.page", title="Soup", user_info={"page": 7}, search=search)
            await page.become_current()
            while not json.loads(await asyncio.to_thread(device.run, "search", "--json", "soup")):
                pass
            await asyncio.to_thread(editor.choose, "lent", "Soup")
            self.assertEqual((await continued.get()).activity.user_info["page"], 7)
            await asyncio.to_thread(editor.until_said, "Handed over to Reader")
        await asyncio.to_thread(editor.choose, "lent", "Soup")
        await asyncio.to_thread(editor.until_said, "No app here continues org.example.page")
        async with continuo.connect(READER, environment=device.environment) as reader:
            await reader.delete_saved()


if __name__ == "__main__":
    unittest.main()
