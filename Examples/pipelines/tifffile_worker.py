"""Answers zoombench with tifffile: zoombench verify --pipeline tifffile='worker:python3 tifffile_worker.py' photo.tif"""
import sys
import tifffile
import zarr

out = sys.stdout.buffer


def say(line, data=b""):
    out.write(line.encode() + b"\n" + data)
    out.flush()


image = None
for line in sys.stdin:
    word, _, rest = line.rstrip("\n").partition(" ")
    try:
        if word == "zoombench":
            say(f"zoombench 1 tifffile {tifffile.__version__}")
        elif word == "open":
            page = tifffile.TiffFile(rest).pages[0]
            # Bands that are stored apart, palettes and light that is dark are left to others.
            plain = page.photometric in (1, 2, 6) and page.planarconfig == 1
            if not plain or page.tags.valueof(274, 1) != 1 or page.dtype is None:
                say(f"unsupported photometric {page.photometric}, planes {page.planarconfig}")
            else:
                image = zarr.open(page.aszarr(), mode="r")
                say(f"ok {page.imagewidth} {page.imagelength}")
        elif word == "read":
            x, y, w, h = map(int, rest.split())
            part = image[y : y + h, x : x + w]
            bands = part.shape[2] if part.ndim == 3 else 1
            say(f"pixels {w} {h} {bands} {part.dtype}", part.tobytes())
        elif word == "close":
            image = None
            say("ok")
        else:
            say("error unknown request")
    except Exception as error:
        say(f"error {type(error).__name__}: {error}".replace("\n", " "))
