"""Makes ome.tif and thirds.tif (pip install tifffile imagecodecs; tifffile 2026.3.3)."""

import numpy
import tifffile


def grey(width, height, shift):
    y, x = numpy.mgrid[0:height, 0:width]
    return ((x // 4 * 7 + y // 4 * 5 + shift * 40) % 256).astype(numpy.uint8)


# An OME-TIFF as Bio-Formats lays it out: levels of 1/4 and 1/16, rounded down, in subIFDs.
with tifffile.TiffWriter("ome.tif", ome=True, bigtiff=True, byteorder=">") as file:
    form = dict(tile=(16, 16), compression="deflate", photometric="minisblack")
    file.write(grey(67, 50, 0), subifds=2, metadata={"axes": "YX"}, **form)
    file.write(grey(16, 12, 1), subfiletype=1, **form)
    file.write(grey(4, 3, 2), subfiletype=1, **form)

# Overviews as GDAL adds them: 1/3 and 1/9, rounded up, on pages marked as reduced copies.
with tifffile.TiffWriter("thirds.tif") as file:
    form = dict(
        tile=(64, 64), compression="deflate", photometric="minisblack", metadata=None,
        software=False)
    file.write(grey(200, 150, 0), **form)
    file.write(grey(67, 50, 1), subfiletype=1, **form)
    file.write(grey(23, 17, 2), subfiletype=1, **form)
