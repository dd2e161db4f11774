#!/usr/bin/env python3
"""Judges a decoder by the regions of this folder. Needs Python 3.9 or later, and nothing else.

    run.py 'mydecoder {file} {x} {y} {w} {h} {out.ppm}'
    run.py 'http://localhost:8182/{name}/{x},{y},{w},{h}/max/0/default.png'
    run.py answers/                      one file for each region, such as answers/chroma-420.3.ppm

A command is split as a shell would and run without one, once for each region. {file} is the picture; {name} and {stem}
are its name with and without its suffix; {right} and {bottom} are the first column and row after the region; {level} is
the number of the smaller copy that is asked for, {reduction} its factor. Regions of smaller copies are asked only if
one of these two is named. The answer is the file {out.ppm}, of any suffix, or else what the command writes to its
standard output: PNM, PAM, PFM or PNG. In a folder, ROW.raw has raw samples and ROW.sha256 their digest in hexadecimal.

A region is exact; or allowed, if regions.json says that decoders may differ in that way; or refused, if the command
fails without an answer; or it has failed. A region that is allowed must also equal the same part of the decoder's own
answer for the whole picture. Exit codes: 0 nothing failed, 1 something did, 2 nothing was judged, 64 wrong usage, 65 the
set is damaged.
"""
import argparse
import concurrent.futures
import hashlib
import json
import shlex
import subprocess
import sys
import tempfile
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from xml.sax.saxutils import quoteattr

import samples

NOTHING_JUDGED, USAGE, DAMAGED = 2, 64, 65


class Refused(Exception):
    """The decoder says that it has no answer, which is no fault."""


class Failed(Exception):
    """The decoder crashed, took too long, or gave something that is no picture."""


class Decoder:
    """Answers a row of regions.json with samples, or with the digest of raw samples."""

    def __init__(self, what, folder, scratch, timeout):
        self.what, self.folder, self.scratch, self.timeout = what, folder, scratch, timeout
        self.is_server = what.startswith(("http://", "https://"))
        self.answers = None if self.is_server or "{" in what else Path(what)
        if self.answers and not self.answers.is_dir():
            stop(USAGE, f"{what}: neither a folder nor a command with {{file}}")

    def asks(self, row):
        return bool(row["level"] == 0 or self.answers or "{level}" in self.what or "{reduction}" in self.what)

    def answer(self, row):
        file = self.folder / row["file"]
        values = {"file": file, "name": file.name, "stem": file.stem, "w": row["width"], "h": row["height"],
                  "right": row["x"] + row["width"], "bottom": row["y"] + row["height"],
                  **{key: row[key] for key in ("x", "y", "level", "reduction")}}
        if self.answers:
            return self.from_folder(row["name"])
        if self.is_server:
            return self.from_server(values)
        return self.from_command(values, row["name"])

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
        for word in shlex.split(self.what):
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
            stop(USAGE, f"{words[0]}: cannot be run: {error.strerror}")
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
    for key, value in values.items():
        text = text.replace("{" + key + "}", str(value))
    return text


def stop(code, message):
    print(f"run.py: {message}", file=sys.stderr)
    # Also from a thread of the pool, whose other threads would otherwise run all other rows first.
    sys.stderr.flush()
    raise SystemExit(code)


class Judge:
    """Judges the rows of one picture, the whole picture first."""

    def __init__(self, decoder, folder, picture, trap):
        self.decoder, self.folder, self.picture = decoder, folder, picture
        self.views = [each for each in trap["differences"] if "view" in each]
        self.bounds = [each for each in trap["differences"] if "view" not in each]
        self.wholes = {}
        self.expected_whole = None

    def judge(self, row):
        """Returns a word and an explanation."""
        if not self.decoder.asks(row):
            return "not asked", "smaller copies need {level} or {reduction}"
        try:
            answer = self.decoder.answer(row)
            if isinstance(answer, str):
                return ("exact", "") if answer == row["digest"] else ("FAILED", "the digest differs")
            return self.compare(row, answer)
        except Refused as refusal:
            return "refused", str(refusal)
        except Failed as failure:
            return "FAILED", str(failure)

    def compare(self, row, answer):
        expected = samples.read((self.folder / row.get("samples", row["expected"])).read_bytes())
        if self.expected_whole is None:
            self.expected_whole = expected
        whole = self.wholes.setdefault(row["level"], answer)
        nearest = None
        for view in [None, *self.views]:
            seen = self.seen(expected, view, row)
            if seen is None:
                continue
            # A decoder that does not turn the picture may pad what it does not have of the region.
            given = answer.part(0, 0, seen.width, seen.height) if (answer.width, answer.height) == (
                row["width"], row["height"]) else answer
            given = given.like(seen)
            if given is None:
                continue
            largest, mean = given.difference(seen)
            if view is None and largest == 0:
                return "exact", ""
            nearest = min(nearest or (mean, largest), (mean, largest))
            for bound in [None, *self.bounds]:
                used = [each for each in (view, bound) if each]
                if used and largest <= sum(e["largest"] for e in used) and mean <= sum(e["mean"] for e in used):
                    return self.consistent(row, answer, whole, " and ".join(each["family"] for each in used))
        if nearest:
            return "FAILED", f"samples differ by up to {nearest[1]:.4g} levels, {nearest[0]:.3g} on average"
        shape = f"{answer.width}x{answer.height} of {answer.bands} bands"
        return "FAILED", f"{shape} instead of {expected.width}x{expected.height} of {expected.bands}"

    def seen(self, expected, view, row):
        if view is None or view["view"] != "unturned":
            return samples.VIEWS[view["view"]](expected) if view else expected
        stored = self.expected_whole.turned(row["orientation"])
        if row["x"] >= stored.width or row["y"] >= stored.height:
            return None
        return stored.part(row["x"], row["y"], row["width"], row["height"])

    def consistent(self, row, answer, whole, family):
        own = whole.part(row["x"], row["y"], row["width"], row["height"]) if (
            row["x"] < whole.width and row["y"] < whole.height) else None
        given = own and answer.like(own)
        if given and given.values != own.values:
            largest, mean = given.difference(own)
            return "FAILED", f"differs from its own whole picture by up to {largest:.4g} levels, {mean:.3g} on average"
        return "allowed", family


