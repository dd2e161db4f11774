"""Answers zoombench with rasterio (GDAL): zoombench verify --pipeline rasterio='worker:python3 rasterio_worker.py' photo.tif"""
import sys
import warnings
import rasterio
from rasterio.windows import Window

out = sys.stdout.buffer
warnings.simplefilter("ignore", rasterio.errors.NotGeoreferencedWarning)


def say(line, data=b""):
    out.write(line.encode() + b"\n" + data)
    out.flush()


image = None
for line in sys.stdin:
    word, _, rest = line.rstrip("\n").partition(" ")
    try:
        if word == "zoombench":
            say(f"zoombench 1 rasterio {rasterio.__version__}, GDAL {rasterio.__gdal_version__}")
        elif word == "open":
            image = rasterio.open(rest)
            say(f"ok {image.width} {image.height}")
        elif word == "read":
            x, y, w, h = map(int, rest.split())
            part = image.read(window=Window(x, y, w, h)).transpose(1, 2, 0)
            say(f"pixels {w} {h} {part.shape[2]} {part.dtype}", part.tobytes())
        elif word == "close":
            image = None
            say("ok")
        else:
            say("error unknown request")
    except Exception as error:
        say(f"error {type(error).__name__}: {error}".replace("\n", " "))
