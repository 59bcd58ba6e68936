# SPDX-License-Identifier: MIT
"""Saving by itself: only what Writer wrote before in its own format, and only without a question."""
import getpass
import socket
from typing import Any, Optional

import uno
from com.sun.star.beans import PropertyValue
from com.sun.star.uno import Exception as UnoException

from . import locks, origin


def properties(**values: Any) -> "tuple[Any, ...]":
    return tuple(PropertyValue(name, 0, value, 0) for name, value in values.items())


def argument(model: Any, name: str) -> Any:
    return next((each.Value for each in model.Args if each.Name == name), None)


def filter_name(model: Any) -> str:
    return argument(model, "FilterName") or ""


def is_plain(model: Any) -> bool:
    return filter_name(model) in origin.PLAIN


def _configured(context: Any, node: str, name: str) -> Any:
    provider = context.ServiceManager.createInstanceWithContext(
        "com.sun.star.configuration.ConfigurationProvider", context)
    access = provider.createInstanceWithArguments(
        "com.sun.star.configuration.ConfigurationAccess", properties(nodepath=node))
    return access.getByName(name)


def own_lock(context: Any) -> locks.Lock:
    """What this Writer writes into its lock files."""
    paths = context.ServiceManager.createInstanceWithContext("com.sun.star.util.PathSubstitution", context)
    profile = paths.substituteVariables("$(user)", True).rpartition("/")[0]
    return locks.Lock("", getpass.getuser(), socket.gethostname(), "", profile)


def obstacle(context: Any, model: Any, path: str, isSavedHere: bool) -> Optional[str]:
    """Why the document is not saved by itself; None where it can be."""
    if model.isReadonly():
        return "is read-only"
    if is_plain(model):
        return "is a text that Writer would format: save it yourself"
    if filter_name(model) not in origin.FILTERS:
        return "is in a format of another program: save it yourself"
    found = origin.obstacle(path, isSavedHere)
    if found:
        return found
    if model.getPropertyValue("RecordChanges"):
        try:
            if _configured(context, "/org.openoffice.Office.Common/Security/Scripting", "WarnSaveOrSendDoc"):
                return "records changes, and you are asked before such a document is saved"
        except UnoException:
            pass
    return locks.obstacle(path, own_lock(context))


def save(context: Any, model: Any, path: str) -> Optional[str]:
    """Saves it: None, or why that failed."""
    try:
        locks.take(path, own_lock(context))
        model.store()
    except (UnoException, OSError) as failure:
        return "could not be saved: " + str(failure)
    return None


def path_of(url: str) -> Optional[str]:
    """The path of a file of this machine."""
    return uno.fileUrlToSystemPath(url) if url.startswith("file:///") else None
