# SPDX-License-Identifier: MIT
"""The behaviour of an editor with Continuo, once for all editors in Python: see `Editor`, `DocumentView` and
`Continuity`."""

from .continuity import Continuity
from .editor import Action, DocumentView, Done, Editor, Prompt, SaveObstacle, Wording
from .settings import Settings, load, settings_path

__all__ = [
    "Action", "Continuity", "DocumentView", "Done", "Editor", "Prompt", "SaveObstacle", "Settings", "Wording", "load",
    "settings_path",
]
