"""Asks decoders for regions: commands, servers and folders of answers; run.py uses it."""
import hashlib
import re
import shlex
import shutil
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import samples

USAGE = 64
KNOWN = {"file", "name", "stem", "x", "y", "w", "h", "right", "bottom", "level", "reduction"}


class Refused(Exception):
    """The decoder says that it has no answer."""


class Failed(Exception):
    """The decoder crashed, took too long, or gave something that is no picture."""


class Decoder:
    """Answers a row of regions.json with samples, or with the digest of raw samples."""

    def __init__(self, options, folder, scratch):
        what = self.what = options.decoder
        self.folder, self.scratch, self.timeout = folder, scratch, options.timeout
        self.is_aligned = options.aligned
        self.is_server = what.startswith(("http://", "https://"))
        self.answers = None if self.is_server or "{" in what else Path(what)
        if self.answers and not self.answers.is_dir():
            stop(f"{what}: neither a folder nor a command with {{file}}")
        self.words = [] if self.is_server or self.answers else shlex.split(what)
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
        if self.answers:
            return self.from_folder(row["name"])
        file = self.folder / row["file"]
        values = {**row, "file": file, "name": file.name, "stem": file.stem, "w": row["width"], "h": row["height"],
                  "right": row["x"] + row["width"], "bottom": row["y"] + row["height"]}
        return self.from_server(values) if self.is_server else self.from_command(values, row["name"])

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
        place = re.search(r"{out(\.\w+)?}", self.what)
        out = place and self.scratch / (name + (place[1] or ".png"))
        words = [filled(word.replace(place[0], str(out)) if place else word, values) for word in self.words]
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
    return re.sub(r"{(\w+)}", lambda match: str(values[match[1]] if match[1] in KNOWN else match[0]), text)


def stop(message, code=USAGE):
    print(f"run.py: {message}", file=sys.stderr)
    raise SystemExit(code)
