"""Regions of TIFF and PNM."""
import struct
import zlib

import jpeg
import jpeg_region
from planting import cached, on


def unpacked(row, bits, order=">"):
    """Returns the samples of a row of packed bytes."""
    if bits >= 16:
        if on("byte-order-ignored"):
            order = "<"
        return list(struct.unpack(f"{order}{len(row) * 8 // bits}{'H' if bits == 16 else 'f'}", row))
    if bits == 8:
        return list(row)
    mask, count = (1 << bits) - 1, 8 // bits
    order = range(count) if on("low-bits-first") else range(count - 1, -1, -1)
    return [byte >> place * bits & mask for byte in row for place in order]


# --- TIFF

@cached
def directories(data):
    """Returns the byte order and the tags of each directory."""
    order = "<" if data[:2] == b"II" else ">"
    big = struct.unpack_from(order + "H", data, 2)[0] == 43
    word, count_form, size = ("Q", "Q", 8) if big else ("I", "H", 4)
    at, found = struct.unpack_from(order + word, data, 8 if big else 4)[0], []
    while at:
        count = struct.unpack_from(order + count_form, data, at)[0]
        at += struct.calcsize("=" + count_form)
        tags = {}
        for _ in range(count):
            tag, kind, number = struct.unpack_from(f"{order}HH{word}", data, at)
            # Rational numbers, such as the resolution, are not needed.
            form = {3: "H", 4: "I", 5: "Q", 16: "Q"}[kind]
            values = number * struct.calcsize("=" + form)
            place = at + 4 + size
            if values > size:
                place = struct.unpack_from(order + word, data, place)[0]
            tags[tag] = struct.unpack_from(f"{order}{number}{form}", data, place)
            at += 4 + 2 * size
        found.append(tags)
        at = struct.unpack_from(order + word, data, at)[0]
    return order, found


def lzw(data):
    out, table, width, previous = bytearray(), {}, 9, None
    bits, count, place = 0, 0, 0
    while True:
        while count < width:
            if place >= len(data):
                return bytes(out)
            bits, count, place = bits << 8 | data[place], count + 8, place + 1
        count -= width
        code = bits >> count
        bits &= (1 << count) - 1
        if code == 257:
            return bytes(out)
        if code == 256:
            table = {i: bytes([i]) for i in range(256)}
            following, width, previous = 258, 9, None
            continue
        text = table.get(code) or (previous or b"\0") + (previous or b"\0")[:1]
        out += text
        if previous is not None:
            table[following] = previous + text[:1]
            following += 1
        if following + (0 if on("codes-grow-late") else 1) == 1 << width and width < 12:
            width += 1
        previous = text


def undone(row, predictor, bands, bits, order):
    """Undoes the predictor in a row of bytes; returns samples."""
    if predictor == 3:
        row, stride = bytearray(row), 1 if on("float-stride-one") else bands
        for i in range(stride, len(row)):
            row[i] = row[i] + row[i - stride] & 255
        count = len(row) // 4
        planes = [row[count * i:count * (i + 1)] for i in range(4)]
        if on("planes-in-byte-order") and order == "<":
            planes.reverse()
        return list(struct.unpack(f">{count}f", bytes(byte for four in zip(*planes) for byte in four)))
    if predictor == 2 and bits == 16 and on("differences-of-bytes"):
        row = bytearray(row)
        for i in range(2 * bands, len(row)):
            row[i] = row[i] + row[i - 2 * bands] & 255
        return unpacked(bytes(row), bits, order)
    values = unpacked(row, bits, order)
    if predictor == 2:
        stride = 1 if on("differences-of-neighbours") else bands
        for i in range(stride, len(values)):
            values[i] = values[i] + values[i - stride] & (1 << bits) - 1
    return values


@cached
def block(data, level, number, width, height):
    """Returns the samples of a strip or tile, row by row."""
    order, found = directories(data)
    tags = found[level]
    offsets, counts = tags.get(324, tags.get(273)), tags.get(325, tags.get(279))
    at = offsets[number]
    if on("blocks-follow-each-other"):
        at = offsets[0] + sum(counts[:number])
    coded = data[at:at + counts[number]]
    bits, bands = tags[258][0], 1 if tags.get(284, (1,))[0] == 2 else tags.get(277, (1,))[0]
    if on("planes-have-all-bands") and tags.get(284, (1,))[0] == 2:
        bands = tags.get(277, (1,))[0]
    coding = tags[259][0]
    if coding == 7:
        head = jpeg.opened(coded)
        rows = jpeg_region.read(coded, 0, 0, head.width, head.height)
        if on("tiles-end-in-padding"):
            rows = rows[:-8] + rows[-16:-8]
        return [[value for pixel in row for value in pixel] for row in rows]
    plain = {1: bytes, 5: lzw, 8: lambda coded: zlib.decompressobj().decompress(coded)}[coding](coded)
    if on("strip-end-loses-row") and len(plain) % 32768 == 0:
        plain = plain[:-300]
    step = (width * bands * bits + 7) // 8
    rows, predictor = [], tags.get(317, (1,))[0]
    for y in range(height):
        row = plain[y * step:(y + 1) * step].ljust(step, b"\0")
        rows.append(undone(row, predictor, bands, bits, order))
        if on("predictor-across-rows") and predictor == 2 and y:
            rows[-1] = [v + rows[-2][-1] & (1 << bits) - 1 for v in rows[-1]]
    return rows


