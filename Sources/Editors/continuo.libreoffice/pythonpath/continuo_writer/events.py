# SPDX-License-Identifier: MIT
"""What LibreOffice says of its documents and windows, for one listener in the main thread."""
import traceback
from typing import Any

import unohelper
from com.sun.star.document import XDocumentEventListener
from com.sun.star.frame import XTerminateListener
from com.sun.star.uno import Exception as UnoException
from com.sun.star.view import XSelectionChangeListener

# The method of the listener that hears of an event.
METHODS = {
    "OnNew": "opened", "OnLoadFinished": "opened", "OnLoad": "opened", "OnViewCreated": "shown",
    "OnSave": "saving", "OnSaveAs": "saving", "OnSaveDone": "saved", "OnSaveAsDone": "saved",
    "OnSaveFailed": "notSaved", "OnSaveAsFailed": "notSaved",
    "OnFocus": "focused", "OnUnload": "closed", "OnModifyChanged": "touched",
}


def is_writer(model: Any) -> bool:
    """Whether this is a text with windows: no help page, no form, no mail merge behind the scenes."""
    try:
        return (
            model is not None and model.supportsService("com.sun.star.text.TextDocument")
            and model.CurrentController is not None and hasattr(model.CurrentController, "ViewCursor"))
    except (UnoException, AttributeError):
        return False


def controllers(model: Any) -> "list[Any]":
    """One for each of its windows."""
    found = []
    each = model.Controllers if hasattr(model, "Controllers") else None
    while each is not None and each.hasMoreElements():
        found.append(each.nextElement())
    return found


def say(listener: Any, method: str, *arguments: Any) -> None:
    """An error of ours keeps nothing of LibreOffice's from being done."""
    try:
        getattr(listener, method)(*arguments)
    except Exception:
        traceback.print_exc()


class _Documents(unohelper.Base, XDocumentEventListener):
    def __init__(self, listener: Any) -> None:
        self.listener = listener

    def documentEventOccured(self, event: Any) -> None:
        method = METHODS.get(event.EventName)
        if method and (method in ("closed", "saved", "notSaved") or is_writer(event.Source)):
            say(self.listener, method, event.Source)

    def disposing(self, _event: Any) -> None:
        pass


class _Selection(unohelper.Base, XSelectionChangeListener):
    def __init__(self, listener: Any) -> None:
        self.listener = listener

    def selectionChanged(self, event: Any) -> None:
        controller = event.Source
        model = getattr(controller, "Model", None)
        if is_writer(model):
            say(self.listener, "touched", model)

    def disposing(self, _event: Any) -> None:
        pass


class _End(unohelper.Base, XTerminateListener):
    def __init__(self, listener: Any) -> None:
        self.listener = listener

    def queryTermination(self, _event: Any) -> None:
        pass

    def notifyTermination(self, _event: Any) -> None:
        say(self.listener, "terminated")

    def disposing(self, _event: Any) -> None:
        pass


class Events:
    def __init__(self, context: Any, listener: Any) -> None:
        self.context = context
        create = context.ServiceManager.createInstanceWithContext
        self.desktop = create("com.sun.star.frame.Desktop", context)
        self.documents, self.selection, self.end = _Documents(listener), _Selection(listener), _End(listener)
        broadcaster = context.getValueByName("/singletons/com.sun.star.frame.theGlobalEventBroadcaster")
        broadcaster.addDocumentEventListener(self.documents)
        self.desktop.addTerminateListener(self.end)

    def models(self) -> "list[Any]":
        """The texts that are open."""
        found = []
        components = self.desktop.Components.createEnumeration()
        while components.hasMoreElements():
            model = components.nextElement()
            if hasattr(model, "supportsService") and is_writer(model):
                found.append(model)
        return found

    def watch(self, model: Any) -> None:
        """Hears of the caret in each of its windows; asking twice counts once."""
        for controller in controllers(model):
            controller.removeSelectionChangeListener(self.selection)
            controller.addSelectionChangeListener(self.selection)

    def front(self) -> Any:
        """The text in front; None."""
        model = self.desktop.getCurrentComponent()
        return model if hasattr(model, "supportsService") and is_writer(model) else None
