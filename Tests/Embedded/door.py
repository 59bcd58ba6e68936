# SPDX-License-Identifier: MIT
"""What the scripts in Python that call the C library share: `SCRIPT LIST FOLDER [LIBRARY]` are their arguments."""
import os
import re
import sys
from ctypes import CDLL, Structure, byref, c_char_p, c_int32, c_size_t, c_uint64, c_void_p, sizeof, string_at

continuo = CDLL(sys.argv[3] if len(sys.argv) > 3 else "libcontinuo.so.0")
folder = os.fsencode(os.path.realpath(sys.argv[2]))


class Text(Structure):
    _fields_ = [("bytes", c_void_p), ("length", c_size_t)]

    def __bytes__(self):
        return string_at(self.bytes, self.length)


class App(Structure):
    _fields_ = [("size", c_size_t), ("identifier", c_char_p), ("identifier_length", c_size_t), ("name", Text),
                ("program", Text), ("columns", c_int32), ("padding", c_int32)]


def check(status, expected=0):
    if status != expected:
        sentence = Text()
        continuo.continuo_last_error(byref(sentence))
        sys.exit(f"{status} instead of {expected}: {bytes(sentence).decode()}")


def equal(name, found, expected):
    if found != expected:
        sys.exit(f"{name!r}: {found!r} instead of {expected!r}")


def listed_names():
    with open(sys.argv[1], "rb") as lines:
        return [re.sub(rb"\\x(..)", lambda escape: bytes([int(escape[1], 16)]), line)
                for line in lines.read().split(b"\n") if line and not line.startswith(b"#")]


def connected(identifier):
    app = App(size=sizeof(App), identifier=identifier, identifier_length=len(identifier))
    session = c_uint64()
    check(continuo.continuo_session_create(byref(app), None, byref(session)))
    check(continuo.continuo_connect(session))
    return session