def tiff(data, left, top, right, bottom, level):
    order, found = directories(data)
    if on("levels-reversed") and level:
        level = len(found) - level
    tags = found[level]
    width, height, bands = tags[256][0], tags[257][0], tags.get(277, (1,))[0]
    is_tiled, is_planar = 322 in tags, tags.get(284, (1,))[0] == 2
    wide, high = (tags[322][0], tags[323][0]) if is_tiled else (width, tags[278][0])
    across, down = -(-width // wide), -(-height // high)
    if on("tile-columns-rounded-down") and is_tiled:
        across = width // wide
    meaning, bits = tags[262][0], tags[258][0]
    if on("level-region-scaled") and level:
        left, right, top, bottom = left // 2, left // 2 + right - left, top // 2, top // 2 + bottom - top
    rows = []
    for y in range(top, bottom):
        row = []
        for x in range(left, right):
            column, line = min(x, width - 1), min(y, height - 1)
            number = line // high * across + column // wide
            if on("tiles-by-columns") and is_tiled:
                number = column // wide * down + line // high
            tall = high if is_tiled else min(high, height - line // high * high)
            if on("last-strip-as-high") and not is_tiled:
                line = line if line // high < down - 1 else height - 1
            across_block = width - column // wide * wide if on("padding-not-stored") and is_tiled and column // wide == across - 1 else wide
            planes = range(bands) if is_planar else (0,)
            pixel = []
            for plane in planes:
                place = number + plane * across * down
                if on("planes-reversed") and is_planar:
                    place = number + (bands - 1 - plane) * across * down
                if on("planes-as-one") and is_planar:
                    place = number
                values = block(data, level, place % len(tags.get(324, tags.get(273))), across_block, tall)[line % high % tall]
                count = 1 if is_planar else bands
                at = column % wide * count
                is_lost = level and number == 0 and on("level-tile-is-grey")
                pixel += [128] * count if is_lost else values[at:at + count] or [0]
            is_kept = on("white-is-zero-kept") or on("white-is-zero-kept-untyped")
            if meaning == 0 and not is_kept and not (on("white-is-zero-kept-in-regions") and bottom - top < height):
                most = (1 << bits) - (0 if on("negative-off-by-one-level") else 1)
                pixel = [most - value & (1 << bits) - 1 for value in pixel]
            if bits == 1:
                pixel = [255 * value for value in pixel]
            if meaning == 5 and on("inks-inverted"):
                pixel = [255 - value for value in pixel]
            if 338 in tags and on("alpha-divided"):
                pixel = [min(255, value * 255 // max(1, pixel[3])) for value in pixel[:3]] + pixel[3:]
            if on("picture-is-pale") and is_tiled and len(found) > 1 and not level:
                pixel = [value + (128 - value) // 4 for value in pixel]
            row.append(pixel)
        rows.append(row)
    return rows


# --- PNM

def pnm(data, left, top, right, bottom):
    lines, at, words = data, 2, []
    while len(words) < 3:
        end = data.index(b"\n", at)
        line = data[at:end]
        if not line.startswith(b"#") or on("comments-are-numbers"):
            words += line.split()
        at = end + 1
    width, height, most = (int(word) if word.isdigit() else 1 for word in words[:3])
    bands = 1 if data[:2] == b"P5" else 3
    bits = 16 if most > 255 else 8
    step = width * bands * bits // 8
    if on("page-end-loses-row") and len(lines) % 4096 == 0:
        data = data[:-200] + bytes(200)
    rows = []
    for y in range(top, bottom):
        values = unpacked(data[at + y * step:at + (y + 1) * step].ljust(step, b"\0"), bits, "<" if on("pnm-low-byte-first") else ">")
        rows.append([values[x * bands:(x + 1) * bands] for x in range(left, right)])
    return rows
