# SPDX-License-Identifier: MIT
"""What gedit and Pluma have in common: GTK 3, GtkSourceView and tabs.

The Python package `continuo` is beside this plugin in a checkout, and a package of its own elsewhere.
"""

import os
import sys

# A sentence about what has to be installed; None where nothing has.
missing = None

try:
    import continuo  # noqa: F401
except ImportError:
    _beside = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "continuo.python")
    sys.path.append(os.path.normpath(_beside))
    try:
        import continuo  # noqa: F401
    except ImportError as failure:
        missing = (
            f"Continuo does not run here: {failure}. Install the Python package continuo (make wheel builds it), and "
            "start this program again.")

_is_told = False


def tell(window):
    """Shows once what is missing: the bars need nothing else."""
    global _is_told
    if _is_told:
        return
    _is_told = True
    from .bars import WindowBars

    WindowBars(window).message.tell(missing, True)
