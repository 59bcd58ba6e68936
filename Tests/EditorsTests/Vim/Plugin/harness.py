# SPDX-License-Identifier: MIT
"""A real Vim on a terminal of its own, with the plugin: keys are pressed there as a person presses them. The test asks
Vim by a channel, and is the server itself: what that would hear is kept, and what it would say is said by the test."""

import json
import os
import pty
import select
import shutil
import signal
import socket
import sys
import tempfile
import threading
import time
import unittest

PATIENCE = 30
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(HERE, "../../../.."))
PLUGIN = os.path.join(ROOT, "Sources/Editors/continuo.vim")
VIM = os.environ.get("TESTED_VIM", "vim")

SETTINGS = r"""
set nocompatible encoding=%(encoding)s ttimeoutlen=10 shortmess+=I
let g:continuo = %(options)s
let g:control = ch_open('unix:%(control)s', {'mode': 'json', 'callback': {_, text -> execute(text)}})
func! Bytes(hex)
  return iconv(list2str(map(range(len(a:hex) / 2), {i -> str2nr(a:hex[2 * i : 2 * i + 1], 16)}), 1), 'utf-8', 'latin1')
endfunc
func! Hex(text)
  return join(map(range(len(a:text)), {i -> printf('%%02x', char2nr(strpart(a:text, i, 1)))}), '')
endfunc
func! Screen()
  redraw
  return map(range(1, &lines), {_, row -> join(map(range(1, &columns), {_, column -> screenstring(row, column)}), '')})
endfunc
set runtimepath^=%(plugin)s
%(more)s
"""


def offer(name, identifier="o1", at=1, **more):
    found = {"id": identifier, "device": "laptop", "type": "public.text-editing", "app": "org.example.other",
             "title": name, "path": name, "changedAt": at, "unsavedChanges": False, "status": {"arrival": "current"}}
    return {**found, **more}


def place(line, character, top=None, selection=None):
    found = {"position": {"line": line, "character": character}}
    if top is not None:
        found["topLine"] = top
    if selection is not None:
        found["selection"] = {"line": selection[0], "character": selection[1]}
    return found


class Stream:
    """Bytes from a socket, with a deadline."""

    def __init__(self, connection):
        self.connection, self.rest = connection, b""

    def more(self, until):
        left = until - time.monotonic()
        if left <= 0 or not select.select([self.connection], [], [], left)[0]:
            raise TimeoutError("nothing was said")
        found = self.connection.recv(1 << 20)
        if not found:
            raise EOFError("it is gone")
        self.rest += found


class Control(Stream):
    """The channel by which Vim is asked."""

    number = 0

    def ask(self, *words, within=PATIENCE):
        self.number -= 1
        self.connection.sendall(json.dumps([*words, self.number]).encode())
        until, decoder = time.monotonic() + within, json.JSONDecoder()
        while True:
            text = self.rest.decode("utf-8", "surrogateescape").lstrip()
            try:
                found, end = decoder.raw_decode(text)
            except ValueError:
                self.more(until)
                continue
            self.rest = text[end:].encode("utf-8", "surrogateescape")
            if found[0] == self.number:
                return found[1]


