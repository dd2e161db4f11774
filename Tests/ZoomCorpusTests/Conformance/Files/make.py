#!/usr/bin/env python3
"""Makes the files of the conformance set that no encoder writes alike everywhere.

    make.py FOLDER      needs Pillow 11.3 or later with AVIF, and the vips command

Sources/ZoomCorpus/Resources has the results, so that the set is the same whatever is installed. The pixels are computed
here from numbers. The grids are written box by box (ISO/IEC 23008-12, ISO/IEC 14496-12): grey tiles without loss, so that
every decoder must give the same samples. A grid's width and height are those of its picture, and smaller than its tiles'.
The PNG's rows are not filtered, because any bytes are what a filter may have made of a row.
"""
import io
import struct
import subprocess
import sys
import zlib
from pathlib import Path

from PIL import Image

SIDE = 64


def level(x, y, band):
    """Patches of 5x3 pixels, gradients and a little noise, from 0 to 255; little, because the files become code."""
    patch = (x // 5 * 73 + y // 3 * 151 + band * 97) * 2654435761 >> 9 & 120
    return patch + (x * 5 + y * 3 + band & 1) + (x * 52 + y * 43 >> 8)


def picture(width, height, bands, left=0, top=0):
    samples = bytes(level(left + x, top + y, band) for y in range(height) for x in range(width) for band in range(bands))
    return Image.frombytes("L" if bands == 1 else "RGB", (width, height), samples)


def boxes(data):
    """Yields the type and content of each box."""
    at = 0
    while at + 8 <= len(data):
        length = struct.unpack_from(">I", data, at)[0] or len(data) - at
        yield data[at + 4:at + 8].decode(), data[at + 8:at + length]
        at += length


def box(name, *parts):
    content = b"".join(parts)
    return struct.pack(">I", len(content) + 8) + name.encode() + content


def full(name, version, flags, *parts):
    return box(name, struct.pack(">I", version << 24 | flags), *parts)


def tile(left, top):
    """Returns the properties of a coded tile and its data."""
    file = io.BytesIO()
    picture(SIDE, SIDE, 1, left, top).save(file, "AVIF", quality=100, subsampling="4:0:0", range="full", speed=6)
    top_level = dict(boxes(file.getvalue()))
    meta = dict(boxes(top_level["meta"][4:]))
    properties = [
        (name, content) for name, content in boxes(dict(boxes(meta["iprp"]))["ipco"]) if name in ("ispe", "pixi", "av1C", "colr")
    ]
    return properties, top_level["mdat"]


def grid(width, height, columns, rows, *transforms):
    """Returns an AVIF of a grid; the transforms are boxes of the grid's item, applied in their order."""
    tiles = [tile(x * SIDE, y * SIDE) for y in range(rows) for x in range(columns)]
    shared = [box(name, content) for name, content in tiles[0][0]]
    assert all([box(*each) for each in properties] == shared for properties, _ in tiles), "one set of properties"
    own = [full("ispe", 0, 0, struct.pack(">II", width, height))] + [b for b in shared if b[4:8] in (b"pixi", b"colr")]
    own += transforms
    items = [struct.pack(">BBBBHH", 0, 0, rows - 1, columns - 1, width, height)] + [data for _, data in tiles]

    def meta(start):
        info, locations, associations = b"", b"", b""
        for number, data in enumerate(items, 1):
            kind = b"grid" if number == 1 else b"av01"
            info += full("infe", 2, 0 if number == 1 else 1, struct.pack(">HH", number, 0), kind, b"\0")
            locations += struct.pack(">HHHII", number, 0, 1, start, len(data))
            start += len(data)
            first, count = (1, len(own)) if number == 1 else (1 + len(own), len(shared))
            listed = own if number == 1 else shared
            # Transforms and the decoder's settings are essential.
            marks = [0x80 if each[4:8] in (b"clap", b"irot", b"imir", b"av1C") else 0 for each in listed]
            associations += struct.pack(">HB", number, count) + bytes(mark | first + i for i, mark in enumerate(marks))
        return full(
            "meta", 0, 0,
            full("hdlr", 0, 0, bytes(4), b"pict", bytes(13)),
            full("pitm", 0, 0, struct.pack(">H", 1)),
            full("iinf", 0, 0, struct.pack(">H", len(items)), info),
            full("iloc", 0, 0, struct.pack(">BBH", 0x44, 0, len(items)), locations),
            full("iref", 0, 0, box("dimg", struct.pack(f">HH{len(tiles)}H", 1, len(tiles), *range(2, len(items) + 1)))),
            box("iprp", box("ipco", *own, *shared), full("ipma", 0, 0, struct.pack(">I", len(items)), associations)))

    brands = box("ftyp", b"avif", bytes(4), b"avifmif1miaf")
    start = len(brands) + len(meta(0)) + 8
    return brands + meta(start) + box("mdat", *items)


def aperture(width, height, left, top, grid_width, grid_height):
    """A clean aperture (14496-12, 12.1.4): the offset is that of the centres, in halves."""
    across, down = 2 * left + width - grid_width, 2 * top + height - grid_height
    return box("clap", struct.pack(">IIIIiIiI", width, 1, height, 1, across, 2, down, 2))


def deflated(plain, length):
    """Returns a zlib stream of dynamic, fixed and stored blocks in turn, with matches across their boundaries."""
    stream = b"\x78\x01"
    for start in range(0, len(plain), length):
        level, strategy = ((9, zlib.Z_DEFAULT_STRATEGY), (9, zlib.Z_FIXED), (0, zlib.Z_DEFAULT_STRATEGY))[start // length % 3]
        coder = zlib.compressobj(level, zlib.DEFLATED, -15, 9, strategy, plain[max(0, start - 32768):start])
        is_last = start + length >= len(plain)
        stream += coder.compress(plain[start:start + length]) + coder.flush(zlib.Z_FINISH if is_last else zlib.Z_SYNC_FLUSH)
    return stream + struct.pack(">I", zlib.adler32(plain))


def png(width, height):
    """Returns a PNG with data chunks of a few lengths, also none."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = b"".join(bytes([y % 5, *(level(x, y, band) for x in range(width) for band in range(3))]) for y in range(height))
    stream, chunks, lengths = deflated(rows, 5000), b"", (1, 0, 2, 3, 997, 0, 64)
    while stream:
        length = lengths[0]
        lengths = (*lengths[1:], length)
        chunks, stream = chunks + chunk(b"IDAT", stream[:length]), stream[length:]
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunks + chunk(b"IEND", b"")


def main():
    folder = Path(sys.argv[1])
    # Cut to 129x81 from (5, 11), then turned counterclockwise by 90 degrees.
    turned = grid(150, 101, 3, 2, aperture(129, 81, 5, 11, 150, 101), box("irot", b"\x01"))
    (folder / "grid-aperture.avif").write_bytes(turned)
    (folder / "pieces.png").write_bytes(png(115, 83))
    picture(115, 83, 3).save(folder / "lossy.webp", quality=80)
    source = folder / "source.ppm"
    for name, height, command, *options in (
            ("wavelet-53.jp2", 83, "jp2ksave", "--lossless"),
            ("wavelet-97.jp2", 83, "jp2ksave", "--Q=35", "--subsample-mode=off"),
            # One strip, long enough to fill the table of codes.
            ("lzw.tif", 117, "tiffsave", "--compression=lzw", "--predictor=horizontal", "--tile-height=117")):
        picture(115, height, 3).save(source)
        subprocess.run(["vips", command, source, folder / name, *options], check=True)
    source.unlink()


if __name__ == "__main__":
    main()
