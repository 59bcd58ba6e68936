# SPDX-License-Identifier: MIT
"""Opens a document of every name in a list, in a folder, by the C library: `names.py LIST FOLDER [LIBRARY]`. Each
path has to come back byte for byte, and no name may do anything."""
import os
import re
import sys
from ctypes import CDLL, Structure, byref, c_char_p, c_int32, c_size_t, c_uint64, c_void_p, sizeof, string_at

continuo = CDLL(sys.argv[3] if len(sys.argv) > 3 else "libcontinuo.so.0")


class Text(Structure):
    _fields_ = [("bytes", c_void_p), ("length", c_size_t)]

    def __bytes__(self):
        return string_at(self.bytes, self.length)


class App(Structure):
    _fields_ = [("size", c_size_t), ("identifier", c_char_p), ("identifier_length", c_size_t), ("name", Text),
                ("program", Text), ("columns", c_int32), ("padding", c_int32)]


def check(status):
    if status:
        sentence = Text()
        continuo.continuo_last_error(byref(sentence))
        sys.exit(bytes(sentence).decode())


def path_of(document):
    text = Text()
    check(continuo.continuo_document_path(session, document, byref(text)))
    return bytes(text)


def equal(name, found, expected):
    if found != expected:
        sys.exit(f"{name!r}: {found!r} instead of {expected!r}")


with open(sys.argv[1], "rb") as lines:
    names = [re.sub(rb"\\x(..)", lambda escape: bytes([int(escape[1], 16)]), line)
             for line in lines.read().split(b"\n") if line and not line.startswith(b"#")]
names += [bytes([byte]) for byte in range(1, 256) if byte not in b"./" and bytes([byte]) not in names]
folder = os.fsencode(os.path.realpath(sys.argv[2]))
identifier = b"org.example.names"
app = App(size=sizeof(App), identifier=identifier, identifier_length=len(identifier))
session, moved = c_uint64(), c_uint64()
check(continuo.continuo_session_create(byref(app), None, byref(session)))
check(continuo.continuo_connect(session))
for name in names:
    path = folder + b"/" + name
    with open(path, "wb") as file:
        file.write(name)
    document, other = c_uint64(), c_uint64()
    check(continuo.continuo_document_open(session, path, c_size_t(len(path)), byref(document)))
    equal(name, path_of(document), path)
    check(continuo.continuo_document_at(session, path, c_size_t(len(path)), byref(other)))
    equal(name, other.value, document.value)
    with open(path, "rb") as file:
        equal(name, file.read(), name)
    check(continuo.continuo_document_close(session, document))
path = folder + b"/moved.md"
check(continuo.continuo_document_open(session, path, c_size_t(len(path)), byref(moved)))
for name in names:
    path = folder + b"/" + name
    check(continuo.continuo_document_moved(session, moved, path, c_size_t(len(path))))
    equal(name, path_of(moved), path)
check(continuo.continuo_session_destroy(session, c_uint64(0)))
equal("names", sorted(os.listdir(folder)), sorted(names))
print(f"{len(names)} names")
