"""Reads pictures of simple formats, and compares their samples; run.py uses it."""
import array
import operator
import re
import struct
import zlib


class Unreadable(Exception):
    """The bytes are not a picture of a kind that is read here."""


class Samples:
    """Samples from the top and the left, bands interleaved; `top` is the level of white, None for floats."""

    def __init__(self, width, height, bands, top, values):
        if width < 1 or height < 1 or len(values) < width * height * bands:
            raise Unreadable("it has fewer samples than its header says")
        self.width, self.height, self.bands, self.top = width, height, bands, top
        self.values = values[:width * height * bands]

    def part(self, x, y, width, height):
        """Returns what the picture has of a region; None for nothing."""
        if x >= self.width or y >= self.height:
            return None
        right, bottom = min(x + width, self.width), min(y + height, self.height)
        rows = (self.values[(row * self.width + x) * self.bands:(row * self.width + right) * self.bands]
                for row in range(y, bottom))
        values = self.values[:0]
        for row in rows:
            values += row
        return Samples(right - x, bottom - y, self.bands, self.top, values)

    def last(self, width, height):
        """Returns the last columns and rows, if at most 32 of each are left out; otherwise all."""
        x, y = self.width - width, self.height - height
        return self.part(x, y, width, height) if 0 <= x <= 32 and 0 <= y <= 32 else self

    def mapped(self, bands, function):
        """Returns a picture whose pixels a function computes from these pixels."""
        values = array.array("f" if self.top is None else "H")
        for place in range(0, len(self.values), self.bands):
            values.extend(function(self.values[place:place + self.bands]))
        return Samples(self.width, self.height, bands, self.top, values)

    def turned(self, orientation):
        """Returns the picture as stored under an EXIF orientation, if this is the upright one."""
        width, height = self.width, self.height
        right, bottom = width - 1, height - 1
        sides = (height, width) if orientation > 4 else (width, height)
        # The upright pixel at a stored column and row.
        place = {
            1: lambda x, y: (x, y), 2: lambda x, y: (right - x, y), 3: lambda x, y: (right - x, bottom - y),
            4: lambda x, y: (x, bottom - y), 5: lambda x, y: (y, x), 6: lambda x, y: (right - y, x),
            7: lambda x, y: (right - y, bottom - x), 8: lambda x, y: (y, bottom - x),
        }[orientation]
        values = self.values[:0]
        for y in range(sides[1]):
            for x in range(sides[0]):
                column, row = place(x, y)
                start = (row * width + column) * self.bands
                values += self.values[start:start + self.bands]
        return Samples(*sides, self.bands, self.top, values)

    def like(self, other):
        """Returns the same colours with another's bands and depth; None if some would be lost."""
        if (self.width, self.height) != (other.width, other.height):
            return None
        mine, bands = self, self.bands
        if bands - 1 in (1, 3) and other.bands in (1, 3):
            if any(alpha != self.top for alpha in self.values[bands - 1::bands]):
                return None
            mine = self.mapped(bands - 1, lambda pixel: pixel[:-1])
        if (mine.bands, other.bands) in ((3, 1), (4, 2)):
            colours = [mine.values[band::mine.bands] for band in range(3)]
            if colours[0] != colours[1] or colours[1] != colours[2]:
                return None
            mine = mine.mapped(other.bands, lambda pixel: pixel[2:])
        elif (mine.bands, other.bands) in ((1, 3), (2, 4)):
            mine = mine.mapped(other.bands, lambda pixel: [pixel[0], pixel[0], *pixel])
        if mine.bands != other.bands:
            return None
        if mine.top == 65535 and other.top == 255:
            values = array.array("H", ((value + 128) // 257 for value in mine.values))
            return Samples(mine.width, mine.height, mine.bands, 255, values)
        return mine if mine.top == other.top else None

    def difference(self, other):
        """Returns the largest and the mean difference, in levels of 8 bits."""
        scale = 257 if self.top == 65535 else 1
        differences = [abs(a - b) for a, b in zip(self.values, other.values)]
        return max(differences) / scale, sum(differences) / len(differences) / scale

    def luma_difference(self, other):
        """Returns the mean difference of the luma of RGB, which another upsampling of chroma hardly changes."""
        if self.bands != 3:
            return 0
        weights = (0.299, 0.587, 0.114)
        differences = [a - b for a, b in zip(self.values, other.values)]
        lumas = [sum(map(operator.mul, weights, differences[i:i + 3])) for i in range(0, len(differences), 3)]
        return sum(map(abs, lumas)) / len(lumas)


# Each changes the expected samples in a way that regions.json may allow. "unturned" needs the whole picture.
VIEWS = {
    "eight-bits": lambda s: Samples(
        s.width, s.height, s.bands, 255,
        array.array("H", (min(255, int(v)) if s.top is None else v >> 8 for v in s.values))),
    "no-alpha": lambda s: s.mapped(s.bands - 1, lambda p: p[:-1]),
    "over-black": lambda s: s.mapped(s.bands - 1, lambda p: [v * p[-1] // s.top for v in p[:-1]]),
    "over-white": lambda s: s.mapped(s.bands - 1, lambda p: [v * p[-1] // s.top + s.top - p[-1] for v in p[:-1]]),
    "rgb-of-inks": lambda s: s.mapped(3, lambda p: [(255 - v) * (255 - p[3]) // 255 for v in p[:3]]),
    "inverted-inks": lambda s: s.mapped(4, lambda p: [255 - v for v in p]),
    "negative": lambda s: s.mapped(s.bands, lambda p: [s.top - v for v in p]),
}


def read(data):
    """Returns the samples of a PNM, PAM, PFM or PNG."""
    try:
        if data[:8] == b"\x89PNG\r\n\x1a\n":
            return read_png(data)
        if data[:2] == b"P7":
            head, _, body = data.partition(b"ENDHDR\n")
            fields = dict(line.split(None, 1) for line in head.splitlines()[1:] if b" " in line)
            width, height, bands, top = (int(fields[key]) for key in (b"WIDTH", b"HEIGHT", b"DEPTH", b"MAXVAL"))
            return Samples(width, height, bands, *whole(body, top))
        if data[:2] in (b"P4", b"P5", b"P6", b"PF", b"Pf"):
            return read_pnm(data)
    except (struct.error, zlib.error, KeyError, ValueError, IndexError) as error:
        raise Unreadable(f"it is damaged ({error})") from error
    raise Unreadable("it is no PNM, PAM, PFM or PNG")


def whole(body, top):
    """Returns white's level and samples of one or two bytes, big-endian, with the level 255 or 65535 for white."""
    if top < 256:
        values = array.array("H", list(body))
    else:
        values = array.array("H", struct.unpack(f">{len(body) // 2}H", body[:len(body) // 2 * 2]))
    full = 255 if top < 256 else 65535
    return full, values if top == full else array.array("H", (v * full // top for v in values))


def read_pnm(data):
    kind = data[:2]
    count = 2 if kind == b"P4" else 3
    gap = rb"(?:\s|#[^\n]*\n)+"
    found = re.match(kind + (gap + rb"([-+.\deE]+)") * count + rb"\s", data)
    if not found:
        raise Unreadable("its header is no header of a PNM")
    width, height = int(found[1]), int(found[2])
    body = data[found.end():]
    if kind == b"P4":
        step = (width + 7) // 8
        values = (255 * (1 - (body[y * step + x // 8] >> 7 - x % 8 & 1)) for y in range(height) for x in range(width))
        return Samples(width, height, 1, 255, array.array("H", values))
    if kind in (b"P5", b"P6"):
        return Samples(width, height, 1 if kind == b"P5" else 3, *whole(body, int(found[3])))
    bands = 1 if kind == b"Pf" else 3
    order, length = "<" if float(found[3]) < 0 else ">", width * bands
    rows = [struct.unpack_from(f"{order}{length}f", body, 4 * length * y) for y in reversed(range(height))]
    return Samples(width, height, bands, None, array.array("f", (v for row in rows for v in row)))


def read_png(data):
    at, chunks = 8, {}
    while at + 8 <= len(data):
        length, name = struct.unpack_from(">I4s", data, at)
        chunks.setdefault(name, []).append(data[at + 8:at + 8 + length])
        at += 12 + length
    width, height, depth, kind, _, _, interlace = struct.unpack(">IIBBBBB", chunks[b"IHDR"][0])
    if interlace:
        raise Unreadable("an interlaced PNG is not read as an answer")
    bands = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[kind]
    unit, step = max(1, bands * depth // 8), (width * bands * depth + 7) // 8
    plain = zlib.decompress(b"".join(chunks[b"IDAT"]))
    above, rows = bytearray(step), bytearray()
    for y in range(height):
        start = y * (step + 1)
        above = unfiltered(plain[start], bytearray(plain[start + 1:start + 1 + step]), above, unit)
        rows += above
    if depth < 8:
        mask, count = (1 << depth) - 1, width * bands
        values = array.array("H", (
            rows[y * step + i * depth // 8] >> 8 - depth - i * depth % 8 & mask for y in range(height) for i in range(count)))
    else:
        values = whole(bytes(rows), (1 << depth) - 1)[1]
    key = chunks.get(b"tRNS", [b""])[0]
    if kind == 3:
        colours = [tuple(chunks[b"PLTE"][0][i:i + 3]) for i in range(0, len(chunks[b"PLTE"][0]), 3)]
        colours = [colour + ((*key, *[255] * 256)[i],) if key else colour for i, colour in enumerate(colours)]
        return Samples(width, height, 1, 255, values).mapped(4 if key else 3, lambda pixel: colours[pixel[0]])
    top = 255 if depth <= 8 else 65535
    samples = Samples(width, height, bands, top, values)
    if key:
        clear = list(struct.unpack(f">{bands}H", key))
        samples = samples.mapped(bands + 1, lambda pixel: [*pixel, 0 if list(pixel) == clear else (1 << depth) - 1])
    scale = 255 // ((1 << depth) - 1) if depth < 8 else 1
    samples.values = array.array("H", (v * scale for v in samples.values)) if scale > 1 else samples.values
    return samples


def unfiltered(kind, row, above, unit):
    for i in range(len(row)):
        left = row[i - unit] if i >= unit else 0
        if kind == 1:
            row[i] = row[i] + left & 255
        elif kind == 2:
            row[i] = row[i] + above[i] & 255
        elif kind == 3:
            row[i] = row[i] + (left + above[i]) // 2 & 255
        elif kind == 4:
            corner = above[i - unit] if i >= unit else 0
            plane = left + above[i] - corner
            row[i] = row[i] + min((left, above[i], corner), key=lambda value: abs(plane - value)) & 255
    return row