class Server(threading.Thread):
    """What the plugin takes for `continuo serve`."""

    def __init__(self, path):
        super().__init__(daemon=True)
        self.listening = socket.socket(socket.AF_UNIX)
        self.listening.bind(path)
        self.listening.listen()
        self.heard, self.answers, self.starts, self.asked = [], {}, 0, 0
        # Answers that take a while, by method in seconds.
        self.late = {}
        self.connection, self.changed = None, threading.Condition(threading.RLock())
        self.results = {
            "initialize": {"protocolVersion": 2, "connected": True, "positionEncoding": "utf-32"},
            "document/open": {"synced": True, "folder": "Notes"}, "continuation/accept": {"request": "r1"},
            "document/otherEditors": {"editors": []}, "document/close": None, "shutdown": None,
        }
        self.start()

    def run(self):
        while True:
            try:
                connection = self.listening.accept()[0]
            except OSError:
                return
            with self.changed:
                if self.connection:
                    self.connection.close()
                self.connection, self.starts = connection, self.starts + 1
                self.changed.notify_all()
            try:
                self.serve(connection)
            except (OSError, ValueError):
                pass

    def serve(self, connection):
        stream = connection.makefile("rb")
        while True:
            length = 0
            while (line := stream.readline()) not in (b"\r\n", b""):
                length = int(line.split(b":")[1])
            if not length:
                return
            message = json.loads(stream.read(length))
            with self.changed:
                if "method" in message:
                    self.heard.append(message)
                    late = self.late.get(message["method"])
                    if late:
                        threading.Timer(late, self.answer_late, [message]).start()
                    elif "id" in message:
                        self.answer(message)
                else:
                    self.answers[message["id"]] = message
                self.changed.notify_all()

    def answer(self, message):
        result = self.results.get(message["method"])
        if isinstance(result, Exception):
            self.send({"id": message["id"], "error": {"code": -32803, "message": str(result)}})
        else:
            self.send({"id": message["id"], "result": result})

    def answer_late(self, message):
        with self.changed:
            self.heard.append({"method": "answered"})
            try:
                self.answer(message)
            except OSError:
                pass  # Vim has gone.

    def send(self, message):
        with self.changed:
            if not self.changed.wait_for(lambda: self.connection, PATIENCE):
                raise AssertionError("no server was started")
        text = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode("utf-8", "surrogatepass")
        self.connection.sendall(b"Content-Length: %d\r\n\r\n" % len(text) + text)

    def kill(self):
        self.connection.shutdown(socket.SHUT_RDWR)

    def close(self):
        self.listening.close()
        if self.connection:
            self.connection.close()


