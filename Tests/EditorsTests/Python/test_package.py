# SPDX-License-Identifier: MIT
"""The package as authors get it: built as a wheel, installed, checked by mypy, and running the documentation's
example."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from devices import Circle

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
PACKAGE = ROOT + "/Sources/Editors/continuo.python"
PAGE = ROOT + "/docs/authors/python.md"


class PackageTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        # Building leaves files beside the sources.
        source = shutil.copytree(PACKAGE, cls.folder + "/source")
        cls.run_here("-m", "build", "--wheel", "--no-isolation", "--outdir", cls.folder, source)
        wheel = next(name for name in os.listdir(cls.folder) if name.endswith(".whl"))
        cls.wheel = os.path.join(cls.folder, wheel)
        cls.run_here("-m", "venv", "--system-site-packages", cls.folder + "/venv")
        cls.python = cls.folder + "/venv/bin/python3"
        cls.run_here("-m", "pip", "install", "--no-index", "--quiet", cls.wheel, python=cls.python)
        with open(PAGE, encoding="utf-8") as page:
            cls.example = re.search(r"`pager\.py`:\n\n```python\n(.*?)```", page.read(), re.DOTALL)[1]
        with open(cls.folder + "/pager.py", "w", encoding="utf-8") as file:
            file.write(cls.example)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    @staticmethod
    def run_here(*arguments, python=sys.executable):
        done = subprocess.run([python, *arguments], capture_output=True, text=True, timeout=300,
                              env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"})
        if done.returncode:
            raise AssertionError(f"{arguments}: {done.stdout}{done.stderr}")
        return done.stdout

    def test_the_wheel_holds_every_module_and_the_mark_of_types(self):
        self.assertRegex(self.wheel, r"continuo-[\d.]+-py3-none-any\.whl$")
        where = self.run_here("-c", "import continuo; print(continuo.__file__)", python=self.python).strip()
        self.assertTrue(where.startswith(self.folder + "/venv/"), where)
        there = os.path.dirname(where)
        for folder, _, files in os.walk(PACKAGE + "/continuo"):
            for name in files:
                if name.endswith((".py", ".typed")):
                    relative = os.path.relpath(os.path.join(folder, name), PACKAGE + "/continuo")
                    self.assertTrue(os.path.exists(os.path.join(there, relative)), relative)

    def test_the_version_stands_in_both_places(self):
        with open(PACKAGE + "/pyproject.toml", encoding="utf-8") as file:
            version = re.search(r'^version = "(.*)"$', file.read(), re.MULTILINE)[1]
        found = self.run_here("-c", "import continuo; print(continuo.__version__)", python=self.python).strip()
        self.assertEqual(found, version)

    def test_a_plugin_without_the_package_says_so(self):
        beside = ROOT + "/Sources/Editors/continuo.gedit"
        alone = shutil.copytree(beside, self.folder + "/alone")
        for place, expected in ((beside, "None"), (alone, "No module named 'continuo'. Install the Python package")):
            told = self.run_here("-S", "-B", "-c", f"import sys; sys.path.insert(0, {place!r}); import continuo_gtk; "
                                 "print(continuo_gtk.missing)")
            self.assertIn(expected, told)

    def test_the_types_hold(self):
        if shutil.which("mypy") is None:
            self.skipTest("mypy is not installed")
        for what in (PACKAGE + "/continuo", self.folder + "/pager.py"):
            done = subprocess.run(
                ["mypy", "--strict", "--python-version", "3.9", "--cache-dir", self.folder + "/mypy", what],
                capture_output=True, text=True, timeout=300, env={**os.environ, "MYPYPATH": PACKAGE})
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_it_is_as_old_as_python_3_9(self):
        import ast
        for folder, _, files in os.walk(PACKAGE + "/continuo"):
            for name in filter(lambda each: each.endswith(".py"), files):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    text = file.read()
                ast.parse(text, name, feature_version=(3, 9))
                lines = text.split("\n")
                self.assertEqual(lines[0], "# SPDX-License-Identifier: MIT", name)
                self.assertLessEqual(len(lines), 501, name)
                self.assertLessEqual(max(map(len, lines)), 120, name)

    def test_the_example_hands_a_document_over(self):
        circle = Circle()
        self.addCleanup(circle.end)
        left = self.example_on(circle.desktop, circle.desktop.path("plan.md"))
        self.assertEqual(left.stdout.readline(), "notes\n")
        taken = self.example_on(circle.laptop)
        self.assertEqual(taken.communicate(timeout=60)[0], circle.laptop.path("plan.md") + ":1:3\n")
        self.assertEqual(taken.returncode, 0)

    def example_on(self, device, *arguments):
        environment = {name: value for name, value in device.environment.items() if name != "PYTHONPATH"}
        child = subprocess.Popen([self.python, self.folder + "/pager.py", *arguments], env=environment,
                                 stdout=subprocess.PIPE, text=True)
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        self.addCleanup(child.stdout.close)
        return child


if __name__ == "__main__":
    unittest.main()
