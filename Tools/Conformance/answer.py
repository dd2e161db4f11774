"""Writes a region of a picture to standard output, as a PAM or raw floats: answer.py FILE X Y WIDTH HEIGHT DECODER...

DECODER is one of the libraries below, or the command of a pipeline worker (Documentation/PipelineWorkers.md); this
Python runs a worker that ends in .py.
"""
import importlib
import subprocess
import sys
import traceback

import numpy

# Each returns an array of what the picture of a file has of the region between two rows and two columns.
PICTURES = {
    "glymur": lambda library, file, *part: library.Jp2k(file)[part],
    "imagecodecs": lambda library, file, *part: library.imread(file)[part],
    "pillow_heif": lambda library, file, *part: numpy.asarray(library.open_heif(file, convert_hdr_to_8bit=False))[part],
    "PIL.Image": lambda library, file, *part: cropped(library.open(file), *part),
}


def cropped(image, rows, columns):
    part = image.crop((columns.start, rows.start, columns.stop, rows.stop))
    # The numbers of an array do not say how white bits, entries of palettes and integers of 32 bits are.
    return numpy.asarray(part.convert({"1": "L", "P": "RGBA", "I": "I;16"}.get(part.mode, part.mode)))


def from_worker(command, file, x, y, width, height):
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as worker:
        def asked(request):
            worker.stdin.write(request.encode() + b"\n")
            worker.stdin.flush()
            line = worker.stdout.readline().decode()
            if line.startswith(("unsupported", "error")):
                sys.exit(line)
            return line.split()[1:]

        asked("zoombench 1")
        sides = [int(word) for word in asked(f"open {file}")[:2]]
        # run.py judges what the worker has of the region: a worker that does not turn pictures has other sides.
        width, height = min(width, sides[0] - x), min(height, sides[1] - y)
        if width < 1 or height < 1:
            raise ValueError("the region is not in the picture as the worker opens it")
        *form, kind = asked(f"read {x} {y} {width} {height}")[:4]
        width, height, bands = map(int, form)
        kind = numpy.dtype(kind)
        data = worker.stdout.read(width * height * bands * kind.itemsize)
        return numpy.frombuffer(data, kind).reshape(height, width, bands)


def written(part):
    height, width, bands = part.shape
    if part.dtype.kind == "f":
        return part.astype("<f4").tobytes()
    top = 256 ** part.dtype.itemsize - 1
    head = f"P7\nWIDTH {width}\nHEIGHT {height}\nDEPTH {bands}\nMAXVAL {top}\nENDHDR\n"
    return head.encode() + part.astype(part.dtype.newbyteorder(">")).tobytes()


def main():
    file, (x, y, width, height), decoder = sys.argv[1], map(int, sys.argv[2:6]), sys.argv[6:]
    if decoder[0] in PICTURES:
        library = importlib.import_module(decoder[0])
        try:
            part = numpy.atleast_3d(PICTURES[decoder[0]](library, file, slice(y, y + height), slice(x, x + width)))
        except (OSError, RuntimeError, ValueError) as refusal:
            sys.exit(f"{type(refusal).__name__}: {refusal}")
    else:
        python = [sys.executable] if decoder[0].endswith(".py") else []
        part = from_worker(python + decoder, file, x, y, width, height)
    sys.stdout.buffer.write(written(part))


if __name__ == "__main__":
    try:
        main()
    except Exception:
        # Success without an answer is a failure for run.py, which takes other exit codes for refusals.
        traceback.print_exc()
