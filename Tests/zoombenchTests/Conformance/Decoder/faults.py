"""Plants faults in the reference decoder, one at a time: faults.py SET [FAULT ...]

The sound decoder must pass. Every fault must fail a region of the set, unless it is an equivalent, and every trap must be the first to find one;
if several faults are named, every trap of JPEG must.
Exit codes: 0 all well, 1 a finding.
"""
import collections
import hashlib
import re
import struct
import sys
from pathlib import Path

here = Path(__file__).resolve().parent
folder = Path(sys.argv[1]).resolve()
sys.path[:0] = [str(here), str(folder)]

import jpeg  # noqa: E402
import jpeg_region  # noqa: E402
import planting  # noqa: E402
import pngs  # noqa: E402
import rasters  # noqa: E402
import run  # noqa: E402
import samples  # noqa: E402
from planting import on  # noqa: E402

# Other ways of enlarging chroma, which the standard allows: the whole picture has them, too.
EQUIVALENT = {
    "chroma-half-pixel", "chroma-of-padding-right", "chroma-of-padding-below", "narrow-is-smooth",
    "vertical-neighbour-lost", "chroma-replicated", "inks-to-rgb", "white-is-zero-kept-untyped",
}

CUT = (".avif", ".webp", ".jp2")


def stored(orientation, suffix, width, height, x, y):
    """Returns the stored place of an upright pixel; the sizes are those of the stored picture."""
    if suffix == ".tif" and orientation > 4 and on("tag-of-columns-mirrored"):
        orientation = {5: 6, 6: 5, 7: 8, 8: 7}[orientation]
    for one, other in ((2, 4), (3, 2), (4, 2), (5, 7), (6, 8), (7, 5), (8, 6)):
        if orientation == one and on(f"orientation-{one}-as-{other}"):
            orientation = other
            break
    right, bottom = width - 1, height - 1
    return [(x, y), (right - x, y), (right - x, bottom - y), (x, bottom - y),
            (y, x), (y, bottom - x), (right - y, bottom - x), (right - y, x)][orientation - 1]


class Reference:
    """Answers rows as a decoder that run.py could ask."""

    is_aligned = False

    def __init__(self, index):
        self.files = {each["file"]: (folder / each["file"]).read_bytes() for each in index["pictures"]}
        # The expected pictures of codecs too large to write again, whose faults are those of cutting.
        self.rasters = {
            each["name"]: samples.read(
                (folder / whole["expected"]).read_bytes(), whole["width"], whole["height"], each["bands"], each["sample"])
            for each in index["pictures"] if each["file"].endswith(CUT) for whole in each["rows"][:1]}

    def asks(self, row):
        return True

    def answer(self, picture, row):
        x, y, width, height = row["x"], row["y"], row["width"], row["height"]
        whole, orientation = picture["rows"][0], picture["orientation"]
        if row["name"] != whole["name"] and row["level"] == 0:
            x += on("column-off-by-one") and x > 0
            y += on("row-off-by-one") and y > 0
        data, suffix = self.files[picture["file"]], Path(picture["file"]).suffix
        if suffix in CUT:
            return cut(row, row["name"] != whole["name"], suffix, self.rasters[picture["name"]])
        sides = (whole["width"], whole["height"])
        stored_sides = sides[::-1] if orientation > 4 else sides
        corners = [stored(orientation, suffix, *stored_sides, *place) for place in ((x, y), (x + width - 1, y + height - 1))]
        left, right = sorted(corner[0] for corner in corners)
        top, bottom = sorted(corner[1] for corner in corners)
        try:
            rows = read(data, suffix, left, top, right + 1, bottom + 1, row["level"])
        except jpeg.Refused as refusal:
            raise run.NoAnswer("refused", str(refusal)) from refusal
        pixels = []
        for row_y in range(y, y + height):
            for row_x in range(x, x + width):
                column, line = stored(orientation, suffix, *stored_sides, row_x, row_y)
                pixels.append(rows[min(max(line - top, 0), len(rows) - 1)][min(max(column - left, 0), len(rows[0]) - 1)])
        if on("last-column-lost") and x + width == sides[0] and row["level"] == 0:
            pixels[width - 1::width] = [[0] * len(pixels[0])] * height
        if on("last-row-lost") and y + height == sides[1] and row["level"] == 0:
            pixels[-width:] = [[0] * len(pixels[0])] * width
        if picture["trap"].endswith("-inks"):
            pixels = [rgb_of_inks(*pixel) for pixel in pixels]
        flat = [value for pixel in pixels for value in pixel]
        if any(isinstance(value, float) for value in flat):
            return struct.pack(f"<{len(flat)}f", *flat)
        return pam(width, height, len(pixels[0]), 65535 if max(flat) > 255 else 255, flat)


