"""Measures peeks into a picture on a web server with delay and limited bandwidth, beside other tools.

    peers.py ZOOMBENCH PICTURE FOLDER [--python PYTHON] [--gigapixel JPEG] [--runs N] [--only WORD]

Prints Markdown tables. A proxy (slowproxy.py) is between nginx and all tools. A cold peek is the first of a process, in
the middle of the picture; a warm one is the second of a process, at another touch in each run. Times are:

- peers (peer.py): from opening the address to the pixels, without loading libraries
- zoombench, cold: `zoombench peek`, from its first connection to its end, with writing the file
- zoombench, warm: by the clock of `zoombench bench-worker`, from the request for the region to its pixels
- downloads: from the first connection to the end of curl, or of `vips crop` after it

Counts are those of the proxy at a round trip of 50 ms; without delay, answers may overlap by chance. PYTHON has rasterio,
pyvips, tifffile, fsspec, aiohttp and imagecodecs. nginx, gdal_translate, vips and curl must be installed. Exit codes: 0 all
well, 1 wrong pixels.
"""

import argparse
import os
import pathlib
import re
import shutil
import socket
import statistics
import subprocess
import sys
import time

from slowproxy import Proxy

HERE = pathlib.Path(__file__).parent
SIDE = 375
MEGABITS = 20
LIMIT = 300  # s for one process
SETTINGS = [(0, MEGABITS), (20, MEGABITS), (50, MEGABITS), (100, MEGABITS), (50, None)]
COUNTED = (50, MEGABITS)


def run(*command, output=None):
    done = subprocess.run(
        [str(word) for word in command], check=True, timeout=LIMIT, stdout=output or subprocess.PIPE, text=True,
        stderr=subprocess.DEVNULL)
    return done.stdout


def pixels_of(path):
    """Returns the width and the samples of a binary PPM."""
    data = path.read_bytes()
    head = re.match(rb"P6\s(?:#.*\n)*(\d+)\s+(\d+)\s+255\s", data)
    return int(head[1]), data[head.end():]


