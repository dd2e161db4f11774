"""Writes results of the conformance set into a page, between its marks: table.py SET PAGE RESULTS...

RESULTS are the files that run.py --json wrote, each named after its decoder; a file of the same name with the suffix
.version has its version. The page's other text is kept.
"""
import json
import sys
from pathlib import Path

START, END = "<!-- results -->", "<!-- end of results -->"
SIGNS = {"exact": "=", "allowed": "~", "refused": "–", "not asked": ""}


def cell(results):
    """All regions of a trap in one sign each way that occurs: "=~" or "✗3"."""
    words = [result for result, _ in results]
    failed = words.count("FAILED")
    return (f"✗{failed} " if failed else "") + "".join(sign for word, sign in SIGNS.items() if word in words)


def main():
    folder, page = Path(sys.argv[1]), Path(sys.argv[2])
    index = json.loads((folder / "regions.json").read_text("utf-8"))
    files = [Path(name) for name in sys.argv[3:]]
    results = {file.stem: json.loads(file.read_text("utf-8")) for file in files}
    counts = {trap["name"]: sum(row["trap"] == trap["name"] for row in index["rows"]) for trap in index["traps"]}
    lines = [START, "", f"Set {index['version']}: {len(index['rows'])} regions of {len(index['pictures'])} pictures.", ""]
    lines += ["| trap | regions | " + " | ".join(results) + " |", "|---|--:|" + "---|" * len(results)]
    for trap in index["traps"]:
        rows = [row["name"] for row in index["rows"] if row["trap"] == trap["name"]]
        cells = [cell([result[row] for row in rows if row in result]) for result in results.values()]
        lines.append(f"| {trap['name']} | {counts[trap['name']]} | " + " | ".join(cells) + " |")
    lines += ["", "| decoder | version | exact | allowed | refused | failed |", "|---|---|--:|--:|--:|--:|"]
    for file in files:
        words = [result for result, _ in results[file.stem].values()]
        version = file.with_suffix(".version").read_text("utf-8").strip()
        numbers = " | ".join(str(words.count(word)) for word in ("exact", "allowed", "refused", "FAILED"))
        lines.append(f"| {file.stem} | {version} | {numbers} |")
    lines += ["", "The first region of each trap that failed:", ""]
    for name, result in results.items():
        seen = set()
        for row in index["rows"]:
            word, why = result.get(row["name"], ("", ""))
            if word == "FAILED" and row["trap"] not in seen:
                seen.add(row["trap"])
                region = f"{row['x']},{row['y']},{row['width']},{row['height']}"
                lines.append(f"- {name}, {row['trap']}: `{Path(row['file']).name}` {region}: {why}")
    text = page.read_text("utf-8")
    before, rest = text.split(START, 1)
    page.write_text(before + "\n".join(lines) + "\n\n" + END + rest.split(END, 1)[1], "utf-8")


if __name__ == "__main__":
    main()
