"""Writes results as a table and as JUnit's XML; run.py uses it."""
from collections import Counter
from xml.etree import ElementTree


def rows(index, results):
    """Yields each trap, and a file, a row, the result and the reason for each of its regions that has a result."""
    for trap in index["traps"]:
        yield trap, [(picture["file"], row, *results[row["name"]]) for picture in index["pictures"]
                     for row in picture["rows"] if row["name"] in results and picture["trap"] == trap["name"]]


def table(index, results, decoder):
    """Returns the lines of the result, by trap."""
    words = ("exact", "allowed", "refused", "not asked", "FAILED")
    width = max(len(trap["name"]) for trap in index["traps"])
    lines = [f"conformance set {index['version']}: {decoder}", "", f"{'trap':{width}}  " + "  ".join(words)]
    notes = []
    for trap, mine in rows(index, results):
        if not mine:
            continue
        counts = [sum(result == word for _, _, result, _ in mine) for word in words]
        lines.append(f"{trap['name']:{width}}  " + "  ".join(f"{n or '-':>{len(w)}}" for n, w in zip(counts, words)))
        if failed := [(file, row, why) for file, row, result, why in mine if result == "FAILED"]:
            notes.append(f"\n{trap['name']}: {trap['why']}")
        notes += [f"  FAILED {row['name']} ({file} {region(row)}): {printable(why)}" for file, row, why in failed[:4]]
        if len(failed) > 4:
            notes.append(f"  and {len(failed) - 4} more")
        reasons = Counter((result, printable(why)) for *_, result, why in mine if result not in ("exact", "FAILED"))
        for (result, why), _ in reasons.most_common(3):
            notes.append(f"  {trap['name']}: {'allowed for' if result == 'allowed' else result + ':'} {why}")
    return lines + notes


def region(row):
    return f"{row['x']},{row['y']} {row['width']}x{row['height']}"


def printable(text):
    return "".join(c if c.isprintable() else "?" for c in text)[:200]


def junit(index, results):
    """Returns JUnit's XML, in which refusals are skipped tests."""
    suite = ElementTree.Element("testsuite", name="conformance", errors="0")
    for trap, mine in rows(index, results):
        for file, row, result, why in mine:
            name = f"{row['name']} {region(row)}"
            case = ElementTree.SubElement(suite, "testcase", classname=trap["name"], file=file, name=name)
            ElementTree.SubElement(case, "system-out").text = f"{result} {printable(why)}".strip()
            if result not in ("exact", "allowed"):
                outcome = "failure" if result == "FAILED" else "skipped"
                ElementTree.SubElement(case, outcome, message=printable(why))
    for name, tag in ("tests", "testcase"), ("failures", "failure"), ("skipped", "skipped"):
        suite.set(name, str(sum(1 for _ in suite.iter(tag))))
    return ElementTree.tostring(suite, "utf-8")
