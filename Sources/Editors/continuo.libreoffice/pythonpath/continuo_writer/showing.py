# SPDX-License-Identifier: MIT
"""Showing documents: opening, reading again, and two versions compared by Writer's own means."""
from typing import Any, Optional

from com.sun.star.uno import Exception as UnoException

from . import locks, origin
from .writing import own_lock, properties

NEVER_EXECUTE = 0


def _taken(former: Optional[locks.Lock]) -> Optional[str]:
    if former is None:
        return None
    return f"was locked by {former.name or former.user} on {former.host}; the lock is this Writer's now"


class Files:
    def __init__(self, context: Any, desktop: Any) -> None:
        self.context, self.desktop = context, desktop
        self._former: Optional[locks.Lock] = None

    def _dispatch(self, frame: Any, command: str, isSynchronous: bool = True, **values: Any) -> Any:
        helper = self.context.ServiceManager.createInstanceWithContext(
            "com.sun.star.frame.DispatchHelper", self.context)
        return helper.executeDispatch(frame, command, "", 0, properties(SynchronMode=isSynchronous, **values))

    def open(self, url: str, path: str) -> "tuple[Any, Optional[str]]":
        """Opens it, or brings it to front: the document, and why it could not be, or a remark about its lock."""
        broken = origin.unreadable(path)
        if broken:
            return None, broken
        own = own_lock(self.context)
        reason = locks.obstacle(path, own)
        former = None if reason else locks.take(path, own)
        # A lock of this computer is respected: Writer would ask, and shows it for reading.
        values = {"ReadOnly": True} if reason else {}
        try:
            model = self.desktop.loadComponentFromURL(url, "_default", 0, properties(**values))
        except UnoException as failure:
            return None, str(failure)
        return model, reason or _taken(former)

    def read_again(self, model: Any, path: str) -> None:
        """Has the file read into the same window. Reading what another device saved makes nobody the one who works
        on it: the lock is given back by `read_over`."""
        self._former = locks.take(path, own_lock(self.context))
        self._dispatch(model.CurrentController.Frame, ".uno:Reload", isSynchronous=False)

    def read_over(self, path: Optional[str]) -> None:
        if self._former is not None and path is not None:
            locks.write(path, self._former)
        self._former = None

    def read_instead(self, model: Any, url: str, path: str) -> None:
        """Another file in the same window; the document is not modified."""
        locks.take(path, own_lock(self.context))
        model.CurrentController.Frame.loadComponentFromURL(url, "_self", 0, ())

    def edit(self, model: Any, isEditable: bool) -> None:
        """As by Edit > Edit Mode."""
        self._dispatch(model.CurrentController.Frame, ".uno:EditDoc", Editable=isEditable)

    def show(self, model: Any) -> None:
        frame = model.CurrentController.Frame
        frame.activate()
        window = frame.ContainerWindow
        window.setVisible(True)
        window.toFront()

    def compare(self, url: str, other: str) -> Any:
        """Both in one new document without a name: what differs shows as recorded changes. Neither file is touched."""
        values = properties(AsTemplate=True, MacroExecutionMode=NEVER_EXECUTE)
        model = self.desktop.loadComponentFromURL(url, "_blank", 0, values)
        if model is not None:
            self._dispatch(model.CurrentController.Frame, ".uno:CompareDocuments", URL=other, NoAcceptDialog=True)
            # To be looked at and closed: both texts are in their files.
            model.setModified(False)
        return model
