"""Regions of a JPEG: samples of its blocks, upsampling, colours."""
from jpeg import opened, samples
from planting import cached, on


@cached
def plane(data, i):
    """Returns the samples of a component, row by row, as far as upsampling may use them."""
    head = opened(data)
    c = head.components[i]
    width, height = c.width, c.height
    if on("chroma-of-padding-right") and c.h < head.most_h:
        width = -(-width // 8) * 8
    if on("chroma-of-padding-below") and c.v < head.most_v:
        height = -(-height // 8) * 8
    blocks = [[samples(data, i, x, y) for x in range(-(-width // 8))] for y in range(-(-height // 8))]
    return [[blocks[y // 8][x // 8][y % 8 * 8 + x % 8] for x in range(width)] for y in range(height)]


@cached
def rules(data, i, region):
    """Returns how a component is enlarged, and the part of it that a faulty decoder has for the region."""
    head = opened(data)
    c = head.components[i]
    left, top, right, bottom = (region[0] * c.h // head.most_h, region[1] * c.v // head.most_v,
                                (region[2] - 1) * c.h // head.most_h, (region[3] - 1) * c.v // head.most_v)
    part = [0, 0, c.width, c.height]
    if on("no-chroma-left") or on("no-chroma-left-of-blocks") and left % 8 == 0:
        part[0] = left
    if on("no-chroma-above"):
        part[1] = top
    if on("no-chroma-right") or on("no-chroma-right-of-blocks") and right % 8 == 7:
        part[2] = right
    if on("no-chroma-below"):
        part[3] = bottom
    count = c.width
    if on("narrow-by-region"):
        count = -(-(region[2] - region[0]) * c.h // head.most_h)
    is_narrow = count <= 2 and not on("narrow-is-smooth")
    if on("whole-is-smooth-only") and region[2] - region[0] < head.width:
        is_narrow = True
    if on("chroma-replicated") or on("whole-is-replicated") and region == (0, 0, head.width, head.height):
        is_narrow = True
    form = head.most_h // c.h, head.most_v // c.v
    if form == (1, 2) and on("vertical-neighbour-lost"):
        form = (1, 3)
    return form, is_narrow, part, on("chroma-half-pixel")


def upsampled(rows, rule, x, y):
    """Returns a component's value at a pixel, as libjpeg-turbo's smooth upsampling does."""
    (wide, high), is_narrow, (left, top, right, bottom), is_shifted = rule
    last = len(rows[0]) - 1
    right, bottom = min(right, last), min(bottom, len(rows) - 1)
    column, row = x // wide, y // min(high, 2)
    get = lambda column, row: rows[min(max(row, top), bottom)][min(max(column, left), right)]
    side = x % 2 * 2 - 1
    near = y % 2 * 2 - 1
    if is_shifted:
        side = -side
    if (wide, high) == (2, 1) and not is_narrow:
        if column + side < 0 or column + side > last:
            return get(column, row)
        return 3 * get(column, row) + get(column + side, row) + (1 if side < 0 else 2) >> 2
    if (wide, high) == (1, 2):
        return 3 * get(column, row) + get(column, row + near) + (1 if near < 0 else 2) >> 2
    if (wide, high) == (2, 2) and not is_narrow:
        total = lambda column: 3 * get(column, row) + get(column, row + near)
        if column + side < 0 or column + side > last:
            return 4 * total(column) + (8 if side < 0 else 7) >> 4
        return 3 * total(column) + total(column + side) + (8 if side < 0 else 7) >> 4
    return get(column, row)


def clamp(value):
    return min(255, max(0, value))


def converter(head):
    """Returns the function from a pixel's components to its colours."""
    count = len(head.components)
    names = bytes(c.name for c in head.components)
    converts = head.adobe != 0 if count == 3 else head.adobe == 2
    if count == 3 and head.adobe is None and names == b"RGB" and not head.jfif:
        converts = False
    if on("names-ignored") and names == b"RGB" or on("adobe-ignored") and head.adobe == 0 and count == 3:
        converts = True
    if on("inks-not-converted") and count == 4 or on("rgb-always") and count == 3:
        converts = False
    is_grey = on("chroma-lost")
    swaps, stores_black, half = on("chroma-swapped"), on("black-as-stored"), 32768

    def colours(values):
        if converts and count > 1:
            y, blue, red = values[0], values[1] - 128, values[2] - 128
            if is_grey:
                blue = red = 0
            if swaps:
                blue, red = red, blue
            values = [clamp(y + (91881 * red + half >> 16)), clamp(y + (-22554 * blue - 46802 * red + half >> 16)),
                      clamp(y + (116130 * blue + half >> 16)), *values[3:]]
            if count == 4:
                values[:3] = [255 - value for value in values[:3]]
        if count == 4:
            values = [255 - value for value in values]
            if stores_black:
                values[3] = 255 - values[3]
        return values

    return colours


@cached
def read(data, left, top, right, bottom):
    """Returns the stored pixels of a region, row by row."""
    head = opened(data)
    if on("begins-at-next-block") and left % 8 == 7:
        left, right = left + 1, right + 1
    if on("interval-rows-off-by-one") and head.interval and top >= 16 and head.interval % (-(-head.width // 16)) == 0:
        top, bottom = top - 16, bottom - 16
    whole, rule, convert = [], [], converter(head)
    for i, c in enumerate(head.components):
        whole.append(plane(data, i))
        is_full = (c.h, c.v) == (head.most_h, head.most_v)
        rule.append(None if is_full else rules(data, i, (left, top, right, bottom)))
    early, late = on("chroma-one-column-right"), on("chroma-one-row-up")
    rows = []
    for y in (min(y, head.height - 1) for y in range(top, bottom)):
        rows.append([])
        for x in (min(x, head.width - 1) for x in range(left, right)):
            column, line = max(x - early, 0), min(y + late, head.height - 1)
            values = [part[y][x] if how is None else upsampled(part, how, column, line) for part, how in zip(whole, rule)]
            rows[-1].append(convert(values))
    return rows
