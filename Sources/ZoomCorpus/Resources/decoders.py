"""Asks decoders for regions: commands, servers, workers, and folders of answers; run.py uses it."""
import array
import hashlib
import re
import shlex
import shutil
import subprocess
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import samples

USAGE = 64
# The formats of a worker's samples: their code in arrays, and the level of white.
FORMATS = {"uint8": ("B", 255), "uint16": ("H", 65535), "float32": ("f", None)}
KNOWN = {"file", "name", "stem", "x", "y", "w", "h", "right", "bottom", "level", "reduction"}


class Refused(Exception):
    """The decoder says that it has no answer."""


class Failed(Exception):
    """The decoder crashed, took too long, or gave something that is no picture."""


class Worker:
    """A process that answers lines: open PATH, read X Y WIDTH HEIGHT."""

    def __init__(self, words, timeout):
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.timeout, self.file = timeout, None
        self.ask("zoombench 1")

    def ask(self, line):
        """Returns the samples of an answer, or its words."""
        timer = threading.Timer(self.timeout, self.process.kill)
        timer.start()
        try:
            self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.flush()
            words = self.process.stdout.readline().decode("utf-8", "replace").split()
            if words[:1] in (["unsupported"], ["error"]):
                raise Refused(" ".join(words[1:]))
            if not words or words[0] not in ("zoombench", "ok", "pixels"):
                raise Failed(" ".join(words) or "the worker ended, or took too long")
            if words[0] != "pixels":
                return words
            width, height, bands = map(int, words[1:4])
            code, top = FORMATS[words[4]]
            values = array.array(code)
            values.frombytes(self.process.stdout.read(width * height * bands * values.itemsize))
            return samples.Samples(width, height, bands, top, values if top is None else array.array("H", values))
        except (OSError, ValueError, KeyError, IndexError, samples.Unreadable) as error:
            raise Failed(f"the worker's answer cannot be read: {error!r}") from error
        finally:
            timer.cancel()

    def read(self, values):
        if self.file != values["file"]:
            self.file = None
            self.size = self.ask(f"open {values['file']}")[1:]
            self.file = values["file"]
        # A worker reports the size as stored, unless it turns pictures.
        if values["right"] > int(self.size[0]) or values["bottom"] > int(self.size[1]):
            raise Refused("the region is not in the picture as the worker opens it")
        return self.ask("read {x} {y} {w} {h}".format(**values))

    def close(self):
        for stream in (self.process.stdin, self.process.stdout):
            stream.close()
        self.process.kill()
        self.process.wait()


class Decoder:
    """Answers a row of regions.json with samples, or with the digest of raw samples."""

    def __init__(self, options, folder, scratch):
        self.what, self.folder, self.scratch, self.timeout = options.decoder, folder, scratch, options.timeout
        self.is_aligned = options.aligned
        what = options.decoder
        self.is_server = what.startswith(("http://", "https://"))
        self.is_worker = what.startswith("worker:")
        self.here = threading.local()
        self.workers = []
        self.answers = None if self.is_server or self.is_worker or "{" in what else Path(what)
        if self.answers and not self.answers.is_dir():
            stop(f"{what}: neither a folder nor a command with {{file}}")
        self.words = [] if self.is_server or self.answers else shlex.split(what.removeprefix("worker:"))
        if self.words and not shutil.which(self.words[0]):
            stop(f"{self.words[0]}: it is not installed, or cannot be run")
        # Words with spaces may be programs of a shell or of awk, which use braces themselves.
        texts = [what] if self.is_server else [word for word in self.words if " " not in word]
        unknown = {name for text in texts for name in re.findall(r"{(\w+)}", text)} - KNOWN - {"out"}
        if unknown:
            stop(f"{{{min(unknown)}}} stands for nothing (there are {', '.join(sorted(KNOWN))} and out)")

    def asks(self, row):
        return bool(row["level"] == 0 or self.answers or "{level}" in self.what or "{reduction}" in self.what)

    def answer(self, row):
        file = self.folder / row["file"]
        values = {"file": file, "name": file.name, "stem": file.stem, "w": row["width"], "h": row["height"],
                  "right": row["x"] + row["width"], "bottom": row["y"] + row["height"],
                  **{key: row[key] for key in ("x", "y", "level", "reduction")}}
        if self.answers:
            return self.from_folder(row["name"])
        if self.is_worker:
            return self.from_worker(values)
        return self.from_server(values) if self.is_server else self.from_command(values, row["name"])

    def from_worker(self, values):
        # A worker per thread; another one after a failure, because the old one may be anywhere in its answer.
        if not getattr(self.here, "worker", None):
            self.here.worker = Worker(self.words, self.timeout)
            self.workers.append(self.here.worker)
        try:
            return self.here.worker.read(values)
        except Failed:
            self.here.worker = None
            raise

    def close(self):
        for worker in self.workers:
            worker.close()

    def from_folder(self, name):
        found = sorted(self.answers.glob(f"{name}.*"))
        if not found:
            raise Refused("there is no such file")
        data = found[0].read_bytes()
        if found[0].suffix == ".sha256":
            return data.split()[0].decode("ascii", "replace").lower()
        return hashlib.sha256(data).hexdigest() if found[0].suffix == ".raw" else read(data)

    def from_server(self, values):
        address = filled(self.what, {key: urllib.parse.quote(str(value), safe="") for key, value in values.items()})
        try:
            with urllib.request.urlopen(address, timeout=self.timeout) as response:
                return read(response.read())
        except urllib.error.HTTPError as error:
            kind = Refused if error.code in (400, 404, 415, 501) else Failed
            raise kind(f"status {error.code}") from error
        except OSError as error:
            raise Failed(f"no answer: {error}") from error

    def from_command(self, values, name):
        words, out = [], None
        for word in self.words:
            if "{out" in word:
                start, end = word.index("{out"), word.index("}", word.index("{out"))
                out = self.scratch / (name + (word[start + 4:end] or ".png"))
                word = word[:start] + str(out) + word[end + 1:]
            words.append(filled(word, values))
        try:
            run = subprocess.run(words, capture_output=True, timeout=self.timeout, stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired as error:
            raise Failed(f"no answer within {self.timeout} s") from error
        except OSError as error:
            raise Failed(f"it cannot be run: {error.strerror}") from error
        last = (run.stderr.decode("utf-8", "replace").strip().splitlines() or ["it says nothing"])[-1]
        if run.returncode < 0:
            raise Failed(f"ended by signal {-run.returncode}")
        if run.returncode:
            raise Refused(f"exit code {run.returncode}: {last}")
        data = run.stdout if out is None else out.read_bytes() if out.is_file() else b""
        if not data:
            raise Failed(f"exit code 0, but no answer: {last}")
        return read(data)


def read(data):
    try:
        return samples.read(data)
    except samples.Unreadable as error:
        raise Failed(f"the answer cannot be read: {error}") from error


def filled(text, values):
    """Replaces the known words in braces."""
    return re.sub(r"{(\w+)}", lambda match: str(values.get(match[1], match[0])), text)


def stop(message, code=USAGE):
    print(f"run.py: {message}", file=sys.stderr)
    raise SystemExit(code)
