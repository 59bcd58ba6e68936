# SPDX-License-Identifier: MIT
"""Opens a document of every name in a list, in a folder, by the C library: `names.py LIST FOLDER [LIBRARY]`. Each
path has to come back byte for byte, and no name may do anything."""
import os
from ctypes import byref, c_size_t, c_uint64

from door import Text, check, connected, continuo, equal, folder, listed_names


def path_of(document):
    text = Text()
    check(continuo.continuo_document_path(session, document, byref(text)))
    return bytes(text)


names = listed_names()
names += [bytes([byte]) for byte in range(1, 256) if byte not in b"./" and bytes([byte]) not in names]
session, moved = connected(b"org.example.names"), c_uint64()
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
