# SPDX-License-Identifier: MIT
"""What is missing, in sentences that say what to do."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import List, Optional, Sequence, Tuple

from ..names import path_of, shown_path
from ..shown import shown
from .continuity import Continuity

# A word, "ok", "note" or "wrong", and a sentence.
Finding = Tuple[str, str]

FLATPAK = ("flatpak-spawn", "--host", "continuo", "serve", "--stdio")


def box() -> Optional[str]:
    """The box that the editor runs in, "Flatpak" or "Snap"; None for none."""
    if os.path.exists("/.flatpak-info"):
        return "Flatpak"
    return "Snap" if os.environ.get("SNAP") else None


def boxed_sentence(kind: str, identifier: str, settings: str) -> str:
    """What helps in a box."""
    if kind == "Flatpak":
        command = ", ".join(f'"{word}"' for word in FLATPAK)
        return (f"this is the Flatpak edition, which cannot start programs of the system by itself: allow it with "
                f"`flatpak override --user --talk-name=org.freedesktop.Flatpak {identifier}`, and put "
                f'{{"command": [{command}]}} into {settings}')
    return ("this is the Snap edition, which cannot start programs of the system: use the edition of your "
            "distribution, as `apt install` brings it")


def _program(command: Sequence[str]) -> List[Finding]:
    program = shutil.which(command[0])
    if program is None:
        return [("wrong", f"{shown(command[0])} is not installed, or not on PATH: install Continuo, or say in the "
                          "settings where it is")]
    found: List[Finding] = [("ok", f"{shown_path(program)} is installed")]
    if len(command) < 2 or command[1] != "serve":
        return found
    try:
        answer = subprocess.run([program, "serve", "--help"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL, timeout=10, check=False).returncode
    except (OSError, subprocess.TimeoutExpired):
        answer = 1
    if answer != 0:
        return found + [("wrong", f"{shown(command[0])} knows no `serve`: install a newer Continuo")]
    return found + [("ok", "it serves editors")]


def findings(continuity: Continuity, settings_path: str, identifier: str) -> List[Finding]:
    """Everything that was looked at; the worst comes first where nothing else works without it."""
    settings, session = continuity.settings, continuity.session
    kind = box()
    found: List[Finding] = []
    if kind is not None and settings.command[0] != FLATPAK[0]:
        found.append(("wrong", boxed_sentence(kind, identifier, shown_path(settings_path))))
    found += _program(settings.command)
    if session.obstacle:
        found.append(("wrong", session.obstacle))
    elif session.connected is None:
        found.append(("note", "the server is not running; it starts with the first file"))
    elif session.connected:
        found.append(("ok", "the server runs and is connected to the agent"))
    else:
        found.append(("wrong", "the server runs, but cannot reach the agent: look at `continuo status`"))
    documents = continuity.documents.all()
    for document in documents:
        standing, name = document.standing, shown_path(path_of(document.uri) or "")
        if standing is not None and standing.synced:
            found.append(("ok", f"{name} is in {standing.folder or 'a synced folder'}"))
        else:
            reason = standing.reason if standing is not None else None
            found.append(("note", f"{name}: {reason or 'the server has not told yet'}"))
    fresh = continuity.fresh.lines()
    found += [("note", line) for line in fresh]
    if not documents and not fresh:
        found.append(("note", "no file is open"))
    if not settings.autosave:
        found.append(("note", "autosave is off: what is not saved is not handed over, and the other device is told "
                              "so"))
    return found
