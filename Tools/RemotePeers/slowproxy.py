"""A proxy on loopback that delays requests, limits the bandwidth and counts. Needs Python's standard library alone.

The link is modelled with a virtual clock:

- A request takes half a round trip to the server, and the answer takes half to the client.
- A new connection takes one round trip before its first request can be sent, as in TCP. Connections do not wait for
  each other.
- All answers share the bandwidth, in chunks of 4 kB: a token bucket that holds no tokens while the link is idle, so that
  small answers are not free. Requests are not limited.

The model lacks lost packets, TLS and TCP's slow start. Slow start would lengthen large answers by a few round trips.
"""

import asyncio
import re
import threading
import time

CHUNK = 4096


class Counts:
    """The counts of one measurement.

    `bytes` has bodies and headers of answers. `trips` is the number of serial round trips: requests that are sent while
    no other answer is awaited. `chain` is the length of the longest chain of requests in which each was sent after the
    whole answer to the one before. It is at least `trips`, and larger if a client works with several such chains at once.
    """

    def __init__(self):
        self.requests = self.bytes = self.trips = self.chain = self.connections = 0
        self.first = None  # time.monotonic() of the first connection or request


class Proxy:
    """Forwards connections to a server on loopback; `seconds` is the round trip, `rate` bytes per second or None."""

    def __init__(self, upstream):
        self.upstream = upstream
        self.seconds, self.rate = 0, None
        self.counts = Counts()
        self._pending = self._done = 0
        self._free = 0  # when the link has sent what was queued
        self._loop = asyncio.new_event_loop()
        started = asyncio.run_coroutine_threadsafe(self._start(), self._loop)
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        self.port = started.result(10)

    async def _start(self):
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0, backlog=256)
        return server.sockets[0].getsockname()[1]

    def take(self):
        """Returns the counts since the last call. Call it only while no client waits for an answer."""
        async def swap():
            await asyncio.sleep(0.01)  # for the book-keeping after the last byte
            taken, self.counts, self._done = self.counts, Counts(), 0
            return taken
        return asyncio.run_coroutine_threadsafe(swap(), self._loop).result(10)

    async def _serve(self, reader, writer):
        now = time.monotonic()
        self.counts.first = self.counts.first or now
        self.counts.connections += 1
        usable = now + self.seconds
        server = None
        try:
            server_reader, server = await asyncio.open_connection("127.0.0.1", self.upstream)
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                await self._answer(head, writer, server_reader, server, usable)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # one of the two has closed the connection
        finally:
            for end in (writer, server):
                if end:
                    end.close()

    async def _answer(self, head, writer, server_reader, server, usable):
        now, counts = time.monotonic(), self.counts
        counts.first = counts.first or now
        counts.requests += 1
        counts.trips += self._pending == 0
        depth = self._done + 1
        counts.chain = max(counts.chain, depth)
        self._pending += 1
        try:
            ready = max(now, usable) + self.seconds
            await self._until(ready - self.seconds / 2)
            server.write(head)
            start = await server_reader.readuntil(b"\r\n\r\n")
            length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", start)
            left = int(length[1]) if length and not head.startswith(b"HEAD") else 0
            await self._until(ready)
            data = start
            while data:
                if self.rate:
                    ready = self._free = max(self._free, ready) + len(data) / self.rate
                    await self._until(ready)
                writer.write(data)
                counts.bytes += len(data)
                await writer.drain()
                data = await server_reader.readexactly(min(left, CHUNK))
                left -= len(data)
        finally:
            self._pending -= 1
            self._done = max(self._done, depth)

    async def _until(self, moment):
        wait = moment - time.monotonic()
        if wait > 0:
            await asyncio.sleep(wait)
