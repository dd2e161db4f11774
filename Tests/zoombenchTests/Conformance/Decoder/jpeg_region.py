"""Regions of a JPEG: samples of its blocks, upsampling, colours."""
from jpeg import opened, samples
from planting import cached, on


def plane(data, i, x, y):
    """Returns a sample of a component; beyond its edges, the nearest."""
    c = opened(data).components[i]
    most_x, most_y = c.width - 1, c.height - 1
    if on("chroma-of-padding-right") and c.h < opened(data).most_h:
        most_x = most_x // 8 * 8 + 7
    if on("chroma-of-padding-below") and c.v < opened(data).most_v:
        most_y = most_y // 8 * 8 + 7
    x, y = min(max(x, 0), most_x), min(max(y, 0), most_y)
    return samples(data, i, x // 8, y // 8)[y % 8 * 8 + x % 8]


def window(data, i, region, x, y):
    """Returns a sample as a decoder has it that decodes only what the region seems to need."""
    head = opened(data)
    c = head.components[i]
    left, top, right, bottom = (region[0] * c.h // head.most_h, region[1] * c.v // head.most_v,
                                (region[2] - 1) * c.h // head.most_h, (region[3] - 1) * c.v // head.most_v)
    if on("no-chroma-left") or on("no-chroma-left-of-blocks") and left % 8 == 0:
        x = max(x, left)
    if on("no-chroma-right") or on("no-chroma-right-of-blocks") and right % 8 == 7:
        x = min(x, right)
    if on("no-chroma-above"):
        y = max(y, top)
    if on("no-chroma-below"):
        y = min(y, bottom)
    return plane(data, i, x, y)


def upsampled(data, i, region, x, y):
    """Returns a component's value at a pixel, as libjpeg-turbo's smooth upsampling does."""
    head = opened(data)
    c = head.components[i]
    wide, high = head.most_h // c.h, head.most_v // c.v
    column, row = x // wide, y // high
    get = lambda column, row: window(data, i, region, column, row)
    count = c.width
    if on("narrow-by-region"):
        count = -(-(region[2] - region[0]) * c.h // head.most_h)
    is_narrow = count <= 2 and not on("narrow-is-smooth")
    if on("whole-is-smooth-only") and region[2] - region[0] < head.width:
        is_narrow = True
    side = x % 2 * 2 - 1
    near = y % 2 * 2 - 1
    if on("chroma-half-pixel"):
        side = -side
    if (wide, high) == (2, 1) and not is_narrow:
        if column + side < 0 or column + side >= c.width:
            return get(column, row)
        return 3 * get(column, row) + get(column + side, row) + (1 if side < 0 else 2) >> 2
    if (wide, high) == (1, 2):
        other = row if on("vertical-neighbour-lost") else row + near
        return 3 * get(column, row) + get(column, other) + (1 if near < 0 else 2) >> 2
    if (wide, high) == (2, 2) and not is_narrow:
        total = lambda column: 3 * get(column, row) + get(column, row + near)
        if column + side < 0 or column + side >= c.width:
            return 4 * total(column) + (8 if side < 0 else 7) >> 4
        return 3 * total(column) + total(column + side) + (8 if side < 0 else 7) >> 4
    return get(column, row)


def clamp(value):
    return min(255, max(0, value))


def colours(head, values):
    count = len(values)
    names = bytes(c.name for c in head.components)
    converts = head.adobe != 0 if count == 3 else head.adobe == 2
    if count == 3 and head.adobe is None and names == b"RGB" and not head.jfif:
        converts = False
    if on("names-ignored") and names == b"RGB" or on("adobe-ignored") and head.adobe == 0 and count == 3:
        converts = True
    if on("inks-not-converted") and count == 4 or on("rgb-always") and count == 3:
        converts = False
    if count == 1:
        return values
    if converts:
        y, blue, red = values[0], values[1] - 128, values[2] - 128
        if on("chroma-swapped"):
            blue, red = red, blue
        half = 32768
        values = [clamp(y + (91881 * red + half >> 16)), clamp(y + (-22554 * blue - 46802 * red + half >> 16)),
                  clamp(y + (116130 * blue + half >> 16)), *values[3:]]
        if count == 4:
            values = [255 - value for value in values[:3]] + values[3:]
    if count == 4:
        values = [255 - value for value in values]
        if on("black-as-stored"):
            values[3] = 255 - values[3]
    return values


@cached
def pixel(data, region, x, y):
    head = opened(data)
    values = []
    for i, c in enumerate(head.components):
        if (c.h, c.v) == (head.most_h, head.most_v):
            values.append(plane(data, i, x, y))
        else:
            values.append(upsampled(data, i, region, x, y))
    return colours(head, values)


def read(data, left, top, right, bottom):
    """Returns the stored pixels of a region, row by row."""
    head = opened(data)
    if on("begins-at-next-block") and left % 8 == 7:
        left, right = left + 1, right + 1
    if on("interval-rows-off-by-one") and head.interval and top >= 16 and head.interval % (-(-head.width // 16)) == 0:
        top, bottom = top - 16, bottom - 16
    region = (left, top, right, bottom)
    return [[pixel(data, region, min(x, head.width - 1), min(y, head.height - 1)) for x in range(left, right)]
            for y in range(top, bottom)]