def table(index, results, decoder):
    """Returns the lines of the result, by trap."""
    words = ("exact", "allowed", "refused", "not asked", "FAILED")
    width = max(len(trap["name"]) for trap in index["traps"])
    lines = [f"{'trap':{width}}  " + "  ".join(words)]
    notes = []
    for trap in index["traps"]:
        mine = [(row, *results[row["name"]]) for row in index["rows"] if row["name"] in results and row["trap"] == trap["name"]]
        if not mine:
            continue
        counts = [sum(result == word for _, result, _ in mine) for word in words]
        lines.append(f"{trap['name']:{width}}  " + "  ".join(f"{n or '-':>{len(w)}}" for n, w in zip(counts, words)))
        failed = [(row, why) for row, result, why in mine if result == "FAILED"]
        if failed:
            notes.append(f"\n{trap['name']}: {trap['why']}")
            for row, why in failed[:4]:
                region = f"{row['x']},{row['y']} {row['width']}x{row['height']}"
                notes.append(f"  FAILED {row['name']} ({row['file']} {region}): {printable(why)}")
            if len(failed) > 4:
                notes.append(f"  and {len(failed) - 4} more")
        for reason in sorted({printable(why) for _, result, why in mine if result in ("allowed", "refused")})[:3]:
            notes.append(f"  {trap['name']}: {'allowed for ' if any(why == reason for _, r, why in mine if r == 'allowed') else 'refused: '}{reason}")
    return [f"conformance set {index['version']}: {decoder}", ""] + lines + notes


def printable(text):
    return "".join(c if c.isprintable() else "?" for c in text)[:200]


def junit(index, results):
    cases = []
    for row in index["rows"]:
        if row["name"] not in results:
            continue
        result, why = results[row["name"]]
        inside = {"FAILED": f"<failure message={quoteattr(printable(why))}/>",
                  "refused": f"<skipped message={quoteattr(printable(why))}/>", "not asked": "<skipped/>"}.get(result, "")
        cases.append(f"<testcase classname={quoteattr(row['trap'])} name={quoteattr(row['name'])}>{inside}</testcase>")
    failures = sum(result == "FAILED" for result, _ in results.values())
    skipped = sum(result in ("refused", "not asked") for result, _ in results.values())
    head = f'<testsuite name="conformance" tests="{len(cases)}" failures="{failures}" skipped="{skipped}" errors="0">'
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', head, *cases, "</testsuite>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("decoder", help="a command, an address or a folder")
    parser.add_argument("--traps", help="only these, comma-separated; a name's beginning will do")
    parser.add_argument("--jobs", type=int, default=2, help="commands at a time (2)")
    parser.add_argument("--timeout", type=float, default=30, help="seconds for an answer (30)")
    parser.add_argument("--strict", action="store_true", help="a refusal is a failure")
    parser.add_argument("--junit", metavar="FILE", help="write JUnit's XML")
    parser.add_argument("--json", metavar="FILE", help="write the result of each region")
    options = parser.parse_args()
    folder = Path(__file__).resolve().parent
    index = json.loads((folder / "regions.json").read_text("utf-8"))
    traps = {trap["name"]: trap for trap in index["traps"]}
    wanted = tuple(options.traps.split(",")) if options.traps else ("",)
    chosen = [each for each in index["pictures"] if each["trap"].startswith(wanted)]
    if not chosen:
        stop(USAGE, f"no trap is named {options.traps} (there are {', '.join(traps)})")
    for picture in chosen:
        if hashlib.sha256((folder / picture["file"]).read_bytes()).hexdigest() != picture["sha256"]:
            stop(DAMAGED, f"{picture['file']}: it has other bytes than regions.json says (get a complete copy)")
    with tempfile.TemporaryDirectory(prefix="conformance.") as scratch:
        decoder = Decoder(options.decoder, folder, Path(scratch), options.timeout)

        def judge(picture):
            judge = Judge(decoder, folder, picture, traps[picture["trap"]])
            return [(row["name"], judge.judge(row)) for row in index["rows"] if row["picture"] == picture["name"]]

        with concurrent.futures.ThreadPoolExecutor(max(1, options.jobs)) as pool:
            results = {name: result for some in pool.map(judge, chosen) for name, result in some}
    if options.strict:
        results = {name: ("FAILED", f"refused: {why}") if result == "refused" else (result, why)
                   for name, (result, why) in results.items()}
    print("\n".join(table(index, results, options.decoder)))
    if options.junit:
        Path(options.junit).write_text(junit(index, results), "utf-8")
    if options.json:
        Path(options.json).write_text(json.dumps({name: list(result) for name, result in results.items()}, indent=1), "utf-8")
    judged = [result for result, _ in results.values() if result in ("exact", "allowed", "FAILED")]
    sys.exit(1 if "FAILED" in judged else 0 if judged else NOTHING_JUDGED)


if __name__ == "__main__":
    main()
