"""Answers zoombench with OpenSlide: zoombench verify --pipeline openslide='worker:python3 openslide_worker.py' slide.svs"""
import sys
import openslide

out = sys.stdout.buffer


def say(line, data=b""):
    out.write(line.encode() + b"\n" + data)
    out.flush()


image = None
for line in sys.stdin:
    word, _, rest = line.rstrip("\n").partition(" ")
    try:
        if word == "zoombench":
            say(f"zoombench 1 openslide-python {openslide.__version__}, OpenSlide {openslide.__library_version__}")
        elif word == "open":
            image = openslide.OpenSlide(rest)
            say(f"ok {image.dimensions[0]} {image.dimensions[1]}")
        elif word == "read":
            x, y, w, h = map(int, rest.split())
            # Pixels outside the scanned area are transparent; a picture without such pixels has three bands.
            part = image.read_region((x, y), 0, (w, h))
            if part.getextrema()[3] == (255, 255):
                part = part.convert("RGB")
            say(f"pixels {w} {h} {len(part.getbands())} uint8", part.tobytes())
        elif word == "close":
            image = None
            say("ok")
        else:
            say("error unknown request")
    except Exception as error:
        say(f"error {type(error).__name__}: {error}".replace("\n", " "))
