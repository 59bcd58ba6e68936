#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Packs the extension: `pack.py FILE.vsix`. The same sources give the same bytes."""

import json
import sys
import zipfile
from pathlib import Path
from xml.sax.saxutils import quoteattr, escape

HERE = Path(__file__).resolve().parent
PARTS = ["package.json", "README.md", "extension.js", *sorted(f"lib/{each.name}" for each in HERE.glob("lib/*.js"))]
TYPES = {".js": "application/javascript", ".json": "application/json", ".md": "text/markdown", ".txt": "text/plain",
         ".vsixmanifest": "text/xml"}


def content_types():
    known = "".join(f"<Default Extension={quoteattr(end)} ContentType={quoteattr(kind)}/>" for end, kind in TYPES.items())
    return ('<?xml version="1.0" encoding="utf-8"?>\n'
            f'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">{known}</Types>\n')


def manifest(package):
    identity = (f'Language="en-US" Id={quoteattr(package["name"])} Version={quoteattr(package["version"])} '
                f'Publisher={quoteattr(package["publisher"])}')
    properties = {
        "Microsoft.VisualStudio.Code.Engine": package["engines"]["vscode"],
        "Microsoft.VisualStudio.Code.ExtensionKind": ",".join(package["extensionKind"]),
        "Microsoft.VisualStudio.Code.ExtensionDependencies": "", "Microsoft.VisualStudio.Code.ExtensionPack": "",
    }
    lines = "".join(f"<Property Id={quoteattr(name)} Value={quoteattr(value)}/>" for name, value in properties.items())
    assets = {
        "Microsoft.VisualStudio.Code.Manifest": "extension/package.json",
        "Microsoft.VisualStudio.Services.Content.Details": "extension/README.md",
        "Microsoft.VisualStudio.Services.Content.License": "extension/LICENSE.txt",
    }
    files = "".join(f"<Asset Type={quoteattr(kind)} Path={quoteattr(path)} Addressable=\"true\"/>"
                    for kind, path in assets.items())
    return ('<?xml version="1.0" encoding="utf-8"?>\n'
            '<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">'
            f"<Metadata><Identity {identity}/><DisplayName>{escape(package['displayName'])}</DisplayName>"
            f"<Description xml:space=\"preserve\">{escape(package['description'])}</Description>"
            f"<Tags>{escape(','.join(package['keywords']))}</Tags><Categories>{escape(','.join(package['categories']))}"
            f"</Categories><Properties>{lines}</Properties><License>extension/LICENSE.txt</License></Metadata>"
            '<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation><Dependencies/>'
            f"<Assets>{files}</Assets></PackageManifest>\n")


def main(target):
    package = json.loads((HERE / "package.json").read_text())
    contents = {"[Content_Types].xml": content_types(), "extension.vsixmanifest": manifest(package)}
    contents.update((f"extension/{name}", (HERE / name).read_text()) for name in PARTS)
    contents["extension/LICENSE.txt"] = (HERE / "../../../LICENSE").resolve().read_text()
    with zipfile.ZipFile(target, "w") as packed:
        for name, text in contents.items():
            # No time and no rights of this machine; stored, for what compresses differs between releases of zlib.
            entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            entry.external_attr = 0o644 << 16
            entry.create_system = 3
            packed.writestr(entry, text.encode())


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: pack.py FILE.vsix")
    main(sys.argv[1])
