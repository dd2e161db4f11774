"""Regions of PNG, TIFF and PNM."""
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


# --- PNG

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


def paeth(left, up, corner):
    to_left, to_up, to_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
    if to_left <= to_up and to_left <= to_corner:
        return left
    return up if to_up <= to_corner else corner


@cached
def png_rows(data, start, count, step, unit, first, left):
    """Unfilters rows; `first` and `left` are where a region begins, for faults."""
    _, plain = chunks(data)
    above, rows = bytearray(step), []
    lost_corner, of_8_bits, rounds_up = on("no-corner"), on("average-of-8-bits"), on("average-rounds-up")
    ties = on("paeth-ties-up")
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
                guess = paeth(above[i], before, corner) if ties else paeth(before, above[i], corner)
                row[i] = row[i] + guess & 255
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
            form = {3: "H", 4: "I", 16: "Q"}[kind]
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


def packbits(data):
    out, at = bytearray(), 0
    while at + 1 < len(data):
        count = data[at]
        if count < 128:
            out += data[at + 1:at + 2 + count]
            at += 2 + count
        else:
            out += data[at + 1:at + 2] * (256 - count if on("runs-too-short") else 257 - count)
            at += 2
    return bytes(out)


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
        return [[v for pixel in row for v in pixel] for row in jpeg_region.read(coded, 0, 0, head.width, head.height)]
    plain = {1: bytes, 5: lzw, 8: lambda coded: zlib.decompressobj().decompress(coded), 32773: packbits}[coding](coded)
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
                pixel += values[at:at + count] or [0]
            if meaning == 0:
                pixel = [(1 << bits) - 1 - value for value in pixel]
            if bits == 1:
                pixel = [255 * value for value in pixel]
            if meaning == 5 and on("inks-inverted"):
                pixel = [255 - value for value in pixel]
            if 338 in tags and on("alpha-divided"):
                pixel = [min(255, value * 255 // max(1, pixel[3])) for value in pixel[:3]] + pixel[3:]
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
