"""A pipeline worker for libraries of Python that return arrays: array_worker.py glymur|imagecodecs|pillow_heif"""
import importlib
import sys

import numpy

name = sys.argv[1]
library = importlib.import_module(name)
out = sys.stdout.buffer


def opened(path):
    """Returns what gives an array of a region when it is sliced."""
    if name == "glymur":
        return library.Jp2k(path)
    if name == "imagecodecs":
        return library.imread(path)
    return numpy.asarray(library.open_heif(path, convert_hdr_to_8bit=False))


def answer(line):
    global picture
    word, _, rest = line.rstrip("\n").partition(" ")
    if word == "zoombench":
        return f"zoombench 1 {name} {library.__version__}", b""
    if word == "open":
        picture = opened(rest)
        return f"ok {picture.shape[1]} {picture.shape[0]}", b""
    if word == "read":
        x, y, width, height = map(int, rest.split())
        part = numpy.ascontiguousarray(picture[y:y + height, x:x + width])
        bands = part.shape[2] if part.ndim == 3 else 1
        return f"pixels {width} {height} {bands} {part.dtype.name}", part.tobytes()
    picture = None
    return "ok", b""


picture = None
for line in sys.stdin:
    try:
        text, data = answer(line)
    except Exception as error:
        text, data = f"error {type(error).__name__}: {error}".replace("\n", " "), b""
    out.write(text.encode() + b"\n" + data)
    out.flush()
