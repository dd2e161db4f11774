"""Answers zoombench with pyvips: zoombench verify --pipeline pyvips='worker:python3 pyvips_worker.py' photo.tif"""
import sys
import pyvips

out = sys.stdout.buffer
formats = {"uchar": "uint8", "ushort": "uint16", "float": "float32"}


def say(line, data=b""):
    out.write(line.encode() + b"\n" + data)
    out.flush()


image = None
for line in sys.stdin:
    word, _, rest = line.rstrip("\n").partition(" ")
    try:
        if word == "zoombench":
            version = ".".join(str(pyvips.version(part)) for part in range(3))
            say(f"zoombench 1 pyvips {pyvips.__version__}, libvips {version}")
        elif word == "open":
            image = pyvips.Image.new_from_file(rest, access="random")
            say(f"ok {image.width} {image.height}")
        elif word == "read":
            x, y, w, h = map(int, rest.split())
            part = image.crop(x, y, w, h)
            say(f"pixels {w} {h} {part.bands} {formats[part.format]}", part.write_to_memory())
        elif word == "close":
            image = None
            say("ok")
        else:
            say("error unknown request")
    except Exception as error:
        say(f"error {type(error).__name__}: {error}".replace("\n", " "))
