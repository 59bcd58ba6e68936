# SPDX-License-Identifier: MIT
"""Resolves conflicts in a folder by the C library: `versions.py LIST FOLDER [LIBRARY]`. For a document of every name
in the list the copy is kept, and the former text has to lie beside it; no name may do anything."""
import os
from ctypes import Structure, byref, c_int32, c_size_t, c_uint64, sizeof

from door import Text, check, connected, continuo, equal, folder, listed_names


class Version(Structure):
    _fields_ = [("size", c_size_t), ("version", c_uint64), ("path", Text), ("is_document", c_int32),
                ("is_readable", c_int32), ("device", Text), ("put_aside", Text), ("changed_at", c_uint64),
                ("byte_count", c_uint64)]


def write(path, text):
    with open(path, "wb") as file:
        file.write(text)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def versions(document):
    count = c_size_t()
    check(continuo.continuo_file_version_count(session, document, byref(count)))
    found = [Version(size=sizeof(Version)) for _ in range(count.value)]
    for index, version in enumerate(found):
        check(continuo.continuo_file_version_at(session, c_size_t(index), byref(version)))
    return found


names = [name for name in listed_names() if len(name) < 200]
session = connected(b"org.example.versions")
for name in names:
    path, document, count = folder + b"/" + name, c_uint64(), c_size_t()
    copy = path + b"..path1"
    write(path, b"mine")
    check(continuo.continuo_document_open(session, path, c_size_t(len(path)), byref(document)))
    equal(name, versions(document), [])
    write(copy, b"theirs")
    found = versions(document)
    equal(name, [bytes(version.path) for version in found], [path, copy])
    equal(name, [version.is_document for version in found], [1, 0])
    equal(name, [version.byte_count for version in found], [4, 6])
    write(copy, b"newer!")
    check(continuo.continuo_file_version_keep(session, c_uint64(found[1].version), None), expected=5)
    equal(name, [read(path), read(copy)], [b"mine", b"newer!"])
    stale, found = found[1].version, versions(document)
    check(continuo.continuo_file_version_keep(session, c_uint64(stale), None), expected=1)
    check(continuo.continuo_file_version_keep(session, c_uint64(found[1].version), byref(count)))
    equal(name, [read(path), count.value, os.path.exists(copy)], [b"newer!", 1, False])
    aside, reason = Text(), Text()
    check(continuo.continuo_file_version_aside_at(session, c_size_t(0), byref(aside), byref(reason)))
    equal(name, [read(bytes(aside)), bytes(reason)], [b"mine", b""])
    check(continuo.continuo_document_close(session, document))
    os.remove(path)
    os.remove(bytes(aside))
check(continuo.continuo_session_destroy(session, c_uint64(0)))
equal("names", os.listdir(folder), [])
print(f"{len(names)} conflicts")
