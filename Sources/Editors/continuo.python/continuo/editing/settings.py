# SPDX-License-Identifier: MIT
"""What a person may set, in one file of JSON for each editor."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, fields, replace
from typing import Any, Dict, Optional, Tuple

from ..names import shown_path
from ..session import COMMAND
from ..shown import shown


@dataclass(frozen=True)
class Settings:
    """`command` starts the server; without `autosave` the person saves, and the other device is told that there is
    more; without `prompt` offers are only in the menu; `app` is the identifier under which the editor continues."""

    app: str
    command: Tuple[str, ...] = COMMAND
    autosave: bool = True
    prompt: bool = True


def settings_path(name: str) -> str:
    """Where the settings of an editor lie: `continuo/NAME.json` in the folder for settings."""
    folder = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    return os.path.join(folder, "continuo", name + ".json")


def _checked(name: str, value: Any) -> Any:
    if name == "command":
        words = value.split() if isinstance(value, str) else value
        if not isinstance(words, list) or not words or not all(isinstance(word, str) and word for word in words):
            raise ValueError('"command" is an array of texts, as ["continuo", "serve", "--stdio"]')
        return tuple(words) if len(words) > 1 else (words[0], *COMMAND[1:])
    if name == "app":
        if not isinstance(value, str) or not value:
            raise ValueError('"app" is a text, as "org.gnome.gedit"')
        return value
    if not isinstance(value, bool):
        raise ValueError(f'"{name}" is true or false')
    return value


def load(path: str, defaults: Settings) -> Tuple[Settings, Optional[str]]:
    """The settings in a file, and a sentence where it is wrong; what is wrong counts as not there."""
    try:
        with open(path, "rb") as file:
            given = json.loads(file.read(65536))
    except FileNotFoundError:
        return defaults, None
    except (OSError, ValueError) as failure:
        return defaults, f"{shown_path(path)} cannot be read, and counts as empty: {shown(str(failure))}"
    if not isinstance(given, dict):
        return defaults, f"{shown_path(path)} holds no object of JSON, and counts as empty"
    found: Dict[str, Any] = {}
    wrong = []
    known = [field.name for field in fields(Settings)]
    for name, value in given.items():
        try:
            if name not in known:
                raise ValueError(f'"{name}" is no setting; there are {", ".join(known)}')
            found[name] = _checked(name, value)
        except ValueError as failure:
            wrong.append(shown(str(failure)))
    sentence = f"{shown_path(path)}: {'; '.join(wrong)}" if wrong else None
    return replace(defaults, **found), sentence
