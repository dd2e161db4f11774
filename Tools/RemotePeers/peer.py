"""Reads regions of a picture over HTTP with another library: one peer, in a process that keeps the picture open.

    peer.py KIND ADDRESS LOCAL

Each line `X Y WIDTH HEIGHT OUTPUT` on stdin is one peek; the answer is its seconds. The first peek includes opening the
picture. Libraries are loaded before, and have decoded the middle of the same picture from LOCAL, which fills no cache of
the network. OUTPUT gets the pixels: rows of RGB.
"""

import http.client
import re
import sys
import time
import urllib.parse

TUNED = {  # as guides for Cloud Optimized GeoTIFF recommend
    "GDAL_DISABLE_READDIR_ON_OPEN": "EMPTY_DIR", "CPL_VSIL_CURL_USE_HEAD": "NO", "GDAL_INGESTED_BYTES_AT_OPEN": "32768"}


def gdal(tuned):
    import rasterio
    from rasterio.windows import Window
    environment = rasterio.Env(**(TUNED if tuned else {}))
    environment.__enter__()

    def opened(where):
        data = rasterio.open("/vsicurl/" + where if where.startswith("http") else where)
        return lambda x, y, w, h: data.read(window=Window(x, y, w, h)).transpose(1, 2, 0).tobytes()
    return opened


class Ranges:
    """A file on a web server, read in blocks over one connection; all blocks are kept."""

    BLOCK = 128 * 1024

    def __init__(self, address):
        self.url = urllib.parse.urlsplit(address)
        self.connection = http.client.HTTPConnection(self.url.netloc)
        self.blocks = {}
        self.block(0)

    def block(self, number):
        if number not in self.blocks:
            first = number * self.BLOCK
            self.connection.request(
                "GET", self.url.path, headers={"Range": f"bytes={first}-{first + self.BLOCK - 1}"})
            answer = self.connection.getresponse()
            self.blocks[number] = answer.read()
            self.length = int(re.search(r"/(\d+)", answer.headers["Content-Range"])[1])
        return self.blocks[number]

    def read(self, position, size):
        if position >= self.length:
            return b""
        number, offset = divmod(position, self.BLOCK)
        return self.block(number)[offset:offset + size]


def pyvips():
    import pyvips as vips

    def opened(where):
        ranges = Ranges(where) if where.startswith("http") else None

        def crop(x, y, w, h):
            if ranges is None:
                return vips.Image.new_from_file(where, access="sequential").crop(x, y, w, h).write_to_memory()
            position = 0

            def read(size):
                nonlocal position
                data = ranges.read(position, size)
                position += len(data)
                return data

            def seek(offset, whence):
                nonlocal position
                position = offset + (0, position, ranges.length)[whence]
                return position
            source = vips.SourceCustom()
            source.on_read(read)
            source.on_seek(seek)
            image = vips.Image.new_from_source(source, "", access="sequential")
            return image.crop(x, y, w, h).write_to_memory()
        return crop
    return opened


def tifffile(block):
    import fsspec
    import numpy
    import tifffile as library
    options = {"block_size": block} if block else {}
    fsspec.filesystem("http")  # loads its libraries

    def opened(where):
        system = fsspec.filesystem("http" if where.startswith("http") else "file")
        page = library.TiffFile(system.open(where, **(options if where.startswith("http") else {}))).pages[0]

        def read(x, y, w, h):
            side = page.tilewidth
            across = -(-page.imagewidth // side)
            numbers = [
                row * across + column for row in range(y // side, (y + h - 1) // side + 1)
                for column in range(x // side, (x + w - 1) // side + 1)]
            pixels = numpy.zeros((h, w, 3), numpy.uint8)
            segments = page.parent.filehandle.read_segments(
                [page.dataoffsets[n] for n in numbers], [page.databytecounts[n] for n in numbers], numbers)
            for data, number in segments:
                tile, (_, _, top, left, _), _ = page.decode(data, number, jpegtables=page.jpegtables)
                y0, x0 = max(y, top), max(x, left)
                y1, x1 = min(y + h, top + side), min(x + w, left + side)
                pixels[y0 - y:y1 - y, x0 - x:x1 - x] = tile[0, y0 - top:y1 - top, x0 - left:x1 - left]
            return pixels.tobytes()
        return read
    return opened


KINDS = {
    "gdal": lambda: gdal(False), "gdal-tuned": lambda: gdal(True), "pyvips": pyvips,
    "tifffile": lambda: tifffile(None), "tifffile-64k": lambda: tifffile(65536)}


def main():
    kind, address, local = sys.argv[1:]
    opened = KINDS[kind]()
    opened(local)(1000, 1000, 375, 375)
    read = None
    print("ready", flush=True)
    for line in sys.stdin:
        x, y, w, h, output = line.split()
        start = time.monotonic()
        read = read or opened(address)
        pixels = read(int(x), int(y), int(w), int(h))
        seconds = time.monotonic() - start
        with open(output, "wb") as file:
            file.write(pixels)
        print(seconds, flush=True)


main()
