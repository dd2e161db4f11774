"""A proxy on loopback that delays requests, limits the bandwidth and counts. Needs Python's standard library alone.

- A request takes half a round trip to the server, and the answer takes half to the client.
- A new connection takes one round trip before its first request is sent, as in TCP. Connections do not wait for each
  other.
- All answers share the bandwidth, in chunks of 4 kB: a token bucket that saves no tokens while the link is idle, or
  small answers would be free. Requests are not limited.

The model lacks lost packets, TLS and TCP's slow start. Slow start would lengthen large answers by a few round trips.
"""

import asyncio
import re
import threading
import time

CHUNK = 4096


class Counts:
    """The counts of one measurement.

    `bytes` has bodies and headers of answers. `trips` is the number of serial round trips: the length of the longest
    chain of requests in which each was sent after the whole answer to the one before. `first` is the time of the first
    connection or request.
    """

    def __init__(self):
        self.requests = self.bytes = self.trips = self.done = 0
        self.first = None


class Proxy:
    """Forwards connections to the Unix socket of a server."""

    def __init__(self, upstream):
        self.upstream, self.counts = upstream, Counts()
        self.seconds, self.rate = 0, None  # the round trip; bytes per second, or None for no limit
        self._free = 0  # when the link has sent all answers so far
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        self.port = self._call(self._start())

    def _call(self, work):
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(10)

    async def _start(self):
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0, backlog=256)
        return server.sockets[0].getsockname()[1]

    def take(self):
        """Returns the counts since the last call. Call it only while no client waits for an answer."""
        async def swap():
            await asyncio.sleep(0.01)  # until the last answer is counted
            taken, self.counts = self.counts, Counts()
            return taken
        return self._call(swap())

    async def _serve(self, reader, writer):
        now = time.monotonic()
        self.counts.first = self.counts.first or now
        server = None
        try:
            server_reader, server = await asyncio.open_unix_connection(self.upstream)
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                await self._answer(head, writer, server_reader, server, now + self.seconds)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # the client or the server has closed the connection
        finally:
            for end in filter(None, (writer, server)):
                end.close()

    async def _answer(self, head, writer, server_reader, server, connected):
        now, counts = time.monotonic(), self.counts
        counts.first = counts.first or now
        counts.requests += 1
        place = counts.done + 1
        counts.trips = max(counts.trips, place)
        ready = max(now, connected) + self.seconds
        await self._until(ready - self.seconds / 2)
        server.write(head)
        data = await server_reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", data)
        left = int(length[1]) if length and not head.startswith(b"HEAD") else 0
        await self._until(ready)
        while data:
            if self.rate:
                ready = self._free = max(self._free, ready) + len(data) / self.rate
                await self._until(ready)
            writer.write(data)
            counts.bytes += len(data)
            await writer.drain()
            data = await server_reader.readexactly(min(left, CHUNK))
            left -= len(data)
        counts.done = max(counts.done, place)

    async def _until(self, moment):
        await asyncio.sleep(max(0, moment - time.monotonic()))
