# SPDX-License-Identifier: MIT
"""A server that does something wrong: `fake_server.py MODE`."""

import json
import os
import select
import sys
import signal

# Nothing is read before it is asked for, so that `select` tells whether more has come.
INPUT = open(0, "rb", buffering=0, closefd=False)


def read():
    length = 0
    while True:
        line = INPUT.readline()
        if not line:
            sys.exit(0)
        if line == b"\r\n":
            content = b""
            while len(content) < length:
                content += INPUT.read(length - len(content))
            return json.loads(content)
        length = int(line.split(b":")[1])


def framed(message):
    content = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\nX-Other: 1\r\n\r\n%s" % (len(content), content)


def write(*messages):
    """All in one piece."""
    raw(b"".join(framed(each) for each in messages))


def raw(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def greet(*more, connected=True):
    number = read()["id"]
    write({"id": number, "result": {
        "protocolVersion": 2, "server": {"name": "continuo", "version": "9"}, "positionEncoding": "utf-32",
        "connected": connected}}, *more)


# What a server tells late.
NEWS = {
    "late": [], "late-agent": [{"method": "connection/didChange", "params": {"connected": True}}],
    "late-folder": [{
        "method": "document/standingDidChange", "params": {"uri": "file:///plan.md", "synced": True}}],
}
RESULTS = {"activity/create": {"activity": "a1"},
           "document/open": {"uri": "file:///plan.md", "synced": sys.argv[1] != "late-folder"}}


def is_quiet():
    return not select.select([0], [], [], 0.3)[0]


def answer_late(news, keep):
    """Answers nothing, and tells nothing, before nothing more comes, and keeps what was said by both."""
    held = []
    while True:
        if (held or news) and is_quiet():
            if held:
                request = held.pop(0)
                keep("answered " + request["method"])
                write({"id": request["id"], "result": RESULTS.get(request["method"])})
            else:
                keep("told " + news[0]["method"])
                write(news.pop(0))
            continue
        request = read()
        keep(request["method"])
        if request["method"] == "exit":
            sys.exit(0)
        if request["method"] == "activity/set":
            keep(json.dumps(request["params"], sort_keys=True))
        if "id" in request:
            held.append(request)


def wait():
    while True:
        signal.pause()


mode = sys.argv[1]
if mode == "dies":
    sys.stderr.write("it is broken\n")
    sys.exit(3)
if mode == "refuses":
    write({"id": read()["id"], "error": {"code": -32602, "message": "app.id is missing"}})
    wait()
if mode == "pager":
    raw(b"Welcome to this computer!\r\n\r\n")
    wait()
if mode == "quick-agent":
    greet({"method": "connection/didChange", "params": {"connected": True}}, connected=False)
else:
    greet(connected=mode != "late-agent")
if mode == "headers":
    raw(b"X-Long: " + b"x" * 10000)
elif mode == "length":
    raw(b"Content-Length: 8388609\r\n\r\n")
elif mode == "number":
    raw(b"Content-Length: 99999999999\r\n\r\n")
elif mode == "deep":
    text = b'{"jsonrpc":"2.0","method":"offers/didChange","params":' + b"[" * 5000 + b"]" * 5000 + b"}"
    raw(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
elif mode == "no-json":
    raw(b"Content-Length: 3\r\n\r\n\xff{}")
elif mode == "odd":
    # Members of other types, methods that nobody knows, answers that nobody awaits: none of it ends anything.
    write({"method": "offers/didChange", "params": {"offers": [{"id": 1}]}})
    write({"method": "offers/didChange", "params": [1]})
    write({"method": "no/such", "params": {}})
    write({"id": 7, "result": None})
    write({"id": 1, "method": "no/such"})
    answers = [read()]
    write({"id": 2, "method": "document/restore", "params": {"uri": 7}})
    answers.append(read())
    write({"method": "activity/withheld", "params": {
        "reason": json.dumps([each["error"]["code"] for each in answers]) + "\u202e\n"}})
elif mode == "once":
    # The first one ends when it is asked for something; `sys.argv[2]` tells which one this is.
    if not os.path.exists(sys.argv[2]):
        open(sys.argv[2], "w").close()
        read()
        sys.exit(1)
    request = read()
    while "id" not in request or request["method"] != "offers/list":
        request = read()
    write({"id": request["id"], "result": {"offers": []}})
elif mode in NEWS:
    # `sys.argv[2]` is where it is kept.
    with open(sys.argv[2], "a") as log:
        answer_late(NEWS[mode], lambda line: print(line, file=log, flush=True))
elif mode == "pieces":
    content = json.dumps({"jsonrpc": "2.0", "method": "activity/withheld", "params": {"reason": "é😀"}},
                         ensure_ascii=False).encode()
    for byte in b"Content-Length: %d\r\n\r\n%s" % (len(content), content):
        raw(bytes([byte]))
wait()
