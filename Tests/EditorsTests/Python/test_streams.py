# SPDX-License-Identifier: MIT
"""Continuation streams through the real server, agents and network processes."""

import asyncio
import unittest

import continuo

from devices import CircleTests

SOURCE = continuo.App("org.example.source", "Source", activity_types=("org.example.page",))
# Some that a socket does not hold, of every value.
MUCH = bytes(range(256)) * 12288


def within(awaitable):
    return asyncio.wait_for(awaitable, 120)


class Apps:
    """The desktop's app with an activity, and the laptop's that continues it and has asked for streams."""

    def __init__(self, circle, supports_streams=True):
        self.circle = circle
        self.supports_streams = supports_streams

    async def __aenter__(self):
        loop = asyncio.get_running_loop()
        self.request, self.received, self.ended = (loop.create_future() for _ in range(3))

        def heard(event):
            if isinstance(event, continuo.StreamsReceived) and not self.received.done():
                self.received.set_result(event)
            if isinstance(event, continuo.StreamsEnded):
                self.ended.set_result(event)

        def goes_on(restore):
            self.request.set_result(restore)
            return True

        desktop, laptop = self.circle.desktop, self.circle.laptop
        self.source = continuo.connect(SOURCE, environment=desktop.environment, on_event=heard)
        self.target = continuo.connect(SOURCE, environment=laptop.environment, on_continue=goes_on)
        await asyncio.gather(self.source.start(), self.target.start())
        self.activity = await self.source.create_activity(
            "org.example.page", title="A page", supports_streams=self.supports_streams)
        await self.activity.become_current()
        async for offer in self.target.offers():
            if offer.title == "A page":
                break
        await self.target.accept(offer)
        self.restore = await self.request
        return self

    async def __aexit__(self, *_):
        await self.activity.invalidate()
        await self.target.close()
        await self.source.close()

    async def open(self):
        """The pairs of the laptop's app and of the desktop's."""
        here = await self.target.open_streams(self.restore.request)
        event = await self.received
        return here, self.source.streams(event.streams), event


async def everything(streams):
    found = bytearray()
    while True:
        data = await streams.read(100_000)
        if not data:
            return bytes(found)
        found += data


class StreamTests(CircleTests):
    is_linked = True

    def test_what_one_app_writes_the_other_reads(self):
        async def run():
            async with Apps(self.circle) as apps:
                self.assertTrue(apps.restore.activity.supports_streams)
                here, there, event = await apps.open()
                self.assertEqual(event.device, "laptop")
                self.assertEqual(event.activity, apps.activity.id)

                async def send():
                    await there.write(MUCH)
                    await there.write_eof()

                sending = asyncio.ensure_future(send())
                # Whoever reads nothing stops the other one, and a reading that is given up loses nothing.
                with self.assertRaises(asyncio.TimeoutError):
                    await asyncio.wait_for(asyncio.shield(sending), 0.5)
                await here.read(1)
                await asyncio.wait_for(here.read(1), 10)
                self.assertEqual(MUCH[:2] + await everything(here), MUCH)
                await sending
                waiting = asyncio.ensure_future(there.read())
                with self.assertRaises(asyncio.TimeoutError):
                    await asyncio.wait_for(waiting, 0.1)
                # The other direction goes on.
                await here.write(b"thanks")
                self.assertEqual(await there.read(), b"thanks")
                await here.close()
                self.assertEqual(await there.read(), b"")
                await there.write_eof()
                self.assertEqual(await apps.ended, continuo.StreamsEnded(there.name))
                await there.close()

        asyncio.run(within(run()))

    def test_an_activity_without_streams_says_so(self):
        async def run():
            async with Apps(self.circle, supports_streams=False) as apps:
                self.assertFalse(apps.restore.activity.supports_streams)
                with self.assertRaises(continuo.RequestFailed) as failed:
                    await apps.target.open_streams(apps.restore.request)
                self.assertEqual(failed.exception.name, "connectionUnavailable")
                with self.assertRaises(continuo.RequestFailed) as failed:
                    await apps.target.open_streams("0" * 32)
                self.assertEqual(failed.exception.name, "invalidRequest")

        asyncio.run(within(run()))

    def test_a_link_that_drops_is_no_end(self):
        async def run():
            async with Apps(self.circle) as apps:
                here, there, _ = await apps.open()
                await there.write(b"the first half")
                self.assertEqual(await here.read(4), b"the ")
                self.circle.laptop.run("lan", "off")
                found, reason = bytearray(), None
                while reason is None:
                    try:
                        data = await here.read()
                        self.assertNotEqual(data, b"", "an end")
                        found += data
                    except continuo.RequestFailed as failure:
                        reason = failure
                self.assertTrue(b"first half".startswith(found), found)
                self.assertEqual(reason.name, "connectionUnavailable")
                for streams in (here, there):
                    with self.assertRaises(continuo.RequestFailed):
                        while True:
                            await streams.write(MUCH)
                    await streams.close()
                    with self.assertRaises(continuo.RequestFailed):
                        await streams.read()

        try:
            asyncio.run(within(run()))
        finally:
            self.circle.link()

    def test_what_was_written_is_sent_before_the_end(self):
        async def run():
            async with Apps(self.circle) as apps:
                here, there, _ = await apps.open()
                written, chunk = 0, MUCH[:262144]
                # Until there is no room; what is given up then goes on its way.
                with self.assertRaises(asyncio.TimeoutError):
                    while True:
                        written += len(chunk)
                        await asyncio.wait_for(here.write(chunk), 0.5)
                await here.close()
                self.assertEqual(len(await everything(there)), written)
                await there.close()

        asyncio.run(within(run()))

    def test_requests_that_cannot_be(self):
        async def run():
            async with Apps(self.circle) as apps:
                here, there, _ = await apps.open()

                async def refused(method, **params):
                    with self.assertRaises(continuo.RequestFailed) as failed:
                        await apps.target._ask(method, lambda: params, lambda told: told)
                    return failed.exception.sentence

                waiting = apps.target._ask(
                    "streams/read", lambda: {"streams": here.name},
                    lambda told: continuo.userinfo.decoded(told["data"]))
                self.assertIn("Another request waits", await refused("streams/read", streams=here.name))
                self.assertIn("length", await refused("streams/read", streams=here.name, length=0))
                self.assertIn("$data", await refused("streams/write", streams=here.name, data="plain"))
                self.assertIn("262144", await refused(
                    "streams/write", streams=here.name, data=continuo.userinfo.encoded(bytes(262145))))
                self.assertIn("direction", await refused("streams/close", streams=here.name, direction="up"))
                self.assertIn("There are no streams", await refused("streams/read", streams="0" * 32))
                await here.write_eof()
                self.assertIn("was closed", await refused(
                    "streams/write", streams=here.name, data=continuo.userinfo.encoded(b"more")))
                self.assertEqual(await there.read(), b"")
                await there.write(b"an answer")
                self.assertEqual(await waiting, b"an answer")
                await here.close()
                await there.close()

        asyncio.run(within(run()))


if __name__ == "__main__":
    unittest.main()
