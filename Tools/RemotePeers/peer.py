"""Reads regions of a picture over HTTP with another library: one peer, in a process that keeps the picture open.

    peer.py KIND ADDRESS LOCAL

Each line `X Y WIDTH HEIGHT OUTPUT` on stdin is one peek; the answer is its seconds. The first peek includes opening the
picture. The line `load` comes first: it loads libraries and decodes a part of the same picture from LOCAL. That fills
no cache of the network. OUTPUT gets the pixels: rows of RGB.
"""

import http.client
import sys
import time
import urllib.parse

TUNED = {  # as guides for Cloud Optimized GeoTIFF recommend
    "GDAL_DISABLE_READDIR_ON_OPEN": "EMPTY_DIR", "CPL_VSIL_CURL_USE_HEAD": "NO",
    "GDAL_INGESTED_BYTES_AT_OPEN": "32768"}
BLOCK = 128 * 1024


def gdal(options):
    import rasterio
    from rasterio.windows import Window
    rasterio.Env(**options).__enter__()

    def opened(where):
        data = rasterio.open("/vsicurl/" + where if where.startswith("http") else where)
        return lambda x, y, w, h: data.read(window=Window(x, y, w, h)).transpose(1, 2, 0).tobytes()
    return opened


def ranges(address):
    """Returns a function that reads a file in blocks over one connection and keeps them, and the file's length."""
    url = urllib.parse.urlsplit(address)
    connection, blocks = http.client.HTTPConnection(url.netloc), {}

    def block(number):
        if number not in blocks:
            span = f"bytes={number * BLOCK}-{(number + 1) * BLOCK - 1}"
            connection.request("GET", url.path, headers={"Range": span})
            answer = connection.getresponse()
            blocks[number] = (answer.read(), int(answer.headers["Content-Range"].split("/")[1]))
        return blocks[number]

    length = block(0)[1]

    def read(position, size):
        number, offset = divmod(position, BLOCK)
        return block(number)[0][offset:offset + size] if position < length else b""
    return read, length


def custom_source(read, length):
    import pyvips
    position = 0

    def read_on(size):
        nonlocal position
        data = read(position, size)
        position += len(data)
        return data

    def seek(offset, whence):
        nonlocal position
        position = offset + (0, position, length)[whence]
        return position
    source = pyvips.SourceCustom()
    source.on_read(read_on)
    source.on_seek(seek)
    return source


def vips(_):
    import pyvips

    def opened(where):
        remote = ranges(where) if where.startswith("http") else None

        def crop(x, y, w, h):
            image = (
                pyvips.Image.new_from_source(custom_source(*remote), "", access="sequential") if remote
                else pyvips.Image.new_from_file(where, access="sequential"))
            return image.crop(x, y, w, h).write_to_memory()
        return crop
    return opened


def tiff(options):
    import fsspec
    import numpy
    import tifffile
    web, files = fsspec.filesystem("http"), fsspec.filesystem("file")

    def opened(where):
        file = web.open(where, **options) if where.startswith("http") else files.open(where)
        page = tifffile.TiffFile(file).pages[0]
        side, across = page.tilewidth, -(-page.imagewidth // page.tilewidth)

        def read(x, y, w, h):
            numbers = [
                row * across + column for row in range(y // side, (y + h - 1) // side + 1)
                for column in range(x // side, (x + w - 1) // side + 1)]
            pixels = numpy.zeros((h, w, 3), numpy.uint8)
            for data, number in page.parent.filehandle.read_segments(
                    [page.dataoffsets[n] for n in numbers], [page.databytecounts[n] for n in numbers], numbers):
                tile, (_, _, top, left, _), _ = page.decode(data, number, jpegtables=page.jpegtables)
                y0, x0, y1, x1 = max(y, top), max(x, left), min(y + h, top + side), min(x + w, left + side)
                pixels[y0 - y:y1 - y, x0 - x:x1 - x] = tile[0, y0 - top:y1 - top, x0 - left:x1 - left]
            return pixels.tobytes()
        return read
    return opened


KINDS = {
    "gdal": (gdal, {}), "gdal-tuned": (gdal, TUNED), "pyvips": (vips, {}), "tifffile": (tiff, {}),
    "tifffile-64k": (tiff, {"block_size": 65536})}


def main():
    kind, address, local = sys.argv[1:]
    library, options = KINDS[kind]
    read = None
    for line in sys.stdin:
        if line == "load\n":
            opened = library(options)
            opened(local)(1000, 1000, 375, 375)
            print("ready", flush=True)
            continue
        *region, output = line.split()
        start = time.monotonic()
        read = read or opened(address)
        pixels = read(*map(int, region))
        seconds = time.monotonic() - start
        with open(output, "wb") as file:
            file.write(pixels)
        print(seconds, flush=True)


main()
