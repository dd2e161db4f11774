"""Measures peeks into a picture on a web server with delay and limited bandwidth, beside other tools.

    peers.py ZOOMBENCH PICTURE FOLDER [--python PYTHON] [--gigapixel JPEG] [--runs N] [--only WORD]

Prints Markdown tables. A proxy (slowproxy.py) is between nginx and all tools. A cold peek is the first of a process, in
the middle of the picture; a warm one is the second of a process, at another touch in each run. The times are:

- peers (peer.py): from opening the address to the pixels, without loading libraries
- zoombench, cold: `zoombench peek`, from its first connection to its end, with writing the file
- zoombench, warm: by the clock of `zoombench bench-worker`, from the request for the region to its pixels
- downloads: from the first connection to the end of curl, or of `vips crop` after it

Counts are those of the proxy at a round trip of 50 ms; without delay, answers may overlap by chance. PYTHON has
rasterio, pyvips, tifffile, fsspec, aiohttp and imagecodecs. nginx, gdal_translate, vips and curl must be installed. The
exit code is 1 if pixels are wrong.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
from statistics import median

from slowproxy import Proxy

HERE = pathlib.Path(__file__).resolve().parent
SIDE = 375
LIMIT = 300  # s for one process
# Round trips in ms, and Mbit/s.
SETTINGS = [(0, 20), (20, 20), (50, 20), (100, 20), (50, None)]
COUNTED = (50, 20)


def run(*command):
    return subprocess.run(
        list(map(str, command)), check=True, timeout=LIMIT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        text=True).stdout


def raster(path):
    """Returns the width, the height and the samples of a binary PPM."""
    data = path.read_bytes()
    head = re.match(rb"P6\s(?:#.*\n)*(\d+)\s+(\d+)\s+255\s", data)
    return int(head[1]), int(head[2]), data[head.end():]


class Dialogue:
    """A process that answers lines with lines."""

    def __init__(self, *command):
        self.process = subprocess.Popen(
            ["timeout", str(LIMIT), *map(str, command)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer or answer.startswith("error"):
            raise RuntimeError(f"{line}: {answer or 'the process ended'}")
        return answer

    def end(self):
        self.process.stdin.close()
        self.process.wait(LIMIT)


class Bench:
    """The server, the proxy and the pictures of a measurement."""

    def __init__(self, zoombench, folder, python, runs):
        self.zoombench, self.python, self.runs = pathlib.Path(zoombench).resolve(), python, runs
        self.folder = pathlib.Path(folder).resolve()
        self.www, self.output = self.folder / "www", self.folder / "output.ppm"
        self.differences = {}  # by contender: the largest mean difference, and whether an answer was wrong
        own = self.folder / "nginx"
        own.mkdir(parents=True, exist_ok=True)
        # Neither keys nor indexes of the user are read or written.
        os.environ.update(XDG_DATA_HOME=str(self.folder / "data"), XDG_CACHE_HOME=str(self.folder / "cache"))
        os.environ.pop("ZOOMBENCH_INDEX_KEY", None)
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        paths = " ".join(f"{kind}_temp_path {own}/{kind};" for kind in kinds)
        (own / "conf").write_text(
            f"daemon off; master_process off; pid {own}/pid; error_log stderr error; events {{}}\n"
            f"http {{ access_log off; keepalive_requests 1000000; {paths}\n"
            f"server {{ listen unix:{own}/socket; root {self.www}; }} }}\n")
        (own / "socket").unlink(missing_ok=True)
        self.server = subprocess.Popen(
            [shutil.which("nginx") or "/usr/sbin/nginx", "-p", own, "-c", own / "conf"], stderr=subprocess.DEVNULL)
        self.proxy = Proxy(str(own / "socket"))
        self.indexed = ("--index-dir", self.folder / "indexes")

    def set_network(self, milliseconds, megabits):
        self.proxy.seconds, self.proxy.rate = milliseconds / 1000, megabits and megabits * 125_000

    def address(self, file):
        return f"http://127.0.0.1:{self.proxy.port}/{file}"

    def add(self, picture, name):
        """Puts a picture on the server twice, and makes an index beside the second and one in a folder."""
        for place in ("plain", "beside"):
            (self.www / place).mkdir(parents=True, exist_ok=True)
            shutil.copy(picture, self.www / place / name)
            # A file's time is a strong version only if it is in the past.
            os.utime(self.www / place / name, (1577872800, 1577872800))
        run(self.zoombench, "index", "--beside", self.www / "beside" / name, "--quiet")
        run(self.zoombench, "index", self.address(f"plain/{name}"), *self.indexed, "--quiet")

    def peek(self, picture, *options):
        """Makes a cold peek in the middle; returns seconds, counts, the region, and what zoombench prints."""
        self.proxy.take()
        text = run(
            self.zoombench, "peek", picture, "--touch", "204,306", "--viewport", "408x612", "--side", SIDE, "-o",
            self.output, *options)
        end, counts = time.monotonic(), self.proxy.take()
        w, h, x, y = map(int, re.search(r"region +(\d+)x(\d+)\+(\d+)\+(\d+)", text).groups())
        return end - (counts.first or end), counts, (x, y, w, h), text

    def worker(self, picture, *options):
        worker = Dialogue(self.zoombench, "bench-worker", picture, "--peeks", f"{SIDE}@1", "--seed", 1, *options)
        worker.ask("hello 1")
        worker.ask("open 1")  # the case of warm peeks
        return worker

    def digests(self, picture, *options):
        """Returns the checksums of the warm peeks: by default, those of a full decode of the local file."""
        worker = self.worker(picture, *(options or ("--source", "resident")))
        found = [worker.ask(f"sample 1 {touch} 1 0").split()[3] for touch in range(self.runs + 1)]
        worker.end()
        return found

    def later_peek(self, picture, touch, expected, *options):
        """Makes a warm peek; returns seconds and counts."""
        worker = self.worker(picture, "--source", "partial", *options)
        self.proxy.take()
        _, wall, _, digest = worker.ask(f"sample 1 {touch} 1 0").split()
        counts = self.proxy.take()
        worker.end()
        bad = digest != expected[touch]
        self.note("zoombench, warm", float(bad), bad)
        return int(wall) / 1e9, counts

    def check(self, name, pixels, region):
        """Compares an answer with the full decode; recompressed pixels and GDAL's decoder only have to be near."""
        x, y, w, h = region
        width, _, samples = self.decoded

        def difference(dx, dy):
            starts = [3 * (row * width + x + dx) for row in range(y + dy, y + dy + h)]
            expected = b"".join(samples[start:start + 3 * w] for start in starts)
            if len(pixels) != len(expected):
                return 255
            return sum(abs(a - b) for a, b in zip(pixels, expected)) / len(expected)
        mean = difference(0, 0)
        bad = mean > 0
        if re.search("COG|fsspec|GDAL", name):
            # Nearer than the same pixels shifted by one.
            bad = mean > 2 or mean >= min(difference(1, 0), difference(-1, 0), difference(0, 1), difference(0, -1))
        self.note(name, mean, bad)

    def note(self, name, mean, bad):
        largest, wrong = self.differences.get(name, (0, False))
        self.differences[name] = (max(mean, largest), wrong or bad)

    def prepare(self, picture):
        self.add(picture, "picture.jpg")
        for side in (256, 512):
            run("gdal_translate", "-q", "-of", "COG", "-co", "COMPRESS=JPEG", "-co", "QUALITY=85", "-co",
                f"BLOCKSIZE={side}", picture, self.www / f"{side}.tif")
        run("vips", "copy", picture, self.output)
        self.decoded = raster(self.output)
        self.middle = self.peek(picture)[2]
        local, recorded = self.www / "plain" / "picture.jpg", self.folder / "regions"
        self.expected = self.digests(local)
        # The regions of the worker's rounds, as another program sees them.
        recorded.unlink(missing_ok=True)
        self.digests(
            local, "--pipeline",
            f"regions=worker:{sys.executable} {HERE}/peers.py --record {self.decoded[0]} {self.decoded[1]} {recorded}")
        lines = recorded.read_text().splitlines()[-self.runs - 1:]
        self.touches = [tuple(map(int, line.split())) for line in lines]


