"""Writes results of the conformance set into a page, between its marks: table.py SET PAGE RESULTS...

RESULTS are the files that run.py --json wrote, each named after its decoder and its version. The page's other text is
kept.
"""
import json
import sys
from pathlib import Path

sys.path.insert(0, sys.argv[1])
import report  # noqa: E402
import run  # noqa: E402

START, END = "<!-- results -->", "<!-- end of results -->"
SIGNS = {"exact": "=", "allowed": "~", "refused": "–", "not asked": ""}


def cell(words):
    """Returns the results of a trap's regions with one sign for each that occurs: "=~" or "✗3 ="."""
    failed = words.count("FAILED")
    return " ".join(filter(None, [failed and f"✗{failed}", "".join(SIGNS[word] for word in SIGNS if word in words)]))


def main():
    folder, page, *names = map(Path, sys.argv[1:])
    index = run.read_index(folder)
    results = {name.stem: json.loads(name.read_text("utf-8")) for name in names}
    pictures = index["pictures"]
    counts = f"{sum(len(picture['rows']) for picture in pictures)} regions of {len(pictures)} pictures"
    lines = [START, "", f"Set {index['version']}: {counts}.", "", "| trap | regions | " + " | ".join(results) + " |"]
    lines += ["|---|--:|" + "---|" * len(results)]
    for columns in zip(*(report.rows(index, result) for result in results.values())):
        trap, mine = columns[0]
        cells = [cell([word for *_, word, _ in regions]) for _, regions in columns]
        lines.append(f"| {trap['name']} | {len(mine)} | " + " | ".join(cells) + " |")
    before, rest = page.read_text("utf-8").split(START, 1)
    page.write_text(before + "\n".join(lines) + "\n\n" + END + rest.split(END, 1)[1], "utf-8")


if __name__ == "__main__":
    main()
