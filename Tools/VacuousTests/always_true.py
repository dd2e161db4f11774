"""Finds expectations that hold whatever the code under test does."""
from symbols import split

COMPARING = {"==", "<=", ">=", "!=", "<", ">"}
NEVER_NEGATIVE = {"count", "area", "byteCount"}


def flat(items):
    """The texts of items, with those inside groups."""
    texts = []
    for item in items:
        texts.append(item.text)
        if item.kind == "group":
            texts += flat(item.items) + ["end"]
    return texts


def condition(arguments):
    """The first argument of an expectation, if it has no label."""
    parts = split(arguments.items)
    if not parts or len(parts[0]) > 1 and parts[0][1].text == ":":
        return []
    return parts[0]


def reason(items):
    """Why a condition is always true, or None."""
    texts = [item.text for item in items]
    if texts == ["true"] or flat(items) == ["Bool", "(", "true", "end"]:
        return "is true"
    if texts[-2:] == ["||", "true"] or texts[:2] == ["true", "||"]:
        return "is true whatever else it says"
    if "??" in texts and texts[-2:] == ["??", "true"]:
        return "holds for nil, too"
    # a?.b != false holds when a is nil.
    if texts[-2:] in (["!=", "false"], ["!=", "true"]) and any(text in ("?", "?.") for text in flat(items)):
        return "holds for nil, too"
    for place, item in enumerate(items):
        if item.kind == "operator" and item.text in COMPARING and item.is_binary():
            left, right = items[:place], items[place + 1:]
            names = flat(left)
            # Calls may give another answer the second time; what only names values cannot.
            if item.text in ("==", "<=", ">=") and names == flat(right) and "(" not in names and "{" not in names:
                return "compares a value with itself"
            if item.text == ">=" and flat(right) == ["0"] and names[-1:] and names[-1] in NEVER_NEGATIVE:
                return "says that a count is not negative"
            break
    return None


def found(items):
    """Returns (line, reason) of every such expectation in items, closures included."""
    for place, item in enumerate(items):
        if item.kind == "name" and item.text in ("#expect", "#require") and place + 1 < len(items):
            after = items[place + 1]
            if after.kind == "group" and after.text == "(":
                why = reason(condition(after))
                if why:
                    yield item.line, why
        if item.kind == "group":
            yield from found(item.items)
