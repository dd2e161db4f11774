"""Regions of PNG."""
import struct
import zlib

from planting import cached, on
from rasters import unpacked

PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))


@cached
def chunks(data):
    at, found, parts = 8, {}, []
    while at + 8 <= len(data):
        length, name = struct.unpack_from(">I4s", data, at)
        if name == b"IDAT":
            if on("empty-chunk-ends") and length == 0:
                break
            parts.append(data[at + 8:at + 8 + length])
        else:
            found[name] = data[at + 8:at + 8 + length]
        at += 12 + length
    if on("first-chunk-only"):
        parts = parts[:1]
    plain = zlib.decompressobj().decompress(b"".join(parts))
    if on("buffer-end-loses-row") and len(plain) % 32768 == 0:
        plain = plain[:-1000]
    return found, plain


def paeth(left, up, corner, tie):
    to_left, to_up, to_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
    if to_left <= to_up and to_left + tie <= to_corner:
        return left
    return up if to_up + tie <= to_corner else corner


@cached
def png_rows(data, start, count, step, unit, first, left):
    """Unfilters rows; `first` and `left` are where a region begins, for faults."""
    _, plain = chunks(data)
    above, rows = bytearray(step), []
    lost_corner, of_8_bits, rounds_up = on("no-corner"), on("average-of-8-bits"), on("average-rounds-up")
    tie = on("paeth-ties-corner")
    for y in range(count):
        at = start + y * (step + 1)
        row = bytearray(plain[at + 1:at + 1 + step].ljust(step, b"\0"))
        kind = plain[at] if at < len(plain) else 0
        if y == first:
            above = bytearray(step)
        if on("filter-of-first-row") and y:
            kind = plain[start]
        for i in range(step):
            before = row[i - unit] if i >= unit and i // unit != left else 0
            corner = above[i - unit] if i >= unit and not lost_corner else 0
            if kind == 1:
                row[i] = row[i] + before & 255
            elif kind == 2:
                row[i] = row[i] + above[i] & 255
            elif kind == 3:
                total = before + above[i] + rounds_up
                row[i] = row[i] + (total & 255 if of_8_bits else total) // 2 & 255
            elif kind == 4:
                row[i] = row[i] + paeth(before, above[i], corner, tie) & 255
        rows.append(bytes(row))
        above = row
    return rows


@cached
def png_raster(data, first, left):
    """Returns the header and all samples, of a whole picture."""
    found, _ = chunks(data)
    width, height, depth, kind, _, _, interlaced = struct.unpack(">IIBBBBB", found[b"IHDR"])
    bands = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[kind]
    unit = max(1, bands * depth // 8)
    if on("unit-of-samples"):
        unit = bands
    raster = [[None] * width for _ in range(height)]
    start = 0
    passes = PASSES if interlaced and not on("interlacing-ignored") else ((0, 0, 1, 1),)
    for x0, y0, across, down in passes:
        columns, count = range(x0, width, across), len(range(y0, height, down))
        if not len(columns) and not on("empty-pass-has-filters"):
            continue
        step = (len(columns) * bands * depth + 7) // 8
        for y, row in enumerate(png_rows(data, start, count, step, unit, first, left)):
            values = unpacked(row, depth)
            if depth == 16 and on("low-bytes-inverted"):
                values = [value ^ 255 for value in values]
            for i, x in enumerate(columns):
                if on("pass-two-beside") and (x0, y0) == (4, 0):
                    x = max(0, x - 1)
                raster[y0 + y * down][x] = values[i * bands:(i + 1) * bands]
        start += count * (step + 1)
    return width, height, depth, kind, raster


def png(data, left, top, right, bottom):
    found, _ = chunks(data)
    # Where the region begins matters only to these faults, so that other results can be kept.
    _, _, depth, kind, raster = png_raster(
        data, top if on("no-rows-above") else -1, left if on("no-columns-left") else -1)
    if on("begins-at-whole-byte") and depth < 8:
        left = left // (8 // depth) * (8 // depth)
    key = found.get(b"tRNS")
    rows = []
    for y in range(top, bottom):
        row = []
        for x in range(left, min(right, len(raster[0]))):
            pixel = list(raster[y][x] or [0])
            if kind == 3:
                colours, i = found[b"PLTE"], pixel[0]
                alpha = key[i] if i < len(key) else 0 if on("short-alpha-is-zero") else 255
                if on("alpha-by-next-entry"):
                    alpha = key[i + 1] if i + 1 < len(key) else 255
                pixel = [*colours[3 * i:3 * i + 3], alpha]
            elif key:
                clear = struct.unpack(f">{len(pixel)}H", key)
                same = pixel[0] == clear[0] if on("first-band-is-key") else tuple(pixel) == clear
                pixel.append(0 if same != on("key-is-opaque") else 255)
            if depth < 8 and kind == 0:
                scale = 255 // ((1 << depth) - 1)
                if on("grey-by-shift"):
                    scale = 1 << 8 - depth
                pixel = [pixel[0] * scale]
            if kind in (4, 6) and on("alpha-multiplied"):
                pixel = [value * pixel[-1] // 255 for value in pixel[:-1]] + pixel[-1:]
            if kind in (4, 6) and on("clear-is-black") and pixel[-1] < 8:
                pixel = [0] * len(pixel)
            if kind in (4, 6) and on("alpha-first"):
                pixel = pixel[-1:] + pixel[:-1]
            row.append(pixel)
        row += [row[-1]] * (right - left - len(row))
        rows.append(row)
    return rows
