"""Answers zoombench with Pillow: zoombench verify --pipeline pillow='worker:python3 pillow_worker.py' photo.jpg"""
import sys
import PIL
from PIL import Image

Image.MAX_IMAGE_PIXELS = None
out = sys.stdout.buffer


def say(line, data=b""):
    out.write(line.encode() + b"\n" + data)
    out.flush()


image = None
for line in sys.stdin:
    word, _, rest = line.rstrip("\n").partition(" ")
    try:
        if word == "zoombench":
            say(f"zoombench 1 Pillow {PIL.__version__}")
        elif word == "open":
            image = Image.open(rest)
            # Pillow makes 8 bits of 16-bit colours, and turns a TIFF by its orientation tag when it loads it.
            turned = image.format == "TIFF" and image.tag_v2.get(274, 1) != 1
            deep = any(";16" in str(tile) for tile in image.tile)
            if image.mode not in ("L", "RGB", "RGBA", "CMYK") or turned or deep:
                say(f"unsupported mode {image.mode}, format {image.format}")
            else:
                say(f"ok {image.width} {image.height}")
        elif word == "read":
            x, y, w, h = map(int, rest.split())
            part = image.crop((x, y, x + w, y + h))
            say(f"pixels {w} {h} {len(part.getbands())} uint8", part.tobytes())
        elif word == "close":
            image = None
            say("ok")
        else:
            say("error unknown request")
    except Exception as error:
        say(f"error {type(error).__name__}: {error}".replace("\n", " "))
