"""Finds tests, and helpers of tests, that may end without having evaluated an expectation."""
from dataclasses import dataclass

from always_true import condition, flat
from paths import FAILS, Paths, closure_body, callee
from symbols import Symbols, split
from swift_source import parse

PRIVATE = {"private", "fileprivate"}
EXPECTING = ("expect", "check", "assert", "verify", "require")


@dataclass(frozen=True)
class Finding:
    file: str
    line: int
    name: str
    reason: str

    def __str__(self):
        return f"{self.file}:{self.line}: {self.name}: {self.reason}"


def arguments(function):
    """The collections that a test is run for, and whether it is a test."""
    for place, item in enumerate(function.prefix):
        if item.kind == "name" and item.text == "Test" and place and function.prefix[place - 1].text == "@":
            after = function.prefix[place + 1] if place + 1 < len(function.prefix) else None
            if after is None or after.text != "(":
                return True, []
            parts = split(after.items)
            found = [place for place, part in enumerate(parts) if [item.text for item in part[:2]] == ["arguments", ":"]]
            return True, [parts[found[0]][2:]] + parts[found[0] + 1:] if found else []
    return False, []


def items_of(statements):
    """All items of statements, with those inside brackets."""
    def within(items):
        for place, item in enumerate(items):
            yield items, place
            if item.kind == "group":
                yield from within(item.items)

    for one in statements:
        yield from within(one.items)
        for inner in (one.body, one.orelse, *(body for _, body in one.cases)):
            if inner:
                yield from items_of(inner)


class Rule:
    """Holds all files of tests; `support` are files whose constants are known, too."""

    def __init__(self, tests, support=()):
        self.files = {file: parse(text) for file, text in tests}
        self.symbols = Symbols()
        for file, statements in self.files.items():
            self.symbols.add(statements, file)
        for file, text in support:
            self.symbols.add(parse(text), file, has_bodies=False)
        self.answers, self.closures = {}, {}

    def candidates(self, name, file):
        """The functions that a name may mean: those of the file, else of the test target, else all.

        A name that the product has, too, means a function of tests only in the file that declares it.
        """
        found = [one for one in self.symbols.functions.get(name, []) if one[1].body is not None]
        own = [one for one in found if one[0] == file]
        if own or name in self.symbols.of_product:
            return own
        found = [one for one in found if not any(item.text in PRIVATE for item in one[1].prefix)]
        target = file.split("/")[:2]
        return [one for one in found if one[0].split("/")[:2] == target] or found

    def helper(self, name, file):
        """Whether a function always expects.

        An overload that calls the others is what they are; a function that only calls itself does not expect.
        """
        answers = [self.helper_answer(file, one) for file, one in self.candidates(name, file)]
        answers = [answer for answer in answers if answer != "in progress"]
        if not answers or "no" in answers:
            return "no"
        return "yes" if all(answer == "yes" for answer in answers) else "unless it throws"

    def helper_answer(self, file, one):
        key = id(one)
        if key not in self.answers:
            self.answers[key] = "in progress"
            ways = self.paths(file, one).leave(one.body)
            expects = "unless it throws" if "throw" in ways else "yes"
            self.answers[key] = "no" if {"fall", "return"} & ways else expects
        return self.answers[key]

    def runs(self, name, file):
        """Whether a function always calls a closure that it is given."""
        found = self.candidates(name, file)
        return bool(found) and all(self.runs_answer(file, one) for file, one in found)

    def runs_answer(self, file, one):
        key = id(one)
        if key not in self.closures:
            self.closures[key] = False
            groups = [item for item in one.items if item.kind == "group" and item.text == "("]
            names = set()
            for part in split(groups[0].items) if groups else []:
                colon = [place for place, item in enumerate(part) if item.text == ":"]
                if colon and any("->" in item.text for item in part):
                    names.add(part[colon[0] - 1].text)
            if names:
                paths = Paths(lambda name: "no", lambda name: self.runs(name, file), self.filled(file), names)
                self.closures[key] = not {"fall", "return"} & paths.leave(one.body)
        return self.closures[key]

    def filled(self, file):
        return lambda items: self.symbols.filled(items, file)

    def paths(self, file, function=None):
        scope = f"{file}#{function.line}" if function else file
        return Paths(lambda name: self.helper(name, file), lambda name: self.runs(name, file), self.filled(scope))

    def findings(self):
        """All findings of all files, in their order."""
        for file, statements in self.files.items():
            yield from self.of_block(file, statements, is_case=False)

    def of_block(self, file, statements, is_case):
        for one in statements:
            if one.kind == "type":
                yield from self.of_block(file, one.body, any(item.text == "XCTestCase" for item in one.items))
            elif one.kind == "func" and one.body is not None:
                is_test, collections = arguments(one)
                is_test = is_test or is_case and one.name.startswith("test")
                yield from self.of_function(file, one, is_test, collections)

    def of_function(self, file, one, is_test, collections):
        if not is_test and (one.name.lstrip("_").startswith(EXPECTING) is False or not self.mentions(file, one.body)):
            return
        for collection in collections:
            if self.symbols.is_filtered(collection, file) and not self.symbols.filled(collection, file):
                yield Finding(file, one.line, one.name, "may be run for no argument")
        ways = self.paths(file, one).leave(one.body)
        if {"fall", "return"} & ways:
            what = "can end without an expectation" if self.mentions(file, one.body) else "has no expectation"
            yield Finding(file, one.line, one.name, what)

        yield from self.of_lists(file, one)
        yield from self.of_properties(file, one)

    def of_lists(self, file, one):
        """What is expected of all elements of a filtered list, if no expectation counts them."""
        conditions = [condition(items[place + 1]) for items, place in items_of(one.body)
                      if items[place].text in ("#expect", "#require") and items[place + 1].kind == "group"]
        for what in conditions:
            if [item.text for item in what[-3:]] != [".", "allSatisfy", "{"]:
                continue
            listed, scope = what[:-3], f"{file}#{one.line}"
            if not self.symbols.is_filtered(listed, scope) or self.symbols.filled(listed, scope):
                continue
            names = set(flat(listed)) - {"zip", "(", "end", ".", ",", "dropFirst", "dropLast"}
            counted = {"isEmpty", "count"} & names or any(
                names & set(flat(other)) and {"isEmpty", "count", "first", "=="} & set(flat(other))
                for other in conditions if other is not what)
            if not counted:
                yield Finding(file, what[0].line, one.name, "says nothing of a list that may be empty")

    def of_properties(self, file, one):
        """Properties that can give up before an expectation where code under test gives nothing."""
        paths = self.paths(file, one)
        paths.counted = FAILS | {"require"}
        for items, place in items_of(one.body):
            if items[place].text != "{" or callee(items, place)[0] not in ("expectForAll", "check"):
                continue
            for each in closure_body(items[place]):
                binds = each.kind == "guard" and {"let", "case"} & {item.text for item in each.items}
                if binds and "return" in paths.leave(each.orelse):
                    yield Finding(file, each.line, one.name, "a property that can give up in each case")
                if paths.leave_one(each) <= {"throw"}:
                    break

    def mentions(self, file, statements):
        """Whether there is any expectation at all in statements."""
        paths = self.paths(file)

        def within(items):
            return paths.expects(items) or any(item.kind == "group" and within(item.items) for item in items)

        return any(
            within(one.items) or any(self.mentions(file, inner) for inner in
                                     (one.body, one.orelse, *(body for _, body in one.cases)) if inner)
            for one in statements if one.kind != "type")