class Dialogue:
    """A process that answers lines with lines."""

    def __init__(self, *command):
        self.process = subprocess.Popen(
            ["timeout", str(LIMIT)] + [str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)

    def ask(self, line):
        if line:
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

    def __init__(self, arguments):
        self.zoombench = pathlib.Path(arguments.zoombench).resolve()
        self.python, self.runs = arguments.python, arguments.runs
        self.folder = pathlib.Path(arguments.folder).resolve()
        self.www, self.indexes = self.folder / "www", self.folder / "indexes"
        self.output = self.folder / "output.ppm"
        for name in ("data", "cache", "nginx"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        # Neither keys nor indexes of the user are read or written.
        os.environ.update(XDG_DATA_HOME=str(self.folder / "data"), XDG_CACHE_HOME=str(self.folder / "cache"))
        os.environ.pop("ZOOMBENCH_INDEX_KEY", None)
        self.differences = {}
        self.start_server()

    def start_server(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        own = self.folder / "nginx"
        temporary = " ".join(
            f"{kind}_temp_path {own}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        (own / "conf").write_text(
            f"daemon off; master_process off; pid {own}/pid; error_log stderr error; events {{}}\n"
            f"http {{ access_log off; keepalive_requests 1000000; {temporary}\n"
            f"server {{ listen 127.0.0.1:{port}; root {self.www}; }} }}\n")
        self.server = subprocess.Popen(
            [shutil.which("nginx") or "/usr/sbin/nginx", "-p", own, "-c", own / "conf"], stderr=subprocess.DEVNULL)
        self.proxy = Proxy(port)

    def address(self, name):
        return f"http://127.0.0.1:{self.proxy.port}/{name}"

    def add(self, picture, name):
        """Puts a picture on the server, with an index beside it and one in a folder."""
        for place in ("plain", "beside"):
            (self.www / place).mkdir(parents=True, exist_ok=True)
            target = self.www / place / name
            if not target.exists():
                try:
                    os.link(picture, target)
                except OSError:
                    shutil.copy(picture, target)
                # Files of today have no strong version without an ETag.
                os.utime(target, (1577872800, 1577872800))
        if not (self.www / "beside" / (name + ".zidx")).exists():
            run(self.zoombench, "index", "--beside", self.www / "beside" / name, "--quiet")
        run(self.zoombench, "index", self.address("plain/" + name), "--index-dir", self.indexes, "--quiet")

    def peek(self, picture, *options):
        """Makes a cold peek in the middle; returns seconds, counts and the region."""
        self.proxy.take()
        text = run(
            self.zoombench, "peek", picture, "--touch", "204,306", "--viewport", "408x612", "--side", SIDE, "-o",
            self.output, *options)
        end, counts = time.monotonic(), self.proxy.take()
        region = re.search(r"region +(\d+)x(\d+)\+(\d+)\+(\d+)", text)
        w, h, x, y = map(int, region.groups())
        amount, unit = re.search(r"time +([\d.]+) (\S+)", text).groups()
        self.opened_seconds = float(amount) * {"s": 1, "ms": 1e-3, "us": 1e-6}[unit]
        fetched = re.search(r"fetched +(\d+) requests?, (\d+) round trips?, ([\d.]+ \w+)", text)
        self.opened_counts = fetched.groups() if fetched else None
        return (end - counts.first if counts.first else 0), counts, (x, y, w, h)

    def worker(self, picture, source, indexed=True):
        worker = Dialogue(
            self.zoombench, "bench-worker", picture, "--source", source, "--peeks", f"{SIDE}@1", "--seed", 1,
            *(["--index-dir", self.indexes] if indexed else []))
        worker.ask("hello 1")
        worker.ask("open 1")
        return worker

    def later_peek(self, picture, touch, expected):
        """Makes a warm peek; returns seconds and counts."""
        worker = self.worker(picture, "partial")
        self.proxy.take()
        _, wall, _, digest = worker.ask(f"sample 1 {touch} 1 0").split()
        counts = self.proxy.take()
        worker.end()
        if digest != expected[touch]:
            self.differences["zoombench, warm"] = "wrong"
        return int(wall) / 1e9, counts

    def check(self, name, pixels, region):
        """Compares an answer with the full decode; keeps the largest mean difference."""
        x, y, w, h = region
        rows = range(y, y + h)
        expected = b"".join(self.raster[3 * (r * self.width + x):3 * (r * self.width + x + w)] for r in rows)
        if len(pixels) != len(expected):
            mean = 255.0
        else:
            mean = sum(abs(a - b) for a, b in zip(pixels, expected)) / len(expected)
        self.differences[name] = max(mean, self.differences.get(name, 0))


# Each contender returns the seconds and counts of a cold peek and of a warm one, or None.


def zoombench(place, *options):
    def contender(bench, name, touch):
        picture = bench.address(f"{place}/picture.jpg")
        seconds, counts, region = bench.peek(picture, *(o.format(bench=bench) for o in options))
        bench.check(name, pixels_of(bench.output)[1], region)
        warm = bench.later_peek(picture, touch, bench.digests) if options else None
        return (seconds, counts), warm
    return contender


def peer(kind, file):
    def contender(bench, name, touch):
        dialogue = Dialogue(bench.python, HERE / "peer.py", kind, bench.address(file), bench.www / file)
        dialogue.ask("")
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
            bench.check(name, pixels_of(bench.output)[1], bench.middle)
        return (end - counts.first, counts), None
    return contender


CONTENDERS = {
    "zoombench, index beside the picture": zoombench("beside"),
    "zoombench, index in a folder": zoombench("plain", "--index-dir", "{bench.indexes}"),
    "zoombench, no index": zoombench("plain"),
    "GDAL, tuned, COG with tiles of 256": peer("gdal-tuned", "256.tif"),
    "GDAL, tuned, COG with tiles of 512": peer("gdal-tuned", "512.tif"),
    "GDAL, as it comes, COG with tiles of 512": peer("gdal", "512.tif"),
    "tifffile, fsspec, COG with tiles of 512": peer("tifffile", "512.tif"),
    "the same, fsspec with blocks of 64 kB": peer("tifffile-64k", "512.tif"),
    "GDAL, tuned, the JPEG": peer("gdal-tuned", "plain/picture.jpg"),
    "pyvips, custom source of 128 kB blocks, the JPEG": peer("pyvips", "plain/picture.jpg"),
    "curl, then `vips crop`": download(True),
    "curl alone": download(False),
}


def prepare(bench, picture):
    bench.add(picture, "picture.jpg")
    for side in (256, 512):
        run("gdal_translate", "-q", "-of", "COG", "-co", "COMPRESS=JPEG", "-co", "QUALITY=85", "-co", f"BLOCKSIZE={side}",
            picture, bench.www / f"{side}.tif")
    run("vips", "copy", picture, bench.folder / "decoded.ppm")
    bench.width, bench.raster = pixels_of(bench.folder / "decoded.ppm")
    bench.height = len(bench.raster) // bench.width // 3
    bench.middle = bench.peek(picture)[2]
    local = bench.www / "plain" / "picture.jpg"
    # The regions of the worker's rounds, as another program sees them.
    recorded = bench.folder / "regions"
    recorded.write_text("")
    worker = Dialogue(
        bench.zoombench, "bench-worker", local, "--peeks", f"{SIDE}@1", "--seed", 1, "--pipeline",
        f"regions=worker:{sys.executable} {HERE / 'peers.py'} --record {bench.width} {bench.height} {recorded}")
    worker.ask("hello 1")
    worker.ask("open 1")
    recorded.write_text("")
    for touch in range(bench.runs + 1):
        worker.ask(f"sample 1 {touch} 1 0")
    worker.end()
    bench.touches = [tuple(map(int, line.split())) for line in recorded.read_text().splitlines()]
    assert len(bench.touches) == bench.runs + 1
    bench.digests = digests(bench, local, "naive")


def record(width, height, path):
    """Answers as a pipeline worker of zoombench with black pixels, and writes the regions to a file."""
    out = sys.stdout.buffer
    for line in sys.stdin:
        word, *numbers = line.split()
        if word == "read":
            with open(path, "a", encoding="ascii") as file:
                file.write(" ".join(numbers) + "\n")
            w, h = map(int, numbers[2:])
            out.write(f"pixels {w} {h} 3 uint8\n".encode() + bytes(3 * w * h))
        else:
            out.write({"zoombench": b"zoombench 1 regions\n", "open": f"ok {width} {height}\n".encode()}.get(word, b"ok\n"))
        out.flush()


def digests(bench, local, source):
    """Returns the checksums of the warm peeks by a full decode of the local file."""
    worker = bench.worker(local, source, indexed=False)
    found = [worker.ask(f"sample 1 {touch} 1 0").split()[3] for touch in range(bench.runs + 1)]
    worker.end()
    return found


def seconds_text(values):
    return f"{statistics.median(values):.3f}" if values else ""


def measure(bench, only):
    """Returns the results of each contender and setting: [name][setting] = [(cold, warm)]."""
    results = {}
    for rtt, megabits in SETTINGS:
        bench.proxy.seconds, bench.proxy.rate = rtt / 1000, megabits and megabits * 125000
        for touch in range(1, bench.runs + 1):
            for name, contender in CONTENDERS.items():
                if only not in name:
                    continue
                pair = contender(bench, name, touch)
                results.setdefault(name, {}).setdefault((rtt, megabits), []).append(pair)
        print(f"measured at {rtt} ms, {megabits or 'unlimited'} Mbit/s", file=sys.stderr, flush=True)
    return results


def print_table(results, state):
    heads = [f"{rtt} ms" if megabits else f"{rtt} ms, no limit" for rtt, megabits in SETTINGS]
    print("| " + " | ".join([("cold", "warm")[state], "requests", "round trips", "bytes"] + heads) + " |")
    print("|---" + "|---:" * (3 + len(heads)) + "|")
    for name, settings in results.items():
        pairs = {setting: [pair[state] for pair in pairs if pair[state]] for setting, pairs in settings.items()}
        if not pairs[COUNTED]:
            continue
        counts = [counts for _, counts in pairs[COUNTED]]
        middle = {
            field: round(statistics.median(getattr(c, field) for c in counts))
            for field in ("requests", "trips", "chain", "bytes")}
        chain = "" if middle["chain"] == middle["trips"] else f" ({middle['chain']})"
        print("| " + " | ".join(
            [name, str(middle["requests"]), f"{middle['trips']}{chain}", f"{middle['bytes'] / 1000:,.1f} kB"]
            + [seconds_text([seconds for seconds, _ in pairs[setting]]) for setting in SETTINGS]) + " |")
    print()


def goals(results):
    def median(name, state):
        return statistics.median(pair[state][0] for pair in results[name][COUNTED])
    if {"curl alone", "zoombench, index in a folder"} <= results.keys():
        whole, warm = median("curl alone", 0), median("zoombench, index in a folder", 1)
        print(f"downloading takes {whole:.3f} s, {whole / warm:.1f} times as long as a warm peek\n")


def gigapixel(bench, picture):
    """Prints the cold and the warm peek into a gigapixel JPEG, beside the time that its download would take."""
    bench.proxy.seconds, bench.proxy.rate = 0, None
    bench.add(picture, "gigapixel.jpg")
    expected = digests(bench, bench.www / "plain" / "gigapixel.jpg", "resident")
    bench.proxy.seconds, bench.proxy.rate = COUNTED[0] / 1000, COUNTED[1] * 125000
    plain, beside = bench.address("plain/gigapixel.jpg"), bench.address("beside/gigapixel.jpg")
    opened, cold = [], []
    for _ in range(bench.runs):
        cold.append(bench.peek(beside)[:2])
        opened.append((bench.opened_seconds, bench.opened_counts))
    rows = {
        "cold, index beside": cold,
        "cold, index in a folder": [bench.peek(plain, "--index-dir", bench.indexes)[:2] for _ in range(bench.runs)],
        "warm, index in a folder": [bench.later_peek(plain, touch, expected) for touch in range(1, bench.runs + 1)]}
    length = os.path.getsize(picture)
    whole = 2 * bench.proxy.seconds + length / bench.proxy.rate
    print(f"gigapixel: {length / 1e6:.1f} MB, download computed: {whole:.1f} s\n")
    print("| peek | requests | round trips | bytes | s | download / peek |\n|---|---:|---:|---:|---:|---:|")
    for name, pairs in rows.items():
        seconds = statistics.median(pair[0] for pair in pairs)
        requests, trips, size = (
            round(statistics.median(getattr(pair[1], field) for pair in pairs)) for field in ("requests", "trips", "bytes"))
        print(f"| {name} | {requests} | {trips} | {size / 1000:,.1f} kB | {seconds:.3f} | {whole / seconds:,.0f} |")
    seconds, (requests, trips, size) = statistics.median(pair[0] for pair in opened), opened[0][1]
    print(f"| opened, index beside | {requests} | {trips} | {size} | {seconds:.3f} | {whole / seconds:,.0f} |\n")


def main():
    if sys.argv[1:2] == ["--record"]:
        return record(*sys.argv[2:])
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("zoombench")
    parser.add_argument("picture")
    parser.add_argument("folder")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--gigapixel")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    bench = Bench(arguments)
    try:
        prepare(bench, arguments.picture)
        results = measure(bench, arguments.only)
        for state in (0, 1):
            print_table(results, state)
        goals(results)
        if arguments.gigapixel:
            gigapixel(bench, arguments.gigapixel)
    finally:
        bench.server.terminate()
    wrong = False
    for name, mean in bench.differences.items():
        # Recompressed pixels, or GDAL's own decoder, have to be near only.
        exact = not re.search("COG|fsspec|GDAL", name)
        bad = mean == "wrong" or mean > (0 if exact else 3)
        wrong |= bad
        print(f"{'WRONG' if bad else 'ok   '}  {name}: mean difference {mean}", file=sys.stderr)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
