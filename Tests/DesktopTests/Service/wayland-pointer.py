#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A mouse for a Wayland compositor that has none, by the protocol wlr-virtual-pointer-unstable-v1.

It is there while this runs. Each line of the named pipe, `X Y`, is a click at that place of the outputs, which
measure WIDTH and HEIGHT together: wayland-pointer.py WIDTH HEIGHT PIPE
"""
import os
import socket
import struct
import sys

DISPLAY, REGISTRY, CALLBACK, MANAGER, POINTER = 1, 2, 3, 4, 5
LEFT, PRESSED, RELEASED = 0x110, 1, 0
INTERFACE = b"zwlr_virtual_pointer_manager_v1\0"

path = os.path.join(os.environ["XDG_RUNTIME_DIR"], os.environ["WAYLAND_DISPLAY"])
server = socket.socket(socket.AF_UNIX)
server.connect(path)


def send(to, opcode, *numbers, text=b""):
    body = b""
    for number in numbers:
        body += struct.pack("I", number)
        if text and len(body) == 4:
            body += struct.pack("I", len(text)) + text + bytes(-len(text) % 4)
    server.sendall(struct.pack("IHH", to, opcode, 8 + len(body)) + body)


def receive():
    head = server.recv(8, socket.MSG_WAITALL)
    sender, opcode, size = struct.unpack("IHH", head)
    return sender, opcode, server.recv(size - 8, socket.MSG_WAITALL) if size > 8 else b""


def synchronize():
    """The globals that came before the answer."""
    send(DISPLAY, 0, CALLBACK)
    found = []
    while True:
        sender, opcode, body = receive()
        if sender == DISPLAY and opcode == 0:
            sys.exit(repr(body))
        if sender == REGISTRY and opcode == 0:
            found.append(body)
        if sender == CALLBACK:
            return found


send(DISPLAY, 1, REGISTRY)
name = next(body[:4] for body in synchronize() if INTERFACE in body)
send(REGISTRY, 0, struct.unpack("I", name)[0], 1, MANAGER, text=INTERFACE)
send(MANAGER, 0, 0, POINTER)
synchronize()
print("ready", flush=True)
width, height = int(sys.argv[1]), int(sys.argv[2])
# Open for writing, too, it has no end.
for line in open(os.open(sys.argv[3], os.O_RDWR), "rb", buffering=0):
    x, y = map(int, line.split())
    send(POINTER, 1, 0, x, y, width, height)
    send(POINTER, 4)
    for state in (PRESSED, RELEASED):
        send(POINTER, 2, 0, LEFT, state)
        send(POINTER, 4)
    synchronize()
    print("clicked", flush=True)