class VimTest(unittest.TestCase):
    """One test has one Vim, in a folder of its own."""

    options, more, encoding, arguments, size = {}, "", "utf-8", [], (24, 80)
    begins = True

    def setUp(self):
        self.root = tempfile.mkdtemp(prefix="continuo-vim-")
        self.folder = os.path.realpath(self.root) + "/notes"
        os.mkdir(self.folder)
        self.server = Server(self.root + "/server")
        self.process = 0
        if self.begins:
            self.begin()

    def begin(self, *arguments):
        listening = socket.socket(socket.AF_UNIX)
        listening.bind(self.root + "/control")
        listening.listen()
        command = [sys.executable, HERE + "/relay.py", self.root + "/server"]
        options = {"cmd": command, **self.options}
        with open(self.root + "/settings", "w") as file:
            file.write(SETTINGS % {
                "encoding": self.encoding, "options": json.dumps(options).replace("true", "v:true").replace(
                    "false", "v:false"), "control": self.root + "/control", "plugin": PLUGIN, "more": self.more})
        words = [VIM, "-N", "-u", self.root + "/settings", "-i", "NONE", "-n", *self.arguments, *arguments]
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(self.folder)
            os.environ.update(TERM="xterm-256color", LANG="C.UTF-8", HOME=self.root, LINES=str(self.size[0]),
                              COLUMNS=str(self.size[1]))
            os.execvp(words[0], words)
        threading.Thread(target=self.drain, daemon=True).start()
        listening.settimeout(PATIENCE)
        self.control = Control(listening.accept()[0])
        listening.close()
        os.unlink(self.root + "/control")

    def drain(self):
        try:
            while os.read(self.terminal, 65536):
                with self.server.changed:
                    self.server.changed.notify_all()
        except OSError:
            pass

    def tearDown(self):
        self.server.close()
        if self.process:
            try:
                os.kill(self.process, signal.SIGKILL)
                os.waitpid(self.process, 0)
            except (ProcessLookupError, ChildProcessError):
                pass
            os.close(self.terminal)
            self.control.connection.close()
        shutil.rmtree(self.root, ignore_errors=True)

    # What Vim is asked

    def value(self, expression):
        return self.control.ask("expr", expression)

    def call(self, function, *arguments):
        return self.control.ask("call", function, list(arguments))

    def command(self, text):
        """As typed by the person, but for errors, which fail the test."""
        self.call("execute", text, "")

    def press(self, keys):
        """Presses keys, and returns when they were taken."""
        typed = keys.replace("<Esc>", "\x1b").replace("<CR>", "\r").encode("utf-8", "surrogateescape")
        before, until = self.bytes_read(), time.monotonic() + PATIENCE
        os.write(self.terminal, typed)
        # The kernel hands keys on in its own time: on a busy machine, after what the channel says next.
        while self.bytes_read() < before + len(typed) and time.monotonic() < until:
            self.news(0.005)
        # The channel is looked at when no key waits, and an Esc is one when nothing follows for a moment: until Vim has
        # drawn nothing for longer than that.
        for _ in range(2):
            until = time.monotonic() + PATIENCE
            while self.news(0.02) and time.monotonic() < until:
                pass
            self.value("1")
        # On a busy machine that moment may be over before Vim has looked at the key.
        until = time.monotonic() + PATIENCE
        while keys.endswith("<Esc>") and self.mode()[:1] in ("i", "R") and time.monotonic() < until:
            self.news(0.02)

    def bytes_read(self):
        """How many bytes Vim has read so far, from wherever."""
        with open("/proc/%d/io" % self.process) as file:
            return int(file.readline().split()[1])

    def lines(self):
        return self.value("getline(1, '$')")

    def cursor(self):
        return self.value("[line('.'), col('.') - 1]")

    def mode(self):
        return self.value("mode(1)")

    def shown(self):
        return self.value("expand('%:t')")

    def state(self, member):
        return self.value("continuo#State()." + member)

    def prompt(self):
        return self.state("prompt")

    def messages(self):
        return [text[9:] for text in self.state("messages")]

    def screen(self):
        return self.value("Screen()")

    # The disk

    def path(self, name):
        return os.path.join(os.fsencode(self.folder), name if isinstance(name, bytes) else os.fsencode(name))

    def uri(self, name):
        plain = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/"
        return "file://" + "".join(chr(byte) if byte in plain else "%%%02X" % byte for byte in self.path(name))

    def write(self, name, text):
        """As sync engines do: another file takes the name."""
        with open(self.path(name) + b".new" if len(self.path(name).split(b"/")[-1]) < 250 else self.path("new"),
                  "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        os.rename(file.name, self.path(name))

    def read(self, name):
        try:
            with open(self.path(name), "rb") as file:
                return file.read()
        except FileNotFoundError:
            return None

    # The server

    def heard(self, method):
        """The parameters of what was told with this method, in order."""
        return [message.get("params") for message in list(self.server.heard) if message["method"] == method]

    def forget(self):
        self.server.heard.clear()

    def say(self, method, **params):
        self.server.send({"method": method, "params": params})
        self.settle()

    def ask(self, method, **params):
        """What the plugin answers to a request of the server's."""
        self.server.asked += 1
        number = self.server.asked
        self.server.send({"id": number, "method": method, "params": params})
        with self.server.changed:
            if not self.server.changed.wait_for(lambda: number in self.server.answers, PATIENCE):
                raise AssertionError("no answer to " + method)
            return self.server.answers.pop(number).get("result")

    def settle(self):
        """Returns when the plugin has taken what was said before."""
        self.ask("$/nothing")

    def round(self, name):
        return self.ask("activity/update", uri=self.uri(name))

    def restore(self, name, where=None, **more):
        params = {"request": "r1", "uri": self.uri(name), "offer": offer("o"), "readOnly": False, **more}
        if where is not None:
            params["place"] = where
        return self.ask("document/restore", **params)

    def accept(self, name, at=1):
        """The person asks to continue."""
        self.say("offers/didChange", offers=[offer(name, at=at)])
        self.eventually("the offer", lambda: name in self.prompt())
        self.command("ContinuoResume")
        self.say("continuation/willContinue", request="r1", offer=offer(name))

    def edit(self, name):
        """Opens a file, and waits until the server knows it."""
        self.command("edit " + os.fsdecode(self.path(name)))
        self.eventually("the file to be told", lambda: self.heard("document/open"))
        self.settle()

    def eventually(self, what, check):
        until = time.monotonic() + PATIENCE
        while not check():
            if time.monotonic() > until:
                raise AssertionError(what + " did not come about: " + repr(self.value("continuo#Report()")))
            self.news(0.05)

    def gone(self):
        """Waits until Vim has said its last word to the server."""
        with self.server.changed:
            if not self.server.changed.wait_for(lambda: self.heard("exit"), PATIENCE):
                raise AssertionError("Vim did not leave")

    def news(self, seconds):
        """Returns when Vim has drawn or said something, true, or after so long, false."""
        with self.server.changed:
            return self.server.changed.wait(seconds)
