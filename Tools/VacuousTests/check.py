"""Lists tests that can pass without having tested anything; see ci/check-tests."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import always_true  # noqa: E402
from rule import Finding, Rule  # noqa: E402
from swift_source import parse  # noqa: E402
from swift_tokens import group, tokens  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
TESTS = ["Tests/**/*.swift", "Tools/*/Tests/**/*.swift"]
# Their constants are looked up.
SUPPORT = ["Sources/**/*.swift", "Benchmarks/zoombench/**/*.swift", "Tools/PlantedFaults/*.swift",
           "Tools/Selftest/*.swift", "Tools/ShrinkingChallenge/**/*.swift",
           "Tools/ReferenceServer/**/*.swift"]


def texts(root, patterns):
    return [(str(file.relative_to(root)), file.read_text())
            for pattern in patterns for file in sorted(root.glob(pattern))]


def unmarked(text):
    """Yields the lines and names of methods named by a sentence that no attribute makes tests."""
    for kind in parse(text):
        for one in kind.body if kind.kind == "type" else []:
            if one.kind == "func" and " " in one.name and not any(token.text == "@" for token in one.prefix or []):
                yield one.line, one.name


def findings(tests, support=()):
    """All findings in tests, given as pairs of a path and a text."""
    yield from Rule(tests, support).findings()
    for file, text in tests:
        for line, name in unmarked(text):
            yield Finding(file, line, name, "has no attribute @Test, so it never runs")
        for line, reason in always_true.found(group(tokens(text))):
            yield Finding(file, line, text.splitlines()[line - 1].strip(), f"the expectation {reason}")


def exceptions(text):
    """Reads lines of "FILE: TEST -- REASON"."""
    listed = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            place, reason = line.rsplit(" -- ", 1)
            listed[place] = reason
    return listed


def main(root):
    listed = exceptions((HERE / "exceptions.txt").read_text())
    unused, failed = dict(listed), 0
    for finding in findings(texts(root, TESTS), texts(root, SUPPORT)):
        place = f"{finding.file}: {finding.name}"
        unused.pop(place, None)
        if place not in listed:
            print(f"{finding} (mend it, or list it with a reason in Tools/VacuousTests/exceptions.txt)")
            failed += 1
    for place in unused:
        # No failure: whoever mends a test need not know of the list.
        print(f"exceptions.txt lists what is no finding: {place}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(HERE.parent.parent))
