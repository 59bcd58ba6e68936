# SPDX-License-Identifier: MIT
"""What gedit and Pluma have in common: GTK 3, GtkSourceView and tabs.

The Python package `continuo` is beside this plugin in a checkout, and a package of its own elsewhere.
"""

import os
import sys

try:
    import continuo
except ImportError:
    _beside = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "continuo.python")
    if os.path.isdir(_beside):
        sys.path.append(os.path.normpath(_beside))
    import continuo

__all__ = ["continuo"]
