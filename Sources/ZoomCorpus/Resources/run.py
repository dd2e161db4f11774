#!/usr/bin/env python3
"""Judges a decoder by the regions of this folder. Needs Python 3.9 or later, and nothing else.

    run.py 'mydecoder {file} {x} {y} {w} {h} {out.ppm}'
    run.py 'http://localhost:8182/{name}/{x},{y},{w},{h}/max/0/default.png'
    run.py answers/            one file for each region, such as answers/chroma-420.3.ppm (.png, .pgm, .pam, .pnm, .raw)

A command is split as a shell would and run without one, once for each region. {file} is the picture; {name} and {stem}
are its name with and without its suffix; {right} and {bottom} are the first column and row after the region; {level} is
the number of the smaller copy that is asked for, {reduction} its factor. Regions of smaller copies are asked only if
one of these two is named. The answer is the file {out.ppm}, of any suffix, or else what the command writes to its
standard output: PNG, PGM, PPM, PAM or raw samples, as README.md describes them.

A region is exact, allowed, refused (by a server: 400, 404, 415 or 501) or has failed; README.md says when.
Exit codes: 0 nothing failed, 1 something did, 2 nothing was judged, 64 wrong usage, 65 the set is damaged.
"""
import argparse
import concurrent.futures
import contextlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import report
import samples
from judging import Judge, checked, read_index, stop
from samples import NoAnswer

NOTHING_JUDGED = 2
# The suffixes of answers in a folder.
SUFFIXES = (".png", ".pgm", ".ppm", ".pam", ".pnm", ".raw")
# The words that commands and addresses may have in braces.
KNOWN = {"file", "name", "stem", "x", "y", "w", "h", "right", "bottom", "level", "reduction"}


class Decoder:
    """Answers a row of regions.json with the bytes of a picture or of raw samples."""

    def __init__(self, options, folder, scratch):
        what = self.what = options.decoder
        self.folder, self.scratch, self.timeout = folder, scratch, options.timeout
        self.is_aligned = options.aligned
        self.is_server = what.startswith(("http://", "https://"))
        self.answers = None if self.is_server or "{" in what else Path(what)
        if self.answers and not (what and self.answers.is_dir()):
            stop(f"{what!r}: neither a folder nor a command with {{file}}")
        try:
            self.words = [] if self.is_server or self.answers else shlex.split(what)
        except ValueError as error:
            stop(f"{what}: {error}")
        if self.words and not shutil.which(self.words[0]):
            stop(f"{self.words[0]}: it is not installed, or cannot be run")
        # Words with spaces may be programs of a shell or of awk, which use braces themselves.
        texts = [what] if self.is_server else [word for word in self.words if " " not in word]
        for name in re.findall(r"{([\w.-]+)}", " ".join(texts)):
            if name not in KNOWN and (self.is_server or not re.fullmatch(r"out(\.\w+)?", name)):
                stop(f"{{{name}}} stands for nothing (there are {', '.join(sorted(KNOWN))} and, in commands, out)")
        if len(set(re.findall(r"{out(?:\.\w+)?}", what))) > 1:
            stop("a command has one {out}, of one suffix")
        self.running, self.starting = set(), threading.Lock()

    def asks(self, row):
        return bool(row["level"] == 0 or self.answers or "{level}" in self.what or "{reduction}" in self.what)

    def answer(self, picture, row):
        if self.answers:
            return self.from_folder(row["name"])
        file = self.folder / picture["file"]
        values = {**row, "file": file, "name": file.name, "stem": file.stem, "w": row["width"], "h": row["height"],
                  "right": row["x"] + row["width"], "bottom": row["y"] + row["height"]}
        return self.from_server(values) if self.is_server else self.from_command(values, row["name"])

    def from_folder(self, name):
        found = [file for file in (self.answers / (name + suffix) for suffix in SUFFIXES) if file.exists()]
        if not found:
            raise NoAnswer("refused", "there is no such file")
        # A pipe may never be written.
        if len(found) > 1 or not (found[0].is_file() and os.access(found[0], os.R_OK)):
            stop(f"{found[0]}: one of two answers, or not a file that can be read")
        return drained(found[0].open("rb"))

    def from_server(self, values):
        address = filled(self.what, {key: urllib.parse.quote(str(value), safe="") for key, value in values.items()})
        try:
            # In a separate thread, because urlopen's timeout is that of each read.
            return started(lambda: drained(urllib.request.urlopen(address, timeout=self.timeout))).result(self.timeout)
        except urllib.error.HTTPError as error:
            refuses = error.code in (400, 404, 415, 501)
            raise NoAnswer("refused" if refuses else "FAILED", f"status {error.code}") from error
        except concurrent.futures.TimeoutError as error:
            raise NoAnswer("FAILED", f"no answer within {self.timeout} s") from error
        except Exception as error:  # Wrong addresses, also of redirections, give many kinds.
            raise NoAnswer("FAILED", f"no answer: {error}") from error

    def from_command(self, values, name):
        place = re.search(r"{out(\.\w+)?}", self.what)
        out = place and self.scratch / (name + (place[1] or ".png"))
        words = [filled(word.replace(place[0], str(out)) if place else word, values) for word in self.words]
        try:
            # In its own session, a shell can be ended together with its children.
            with self.starting:
                run = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                       start_new_session=True)
                self.running.add(run)
        except OSError as error:
            raise NoAnswer("FAILED", f"it cannot be run: {error.strerror}") from error
        parts = [started(drained, run.stdout), started(drained, run.stderr), started(run.wait)]
        if is_late := bool(concurrent.futures.wait(parts, self.timeout).not_done):
            end(run)
        self.running.discard(run)
        if is_late:
            raise NoAnswer("FAILED", f"no answer within {self.timeout} s")
        output, errors, _ = (part.result() for part in parts)
        data = output if out is None else b""
        with contextlib.suppress(OSError):
            if out and out.is_file():
                data = drained(out.open("rb"))
        if samples.MOST in (len(output), len(data)):
            raise NoAnswer("FAILED", f"an answer of {samples.MOST >> 20} MB or more")
        last = (errors.decode("utf-8", "replace").strip().splitlines() or ["it says nothing"])[-1]
        # A shell adds 128 to the signal that ended a program.
        number = -run.returncode if run.returncode < 0 else run.returncode - 128
        if 0 < number < 32:
            raise NoAnswer("FAILED", f"ended by signal {number}: {last}")
        if run.returncode:
            raise NoAnswer("refused", f"exit code {run.returncode}: {last}")
        if not data:
            raise NoAnswer("FAILED", f"exit code 0, but no readable answer: {last}")
        return data


