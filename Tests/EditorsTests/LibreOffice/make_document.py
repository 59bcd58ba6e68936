#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Makes a document as Writer leaves it: make_document.py FILE.odt PARAGRAPH …"""
import sys
import zipfile
from xml.sax.saxutils import escape

SPACES = "".join(
    f" xmlns:{prefix}='urn:oasis:names:tc:opendocument:xmlns:{name}:1.0'"
    for prefix, name in (("office", "office"), ("text", "text"), ("meta", "meta"), ("manifest", "manifest")))
KIND = "application/vnd.oasis.opendocument.text"


def part(name, body):
    return f"<?xml version='1.0' encoding='UTF-8'?>\n<{name}{SPACES} office:version='1.2'>{body}</{name}>"


path, paragraphs = sys.argv[1], sys.argv[2:]
text = "".join(f"<text:p>{escape(each)}</text:p>" for each in paragraphs)
entries = "".join(
    f"<manifest:file-entry manifest:full-path='{name}' manifest:media-type='{kind}'/>"
    for name, kind in (("/", KIND), ("content.xml", "text/xml"), ("meta.xml", "text/xml")))
with zipfile.ZipFile(path, "w") as package:
    package.writestr("mimetype", KIND)
    package.writestr(
        "content.xml",
        part("office:document-content", f"<office:body><office:text>{text}</office:text></office:body>"))
    package.writestr(
        "meta.xml", part("office:document-meta", "<office:meta><meta:generator>LibreOffice/7.4</meta:generator></office:meta>"))
    package.writestr(
        "META-INF/manifest.xml",
        f"<manifest:manifest xmlns:manifest='urn:oasis:names:tc:opendocument:xmlns:manifest:1.0'>{entries}</manifest:manifest>")
