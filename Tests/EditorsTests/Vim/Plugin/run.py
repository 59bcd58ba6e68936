# SPDX-License-Identifier: MIT
"""`python3 -B run.py [NAME…]` runs all tests of the plugin, or those named."""

import sys
import unittest

NAMES = ["saving_tests", "continuing_tests", "server_tests", "versions_tests", "hostile_tests"]

if __name__ == "__main__":
    unittest.main(module=None, argv=[sys.argv[0], *(sys.argv[1:] or NAMES)])
