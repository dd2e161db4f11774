"""A sequential JPEG decoder for regions, with libjpeg-turbo's accurate inverse DCT and smooth upsampling."""
import struct

from planting import cached, on

ZIGZAG = sorted(range(64), key=lambda i: (i // 8 + i % 8, i // 8 if (i // 8 + i % 8) % 2 else i % 8))
# The tables of the first picture, which are the usual ones.
FIRST_TABLES = {}


class Refused(Exception):
    pass


class Component:
    def __init__(self, name, factors, table):
        self.name, self.h, self.v, self.table = name, factors >> 4, factors & 15, table


class Header:
    """What the segments say, and where the scans' coded bytes are."""

    def __init__(self, data):
        self.quantisers, self.huffman, self.scans = {}, {}, []
        self.interval, self.orientation, self.adobe, self.jfif = 0, 1, None, False
        at, false_markers = 2, b""
        while at + 4 <= len(data):
            while data[at + 1] == 0xFF:
                at += 1
            code, length = data[at + 1], struct.unpack_from(">H", data, at + 2)[0]
            if code == 0xD9:
                break
            if on("segment-search") and code == 0xFE:
                # A search for restart markers in the whole file finds one in the comment.
                false_markers = b"\xff\xd3"
            body = data[at + 4:at + 2 + length]
            at += 2 + length
            if code in (0xC0, 0xC1, 0xC2, 0xC9):
                self.process = code
                self.height, self.width = struct.unpack_from(">HH", body, 1)
                self.components = [Component(*body[6 + 3 * i:9 + 3 * i]) for i in range(body[5])]
            elif code == 0xDB:
                while body:
                    step, count = (2, 129) if body[0] >> 4 else (1, 65)
                    self.quantisers[body[0] & 15] = [int.from_bytes(body[1 + i * step:1 + (i + 1) * step], "big") for i in range(64)]
                    body = body[count:]
            elif code == 0xC4:
                while body:
                    total = sum(body[1:17])
                    table = lookup(body[1:17], body[17:17 + total])
                    first = FIRST_TABLES.setdefault(body[0], table)
                    self.huffman[body[0]] = first if on("usual-tables-always") else table
                    body = body[17 + total:]
            elif code == 0xDD:
                self.interval = struct.unpack(">H", body)[0]
            elif code == 0xE1 and body[:6] == b"Exif\0\0":
                order = ">" if body[6:8] == b"MM" else "<"
                self.orientation = struct.unpack_from(order + "H", body, 6 + 8 + 2 + 8)[0]
            elif code == 0xE0:
                self.jfif = True
            elif code == 0xEE and body[:5] == b"Adobe":
                self.adobe = body[11]
            elif code == 0xDA:
                if self.process != 0xC0 and self.process != 0xC1:
                    if not on("progressive-first-scan") or self.process != 0xC2 or self.scans:
                        if not on("arithmetic-as-huffman") or self.process != 0xC9:
                            if not self.scans:
                                raise Refused("neither baseline nor extended sequential")
                end = at
                while not (data[end] == 0xFF and data[end + 1] not in (0, 0xFF, *range(0xD0, 0xD8))):
                    end += 1
                tables = [(body[1 + 2 * i], body[2 + 2 * i]) for i in range(body[0])]
                self.scans.append((tables, false_markers + data[at:end], dict(self.huffman), body[-1] & 15))
                at = end
                if on("only-first-scan") or self.process == 0xC2:
                    break
            elif code == 0xDC and not on("dnl-ignored"):
                self.height = struct.unpack(">H", body)[0]
        if self.height == 0:
            self.height = 8 * 26
        self.most_h = max(c.h for c in self.components)
        self.most_v = max(c.v for c in self.components)
        self.counts_grey_factors = on("grey-factors-count")
        if len(self.components) == 1 and not self.counts_grey_factors:
            self.components[0].h = self.components[0].v = self.most_h = self.most_v = 1
        for c in self.components:
            c.width = -(-self.width * c.h // self.most_h)
            c.height = -(-self.height * c.v // self.most_v)


def lookup(counts, values):
    table, code, place = {}, 0, 0
    for length, count in enumerate(counts, 1):
        for _ in range(count):
            table[length, code] = values[place]
            code, place = code + 1, place + 1
        code <<= 1
    return table


class Bits:
    """The bits of one interval between restart markers."""

    def __init__(self, data):
        self.data = data if on("stuffing-kept") else data.replace(b"\xff\0", b"\xff")
        self.place, self.bit, self.count = 0, 0, 0
        self.is_off = on("negative-off-by-one")

    def fill(self, length):
        while self.count < length:
            byte = self.data[self.place] if self.place < len(self.data) else 0
            self.bit, self.count, self.place = self.bit << 8 | byte, self.count + 8, self.place + 1

    def next(self, length):
        self.fill(length)
        self.count -= length
        value = self.bit >> self.count
        self.bit &= (1 << self.count) - 1
        return value

    def symbol(self, table):
        self.fill(16)
        for length in range(1, 17):
            found = table.get((length, self.bit >> self.count - length))
            if found is not None:
                self.next(length)
                return found
        self.next(16)
        return 0

    def number(self, length):
        value = self.next(length) if length else 0
        if length and value < 1 << length - 1:
            value -= (1 << length) - (2 if self.is_off else 1)
        return value


def intervals(coded):
    """Splits coded bytes at restart markers."""
    parts, start, at = [], 0, 0
    while at + 1 < len(coded):
        if coded[at] == 0xFF and 0xD0 <= coded[at + 1] <= 0xD7:
            end = at
            while end > start and coded[end - 1] == 0xFF:
                end -= 1
            if end < at and on("fill-bytes-end-the-scan"):
                break
            if on("numbering-without-wrap") and len(parts) >= 8 or on("seven-markers") and len(parts) == 7:
                break
            parts.append(coded[start:end])
            start = at = at + 2
        else:
            at += 1
    return parts + [coded[start:]]


@cached
def opened(data):
    return Header(data)


@cached
def coefficients(data):
    """Returns the coefficients of each component's blocks, by column and row."""
    head = opened(data)
    blocks = [{} for _ in head.components]
    for tables, coded, huffman, shift in head.scans:
        chosen = [(i, c, *pair) for pair in tables for i, c in enumerate(head.components) if c.name == pair[0]]
        single = len(chosen) == 1 and not (head.counts_grey_factors and len(head.components) == 1)
        if single:
            c = chosen[0][1]
            across, down = -(-c.width // 8), -(-c.height // 8)
        else:
            across, down = -(-head.width // (8 * head.most_h)), -(-head.height // (8 * head.most_v))
        parts = intervals(coded)
        bits, last, number = Bits(parts[0]), {}, 0
        if on("short-interval-lost") and head.interval and across * down % head.interval:
            parts.pop()
        if on("single-unit-lost") and across * down == 1:
            down = 0
        for mcu in range(across * down):
            if head.interval and mcu and mcu % head.interval == 0:
                number += 1
                if number >= len(parts):
                    break
                bits = Bits(parts[number])
                if not on("prediction-kept"):
                    last = {}
            for i, c, _, pair in chosen:
                for v in range(1 if single else c.v):
                    for h in range(1 if single else c.h):
                        if on("block-order-by-columns") and not single:
                            v, h = (h, v) if c.h == c.v else (v, h)
                        step = (1, 1) if single else (c.h, c.v)
                        place = mcu % across * step[0] + h, mcu // across * step[1] + v
                        decoded = block(bits, huffman, pair, last, i, shift if head.process == 0xC2 else None)
                        is_lost = mcu == 8 and not single and (head.most_h, head.most_v) != (1, 1) and on("unit-is-grey")
                        if not is_lost:
                            blocks[i][place] = decoded
    return blocks


def block(bits, huffman, pair, last, i, shift):
    values = [0] * 64
    last[i] = last.get(i, 0) + bits.number(bits.symbol(huffman.get(pair >> 4, {})))
    values[0] = last[i] if shift is None else last[i] << shift
    place = 1
    table = huffman.get(16 | pair & 15, {})
    while shift is None and place < 64:
        run, length = divmod(bits.symbol(table), 16)
        if length == 0:
            if run != 15 or on("long-run-is-end"):
                break
            place += 16
            continue
        place += run
        if place < 64:
            values[ZIGZAG[place]] = bits.number(length)
        place += 1
    return values


@cached
def samples(data, i, column, row):
    """Returns the 64 samples of a block."""
    head = opened(data)
    values = coefficients(data)[i].get((column, row))
    if values is None:
        return [128] * 64
    table = head.quantisers[0 if on("one-quantiser") else head.components[i].table]
    natural = [0] * 64
    for place, each in enumerate(ZIGZAG):
        natural[each] = values[each] * table[place]
    if on("dc-only"):
        natural[1:] = [0] * 63
    if on("transposed-block"):
        natural = [natural[place % 8 * 8 + place // 8] for place in range(64)]
    for x in range(8):
        natural[x::8] = inverse(natural[x::8], 11)
    for y in range(0, 64, 8):
        natural[y:y + 8] = inverse(natural[y:y + 8], 18)
    centre = 127 if on("centre-127") else 128
    return [value + centre & 255 if on("wraps-around") else min(255, max(0, value + centre)) for value in natural]


def inverse(values, shift):
    """One dimension of jidctint.c's inverse DCT, whose constants have 13 bits."""
    a, b, c, d, e, f, g, h = values
    one = (c + g) * 4433
    low, high = one - g * 15137, one + c * 6270
    plus, minus = a + e << 13, a - e << 13
    even = plus + high, minus + low, minus - low, plus - high
    z1, z2, z3, z4 = h + b, f + d, h + d, f + b
    z5 = (z3 + z4) * 9633
    z1, z2, z3, z4 = z1 * -7373, z2 * -20995, z3 * -16069 + z5, z4 * -3196 + z5
    odd = b * 12299 + z1 + z4, d * 25172 + z2 + z3, f * 16819 + z2 + z4, h * 2446 + z1 + z3
    half = 0 if on("dct-without-rounding") and shift == 18 else 1 << shift - 1
    sums = [x + y for x, y in zip(even, odd)] + [x - y for x, y in zip(even[::-1], odd[::-1])]
    return [value + half >> shift for value in sums]
