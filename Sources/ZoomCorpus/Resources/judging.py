"""Reads the conformance set, and judges answers by it; run.py uses it."""
import hashlib
import json
import sys

import samples
from samples import NoAnswer

USAGE, DAMAGED = 64, 65


class Judge:
    """Judges the rows of one picture, of each level the whole first."""

    def __init__(self, decoder, folder, index, picture):
        self.decoder, self.folder, self.picture = decoder, folder, picture
        trap = next(trap for trap in index["traps"] if trap["name"] == picture["trap"])
        differences = [index["differences"][name] for name in trap["differences"]]
        self.views = [each for each in differences if "view" in each]
        self.bounds = [each for each in differences if "view" not in each]
        self.stored = self.expected(picture["rows"][0]).turned(picture["orientation"])
        self.is_unturned = False
        self.firsts = {row["level"]: row["name"] for row in reversed(picture["rows"])}
        # The answers for whole pictures by level, None for one that failed; if it is only allowed, the level is loose.
        self.wholes, self.loose = {}, set()

    def read(self, data, row):
        return samples.read(data, row["width"], row["height"], self.picture["bands"], self.picture["sample"])

    def expected(self, row):
        return self.read(checked(self.folder / row["expected"], row["sha256"]), row)

    def judge(self, row):
        """Returns a word and an explanation."""
        if not self.decoder.asks(row):
            return "not asked", "smaller copies need {level} or {reduction}"
        right, bottom = row["x"] + row["width"], row["y"] + row["height"]
        if self.is_unturned and (right > self.stored.width or bottom > self.stored.height):
            return "not asked", "the region is not in the picture as stored, which the decoder shows"
        is_whole = row["name"] == self.firsts[row["level"]]
        try:
            result = self.compare(row, self.read(self.decoder.answer(self.picture, row), row), is_whole)
        except NoAnswer as answer:
            result = answer.args
        if is_whole and result[0] == "FAILED":
            self.wholes[row["level"]] = None
        return result

    def compare(self, row, answer, is_whole):
        expected, place = self.expected(row), [row[key] for key in ("x", "y", "width", "height")]
        # Other formats than these say that 0 is black.
        views = [each for each in self.views if each["view"] != "negative" or answer.is_stored]
        if self.decoder.is_aligned:
            answer = answer.last(row["width"], row["height"])
        if is_whole:
            self.wholes[row["level"]] = answer
            # As stored, it may be wider than what is asked for.
            if (answer.width, answer.height) == (self.stored.width, self.stored.height):
                place[2:] = answer.width, answer.height
        nearest = []
        for view in [None, *views]:
            name = view["view"] if view else "as-expected"
            seen = self.stored.part(*place) if name == "unturned" else samples.VIEWS[name](expected)
            # A decoder that does not turn the picture may pad what it does not have of the region.
            is_padded = (answer.width, answer.height) == (row["width"], row["height"])
            given = seen and (answer.part(0, 0, seen.width, seen.height) if is_padded else answer).like(seen)
            # The lower bytes of 16 bits made of 8 are the same bytes or 0.
            is_reduced = name == "eight-bits" and answer.top == expected.top
            if not given or is_reduced and all(any(value % step for value in answer.values) for step in (256, 257)):
                continue
            # Not by the difference, which NaN hides.
            if view is None and given.values == seen.values:
                return self.consistent(row, answer, 0, "")
            largest, mean = given.difference(seen)
            excesses = []
            for bound in [None, *(each for each in self.bounds if row["level"] or "levels" not in each)]:
                used = [each for each in (view, bound) if each]
                if not (used and largest <= sum(e["largest"] for e in used) and mean <= sum(e["mean"] for e in used)):
                    continue
                # Regions are compared with the whole, which has more samples to judge colours by.
                excesses = list(given.excesses(seen, used)) if is_whole else []
                if not excesses:
                    self.is_unturned |= name == "unturned"
                    if is_whole:
                        self.loose.add(row["level"])
                    return self.consistent(row, answer, largest, " and ".join(each["family"] for each in used))
            nearest.append((mean, largest, excesses))
        if nearest:
            mean, largest, excesses = min(nearest)
            return "FAILED", "; ".join([f"samples differ by up to {largest:.4g} levels, {mean:.3g} on average", *excesses])
        shape = f"{answer.width}x{answer.height} of {answer.bands} bands"
        return "FAILED", f"{shape} instead of {expected.width}x{expected.height} of {expected.bands}"

    def consistent(self, row, answer, largest, family):
        """Compares an answer, exact or of a family, with the same part of the whole one; a view alone needs none."""
        if not family and row["level"] not in self.loose:
            return "exact", ""
        whole = self.wholes.get(row["level"])
        own = whole and whole.part(row["x"], row["y"], answer.width, answer.height)
        # Encoders leave out what a part does not need, such as alpha that is opaque.
        given = own and (answer.like(own) or answer.part(0, 0, own.width, own.height))
        own = own and own.like(given)
        if not own and (largest or row["level"] in self.wholes):
            return "FAILED", "the decoder's whole picture, to compare with, is missing, failed or of another form"
        if own and given.values != own.values:
            largest, mean = given.difference(own)
            return "FAILED", f"differs from its own whole picture by up to {largest:.4g} levels, {mean:.3g} on average"
        return ("allowed", family) if family else ("exact", "")


def read_index(folder):
    try:
        regions = json.loads((folder / "regions.json").read_bytes())
        return {**json.loads(checked(folder / "traps.json", regions["trapsSHA256"])), **regions}
    except (OSError, ValueError, KeyError, TypeError) as error:
        stop(f"regions.json: {error!r} (get a complete copy)", DAMAGED)


def checked(file, digest):
    """Returns the bytes of a file of the set."""
    try:
        data = file.read_bytes()
    except OSError as error:
        stop(f"{file}: {error.strerror} (get a complete copy)", DAMAGED)
    if hashlib.sha256(data).hexdigest() != digest:
        stop(f"{file}: it has other bytes than regions.json says (get a complete copy)", DAMAGED)
    return data


def stop(message, code=USAGE):
    print(f"run.py: {message}", file=sys.stderr)
    raise SystemExit(code)
