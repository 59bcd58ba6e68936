#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Makes a document as Writer leaves it: make_document.py FILE.odt MEGABYTES PARAGRAPH …

So many megabytes are a picture behind the paragraphs, without a pattern; 0 is none."""
import random
import struct
import sys
import zipfile
import zlib
from xml.sax.saxutils import escape

SPACES = "".join(
    f" xmlns:{prefix}='urn:oasis:names:tc:opendocument:xmlns:{name}:1.0'"
    for prefix, name in (("office", "office"), ("text", "text"), ("meta", "meta"), ("manifest", "manifest"),
                         ("draw", "drawing"), ("svg", "svg-compatible")))
SPACES += " xmlns:xlink='http://www.w3.org/1999/xlink'"
PICTURE = "Pictures/noise.png"
FRAME = ("<text:p><draw:frame text:anchor-type='as-char' svg:width='5cm' svg:height='5cm'>"
         f"<draw:image xlink:href='{PICTURE}' xlink:type='simple' xlink:show='embed' xlink:actuate='onLoad'/></draw:frame></text:p>")
KIND = "application/vnd.oasis.opendocument.text"


def part(name, body):
    return f"<?xml version='1.0' encoding='UTF-8'?>\n<{name}{SPACES} office:version='1.2'>{body}</{name}>"


def noise(megabytes):
    """A PNG of so many bytes."""
    width, height = 4096, (megabytes << 20) // (4096 * 3)
    made = random.Random(megabytes)
    rows = b"".join(b"\0" + made.randbytes(width * 3) for _ in range(height))

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 0)) + chunk(b"IEND", b""))


path, megabytes, paragraphs = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
text = "".join(f"<text:p>{escape(each)}</text:p>" for each in paragraphs) + (FRAME if megabytes else "")
pictures = ((PICTURE, "image/png"),) if megabytes else ()
entries = "".join(
    f"<manifest:file-entry manifest:full-path='{name}' manifest:media-type='{kind}'/>"
    for name, kind in (("/", KIND), ("content.xml", "text/xml"), ("meta.xml", "text/xml")) + pictures)
with zipfile.ZipFile(path, "w") as package:
    package.writestr("mimetype", KIND)
    if megabytes:
        package.writestr(PICTURE, noise(megabytes))
    package.writestr(
        "content.xml",
        part("office:document-content", f"<office:body><office:text>{text}</office:text></office:body>"))
    package.writestr(
        "meta.xml", part("office:document-meta", "<office:meta><meta:generator>LibreOffice/7.4</meta:generator></office:meta>"))
    package.writestr(
        "META-INF/manifest.xml",
        f"<manifest:manifest xmlns:manifest='urn:oasis:names:tc:opendocument:xmlns:manifest:1.0'>{entries}</manifest:manifest>")
