"""Answers zoombench with OpenCV: zoombench verify --pipeline opencv='worker:python3 opencv_worker.py' photo.jpg"""
import sys
import cv2

out = sys.stdout.buffer


def say(line, data=b""):
    out.write(line.encode() + b"\n" + data)
    out.flush()


image = None
for line in sys.stdin:
    word, _, rest = line.rstrip("\n").partition(" ")
    try:
        if word == "zoombench":
            say(f"zoombench 1 OpenCV {cv2.__version__}")
        elif word == "open":
            # Stored pixels: not turned by the EXIF orientation, all bands, all bits.
            image = cv2.imread(rest, cv2.IMREAD_UNCHANGED | cv2.IMREAD_IGNORE_ORIENTATION)
            if image is None:
                say("unsupported by cv2.imread")
            else:
                image = image.reshape(image.shape[0], image.shape[1], -1)
                say(f"ok {image.shape[1]} {image.shape[0]}")
        elif word == "read":
            x, y, w, h = map(int, rest.split())
            part = image[y : y + h, x : x + w]
            if part.shape[2] >= 3:
                part = part[:, :, [2, 1, 0, 3][: part.shape[2]]]
            say(f"pixels {w} {h} {part.shape[2]} {part.dtype}", part.tobytes())
        elif word == "close":
            image = None
            say("ok")
        else:
            say("error unknown request")
    except Exception as error:
        say(f"error {type(error).__name__}: {error}".replace("\n", " "))
