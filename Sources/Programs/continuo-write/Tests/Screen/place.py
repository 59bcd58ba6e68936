# SPDX-License-Identifier: MIT
"""Lets tests find what those of other editors use: a circle of two devices."""

import os
import sys

from screen import PROGRAMS, ROOT

sys.path.insert(0, os.path.join(ROOT, "Tests/EditorsTests/Python"))
# What tests call themselves on a device is what was built here.
os.environ["PATH"] = PROGRAMS + ":" + os.environ["PATH"]