def record(width, height, path):
    """Answers as a pipeline worker of zoombench with black pixels, and writes the regions to a file."""
    for line in sys.stdin:
        word, *numbers = line.split()
        answer = {"zoombench": "zoombench 1 regions", "open": f"ok {width} {height}"}.get(word, "ok").encode() + b"\n"
        if word == "read":
            with open(path, "a", encoding="ascii") as file:
                print(*numbers, file=file)
            w, h = map(int, numbers[2:])
            answer = f"pixels {w} {h} 3 uint8\n".encode() + bytes(3 * w * h)
        sys.stdout.buffer.write(answer)
        sys.stdout.buffer.flush()


# Each contender returns the seconds and counts of a cold peek, and of a warm one if there is one.


def zoombench(place, indexed=False):
    def contender(bench, name, touch):
        picture, options = bench.address(f"{place}/picture.jpg"), bench.indexed if indexed else ()
        seconds, counts, region, _ = bench.peek(picture, *options)
        bench.check(name, raster(bench.output)[2], region)
        if place == "plain" and not indexed:
            return [(seconds, counts)]
        return [(seconds, counts), bench.later_peek(picture, touch, bench.expected, *options)]
    return contender


def peer(kind, file):
    def contender(bench, name, touch):
        dialogue = Dialogue(bench.python, HERE / "peer.py", kind, bench.address(file), bench.www / file)
        dialogue.ask("load")
        results = []
        for region in (bench.middle, bench.touches[touch]):
            bench.proxy.take()
            seconds = float(dialogue.ask(" ".join(map(str, region)) + f" {bench.output}"))
            results.append((seconds, bench.proxy.take()))
            bench.check(name, bench.output.read_bytes(), region)
        dialogue.end()
        return results
    return contender


