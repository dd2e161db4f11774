"""Writes results of the conformance set into a page, between its marks: table.py SET PAGE RESULTS...

RESULTS are the files that run.py --json wrote, each named after its decoder and its version. The page's other text is
kept.
"""
import json
import sys
from pathlib import Path

START, END = "<!-- results -->", "<!-- end of results -->"
SIGNS = {"exact": "=", "allowed": "~", "refused": "–", "not asked": ""}


def cell(words):
    """Returns the results of a trap's regions with one sign for each that occurs: "=~" or "✗3 ="."""
    failed = words.count("FAILED")
    return " ".join(filter(None, [failed and f"✗{failed}", "".join(SIGNS[word] for word in SIGNS if word in words)]))


def main():
    folder, page = Path(sys.argv[1]), Path(sys.argv[2])
    index, traps = (json.loads((folder / name).read_text("utf-8")) for name in ("regions.json", "traps.json"))
    results = {Path(name).stem: json.loads(Path(name).read_text("utf-8")) for name in sys.argv[3:]}
    pictures = index["pictures"]
    counts = f"{sum(len(picture['rows']) for picture in pictures)} regions of {len(pictures)} pictures"
    lines = [START, "", f"Set {index['version']}: {counts}.", "", "| trap | regions | " + " | ".join(results) + " |"]
    lines += ["|---|--:|" + "---|" * len(results)]
    failures = []
    for trap in traps["traps"]:
        chosen = [picture for picture in pictures if picture["trap"] == trap["name"]]
        rows = [(picture["file"], row) for picture in chosen for row in picture["rows"]]
        cells = []
        for name, result in results.items():
            judged = [(file, row, *result[row["name"]]) for file, row in rows if row["name"] in result]
            cells.append(cell([word for _, _, word, _ in judged]))
            for file, row, _, why in [each for each in judged if each[2] == "FAILED"][:1]:
                region = f"{row['x']},{row['y']},{row['width']},{row['height']}"
                failures.append(f"- {name}, {trap['name']}: `{Path(file).name}` {region}: {why}")
        lines.append(f"| {trap['name']} | {len(rows)} | " + " | ".join(cells) + " |")
    lines += ["", "The first region of each trap that failed:", "", *sorted(failures)]
    before, rest = page.read_text("utf-8").split(START, 1)
    page.write_text(before + "\n".join(lines) + "\n\n" + END + rest.split(END, 1)[1], "utf-8")


if __name__ == "__main__":
    main()
