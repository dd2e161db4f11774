#!/usr/bin/env python3
"""A picture service of the IIIF Image API on loopback, drawn by Pillow: a correct server for verifiers.

Usage: pillow-server.py --picture FILE [--picture FILE ...] [--api 2.1|3.0] [--port N]

Level 2 with the same optional features as reference-server. The first lines on standard output are the
addresses of the pictures. Needs only Pillow.
"""
import argparse
import http.server
import io
import json
import math
import pathlib
import re
import urllib.parse

from PIL import Image

NUMBER = r"(\d+)"
DECIMAL = r"((?:\d+(?:\.\d+)?|\.\d+))"
TYPES = {"jpg": "image/jpeg", "png": "image/png"}


class Refused(Exception):
    def __init__(self, reason, status=400):
        super().__init__(reason)
        self.status = status


def rounded(value):
    return math.floor(value + 0.5)


class Service:
    def __init__(self, path, address, version):
        self.image = Image.open(path)
        self.image.load()
        if self.image.mode not in ("L", "LA", "RGB", "RGBA"):
            self.image = self.image.convert("RGB")
        self.address, self.version = address, version
        self.width, self.height = self.image.size
        # A server that upscales must state a limit (3.0, section 5.7). Without maxHeight it limits the height
        # too.
        self.limit = 2 * max(self.image.size)
        self.is_colour = self.image.mode.startswith("RGB")
        self.profile = f"http://iiif.io/api/image/{version}/level2.json"

    def region(self, text):
        width, height = self.width, self.height
        if text == "full":
            return 0, 0, width, height
        if text == "square":
            side = min(width, height)
            return (width - side) // 2, (height - side) // 2, side, side
        if match := re.fullmatch(",".join([NUMBER] * 4), text, re.A):
            x, y, w, h = map(int, match.groups())
        elif match := re.fullmatch("pct:" + ",".join([DECIMAL] * 4), text, re.A):
            x, y, w, h = (float(each) / 100 for each in match.groups())
            x, w = self.interval(x, w, width)
            y, h = self.interval(y, h, height)
        else:
            raise Refused(f"region {text}")
        w, h = min(w, width - x), min(h, height - y)
        if w <= 0 or h <= 0:
            raise Refused("the region is empty or outside the picture")
        return x, y, w, h

    @staticmethod
    def interval(start, length, side):
        """Returns shares of a side in pixels; a start inside stays inside, and a length above 0 has a pixel."""
        first = min(rounded(start * side), side - 1) if start < 1 else side
        return first, max(1, rounded(length * side)) if length > 0 else 0

    def fitted(self, w, h, width, height):
        """Returns the largest size with the region's proportions in a frame."""
        width, height = min(width, self.limit), min(height, self.limit)
        if width * h <= height * w:
            return width, min(rounded(h * width / w), height)
        return min(rounded(w * height / h), width), height

    def size(self, text, w, h):
        caret = text.startswith("^")
        if caret and self.version == 2:
            raise Refused(f"size {text}")
        form, upscales = text[caret:], caret or self.version == 2
        if form == "max":
            most = (self.limit, self.limit) if caret else (w, h)
            size = tuple(max(1, side) for side in self.fitted(w, h, *most))
            upscales = caret
        elif form == "full" and self.version == 2:
            size = w, h
        elif match := re.fullmatch("pct:" + DECIMAL, form, re.A):
            share = float(match[1]) / 100
            if share > 1 and not upscales:
                raise Refused("a percentage above 100, and ^ is missing")
            size = rounded(w * share), rounded(h * share)
        elif match := re.fullmatch(NUMBER + ",", form, re.A):
            size = int(match[1]), rounded(h * int(match[1]) / w)
        elif match := re.fullmatch("," + NUMBER, form, re.A):
            size = rounded(w * int(match[1]) / h), int(match[1])
        elif match := re.fullmatch("(!?)" + NUMBER + "," + NUMBER, form, re.A):
            size = int(match[2]), int(match[3])
            if match[1] and min(size) > 0:
                frame = size if upscales else (min(size[0], w), min(size[1], h))
                size = self.fitted(w, h, *frame)
        else:
            raise Refused(f"size {text}")
        if min(size) < 1 or max(size) > self.limit:
            raise Refused("the size is less than a pixel or beyond the limits")
        if not upscales and (size[0] > w or size[1] > h):
            raise Refused("the size is larger than the region, and ^ is missing")
        return size

    def rotation(self, text):
        match = re.fullmatch("(!?)" + DECIMAL, text, re.A)
        if not match or float(match[2]) > 360:
            raise Refused(f"rotation {text}")
        return bool(match[1]), float(match[2])

    def draw(self, box, size, mirrored, degrees, quality):
        x, y, w, h = box
        image = self.image.crop((x, y, x + w, y + h))
        if image.size != size:
            image = image.resize(size, Image.Resampling.LANCZOS)
        if mirrored:
            image = image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        if degrees % 90:
            image = self.turned(image, degrees)
        elif degrees % 360:
            # Pillow turns counterclockwise.
            image = image.transpose(
                {90: Image.Transpose.ROTATE_270, 180: Image.Transpose.ROTATE_180,
                 270: Image.Transpose.ROTATE_90}[degrees % 360])
        if quality in ("gray", "bitonal"):
            alpha = image.getchannel("A") if "A" in image.getbands() else None
            image = image.convert("L")
            if quality == "bitonal":
                image = image.point(lambda value: 255 if value > 127 else 0)
            if alpha:
                image = Image.merge("LA", (image, alpha))
        return image

    def turned(self, image, degrees):
        """Returns the image turned clockwise in the frame of the implementation notes (section 5)."""
        sine, cosine = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
        w, h = image.size
        frame = (
            math.ceil(abs(w * cosine) + abs(h * sine) - 1e-9),
            math.ceil(abs(h * cosine) + abs(w * sine) - 1e-9))
        x, y = frame[0] / 2, frame[1] / 2
        back = (
            cosine, sine, w / 2 - cosine * x - sine * y, -sine, cosine, h / 2 + sine * x - cosine * y)
        # Colours of transparent pixels must not blend in: RGBa has premultiplied alpha.
        turned = image.convert("RGBA").convert("RGBa").transform(
            frame, Image.Transform.AFFINE, back, Image.Resampling.BILINEAR)
        return turned.convert("RGBA").convert("RGBA" if self.is_colour else "LA")

    def canonical(self, box, size, mirrored, degrees, quality, format):
        region = "full" if box == (0, 0, self.width, self.height) else "{},{},{},{}".format(*box)
        w, h = box[2:]
        if self.version == 2:
            named = "full" if size == (w, h) else (
                f"{size[0]}," if rounded(h * size[0] / w) == size[1] else "{},{}".format(*size))
        elif size == self.fitted(w, h, w, h):
            named = "max"
        elif size == tuple(max(1, side) for side in self.fitted(w, h, self.limit, self.limit)):
            named = "^max"
        else:
            named = ("^" if size[0] > w or size[1] > h else "") + "{},{}".format(*size)
        if quality == "color" or (quality == "gray" and not self.is_colour):
            quality = "default"
        turn = f"{degrees % 360:.10f}".rstrip("0").rstrip(".")
        return f"{self.address}/{region}/{named}/{'!' * mirrored}{turn}/{quality}.{format}"

    def information(self):
        tile = min(256, max(16, max(self.width, self.height) // 3))
        factors = [1]
        while tile * factors[-1] < max(self.width, self.height):
            factors.append(factors[-1] * 2)
        widths = [-(-self.width // factor) for factor in reversed(factors)]
        sizes = [{"width": w, "height": max(1, rounded(self.height * w / self.width))} for w in widths]
        tiles = [{"width": tile, "scaleFactors": factors}]
        context = f"http://iiif.io/api/image/{self.version}/context.json"
        protocol = "http://iiif.io/api/image"
        features = ["canonicalLinkHeader", "mirroring", "profileLinkHeader", "rotationArbitrary"]
        if self.version == 2:
            supports = features + ["regionSquare", "sizeAboveFull"]
            return {
                "@context": context, "@id": self.address, "protocol": protocol, "width": self.width,
                "height": self.height, "sizes": sizes, "tiles": tiles,
                "profile": [self.profile, {"supports": supports, "maxWidth": self.limit}]}
        return {
            "@context": context, "id": self.address, "type": "ImageService3", "protocol": protocol,
            "profile": "level2", "width": self.width, "height": self.height, "maxWidth": self.limit,
            "sizes": sizes, "tiles": tiles,
            "extraQualities": ["color"] * self.is_colour + ["gray", "bitonal"],
            "extraFeatures": features + ["sizeUpscaling"]}


def linked(accept, version):
    """Whether JSON-LD is sent: in version 2 only to clients that name it, in 3 unless plain JSON is preferred."""
    shares = {}
    for part in (accept or ("*/*" if version == 3 else "")).split(","):
        name, *parameters = [each.strip().lower() for each in part.split(";")]
        quality = [each[2:] for each in parameters if each.startswith("q=")]
        shares[name] = float(quality[0]) if quality else 1.0
    wild = shares.get("application/*", shares.get("*/*", 0.0)) if version == 3 else 0.0
    ld, plain = shares.get("application/ld+json", wild), shares.get("application/json", wild)
    return ld >= plain and (version == 3 or ld > 0)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self):
        path = self.path.split("?")[0]
        name, _, rest = path.removeprefix("/iiif/").partition("/")
        service = self.server.services.get(name)
        try:
            if not path.startswith("/iiif/") or service is None:
                raise Refused("there is no such picture", 404)
            if path == "/iiif/" + name:
                return self.answer(303, b"", Location=service.address + "/info.json")
            if rest == "info.json":
                return self.describe(service)
            self.picture(service, rest.split("/"))
        except Refused as refused:
            self.answer(refused.status, f"{refused}\n".encode(), **{"Content-Type": "text/plain"})

    do_HEAD = do_GET

    def do_OPTIONS(self):
        methods = "GET, HEAD, OPTIONS"
        self.answer(204, b"", Allow=methods, **{
            "Access-Control-Allow-Methods": methods, "Access-Control-Allow-Headers": "Accept"})

    def describe(self, service):
        kind = "application/json"
        if linked(self.headers.get("Accept"), service.version):
            context = f"http://iiif.io/api/image/{service.version}/context.json"
            kind = "application/ld+json" + (f';profile="{context}"' if service.version == 3 else "")
        self.answer(
            200, json.dumps(service.information()).encode(), Vary="Accept",
            Link=f'<{service.profile}>;rel="profile"', **{"Content-Type": kind})

    def picture(self, service, parts):
        if len(parts) < 2:
            raise Refused("there is nothing at this address", 404)
        parts = [urllib.parse.unquote(part) for part in parts]
        if len(parts) != 4 or parts[3].count(".") != 1:
            raise Refused("this is not region/size/rotation/quality.format")
        quality, format = parts[3].split(".")
        if quality not in ("default", "color", "gray", "bitonal") or format not in TYPES:
            raise Refused("there is no such quality or format")
        box = service.region(parts[0])
        size = service.size(parts[1], *box[2:])
        turn = service.rotation(parts[2])
        image = service.draw(box, size, *turn, quality)
        body = io.BytesIO()
        if format == "png":
            image.save(body, "PNG", compress_level=1)
        else:
            if "A" in image.getbands():
                ground = Image.new("RGBA", image.size, "white")
                image = Image.alpha_composite(ground, image.convert("RGBA")).convert(
                    "RGB" if image.mode == "RGBA" else "L")
            image.save(body, "JPEG", quality=95, subsampling=0)
        canonical = service.canonical(box, size, *turn, quality, format)
        self.answer(
            200, body.getvalue(), **{"Content-Type": TYPES[format]},
            Link=f'<{canonical}>;rel="canonical", <{service.profile}>;rel="profile"')

    def answer(self, status, body, **headers):
        self.send_response(status)
        for name, value in {**headers, "Access-Control-Allow-Origin": "*"}.items():
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_):
        pass


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--picture", action="append", required=True)
    parser.add_argument("--api", choices=["2.1", "3.0"], default="3.0")
    parser.add_argument("--port", type=int, default=0)
    options = parser.parse_args()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", options.port), Handler)
    server.daemon_threads = True
    server.services = {}
    for picture in options.picture:
        name = urllib.parse.quote(pathlib.Path(picture).name, safe="")
        address = f"http://127.0.0.1:{server.server_port}/iiif/{name}"
        server.services[name] = Service(picture, address, int(options.api[0]))
        print(address, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