def rgb_of_inks(*inks):
    cyan, magenta, yellow, black = inks
    if on("inks-to-rgb-exchanged"):
        cyan, magenta = magenta, cyan
    elif on("inks-to-rgb-without-yellow"):
        yellow = 0
    elif on("inks-to-rgb-without-black"):
        black = 0
    elif on("black-ink-is-thin"):
        return [cyan, magenta, yellow, black * 3 // 4]
    elif not on("inks-to-rgb"):
        return inks
    return [(255 - ink) * (255 - black) // 255 for ink in (cyan, magenta, yellow)]


def pam(width, height, bands, top, values):
    kind = ("GRAYSCALE", "GRAYSCALE_ALPHA", "RGB", "RGB_ALPHA")[bands - 1]
    if on("white-is-zero-kept-untyped") or on("white-is-zero-kept-in-regions"):
        kind = ""
    head = f"P7\nWIDTH {width}\nHEIGHT {height}\nDEPTH {bands}\nMAXVAL {top}\n{kind and f'TUPLTYPE {kind}'}\nENDHDR\n"
    return head.encode() + struct.pack(f">{len(values)}{'B' if top < 256 else 'H'}", *values)


def read(data, suffix, left, top, right, bottom, level):
    if suffix == ".jpg":
        return jpeg_region.read(data, left, top, right, bottom)
    if suffix == ".png":
        return pngs.png(data, left, top, right, bottom)
    if suffix == ".tif":
        return rasters.tiff(data, left, top, right, bottom, level)
    return rasters.pnm(data, left, top, right, bottom)


def cut(row, is_part, suffix, picture):
    x, y, width, height = row["x"], row["y"], row["width"], row["height"]
    if suffix == ".avif":
        if on("aperture-ignored"):
            x, y = x + 11, y + 5
        if on("aperture-off-by-one"):
            x += 1
        if on("turn-of-the-region") and is_part:
            x, y = y, x
        if on("turn-the-other-way"):
            x, y = picture.width - x - width, picture.height - y - height
    without_chroma, early = on("webp-without-chroma"), on("webp-chroma-one-column-right")
    place = lambda i, j: (min(max(i, 0), picture.width - 1), min(max(j, 0), picture.height - 1))
    values = []
    for j in range(y, y + height):
        for i in range(x, x + width):
            column, line = i, j
            if suffix == ".webp" and is_part:
                column += on("webp-left-edge") and i == x > 0
                column -= on("webp-right-edge") and i == x + width - 1 < picture.width - 1
                line += on("webp-top-edge") and j == y > 0
            if suffix == ".jp2" and is_part:
                column += 3 * (on("wavelet-left-edge") and i == x > 0)
                line -= 3 * (on("wavelet-bottom-edge") and j == y + height - 1 < picture.height - 1)
            column, line = place(column, line)
            start = (line * picture.width + column) * picture.bands
            pixel = picture.values[start:start + picture.bands]
            if suffix == ".webp" and (without_chroma or early):
                # The luma of this pixel with the chroma of none, or of the one on the left.
                other = [128] * 3 if without_chroma else picture.values[start - 3:start] if column else pixel
                change = round(luma(pixel) - luma(other))
                pixel = [min(255, max(0, value + change)) for value in other]
            values += pixel
    return pam(width, height, picture.bands, picture.top, values)


def luma(pixel):
    return 0.299 * pixel[0] + 0.587 * pixel[1] + 0.114 * pixel[2]


def first_failure(index, judged):
    """Returns the trap and the row of the first failure in pictures that depend on the fault, and what each row asked."""
    reference = Reference(index)
    used = collections.defaultdict(set)
    for picture in index["pictures"]:
        if judged is not None and not any(planting.fault in judged[row["name"]] for row in picture["rows"]):
            continue
        judge = run.Judge(reference, folder, index, picture)
        for row in picture["rows"]:
            planting.asked = set()
            try:
                result, why = judge.judge(row)
            except (LookupError, AttributeError, ValueError, TypeError, ArithmeticError, struct.error) as error:
                # The command would end with an exit code, which is a refusal.
                result, why = "refused", f"crashed: {error!r}"
            used[row["name"]] = planting.asked
            if result == "FAILED":
                return picture["trap"], row, why, used
    return None, None, "", used


def wrong_digest(index):
    """Returns the name of a row whose expected samples have another digest; None if there is none."""
    for picture in index["pictures"]:
        for row in picture["rows"]:
            form = row["width"], row["height"], picture["bands"], picture["sample"]
            values = samples.read((folder / row["expected"]).read_bytes(), *form).values
            if sys.byteorder == "big":
                values.byteswap()
            if hashlib.sha256(values.tobytes()).hexdigest() != row["digest"]:
                return row["name"]
    return None


def main():
    index = run.read_index(folder)
    row = wrong_digest(index)
    if row:
        print(f"the digest of {row} is not that of its samples")
        return 1
    _, row, why, judged = first_failure(index, None)
    if row:
        print(f"the sound decoder fails at {row['name']}: {why}")
        return 1
    text = "".join((here / name).read_text("utf-8") for name in ("jpeg.py", "jpeg_region.py", "pngs.py", "rasters.py", "faults.py"))
    faults = dict.fromkeys(re.findall(r"\bon\(\"([a-z0-9-]+)\"\)", text))
    faults.update(dict.fromkeys(f"orientation-{one}" for one in ("2-as-4", "3-as-2", "4-as-2", "5-as-7", "6-as-8", "7-as-5", "8-as-6")))
    finders, survivors, equivalent = collections.Counter(), [], []
    for fault in sys.argv[2:] or faults:
        planting.fault = fault
        trap, row, why, _ = first_failure(index, judged)
        finders[trap] += 1
        print(f"{fault}: {row['name'] + ': ' + why if row else 'not found'}", flush=True)
        if not row:
            (equivalent if fault in EQUIVALENT else survivors).append(fault)
        elif fault in EQUIVALENT:
            survivors.append(f"{fault} (found, but an equivalent)")
    needed = () if len(sys.argv) == 3 else "jpeg-" if sys.argv[2:] else ""
    idle = [trap["name"] for trap in index["traps"] if trap["name"].startswith(needed) and not finders[trap["name"]]]
    print(f"{len(faults)} faults; equivalent: {', '.join(equivalent) or 'none'}; not found: {', '.join(survivors) or 'none'};"
          f" traps that find none first: {', '.join(idle) or 'none'}")
    return 1 if survivors or idle else 0


if __name__ == "__main__":
    sys.exit(main())
