# SPDX-License-Identifier: MIT
"""Writer, as the core of behaviour sees it."""
from typing import Any, Callable, Dict, Iterable, Optional, Sequence

from com.sun.star.uno import Exception as UnoException
from continuo.editing import Done, Editor, Prompt, Wording
from continuo.names import short, uri_of

from . import asking, bars
from .events import Events, controllers
from .loop import Loop
from .showing import Files
from .view import WriterView

# For how long a sentence stands above the page.
SHOWN = 15
# The commands of a prompt's buttons, by the names of its actions.
COMMANDS = {
    "continue": "Resume", "dismiss": "Dismiss", "openHere": "OpenHere", "keepWaiting": "KeepWaiting",
    "giveUp": "GiveUp",
}


class Writer(Editor):
    wording = Wording(
        save="save it", save_over="saving asks whether to write over that", reload="File > Reload",
        jump="Continuo > Go Where the Other Device Was", resolve="Continuo > Versions in Conflict",
        resume="Continuo > Continue What Is Offered", offers="Continuo > Offers", status="Continuo > Status",
        start="Continuo > Start")

    def __init__(self, context: Any, listener: Any) -> None:
        self.context = context
        self.loop = Loop(context)
        self.events = Events(context, listener)
        self.files = Files(context, self.events.desktop)
        self.views: "Dict[str, WriterView]" = {}
        # The one that is read again: what LibreOffice says of that is no news.
        self.reloading: Optional[WriterView] = None
        self._prompt: Optional[Prompt] = None
        self._offered, self._told = bars.Bar("continuo-offer"), bars.Bar("continuo-message")
        self._presence = bars.Bar("continuo-presence")
        self._lines: "Dict[WriterView, str]" = {}
        # What is told now, and how much was told.
        self._sentence: "Optional[tuple[str, int]]" = None
        self._sentences = 0

    # MARK: Views

    def view(self, model: Any) -> Optional[WriterView]:
        return None if model is None else self.views.get(model.RuntimeUID)

    def adopt(self, model: Any) -> WriterView:
        """The view of a document, for the first time or after the person had it read again."""
        self.events.watch(model)
        known = self.views.get(model.RuntimeUID)
        if known is not None:
            return known
        for view in list(self.views.values()):
            isSameWindow = model.CurrentController.Frame in view.frames
            if view is self.reloading or isSameWindow and self._url(view) == model.URL:
                self.rebind(view, model)
                return view
        view = self.views[model.RuntimeUID] = WriterView(self, model)
        return view

    def rebind(self, view: WriterView, model: Any) -> None:
        """The view's window shows another document now."""
        self.views.pop(view.identity, None)
        view.bind(model)
        self.views[view.identity] = view
        self.events.watch(model)
        # The former document's bars went with it.
        self.later(0, self.redraw)

    def _url(self, view: WriterView) -> str:
        try:
            return view.model.URL
        except UnoException:
            return view.lastURL

    def drop(self, view: WriterView) -> None:
        self.views.pop(view.identity, None)
        self._lines.pop(view, None)

    def documents(self) -> "Iterable[WriterView]":
        return list(self.views.values())

    def current(self) -> Optional[WriterView]:
        return self.view(self.events.front())

    # MARK: Showing documents

    def open(self, path: str, in_front: bool, done: "Callable[[Optional[WriterView], Optional[str]], None]") -> None:
        model, remark = self.files.open(uri_of(path), path)
        if model is None:
            return done(None, remark or "it cannot be read")
        if not hasattr(model, "CurrentController") or not hasattr(model.CurrentController, "ViewCursor"):
            return done(None, "it is no text that Writer shows")
        view = self.adopt(model)
        if remark:
            self.tell(short(path) + " " + remark, False)
        done(view, None)

    def show(self, view: WriterView) -> None:
        self.files.show(view.model)

    def compare(self, view: WriterView, path: str, label: str, done: Done) -> None:
        own = view.path()
        try:
            if own is None or self.files.compare(uri_of(own), uri_of(path)) is None:
                return done("it cannot be read")
        except UnoException as failure:
            return done(str(failure))
        done(None)

    def rename(self, view: WriterView, path: str) -> Optional[str]:
        if view.is_modified():
            return "it has unsaved changes: save it there with File > Save As"
        if len(controllers(view.model)) > 1:
            return "it has several windows: close them, and open it there"

        def done(failure: Optional[str]) -> None:
            if failure is not None:
                self.tell(f"{short(path)} could not be read: {failure}", True)

        view.follow(path, lambda _: self.files.read_instead(view.model, uri_of(path), path), done)
        return None

    # MARK: What the person is told

    def _controller(self) -> Any:
        """The window to tell something in: the one in front, else any."""
        front = self.events.front() or next(iter(self.events.models()), None)
        return None if front is None else front.CurrentController

    def show_prompt(self, prompt: Optional[Prompt]) -> None:
        self._prompt = prompt
        self.redraw()

    def redraw(self) -> None:
        """Another window is in front, or something else is to be shown."""
        controller, current = self._controller(), self.current()
        isInFront = self.events.front() is not None

        def draw(bar: bars.Bar, title: str, text: Optional[str], kind: int = bars.INFO, buttons: Any = ()) -> None:
            if text is not None:
                bar.show(controller, title, text, kind, buttons)
            elif isInFront:
                bar.hide(controller)

        prompt, sentence = self._prompt, self._sentence
        buttons = tuple((each.label, COMMANDS.get(each.name, each.name)) for each in prompt.actions) if prompt else ()
        draw(self._offered, "⇄", prompt.text if prompt else None, bars.INFO, buttons)
        line = self._lines.get(current) if current is not None else None
        draw(self._presence, line or "", "" if line else None)
        text, kind = sentence or (None, bars.INFO)
        draw(self._told, "Continuo", text, kind)

    def act(self, command: str) -> bool:
        """A button of the prompt; false where it has none such now."""
        for each in self._prompt.actions if self._prompt else ():
            if COMMANDS.get(each.name, each.name) == command:
                each.act()
                return True
        return False

    def tell(self, text: str, is_warning: bool) -> None:
        self._sentences += 1
        mine = self._sentences
        self._sentence = text, bars.WARNING if is_warning else bars.INFO
        self.redraw()

        def over() -> None:
            if mine == self._sentences:
                self._sentence = None
                self.redraw()

        self.later(SHOWN, over)

    def show_presence(self, view: WriterView, line: Optional[str]) -> None:
        if line is None:
            self._lines.pop(view, None)
        else:
            self._lines[view] = line
        self.redraw()

    def ask(self, question: str, choices: Sequence[str], answer: "Callable[[Optional[int]], None]") -> None:
        answer(asking.choose(self.context, self._window(), question, list(choices)))

    def read(self, title: str, text: str) -> None:
        """A text that the person has asked for."""
        asking.show(self.context, self._window(), title, text)

    def _window(self) -> Any:
        frame = self.events.desktop.getCurrentFrame()
        return None if frame is None else frame.ContainerWindow

    # MARK: The main loop

    def later(self, seconds: float, act: Callable[[], None]) -> None:
        self.loop.later(seconds, act)

    def post(self, act: Callable[[], None]) -> None:
        self.loop.post(act)