def download(cropped):
    def contender(bench, name, touch):
        file = bench.folder / "downloaded.jpg"
        bench.proxy.take()
        run("curl", "-sf", "-o", file, bench.address("plain/picture.jpg"))
        if cropped:
            run("vips", "crop", file, bench.output, *bench.middle)
        end, counts = time.monotonic(), bench.proxy.take()
        if cropped:
            bench.check(name, raster(bench.output)[2], bench.middle)
        return [(end - counts.first, counts)]
    return contender


CONTENDERS = {
    "zoombench, index beside the picture": zoombench("beside"),
    "zoombench, index in a folder": zoombench("plain", indexed=True),
    "zoombench, no index": zoombench("plain"),
    "GDAL, tuned, COG with tiles of 256": peer("gdal-tuned", "256.tif"),
    "GDAL, tuned, COG with tiles of 512": peer("gdal-tuned", "512.tif"),
    "GDAL, its defaults, COG with tiles of 512": peer("gdal", "512.tif"),
    "tifffile, fsspec, COG with tiles of 512": peer("tifffile", "512.tif"),
    "the same, fsspec with blocks of 64 kB": peer("tifffile-64k", "512.tif"),
    "GDAL, tuned, the JPEG": peer("gdal-tuned", "plain/picture.jpg"),
    "pyvips, custom source of 128 kB blocks, the JPEG": peer("pyvips", "plain/picture.jpg"),
    "curl, then `vips crop`": download(True),
    "curl alone": download(False),
}


def counted(pairs):
    """Returns the cells of requests, round trips and bytes: medians."""
    requests, trips, size = (
        median(getattr(pair[1], field) for pair in pairs) for field in ("requests", "trips", "bytes"))
    return f"{requests:.0f} | {trips:.0f} | {size / 1000:,.1f} kB"


