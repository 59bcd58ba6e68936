# SPDX-License-Identifier: MIT
"""LibreOffice's main thread: all that touches a document happens there."""
import threading
import traceback
from typing import Any, Callable

import unohelper
from com.sun.star.awt import XCallback


class _Call(unohelper.Base, XCallback):
    def __init__(self, body: Callable[[], None]) -> None:
        self.body = body

    def notify(self, _data: Any) -> None:
        try:
            self.body()
        except Exception:
            traceback.print_exc()


class Loop:
    def __init__(self, context: Any) -> None:
        self.context = context

    def post(self, body: Callable[[], None]) -> None:
        """Has it done soon, from any thread."""
        service = "com.sun.star.awt.AsyncCallback"
        self.context.ServiceManager.createInstanceWithContext(service, self.context).addCallback(_Call(body), None)

    def later(self, seconds: float, body: Callable[[], None]) -> threading.Timer:
        timer = threading.Timer(seconds, lambda: self.post(body))
        timer.daemon = True
        timer.start()
        return timer