def started(function, *arguments):
    """Returns the future result of a function in a thread that may be left behind."""
    result = concurrent.futures.Future()

    def work():
        try:
            result.set_result(function(*arguments))
        except Exception as error:
            result.set_exception(error)

    threading.Thread(target=work, daemon=True).start()
    return result


def drained(file):
    """Returns the first bytes of a file, and closes it, which ends a command that writes more."""
    with file:
        return file.read(samples.MOST)


def end(run):
    """Ends a command and its children, if there are any left."""
    with contextlib.suppress(ProcessLookupError):
        if os.name == "posix":
            os.killpg(run.pid, signal.SIGKILL)
        run.kill()


def filled(text, values):
    """Replaces the known words in braces."""
    return re.sub(r"{(\w+)}", lambda match: str(values[match[1]] if match[1] in KNOWN else match[0]), text)


def write(name, data, mode="wb"):
    try:
        with open(name, mode) as file:
            file.write(data)
    except OSError as error:
        stop(f"{name}: {error.strerror}")


def main():
    # The output's encoding may lack letters of file names.
    sys.stdout.reconfigure(errors="replace")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("decoder", help="a command, an address or a folder")
    parser.add_argument("--traps", type=re.compile(r"[^\s,]+").findall, default=[""],
                        help="only these, comma-separated; a name's beginning will do")
    parser.add_argument("--jobs", type=int, default=2, help="commands at a time (2)")
    parser.add_argument("--timeout", type=float, default=30, help="seconds for an answer (30)")
    parser.add_argument("--aligned", action="store_true", help="an answer may begin earlier: its last pixels count")
    parser.add_argument("--strict", action="store_true", help="a refusal is a failure")
    parser.add_argument("--junit", metavar="FILE", help="write JUnit's XML")
    parser.add_argument("--json", metavar="FILE", help="write the result of each region")
    parser.error = stop
    options = parser.parse_args()
    folder = Path(__file__).resolve().parent
    index = read_index(folder)
    if not 0 < options.timeout <= 86_400:
        stop("--timeout: seconds above 0, and at most a day")
    traps = [trap["name"] for trap in index["traps"]]
    for name in options.traps or [","]:
        if not any(trap.startswith(name) for trap in traps):
            stop(f"no trap is named {name} (there are {', '.join(traps)})")
    chosen = [each for each in index["pictures"] if each["trap"].startswith(tuple(options.traps))]
    for picture in chosen:
        checked(folder / picture["file"], picture["sha256"])
    with tempfile.TemporaryDirectory(prefix="conformance.") as scratch:
        decoder = Decoder(options, folder, Path(scratch))
        for name in filter(None, (options.junit, options.json)):
            is_new = not os.path.lexists(name)
            # Old reports are kept until there are new ones.
            write(name, b"", "ab")
            if is_new:
                os.unlink(name)

        def interrupt(number, _):
            with decoder.starting:
                for run in list(decoder.running):
                    end(run)
                shutil.rmtree(scratch, ignore_errors=True)
                os._exit(128 + number)

        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, interrupt)

        def judge(picture):
            judge = Judge(decoder, folder, index, picture)
            return [(row["name"], judge.judge(row)) for row in picture["rows"]]

        with concurrent.futures.ThreadPoolExecutor(max(1, options.jobs)) as pool:
            results = dict(pair for some in pool.map(judge, chosen) for pair in some)
    if options.strict:
        results = {name: ("FAILED" if result == "refused" else result, why) for name, (result, why) in results.items()}
    print("\n".join(report.table(index, results, options.decoder)))
    known = {row["name"] + suffix for picture in index["pictures"] for row in picture["rows"] for suffix in SUFFIXES}
    if unused := decoder.answers and sorted({file.name for file in decoder.answers.iterdir()} - known):
        print(f"\nfiles that are not a region's: {len(unused)}, such as {report.printable(unused[0])}")
    for name, data in (options.junit, report.junit(index, results)), (options.json, json.dumps(results, indent=1).encode()):
        if name:
            write(name, data)
    judged = {result for result, _ in results.values()} & {"exact", "allowed", "FAILED"}
    sys.exit(1 if "FAILED" in judged else 0 if judged else NOTHING_JUDGED)


if __name__ == "__main__":
    main()