def measure(bench, only):
    """Measures and prints the tables."""
    results = {name: {setting: [] for setting in SETTINGS} for name in CONTENDERS if only in name}
    for setting in SETTINGS:
        bench.set_network(*setting)
        for touch in range(1, bench.runs + 1):
            for name, settings in results.items():
                settings[setting].append(CONTENDERS[name](bench, name, touch))
        print("measured at", *setting, file=sys.stderr, flush=True)
    heads = " | ".join(f"{rtt} ms" if megabits else f"{rtt} ms, no limit" for rtt, megabits in SETTINGS)
    for state in (0, 1):
        print(f"| {('cold', 'warm')[state]} | requests | round trips | bytes | {heads} |")
        print("|---" + "|---:" * (3 + len(SETTINGS)) + "|")
        for name, settings in results.items():
            if len(settings[COUNTED][0]) > state:
                pairs = {setting: [pairs[state] for pairs in all_pairs] for setting, all_pairs in settings.items()}
                times = " | ".join(f"{median(seconds for seconds, _ in pairs[setting]):.3f}" for setting in SETTINGS)
                print(f"| {name} | {counted(pairs[COUNTED])} | {times} |")
        print()


def measure_gigapixel(bench, picture):
    """Prints peeks into a gigapixel JPEG, beside the time that its download would take."""
    bench.set_network(0, None)
    bench.add(picture, "gigapixel.jpg")
    expected = bench.digests(bench.www / "plain" / "gigapixel.jpg")
    bench.set_network(*COUNTED)
    plain, beside = bench.address("plain/gigapixel.jpg"), bench.address("beside/gigapixel.jpg")
    cold = [bench.peek(beside) for _ in range(bench.runs)]
    rows = {
        "cold, index beside": cold,
        "cold, index in a folder": [bench.peek(plain, *bench.indexed) for _ in range(bench.runs)],
        "warm, index beside": [bench.later_peek(beside, touch, expected) for touch in range(1, bench.runs + 1)],
        "warm, index in a folder": [
            bench.later_peek(plain, touch, expected, *bench.indexed) for touch in range(1, bench.runs + 1)]}
    length = os.path.getsize(picture)
    whole = 2 * bench.proxy.seconds + length / bench.proxy.rate
    print(f"A JPEG of {length / 1e6:.1f} MB, whose download is computed as {whole:.1f} s:\n")
    print("| peek | requests | round trips | bytes | s | download / peek |")
    print("|---" + "|---:" * 5 + "|")
    for name, pairs in rows.items():
        seconds = median(pair[0] for pair in pairs)
        print(f"| {name} | {counted(pairs)} | {seconds:.3f} | {whole / seconds:,.0f} |")
    # zoombench's own clock and counts, without opening; connections are new.
    units = {"s": 1, "ms": 1e-3}
    printed = re.compile(r"time +([\d.]+) (\w+)(?s:.*)fetched +(\d+) \D+(\d+) [^,]+, ([^,]+),")
    opened = [printed.search(text).groups() for *_, text in cold]
    seconds = median(float(amount) * units[unit] for amount, unit, *_ in opened)
    print(f"| opened, index beside | {' | '.join(opened[0][2:])} | {seconds:.3f} | {whole / seconds:,.0f} |\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("zoombench", "picture", "folder"):
        parser.add_argument(name)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--gigapixel")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    bench = Bench(arguments.zoombench, arguments.folder, arguments.python, arguments.runs)
    try:
        bench.prepare(arguments.picture)
        measure(bench, arguments.only)
        if arguments.gigapixel:
            measure_gigapixel(bench, arguments.gigapixel)
    finally:
        bench.server.terminate()
    for name, (mean, bad) in bench.differences.items():
        print(f"{'WRONG' if bad else 'ok'}: {name}: largest mean difference {mean:.3f}", file=sys.stderr)
    sys.exit(any(bad for _, bad in bench.differences.values()))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--record"]:
        record(*sys.argv[2:])
    else:
        main()
