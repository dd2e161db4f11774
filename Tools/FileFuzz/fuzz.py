"""Has `zoombench` read journals, results, gesture scripts and seek indexes whose fields were changed at random.

    fuzz.py ZOOMBENCH PICTURES FOLDER [--kinds LIST] [--count N] [--first N] [--jobs N] [--results FILE...]

PICTURES is a folder of the corpus. Digests and tags are computed anew after each change, as anybody can compute
those of journals, and a holder of the key those of indexes: so that what lies behind them is tried, too. Each case
may take 20 s of CPU time, which a busy machine does not lengthen, and the memory that it is told to take plus 100 MB,
measured as the peak of its process beside that of `zoombench --version`. It must end by itself, with an exit code for bad input or for success, and with one line on
stderr at most. Findings stay in FOLDER, and the exit code is then 1. Needs Python's own library alone.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import hmac
import json
import os
import pathlib
import random
import resource
import shutil
import subprocess
import sys
import time

TIME = 20  # s of CPU time
WAIT = 3 * TIME  # s until a process counts as one that waits for something, on a busy machine, too
MEMORY = 100  # MB beside what is in use anyway
BUDGET = 50  # MB, for commands that take --memory
STRANGE = [
    "-1", "0", "1", "2", "-0.0", "1.5", "255", "65536", "2147483648", "4294967296", "9007199254740993",
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551615", "1e9", "1e18",
    "1e19", "1e308", "1e400", "-1e308", "5e-324", "NaN", "Infinity", "null", "true", "false", '""', '"x"', '"-1"',
    '"\\u0000"', '"\\u001b[2J"', '"../../x"', "[]", "{}", "[[]]", "[" * 600 + "]" * 600, '"' + "9" * 10000 + '"',
    "[" + ",".join(["0"] * 50000) + "]"]


# ---- JSON as it is written ----

class Token(str):
    """A piece of text in place of a value."""


def parsed(text):
    """JSON with objects as lists of pairs, so that a key can be there twice."""
    return json.loads(text, object_pairs_hook=lambda pairs: ("object", [list(pair) for pair in pairs]))


def written(value):
    if isinstance(value, Token):
        return str(value)
    if isinstance(value, tuple):
        return "{" + ",".join(json.dumps(key) + ":" + written(inner) for key, inner in value[1]) + "}"
    if isinstance(value, list):
        return "[" + ",".join(written(inner) for inner in value) + "]"
    return json.dumps(value)


def places(value, found):
    """Each place that holds a value: its container and index."""
    if isinstance(value, tuple):
        for pair in value[1]:
            found.append((pair, 1, value[1]))
            places(pair[1], found)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            found.append((value, index, value))
            places(inner, found)
    return found


def change(value, numbers):
    """Changes one field: another value, a number near by, one of another field, left out, or there twice."""
    found = places(value, [])
    if not found:
        return Token(numbers.choice(STRANGE))
    holder, index, siblings = numbers.choice(found)
    old = holder[index]
    what = numbers.randrange(8)
    if what < 3:
        holder[index] = Token(numbers.choice(STRANGE))
    elif what == 3 and isinstance(old, (int, float)) and not isinstance(old, bool):
        holder[index] = Token(repr(numbers.choice([-old, old + 1, old - 1, old * 2, old * 1000, old / 3])))
    elif what == 4:
        other, place, _ = numbers.choice(found)
        holder[index] = Token(written(other[place]))
    elif what == 5 and siblings is not holder:
        siblings.remove(holder)
    elif what == 6 and siblings is not holder:
        siblings.insert(numbers.randrange(len(siblings) + 1), [holder[0], Token(numbers.choice(STRANGE))])
    elif siblings is holder:
        holder[index:index + 1] = numbers.choice([[], [old, old], [old] * 40])
    else:
        holder[index] = Token(numbers.choice(STRANGE))
    return value


def member(value, key):
    """The pair of a key in an object; None without."""
    if isinstance(value, tuple):
        for pair in value[1]:
            if pair[0] == key:
                return pair
    return None


def sha(data):
    return hashlib.sha256(data).hexdigest()


# ---- Kinds of files ----

def journal(seed, numbers):
    """A journal of which some lines were changed, with the checksum of the last line put right."""
    lines = [parsed(line) for line in seed.decode().splitlines()]
    for _ in range(numbers.randint(1, 3)):
        place = numbers.choice([0, numbers.randrange(len(lines)), numbers.randrange(len(lines))])
        what = numbers.randrange(14)
        if what == 0 and len(lines) > 2:
            del lines[place]
        elif what == 1:
            lines.insert(place, lines[place])
        elif what == 2:
            lines.insert(1, ("object", [["started", numbers.randrange(30)]]))
        else:
            lines[place] = change(lines[place], numbers)
    body = "".join(written(line) + "\n" for line in lines[:-1]).encode("utf-8", "surrogatepass")
    end = member(lines[-1], "end")
    if end and numbers.randrange(20):
        for pair in end[1][1] if isinstance(end[1], tuple) else []:
            if pair[0] == "sha256":
                pair[1] = sha(body)
            if pair[0] == "cells" and numbers.randrange(10):
                pair[1] = sum(1 for line in body.splitlines() if line.startswith(b'{"cell":'))
    return body + written(lines[-1]).encode("utf-8", "surrogatepass") + b"\n"


def plain(seed, numbers):
    """JSON of which one to four fields were changed; one in ten is cut, or has other bytes."""
    value = parsed(seed.decode())
    for _ in range(numbers.randint(1, 4)):
        value = change(value, numbers)
    data = bytearray(written(value).encode("utf-8", "surrogatepass"))
    if not numbers.randrange(10) and data:
        place = numbers.randrange(len(data))
        if numbers.randrange(2):
            del data[place:]
        else:
            data[place:place + 1] = bytes([numbers.randrange(256)])
    return bytes(data)


def scribble(data, numbers, end):
    """Writes numbers of some bytes over places before the end; a few grow or shrink."""
    for _ in range(numbers.randint(1, 3)):
        place = numbers.randrange(4, end)
        count = min(numbers.choice([1, 1, 2, 4, 8]), len(data) - place)
        value = numbers.choice([0, 1, -1, 2**63 - 1, -2**63, 2**32, 2**31, 255, 65535, 2**45, numbers.randrange(2**63)])
        data[place:place + count] = (value & (2**64 - 1)).to_bytes(8, "little")[:count]
    if not numbers.randrange(12):
        del data[numbers.randrange(len(data)):]
    elif not numbers.randrange(12):
        data += bytes(numbers.randrange(300))


def stored_index(seed, numbers, key):
    """The index of a picture, changed; digests of blocks and payload and the tag are put right."""
    data = bytearray(seed)
    scribble(data, numbers, numbers.choice([153, len(data)]))
    if len(data) < 153:
        return bytes(data)
    def integer(at, count):
        return int.from_bytes(data[at:at + count], "little")
    unit, units, spacing, payload = data[88], integer(89, 4), integer(93, 4), integer(113, 8)
    if unit not in (1, 2) or not units or not spacing:
        return bytes(data)
    blocks = ((units - 1) // spacing + 1 - 1) // (256 if unit == 1 else 1) + 1
    tag = 153 + 20 * blocks
    place = tag + 32
    if place > len(data):
        return bytes(data)
    for entry in range(153, tag, 20):
        end = place + integer(entry, 4)
        data[entry + 4:entry + 20] = hashlib.sha256(data[place:end]).digest()[:16]
        place = end
    if payload:
        data[121:153] = hashlib.sha256(data[place:]).digest()
    data[tag:tag + 32] = hmac.digest(key, bytes(data[:tag]), "sha256")
    return bytes(data)


# ---- Running ----

class Fuzz:
    def __init__(self, options):
        self.zoombench = options.zoombench
        self.folder = pathlib.Path(options.folder)
        self.work = self.folder / "work"
        self.work.mkdir(parents=True, exist_ok=True)
        self.pictures = pathlib.Path(options.pictures)
        self.key = bytes(range(32))
        (self.work / "key").write_bytes(self.key)
        self.environment = {
            **os.environ, "ZOOMBENCH_INDEX_KEY": str(self.work / "key"), "TMPDIR": str(self.work),
            "SWIFT_BACKTRACE": "enable=no"}
        self.base = 0
        self.base = self.measured(["--version"])[2]

    def measured(self, arguments, errors=subprocess.DEVNULL):
        """Runs the command: its exit code (negative for a signal, None after too long), CPU time and peak in MB."""
        def limits():
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_CPU, (TIME + 1, TIME + 1))
        start = time.monotonic()
        process = subprocess.Popen(
            [self.zoombench, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors,
            env=self.environment, cwd=self.work, preexec_fn=limits)
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() - start > WAIT:
                process.kill()
                _, _, usage = os.wait4(process.pid, 0)
                status = None
                break
            time.sleep(0.001)
        process.returncode = 0
        elapsed = usage.ru_utime + usage.ru_stime
        code = None if status is None or elapsed > TIME else os.waitstatus_to_exitcode(status)
        return code, elapsed, usage.ru_maxrss / 1000

    def made(self, *arguments):
        """Runs the command on good input, to make a file to start from."""
        result = subprocess.run(
            [self.zoombench, *arguments], env=self.environment, cwd=self.work, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)
        if result.returncode not in (0, 1, 65):
            sys.exit(f"fuzz: {' '.join(map(str, arguments))} ended with {result.returncode}: {result.stderr.decode()}")
        return result.stdout

    def pictures_for_journals(self):
        folder = self.work / "pictures"
        folder.mkdir(exist_ok=True)
        for name in ["jpeg-444.jpg", "tiny-17x3.jpg", "png.png"]:
            shutil.copy(self.pictures / name, folder)
        (folder / "cut.jpg").write_bytes((folder / "jpeg-444.jpg").read_bytes()[:900])
        return "pictures"

    def journals(self):
        names = self.pictures_for_journals()
        jobs = {
            "index": ["index", names, "--index-dir", "ix"], "inspect": ["inspect", names],
            "laws": ["verify", "--systems", "peek", "--original", "--laws", "FZ-P1,FZ-P4,FZ-P13c", "--cases", "40",
                     "--seed", "3"],
            "pixels": ["verify", names, "--sources", "resident", "--laws", "PX-1,PX-2", "--cases", "20", "--seed", "5"]}
        # Makes the key's folders before the shards do.
        self.made("index", names, "--index-dir", "ix", "--quiet")
        seeds = []
        for name, command in jobs.items():
            self.made(*command, "--quiet", "--shard", "1/1", "-o", f"journal-{name}")
            seeds.append((self.work / f"journal-{name}" / "shard-0001-of-0001.jsonl").read_bytes())
        def case(numbers):
            seed = numbers.randrange(len(seeds))
            form = numbers.choice(["table", "json", "junit", "csv", "markdown"])
            return journal(seeds[seed], numbers), "jsonl", lambda path: ["report", path, "--format", form], 0
        return case

    def results(self, files):
        names = self.pictures_for_journals()
        seeds = [self.made("bench", names, "--sources", "partial,sequential", "--rounds", "4", "--quiet", "--format", "json")]
        seeds += [pathlib.Path(file).read_bytes() for file in files]
        forms = ["table", "json", "markdown", "annotations", "junit", "csv"]
        def case(numbers):
            form = numbers.choice(forms)
            return plain(numbers.choice(seeds), numbers), "json", lambda path: ["report", path, "--format", form], 0
        return case

    def scripts(self, gestures):
        seeds = []
        for file in sorted(pathlib.Path(gestures).glob("*.json")):
            value = parsed(file.read_text())
            # A small screen and the first of the events: most of the time would go into drawing.
            screen = member(value, "screen")
            if screen:
                screen[1] = ("object", [["width", 60], ["height", 80], ["scale", 1]])
            seeds.append((file.stem, written(value).encode()))
        systems = ["peek", "fullscreen", "force", "double-tap", "transition"]
        picture = str(self.pictures / "tiny-17x3.jpg")
        def case(numbers):
            name, seed = numbers.choice(seeds)
            system = next((system for system in systems if name.startswith(system)), "peek")
            form = numbers.choice([[], [], ["--original"], ["--compare"]])
            return plain(seed, numbers), "json", lambda path: [
                "replay", path, picture, "--system", system, "-o", path + ".png", "--states", path + ".states",
                "--cells", "4", "--memory", str(BUDGET), "--quiet", *form], BUDGET
        return case

    def indexes(self, pictures, mutate):
        seeds = []
        for name in pictures:
            picture = self.work / name
            shutil.copy(self.pictures / name, picture)
            self.made("index", name, "--beside", "--quiet")
            index = self.work / (name + ".zidx")
            seeds.append((name, index.read_bytes()))
            index.unlink()
        def case(numbers):
            name, seed = numbers.choice(seeds)
            touch = f"{numbers.randrange(100)},{numbers.randrange(100)}"
            def command(path):
                # The index stands beside a picture of its own.
                picture = pathlib.Path(path.removesuffix(".zidx"))
                os.link(self.work / name, picture)
                if numbers.randrange(2):
                    return ["index", str(picture), "--beside", "--check", "--memory", str(BUDGET)]
                return ["peek", str(picture), "--touch", touch, "--viewport", "100x100@1", "--side", "40", "--source",
                        "partial", "--memory", str(BUDGET), "-o", str(picture) + ".out.png"]
            return mutate(seed, numbers, self.key), name.replace(".", "-", name.count(".") - 1) + ".zidx", command, BUDGET
        return case

    def batch(self, kind, case, numbers):
        """Cases of one process each, and indexes by one `index --check` for all: exit codes, time, peak, findings."""
        codes, alone = collections.Counter(), numbers
        slowest = largest = findings = 0
        failure = None
        if kind.endswith("indexes"):
            folder = self.work / f"{kind}-batch-{numbers[0]}"
            folder.mkdir()
            for number in numbers:
                data, name, _, _ = case(random.Random(f"{kind} {number}"))
                picture = folder / f"{number}-{name.removesuffix('.zidx')}"
                os.link(self.work / name.removesuffix(".zidx"), picture)
                (folder / f"{picture.name}.zidx").write_bytes(data)
            code, slowest, largest = self.measured(
                ["index", str(folder), "--beside", "--check", "--jobs", "1", "--memory", str(BUDGET), "--quiet"])
            is_large = largest > self.base + BUDGET + MEMORY
            # Which case it was shows when each has a process of its own; the first ones always have one.
            if code in (0, 1) and not is_large:
                codes[f"{code} together"], alone = len(numbers), numbers[:3]
            # Many cases may take too long together on a busy machine.
            elif is_large or code is not None:
                failure = f"ends with {code} and takes {largest:.0f} MB"
        for number in alone:
            code, seconds, peak, is_wrong = self.run(kind, case, number)
            codes[code] += 1
            slowest, largest = max(slowest, seconds), max(largest, peak)
            findings += is_wrong
        if failure and not findings:
            findings = 1
            shutil.copytree(folder, self.folder / folder.name, dirs_exist_ok=True)
            print(f"{kind} {numbers[0]} to {numbers[-1]}: the batch {failure}, but no case does alone", flush=True)
        if kind.endswith("indexes"):
            shutil.rmtree(folder)
        return codes, slowest, largest, findings

    def run(self, kind, case, number):
        """One case: what became of it, and what is wrong with that."""
        numbers = random.Random(f"{kind} {number}")
        data, suffix, command, budget = case(numbers)
        stem = self.work / f"{kind}-{number}"
        path = f"{stem}.{suffix}"
        pathlib.Path(path).write_bytes(data)
        arguments = command(path)
        with open(f"{stem}.errors", "w+b") as errors:
            code, seconds, peak = self.measured(arguments, errors)
            errors.seek(0)
            said = errors.read(1 << 16)
        wrong = []
        if code is None:
            wrong.append(f"takes more than {TIME} s of CPU time, or {WAIT} s")
        # A journal may say of an index that it could not be written.
        elif code not in (0, 1, 2, 64, 65, 66) + ((73,) if kind == "journals" and b"isUnwritable" in data else ()):
            wrong.append(f"ends with {code}")
        if peak > self.base + budget + MEMORY:
            wrong.append(f"takes {peak:.0f} MB, {self.base:.0f} of which are used without any file")
        # One line, or one for each picture of an index.
        if len(said.splitlines()) > 2 or b"\x1b" in said:
            wrong.append(f"says {said[:200]!r}")
        if wrong:
            shutil.copy(path, self.folder / pathlib.Path(path).name)
            print(f"{kind} {number}: {'; '.join(wrong)}: {' '.join(map(str, arguments))[:300]}", flush=True)
        for left in self.work.glob(f"{kind}-{number}.*"):
            left.unlink()
        return code, seconds, peak, bool(wrong)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("zoombench")
    parser.add_argument("pictures")
    parser.add_argument("folder")
    parser.add_argument("--kinds", default="journals,results,scripts,jpeg-indexes,png-indexes")
    parser.add_argument("--count", type=int, default=2000, help="cases of each kind")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--results", nargs="*", default=[], help="results to start from, beside one of bench")
    parser.add_argument("--gestures", required=True, help="the folder of gesture scripts to start from")
    options = parser.parse_args()
    fuzz = Fuzz(options)
    makers = {
        "journals": fuzz.journals, "results": lambda: fuzz.results(options.results),
        "scripts": lambda: fuzz.scripts(options.gestures),
        "jpeg-indexes": lambda: fuzz.indexes(["jpeg-444.jpg", "jpeg-scans.jpg", "grey.jpg"], stored_index),
        "png-indexes": lambda: fuzz.indexes(["png.png", "png-16.png"], stored_index)}
    findings = 0
    for kind in options.kinds.split(","):
        case = makers[kind]()
        codes = collections.Counter()
        slowest = largest = 0
        size = 50 if kind.endswith("indexes") else 1
        batches = [
            range(first, min(first + size, options.first + options.count))
            for first in range(options.first, options.first + options.count, size)]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for found, seconds, peak, wrong in pool.map(lambda numbers: fuzz.batch(kind, case, numbers), batches):
                codes += found
                slowest, largest = max(slowest, seconds), max(largest, peak)
                findings += wrong
        print(f"{kind}: {options.count} cases, exit codes {dict(sorted(codes.items(), key=str))},"
              f" at most {slowest:.1f} s of CPU time and {largest:.0f} MB ({fuzz.base:.0f} without any file)", flush=True)
    shutil.rmtree(fuzz.work)
    print(f"{findings} findings" + (f"; they are in {fuzz.folder}" if findings else ""))
    sys.exit(1 if findings else 0)


main()
