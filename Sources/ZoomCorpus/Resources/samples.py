"""Reads pictures of simple formats, and compares their samples; run.py uses it."""
import array
import operator
import re
import struct
import zlib

# The codes of samples in arrays, by the level of white.
CODES = {255: "B", 65535: "H", None: "f"}
# The most bytes that are read of an answer or decompressed.
MOST = 1 << 26
# The levels of white, by the names of samples in regions.json.
TOPS = {"uint8": 255, "uint16": 65535, "float32": None}


class NoAnswer(Exception):
    """A result without samples, which is "refused" or "FAILED", and the reason."""


class Samples:
    """Samples from the top and the left, bands interleaved; `top` is the level of white, None for floats."""

    def __init__(self, width, height, bands, top, values, is_stored=False):
        if min(width, height, bands) < 1 or len(values) < width * height * bands:
            raise NoAnswer("FAILED", "fewer samples than the header says")
        # `is_stored` says whether the format leaves open if 0 is black.
        self.width, self.height, self.bands, self.top, self.is_stored = width, height, bands, top, is_stored
        self.values = array.array(CODES[top], values[:width * height * bands])

    def part(self, x, y, width, height):
        """Returns what the picture has of a region; None for nothing."""
        if x >= self.width or y >= self.height:
            return None
        right, bottom = min(x + width, self.width), min(y + height, self.height)
        values = self.values[:0]
        for row in range(y, bottom):
            values += self.values[(row * self.width + x) * self.bands:(row * self.width + right) * self.bands]
        return Samples(right - x, bottom - y, self.bands, self.top, values)

    def last(self, width, height):
        """Returns the last columns and rows, if at most 32 of each are left out; otherwise all."""
        x, y = self.width - width, self.height - height
        return self.part(x, y, width, height) if 0 <= x <= 32 and 0 <= y <= 32 else self

    def mapped(self, bands, function, top=0):
        """Returns a picture whose pixels a function computes from these pixels; `top` replaces the level of white."""
        pixels = (self.values[i:i + self.bands] for i in range(0, len(self.values), self.bands))
        values = [value for pixel in pixels for value in function(pixel)]
        return Samples(self.width, self.height, bands, top or self.top, values)

    def turned(self, orientation):
        """Returns the picture as stored under an EXIF orientation, if this is the upright one."""
        pixels = [self.values[i:i + self.bands] for i in range(0, len(self.values), self.bands)]
        rows = [pixels[i:i + self.width] for i in range(0, len(pixels), self.width)]
        rows = list(zip(*rows) if orientation > 4 else rows)[::-1 if orientation in (3, 4, 6, 7) else 1]
        values = [value for row in rows for pixel in row[::-1 if orientation in (2, 3, 7, 8) else 1] for value in pixel]
        return Samples(len(rows[0]), len(rows), self.bands, self.top, values)

    def like(self, other):
        """Returns the same colours with another's bands and depth; None if some would be lost."""
        if (self.width, self.height) != (other.width, other.height):
            return None
        mine = self
        if mine.bands in (2, 4) and other.bands in (1, 3):
            if any(alpha != mine.top for alpha in mine.values[mine.bands - 1::mine.bands]):
                return None
            mine = mine.mapped(mine.bands - 1, lambda pixel: pixel[:-1])
        if (mine.bands, other.bands) in ((3, 1), (4, 2)):
            red, green, blue = (mine.values[band::mine.bands] for band in range(3))
            if not red == green == blue:
                return None
            mine = mine.mapped(other.bands, lambda pixel: pixel[2:])
        elif (mine.bands, other.bands) in ((1, 3), (2, 4)):
            mine = mine.mapped(other.bands, lambda pixel: [pixel[0], pixel[0], *pixel])
        if mine.top == 65535 and other.top == 255:
            mine = mine.mapped(mine.bands, lambda pixel: [(value + 128) // 257 for value in pixel], top=255)
        return mine if (mine.bands, mine.top) == (other.bands, other.top) else None

    def difference(self, other):
        """Returns the largest and the mean difference, in levels of 8 bits."""
        scale = 257 if self.top == 65535 else 1
        differences = [abs(a - b) for a, b in zip(self.values, other.values)]
        return max(differences) / scale, sum(differences) / len(differences) / scale

    def excesses(self, other, bounds):
        """Yields a text for each luma, chroma or band that differs from the other's more than traps.json says."""
        for bound in bounds:
            for name, compare in (("luma", self.luma_difference), ("chroma", self.chroma_ratio)):
                if name in bound and self.bands > 2 and (found := compare(other)) > bound[name]:
                    yield f"{name} {found:.3g} (at most {bound[name]})"
            for band in range(self.bands if "correlation" in bound else 0):
                if (found := self.correlation(other, band)) < bound["correlation"]:
                    yield f"correlation {found:.2g} of band {band} (at least {bound['correlation']})"

    def lumas(self):
        """Returns the luma of RGB or inks, and after it the fourth ink, which is black and has no chroma."""
        bands = [self.values[band::self.bands] for band in range(self.bands)]
        return [0.299 * red + 0.587 * green + 0.114 * blue for red, green, blue in zip(*bands[:3])] + list(*bands[3:])

    def luma_difference(self, other):
        """Returns the mean difference of the luma in the block of 16x16 where it is largest."""
        blocks = {}
        for place, (mine, right) in enumerate(zip(self.lumas(), other.lumas())):
            row, column = divmod(place, self.width)
            blocks.setdefault((row // 16, column // 16), []).append(abs(mine - right))
        return max(sum(block) / len(block) for block in blocks.values())

    def chromas(self):
        """Returns the differences of red and blue from the luma, as complex numbers."""
        return [complex(red - luma, blue - luma)
                for red, blue, luma in zip(self.values[::self.bands], self.values[2::self.bands], self.lumas())]

    def chroma_ratio(self, other):
        """Compares the distance from the other's chroma with that from the same shifted by a pixel, or half as strong."""
        mine, right, width = self.chromas(), other.chromas(), self.width

        def distance(column, row, strength=1):
            places = (min(max(y + row, 0), self.height - 1) * width + min(max(x + column, 0), width - 1)
                      for y in range(self.height) for x in range(width))
            return sum(abs(chroma - strength * right[place]) ** 2 for chroma, place in zip(mine, places))

        rivals = distance(1, 0), distance(-1, 0), distance(0, 1), distance(0, -1), distance(0, 0, 0.5)
        return distance(0, 0) / (min(rivals) or 1e-9)

    def correlation(self, other, band):
        """Returns the correlation of a band with the other's; 0 for a band of one level."""
        def covariance(one, two):
            return len(one) * sum(map(operator.mul, one, two)) - sum(one) * sum(two)

        mine, right = self.values[band::self.bands], other.values[band::self.bands]
        return covariance(mine, right) / ((covariance(mine, mine) * covariance(right, right)) ** 0.5 or 1)


# Each changes the expected samples in a way that traps.json may allow. "unturned" needs the whole picture.
VIEWS = {
    "as-expected": lambda s: s,
    "eight-bits": lambda s: s.mapped(
        s.bands, lambda p: [min(255, int(v)) if s.top is None else v >> 8 for v in p], top=255),
    "no-alpha": lambda s: s.mapped(s.bands - 1, lambda p: p[:-1]),
    "over-black": lambda s: s.mapped(s.bands - 1, lambda p: [v * p[-1] // s.top for v in p[:-1]]),
    "over-white": lambda s: s.mapped(s.bands - 1, lambda p: [v * p[-1] // s.top + s.top - p[-1] for v in p[:-1]]),
    "rgb-of-inks": lambda s: s.mapped(3, lambda p: [(255 - v) * (255 - p[3]) // 255 for v in p[:3]]),
    "inverted-inks": lambda s: s.mapped(4, lambda p: [255 - v for v in p]),
    "negative": lambda s: s.mapped(s.bands, lambda p: [s.top - v for v in p]),
}


def read(data, width, height, bands, sample):
    """Returns the samples of a PNG, PGM, PPM or PAM, or of raw samples of this size and kind, the lowest byte first."""
    top = TOPS[sample]
    try:
        if data[:8] == b"\x89PNG\r\n\x1a\n":
            return read_png(data)
        if data[:3] == b"P7\n":
            head, _, body = data.partition(b"ENDHDR\n")
            fields = dict(line.split(None, 1) for line in head.splitlines()[1:] if b" " in line)
            form = [int(fields[key]) for key in (b"WIDTH", b"HEIGHT", b"DEPTH", b"MAXVAL")]
            return spread(*form, body, is_stored=b"TUPLTYPE" not in fields)
        gap = rb"(?:\s|#[^\n]*\n)+(\d+)"
        if found := re.match(rb"P[56]" + 3 * gap + rb"\s", data):
            return spread(int(found[1]), int(found[2]), 1 if data[1:2] == b"5" else 3, int(found[3]), data[found.end():])
        code = f"<{width * height * bands}{CODES[top]}"
        if len(data) == struct.calcsize(code):
            return Samples(width, height, bands, top, struct.unpack(code, data), is_stored=True)
    except (struct.error, zlib.error, LookupError, ValueError, ArithmeticError, MemoryError) as error:
        raise NoAnswer("FAILED", f"a damaged picture ({error})") from error
    raise NoAnswer("FAILED", "neither PNG, PGM, PPM nor PAM, and not as long as raw samples")


def spread(width, height, bands, top, body, is_stored=False):
    """Returns samples of one or two bytes, the highest first, spread so that white is 255 or 65535."""
    if not 0 < top < 65536:
        raise ValueError(f"white is {top}")
    full = 255 if top < 256 else 65535
    count = width * height * bands
    values = body[:count] if top < 256 else struct.unpack_from(f">{count}H", body)
    return Samples(width, height, bands, full, values if top == full else [v * full // top for v in values], is_stored)


def read_png(data):
    at, chunks = 8, {}
    while at + 8 <= len(data):
        length, name = struct.unpack_from(">I4s", data, at)
        chunks.setdefault(name, bytearray()).extend(data[at + 8:at + 8 + length])
        at += 12 + length
    width, height, depth, kind, _, _, interlace = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    if interlace:
        raise NoAnswer("FAILED", "an interlaced PNG, which is not read")
    bands = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[kind]
    unit, step = max(1, bands * depth // 8), (width * bands * depth + 7) // 8
    length = height * (step + 1)
    if length > MOST:
        raise ValueError(f"rows of {length} bytes")
    # One byte more than the rows have, so that the checksum is read, too.
    plain = zlib.decompressobj().decompress(chunks[b"IDAT"], length + 1)
    above, rows = bytearray(step), bytearray()
    for start in range(0, length, step + 1):
        above = unfiltered(plain[start], bytearray(plain[start + 1:start + 1 + step]), above, unit)
        rows += above
    top, key = (1 << depth) - 1, chunks.get(b"tRNS")
    if depth < 8:
        # Each row begins at a byte.
        rows = bytes(rows[start + x * depth // 8] >> 8 - depth - x * depth % 8 & top
                     for start in range(0, len(rows), step) for x in range(width))
    if kind == 3:
        alphas = (key or b"") + b"\xff" * 256
        colours = [(*chunks[b"PLTE"][3 * i:3 * i + 3], alphas[i]) for i in range(len(chunks[b"PLTE"]) // 3)]
        bands = 4 if key else 3
        return Samples(width, height, 1, 255, rows).mapped(bands, lambda pixel: colours[pixel[0]][:bands])
    picture = spread(width, height, bands, top, rows)
    if not key:
        return picture
    clear = [value * picture.top // top for value in struct.unpack(f">{bands}H", key)]
    return picture.mapped(bands + 1, lambda pixel: [*pixel, 0 if list(pixel) == clear else picture.top])


def unfiltered(kind, row, above, unit):
    for i in range(len(row) if kind else 0):
        left, up, corner = row[i - unit] if i >= unit else 0, above[i], above[i - unit] if i >= unit else 0
        nearest = min((left, up, corner), key=lambda value: abs(left + up - corner - value))
        row[i] = row[i] + (0, left, up, (left + up) // 2, nearest)[kind] & 255
    return row
