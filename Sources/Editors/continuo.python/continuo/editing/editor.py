# SPDX-License-Identifier: MIT
"""What an editor has to be able to do, so that `Continuity` can do the rest. All of it runs in the main loop."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Callable, Iterable, Mapping, Optional, Sequence, Tuple

from ..model import Delivered, Place

# Called once, at once or later: None, or a sentence that says why it could not be done.
Done = Callable[[Optional[str]], None]


@dataclass(frozen=True)
class SaveObstacle:
    """Why a document is not saved without a question: "is read-only", as it goes on after "it". With `is_passing`
    it is tried again when the person pauses, and nothing is said."""

    reason: str
    is_passing: bool = False


@dataclass(frozen=True)
class Action:
    """One thing that a prompt offers; `name` is "continue", "dismiss", "openHere", "keepWaiting", "giveUp"."""

    name: str
    label: str
    act: Callable[[], None]


@dataclass(frozen=True)
class Prompt:
    """One line that stands somewhere without taking focus or keys. `fraction` is how much of an awaited version is
    here, from 0 to 1; None where that is not known."""

    text: str
    actions: Tuple[Action, ...] = ()
    is_waiting: bool = False
    fraction: Optional[float] = None


@dataclass(frozen=True)
class Wording:
    """How the editor's commands are called in sentences."""

    save: str = "save it"
    save_over: str = "saving asks whether to write over that"
    reload: str = "reload it"
    jump: str = "Continuo > Jump to the Other Place"
    resolve: str = "Continuo > Resolve Conflict"
    resume: str = "Continuo > Resume"
    offers: str = "Continuo > Offers"
    status: str = "Continuo > Status"
    start: str = "Continuo > Start"


class DocumentView(ABC):
    """One document of the editor, with the view that shows it. The same object stands for it as long as it is open."""

    @abstractmethod
    def path(self) -> Optional[str]:
        """Its file, absolute, as os.fsdecode has names; None for a document that was never saved or is elsewhere."""

    @abstractmethod
    def is_modified(self) -> bool:
        """Whether there is text that the file does not hold."""

    @abstractmethod
    def revision(self) -> int:
        """Another number after each change of the text."""

    @abstractmethod
    def place(self) -> Optional[Place]:
        """Where the person is; None where nothing is to be said of that."""

    def spot(self) -> Optional[Place]:
        """What tells whether the person moved; another one than `place` for documents that are no plain text."""
        return self.place()

    def was_deleted(self) -> None:
        """The file is gone, and the text is only here now: saving it has to be possible, unchanged as it is."""

    @abstractmethod
    def go(self, place: Place) -> None:
        """Puts the cursor there, selects, scrolls, and opens what is folded. The place may be beyond the text."""

    @abstractmethod
    def save(self, done: Done) -> None:
        """Writes the file by the editor's own means, without a question."""

    @abstractmethod
    def reload(self, done: Done) -> None:
        """Reads the file again; the place stays. The text stays when that fails."""

    def save_obstacle(self, is_pause: bool) -> Optional[SaveObstacle]:
        """Why it is not saved now; None where it can be. `is_pause`: nobody typed for a moment."""
        return None

    def is_loading(self) -> bool:
        """Whether the file is being read, so that what changes is nobody's doing. `Continuity.opened` follows."""
        return False

    def is_typing(self) -> bool:
        """Whether reading the file again would disturb: a menu of completion, an input method's text."""
        return False

    def text(self) -> Optional[str]:
        """The whole text with line feeds, to compare it with a file that was read before anybody looked; None where
        that cannot be."""
        return None

    def set_read_only(self, is_read_only: bool) -> None:
        """What is here is not the version meant, and is shown for reading."""

    def user_info(self) -> Optional[Mapping[str, Any]]:
        """What else there is to say of the place; None for nothing."""
        return None

    def go_activity(self, activity: Delivered, place: Optional[Place], certainty: Optional[str]) -> Optional[str]:
        """Goes to the place of an activity; gives the certainty of where it went. Only for documents that are no
        plain text."""
        if place is not None:
            self.go(place)
        return certainty

    def line_of(self, place: Place) -> str:
        """How the place is called in a sentence."""
        return f"line {place.position.line + 1}"


class Editor(ABC):
    """The program."""

    wording = Wording()

    @abstractmethod
    def documents(self) -> Iterable[DocumentView]:
        """All that is open."""

    @abstractmethod
    def current(self) -> Optional[DocumentView]:
        """What the person has in front."""

    @abstractmethod
    def open(self, path: str, in_front: bool, done: Callable[[Optional[DocumentView], Optional[str]], None]) -> None:
        """Opens a file without a question, in front of the person or in the background; gives its view, or a
        sentence that says why not."""

    @abstractmethod
    def show(self, view: DocumentView) -> None:
        """Brings a document to front."""

    @abstractmethod
    def show_prompt(self, prompt: Optional[Prompt]) -> None:
        """Shows the prompt instead of the one before; None for none."""

    @abstractmethod
    def tell(self, text: str, is_warning: bool) -> None:
        """Shows one sentence for a while, without asking for anything."""

    @abstractmethod
    def ask(self, question: str, choices: Sequence[str], answer: Callable[[Optional[int]], None]) -> None:
        """Lets the person choose, who asked for this; gives the index, or None."""

    @abstractmethod
    def compare(self, view: DocumentView, path: str, label: str, done: Done) -> None:
        """Shows a document and another file side by side, by the editor's own means."""

    @abstractmethod
    def later(self, seconds: float, act: Callable[[], None]) -> None:
        """Calls `act` in the main loop."""

    @abstractmethod
    def post(self, act: Callable[[], None]) -> None:
        """The same at once, from any thread."""

    def is_busy(self) -> bool:
        """Whether the person is in the middle of something, and nothing is to be put in front of it."""
        return False

    def rename(self, view: DocumentView, path: str) -> Optional[str]:
        """The document's file lies at `path` now; a sentence says why the editor cannot follow."""
        return "the editor cannot follow it"

    def show_presence(self, view: DocumentView, line: Optional[str]) -> None:
        """Who else has the document, in a word of the status bar; None for nobody."""
