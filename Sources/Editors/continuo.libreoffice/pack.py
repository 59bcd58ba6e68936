#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Packs Writer's extension, with the package `continuo` in it: pack.py VERSION FILE.oxt, or a FOLDER to lay it into.

The same sources make the same bytes.
"""
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parent / "continuo.python" / "continuo"
LEFT_OUT = {"pack.py"}


def contents(version: str) -> "dict[str, bytes]":
    found = {}
    for folder, inside in ((HERE, ""), (PACKAGE, "pythonpath/continuo/")):
        for path in sorted(folder.rglob("*")):
            isData = path.is_file() and "__pycache__" not in path.parts and path.name not in LEFT_OUT
            if isData:
                found[inside + path.relative_to(folder).as_posix()] = path.read_bytes()
    found["description.xml"] = found["description.xml"].replace(b"VERSION", version.encode())
    return found


def pack(files: "dict[str, bytes]", target: Path) -> None:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as package:
        for name, data in sorted(files.items()):
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            package.writestr(info, data)


def lay(files: "dict[str, bytes]", folder: Path) -> None:
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit("usage: pack.py VERSION FILE.oxt|FOLDER")
    files, target = contents(sys.argv[1]), Path(sys.argv[2])
    pack(files, target) if target.suffix == ".oxt" else lay(files, target)


main()
