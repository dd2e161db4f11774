"""Tries the rule on tests that can and cannot fail."""
import pathlib
import unittest

from check import exceptions, findings
from swift_source import parse

FIXTURE = pathlib.Path(__file__).resolve().parent / "Fixture"


def tests(text):
    """The line after which each test begins, by its name."""
    return {one.name: one.line for kind in parse(text) if kind.kind == "type" for one in kind.body
            if one.kind == "func" and (one.prefix and one.prefix[0].text == "@" or one.name.startswith("test"))}


class CheckTests(unittest.TestCase):
    def found(self, name):
        text = (FIXTURE / name).read_text()
        listed = list(findings([(f"Fixture/{name}", text)]))
        starts = sorted((line, test) for test, line in tests(text).items())
        # A finding is in the last test that begins before it.
        places = {}
        for finding in listed:
            before = [test for line, test in starts if line <= finding.line]
            places.setdefault(before[-1] if before else finding.name, []).append(finding)
        return set(tests(text)), places

    def test_every_test_that_cannot_fail_is_listed(self):
        named, places = self.found("CannotFail.swift")
        self.assertGreater(len(named), 15)
        self.assertEqual(set(), named - set(places))
        self.assertIn("expectSmall", places)

    def test_no_test_that_can_fail_is_listed(self):
        named, places = self.found("CanFail.swift")
        self.assertGreater(len(named), 15)
        self.assertEqual({}, places)

    def test_a_sentence_that_never_runs_is_listed(self):
        text = "struct A {\n  func `it holds`() { #expect(a) }\n  @Test func `it runs`() { #expect(a) }\n}\n"
        self.assertEqual(["it holds"], [finding.name for finding in findings([("Tests/A.swift", text)])])

    def test_exceptions_have_a_place_and_a_reason(self):
        listed = exceptions("# why\n\nTests/A.swift: a name: with -- dashes -- it is counted\n")
        self.assertEqual({"Tests/A.swift: a name: with -- dashes": "it is counted"}, listed)

    def test_brackets_that_do_not_match_are_refused(self):
        with self.assertRaises(ValueError):
            parse("struct A { func a() { ) }")


if __name__ == "__main__":
    unittest.main()
