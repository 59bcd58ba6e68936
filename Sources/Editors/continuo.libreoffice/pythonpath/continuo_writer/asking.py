# SPDX-License-Identifier: MIT
"""Questions that the person has asked for: a list to choose from, and a text to read."""
from typing import Any, Optional

WIDTH, ROW = 260, 11


def _insert(dialog: Any, kind: str, name: str, box: "tuple[int, int, int, int]", **properties: Any) -> Any:
    control = dialog.createInstance("com.sun.star.awt.UnoControl" + kind + "Model")
    values = dict(properties, Name=name)
    values.update(zip(("PositionX", "PositionY", "Width", "Height"), box))
    for key, value in values.items():
        setattr(control, key, value)
    dialog.insertByName(name, control)
    return control


def _run(context: Any, model: Any, parent: Any, focus: str) -> "tuple[int, Any]":
    create = context.ServiceManager.createInstanceWithContext
    dialog = create("com.sun.star.awt.UnoControlDialog", context)
    dialog.setModel(model)
    toolkit = create("com.sun.star.awt.Toolkit", context)
    dialog.createPeer(toolkit, parent)
    dialog.getControl(focus).setFocus()
    return dialog.execute(), dialog


def choose(context: Any, parent: Any, title: str, choices: "list[str]") -> Optional[int]:
    """Which of them the person chose; None for none. Texts are data: a list shows them as they are."""
    model = context.ServiceManager.createInstanceWithContext("com.sun.star.awt.UnoControlDialogModel", context)
    height = ROW * min(max(len(choices), 3), 12)
    model.Title, model.Width, model.Height = "Continuo", WIDTH, height + 46
    _insert(model, "FixedText", "question", (6, 6, WIDTH - 12, 12), Label=title)
    _insert(
        model, "ListBox", "choices", (6, 20, WIDTH - 12, height), StringItemList=tuple(choices),
        SelectedItems=(0,), TabIndex=0)
    row = height + 26
    _insert(model, "Button", "ok", (WIDTH - 116, row, 52, 14), PushButtonType=1, DefaultButton=True, Label="OK")
    _insert(model, "Button", "cancel", (WIDTH - 58, row, 52, 14), PushButtonType=2, Label="Cancel")
    answer, dialog = _run(context, model, parent, "choices")
    chosen = dialog.getControl("choices").getSelectedItemPos()
    dialog.dispose()
    return chosen if answer == 1 and chosen >= 0 else None


def show(context: Any, parent: Any, title: str, text: str) -> None:
    model = context.ServiceManager.createInstanceWithContext("com.sun.star.awt.UnoControlDialogModel", context)
    height = ROW * min(max(text.count("\n") + 2, 4), 24)
    model.Title, model.Width, model.Height = title, WIDTH, height + 32
    _insert(
        model, "Edit", "text", (6, 6, WIDTH - 12, height), Text=text, MultiLine=True, ReadOnly=True, VScroll=True)
    _insert(model, "Button", "ok", (WIDTH - 58, height + 12, 52, 14), PushButtonType=1, DefaultButton=True, Label="OK")
    _run(context, model, parent, "ok")[1].dispose()
