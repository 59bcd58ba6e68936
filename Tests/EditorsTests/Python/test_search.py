# SPDX-License-Identifier: MIT
"""What an editor keeps for search, with a real agent: found by the command line, and gone once it is deleted."""

import asyncio
import json
import os
import unittest

import continuo

from devices import CircleTests

APP = continuo.App("org.example.reader", "Reader", activity_types=("org.example.page",))
PATIENCE = 60


class SearchTests(CircleTests):
    def found(self, *words):
        return json.loads(self.circle.desktop.run("search", "--json", *words))

    def is_readable(self, word):
        """Whether a file of what is kept holds it, in whatever case; what is offered has files of its own."""
        state = self.circle.desktop.home + "/state/continuo"
        for name in os.listdir(state):
            if name.startswith("activities"):
                with open(os.path.join(state, name), "rb") as file:
                    if word.lower().encode() in file.read().lower():
                        return True
        return False

    async def until_found(self, word, count):
        while len(await asyncio.to_thread(self.found, word)) != count:
            pass

    def test_what_is_kept_is_found_until_it_is_deleted(self):
        asyncio.run(asyncio.wait_for(self.keep_and_delete(), PATIENCE))

    async def keep_and_delete(self):
        device = self.circle.desktop
        async with continuo.connect(APP, environment=device.environment) as session:
            for number, word in enumerate(("Xylophone", "Zither")):
                search = continuo.Search(f"page-{number}", keywords=["instrument"], description=f"How a {word} sounds")
                activity = await session.create_activity(
                    "org.example.page", title=f"The {word}", user_info={"page": number}, search=search)
                await activity.become_current()
                await self.until_found(word, 1)
            newest = json.loads(device.run("recent", "--json", "--count", "1"))
            self.assertEqual([row["identifier"] for row in newest], ["page-1"])
            self.assertEqual(len(self.found("instr")), 2)
            found = self.found("how", "XYLO")[0]
            self.assertEqual(
                [found[name] for name in ("title", "app", "type", "identifier", "description")],
                ["The Xylophone", "org.example.reader", "org.example.page", "page-0", "How a Xylophone sounds"])
            self.assertTrue(self.is_readable("xylophone"))
            # What was answered outlives an agent that is killed.
            device.kill_agent()
            await self.until_found("xylophone", 1)
            await activity.invalidate()
            with self.assertRaises(continuo.ContinuoError):
                await session.delete_saved(["x"] * 2000)
            with self.assertRaises(TypeError):
                session.delete_saved("page-0")
            await session.delete_saved(["page-0", "page-7"])
            self.assertFalse(self.found("xylophone") or self.is_readable("xylophone"))
            self.assertEqual(len(self.found("zither")), 1)
            await session.delete_saved()
            self.assertFalse(self.found("zither"))
        device.kill_agent()
        self.assertEqual(json.loads(device.run("recent", "--json")), [])
        device.run("agent", "stop")

    def test_too_much_is_refused_in_a_sentence(self):
        for words in ("a " * 600, "\"" * 2000, "a" * 100_000):
            with self.assertRaisesRegex(AssertionError, "too much to look for|look for fewer words"):
                self.found(words)
        self.assertEqual(self.found("\"*:^(NEAR"), [])


if __name__ == "__main__":
    unittest.main()
