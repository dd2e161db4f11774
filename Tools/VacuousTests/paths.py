"""Finds out whether a block can be left without an expectation having been evaluated.

A block is followed along every path that has met no expectation yet. The result is the set of ways in which such a path
leaves the block: "fall" (past its end), "return", "break", "continue" (both also with a label) and "throw". An error
that leaves a test fails it, so "throw" is no harm there.
"""
from swift_source import block

FAILS = {"#expect", "#require", "XCTFail", "XCTUnwrap", "fatalError", "preconditionFailure", "withKnownIssue",
         "expectForAll", "expectConforms", "confirmation"}
# These run their closure, or all that is added to them, before they return.
RUNS = {"addTask", "concurrentPerform", "autoreleasepool", "Task", "run", "detached"}
EACH = {"forEach", "map", "flatMap", "compactMap", "filter"}
NOT_IN_HEADER = {"for", "if", "let", "var", "switch", "while", "guard", "return", "try", "await"}


def closure_body(group):
    """The statements of a closure, without its parameters."""
    for place, item in enumerate(group.items):
        if item.kind == "name" and item.text == "in":
            return block(group.items[place + 1:])
        if item.kind in ("string", "number") or item.text in NOT_IN_HEADER or item.text == "{":
            break
    return block(group.items)


def callee(items, place):
    """The name that is called with the closure or the arguments at this place, and its place."""
    place -= 1
    while place >= 0 and items[place].kind == "group" and items[place].text != "{":
        place -= 1
    # Of several closures each but the first has a label.
    while place >= 1 and items[place].text == ":":
        place -= 2
        while place >= 0 and items[place].kind == "group":
            place -= 1
    if place >= 0 and items[place].kind == "name":
        return items[place].text, place
    return None, place


class Paths:
    """Knows what counts as an expectation in one file.

    `helper(name)` says whether a function always expects: "yes", "unless it throws" or "no"; `runs(name)` whether it
    always calls the closures that it is given; `filled(items)` whether a collection is certainly not empty.
    """

    def __init__(self, helper, runs, filled, counted=FAILS):
        self.helper, self.runs, self.filled, self.counted = helper, runs, filled, counted

    def expects(self, items):
        """Whether evaluating an expression to its end always evaluates an expectation."""
        swallows = False
        for place, item in enumerate(items):
            after = items[place + 1] if place + 1 < len(items) else None
            if item.kind == "name":
                if item.text in self.counted or item.text.startswith("XCTAssert"):
                    return True
                if item.text == "Issue" and after is not None and after.text == ".":
                    return True
                if item.text == "try" and after is not None and after.text == "?":
                    swallows = True
                if after is not None and after.kind == "group" and after.text in "({":
                    answer = self.helper(item.text)
                    if answer == "yes" or answer == "unless it throws" and not swallows:
                        return True
            elif item.kind == "group" and item.text == "{":
                if self.calls(items, place) and not {"fall", "return"} & self.leave(closure_body(item)):
                    return True
            elif item.kind == "group" and self.expects_inside(items, place):
                return True
        return False

    def expects_inside(self, items, place):
        """As `expects`, for arguments, whose closures run if the function that is called runs them."""
        name, start = callee(items, place)
        inner = items[place].items
        for number, item in enumerate(inner):
            if item.kind == "group" and item.text == "{" and (number == 0 or inner[number - 1].text in (",", ":")):
                if self.runs_closure(name, items[:start]) and not {"fall", "return"} & self.leave(closure_body(item)):
                    return True
        return self.expects(inner)

    def calls(self, items, place):
        """Whether a trailing closure is certainly called."""
        name, start = callee(items, place)
        if name is None:
            # A closure that is called where it stands.
            return place + 1 < len(items) and items[place + 1].text == "("
        return self.runs_closure(name, items[:start])

    def runs_closure(self, name, before):
        if name is None:
            return False
        if name in EACH:
            return bool(before) and before[-1].text == "." and self.filled(before[:-1])
        return name in RUNS or name.startswith("with") or self.runs(name)

    @staticmethod
    def may_throw(items):
        for place, item in enumerate(items):
            if item.text == "try" and item.kind == "name":
                if place + 1 == len(items) or items[place + 1].text not in ("?", "!"):
                    return True
            if item.kind == "group" and item.text != "{" and Paths.may_throw(item.items):
                return True
        return False

    def leave(self, statements):
        """Returns how paths without an expectation leave statements."""
        found = set()
        for statement in statements:
            ways = self.leave_one(statement)
            found |= ways - {"fall"}
            if "fall" not in ways:
                return found
        return found | {"fall"}

    def leave_one(self, one):
        if one.kind in ("func", "type"):
            return {"fall"}
        thrown = {"throw"} if self.may_throw(one.items) else set()
        if one.kind == "throw":
            return {"throw"}
        if one.kind == "defer":
            return self.leave(one.body) & {"fall"}
        if one.kind in ("call", "return", "if", "guard", "switch", "while", "for") and self.expects(one.items):
            return set()
        if one.kind == "call":
            return {"fall"} | thrown
        if one.kind == "return":
            return {"return"} | thrown
        if one.kind in ("break", "continue"):
            return {f"{one.kind} {one.name}".strip()}
        if one.kind == "if":
            return self.leave(one.body) | (self.leave(one.orelse) if one.orelse is not None else {"fall"}) | thrown
        if one.kind == "guard":
            return self.leave(one.orelse) | {"fall"} | thrown
        if one.kind == "switch":
            ways = set().union(*(self.leave(body) for _, body in one.cases))
            return {"fall" if way == "break" else way for way in ways} | thrown
        if one.kind == "do":
            ways = self.leave(one.body)
            if one.cases and "throw" in ways:
                ways = ways - {"throw"} | set().union(*(self.leave(body) for _, body in one.cases))
            return ways
        return self.leave_loop(one) | thrown

    @staticmethod
    def keeps_some(condition):
        """Whether a `where` leaves out at most one of several elements, as `where pipeline.name != "naive"` does."""
        texts = [item.text for item in condition]
        return not texts or "!=" in texts and not {"&&", "||"} & set(texts) and condition[-1].kind == "string"

    def leave_loop(self, one):
        ways = self.leave(one.body)
        ends = {"fall", "break", "continue", f"break {one.label}", f"continue {one.label}"}
        runs = one.kind == "repeat" or one.kind == "for" and self.keeps_some(one.where) and self.filled(one.items)
        if one.kind == "while" and [item.text for item in one.items] == ["true"]:
            runs = True
        past = {"fall"} if not runs or ways & ends else set()
        if one.kind == "repeat" and past and self.expects(one.items):
            past = set()
        return ways - ends | past
