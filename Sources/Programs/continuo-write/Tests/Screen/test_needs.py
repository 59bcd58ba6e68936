#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What the editor's package takes from the one around it, which needs nothing of it."""

import json
import os
import re
import subprocess
import unittest

import place  # noqa: F401
from screen import ROOT

FOLDER = os.path.join(ROOT, "Sources/Programs/continuo-write")


class PackageTests(unittest.TestCase):
    def dumped(self, folder):
        done = subprocess.run(
            ["swift", "package", "--package-path", folder, "dump-package"], capture_output=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return json.loads(done.stdout)

    def test_it_takes_the_framework_and_the_texts_and_nothing_else(self):
        package = self.dumped(FOLDER)
        self.assertEqual([list(each) for each in package["dependencies"]], [["fileSystem"]])
        taken = {}
        for target in package["targets"]:
            taken[target["name"]] = {
                each["product"][0] for each in target["dependencies"] if "product" in each}
        self.assertEqual(set().union(*taken.values()), {"Continuo", "TextEditing"})
        # What any app with GTK takes needs the framework alone.
        self.assertEqual(taken["GTKContinuo"], {"Continuo"})

    def test_who_builds_the_rest_needs_no_gtk(self):
        with open(os.path.join(ROOT, "Package.swift")) as file:
            text = re.sub(r"//.*", "", file.read())
        for word in ("gtk", "continuo-write"):
            self.assertNotIn(word, text.lower())


if __name__ == "__main__":
    unittest.main()
