"""What the rules know of names: where functions are defined, and what constants are made of."""
from swift_source import block

# Members that keep a collection filled.
KEEPS = {"enumerated", "reversed", "shuffled", "sorted", "map", "lazy", "indices", "utf8", "allCases", "keys", "values",
         "unicodeScalars", "self"}
# Collections of the product and of TestSupport that are never empty, though their values do not show it: regions of any
# picture (TellingRegions), sources (opened throws instead), the tasks of a group, and tables, which are called `all` here.
NUMBERS = {"Int", "Int64", "UInt64", "UInt32", "Double"}
FILLED = {"all", "group", "opened", "pictureReaders", "corners", "edges", "singlePixels", "aroundMCUs", "lines"}


def split(items, separator=","):
    """Splits items at a separator of the same depth."""
    parts = [[]]
    for item in items:
        if item.text == separator and item.kind != "string":
            parts.append([])
        else:
            parts[-1].append(item)
    return [part for part in parts if part]


class Symbols:
    """The constants and functions of some files, by name alone.

    A name is looked up in its own file, where locals count, and after that among the members of all types.
    """

    def __init__(self):
        self.local, self.members, self.functions = {}, {}, {}
        self.known, self.of_product = {}, set()

    def add(self, statements, file, is_body=False, has_bodies=True):
        """Notes what is declared anywhere in statements; without bodies only what types declare."""
        for one in statements:
            if one.kind == "func":
                if has_bodies:
                    self.functions.setdefault(one.name, []).append((file.split("#")[0], one))
                else:
                    self.of_product.add(one.name)
                self.note_computed(one.name, one.body, file, is_body, f"{file}#{one.line}")
            elif one.kind == "call":
                self.note_constants(one, file, is_body)
            if one.kind != "type" and not has_bodies:
                continue
            # The constants of a function are looked up in that function first.
            scope = f"{file}#{one.line}" if one.kind == "func" and not is_body else file
            for inner in (one.body, one.orelse, *(body for _, body in one.cases)):
                if inner:
                    self.add(inner, scope, is_body or one.kind != "type", has_bodies)

    def note(self, name, file, value, is_body, scope=None):
        self.local.setdefault((file, name), []).append((scope or file, value))
        if not is_body:
            self.members.setdefault(name, []).append((scope or file, value))

    def note_constants(self, one, file, is_body):
        items = one.items
        if not items or items[0].text not in ("let", "var"):
            return
        for part in split(items[1:]):
            if not part or part[0].kind != "name":
                continue
            equals = [place for place, item in enumerate(part) if item.text == "=" and item.kind == "operator"]
            if equals:
                self.note(part[0].text, file, part[equals[0] + 1:], is_body)
            elif not equals and part[-1].text == "{":
                self.note_computed(part[0].text, block(part[-1].items), file, is_body)
            else:
                self.note(part[0].text, file, None, is_body)

    def note_computed(self, name, body, file, is_body, scope=None):
        value = None
        if body and body[-1].kind in ("call", "return") and all(one.kind in ("call", "guard") for one in body[:-1]):
            value = body[-1].items
        self.note(name, file, value, is_body, scope)

    def values(self, name, file, decide):
        """What `decide` says of each value that a name may have; of a name that is made of itself it says None."""
        key = (name, file, decide)
        if key not in self.known:
            self.known[key] = [None]
            values = self.local.get((file, name)) or self.local.get((file.split("#")[0], name))
            values = values or self.members.get(name, [])
            self.known[key] = [decide(value, origin) if value else None for origin, value in values]
        return self.known[key]

    def number(self, items, file):
        """The least value of a whole number, if that is known, and otherwise None."""
        items = [item for item in items if item.text not in ("try", "await")]
        if len(items) == 1 and items[0].kind == "group" and items[0].text == "(":
            return self.number(items[0].items, file)
        if len(items) == 1 and items[0].kind == "number":
            try:
                return int(items[0].text.replace("_", ""), 0)
            except ValueError:
                return None
        names = [item.text for item in items]
        if len(items) == 2 and names[0] in NUMBERS and names[1] == "(":
            return self.number(items[1].items, file)
        if names[:3] == ["Thoroughness", ".", "pick"] and len(items) == 4:
            return self.number(split(items[3].items)[0], file)
        if names[-2:] == [".", "count"] and self.filled(items[:-2], file):
            return 1
        if len(items) % 2 and items and items[-1].kind == "name":
            least = self.values(items[-1].text, file, self.number)
            if least and None not in least:
                return min(least)
        return None

    def is_filtered(self, items, file, depth=0):
        """Whether a collection is visibly a part of another one, which may be no part at all."""
        for item in items:
            if item.kind == "group" and self.is_filtered(item.items, file, depth):
                return True
            if item.kind == "name":
                if item.text in ("filter", "compactMap"):
                    return True
                if depth < 3 and (file, item.text) in self.local:
                    if any(self.is_filtered(value or [], file, depth + 1) for _, value in self.local[file, item.text]):
                        return True
        return False

    def filled(self, items, file):
        """Whether a collection is certainly not empty."""
        items = [item for item in items if item.text not in ("try", "await")]
        if not items:
            return False
        texts = [item.text for item in items]
        # a + b, as far as it is not inside brackets.
        for part in split(items, "+")[:9] if "+" in texts else []:
            if self.filled(part, file):
                return True
        if "?" in texts and ":" in texts and texts.index("?") < texts.index(":"):
            start, middle = texts.index("?"), texts.index(":")
            return self.filled(items[start + 1:middle], file) and self.filled(items[middle + 1:], file)
        if "as" in texts:
            return self.filled(items[:texts.index("as")], file)
        for sign in ("...", "..<"):
            if sign in texts:
                place = texts.index(sign)
                # A closed range that would be empty ends the process.
                if sign == "...":
                    return True
                low, high = self.number(items[:place], file), self.number(items[place + 1:], file)
                return low is not None and high is not None and low < high
        if len(items) == 1:
            return self.filled_one(items[0], file)
        last, before = items[-1], items[:-1]
        if last.kind == "group" and last.text in "({":
            return self.filled_call(before, last, file)
        if last.kind == "name" and len(before) >= 2 and before[-1].text == ".":
            if last.text == "allCases":
                return True
            if last.text in KEEPS:
                return self.filled(before[:-1], file)
            return self.filled_name(last.text, file)
        return False

    def filled_one(self, item, file):
        if item.kind == "group" and item.text == "[":
            return bool(item.items) and item.items[0].text != ":"
        if item.kind == "group" and item.text == "(":
            return self.filled(item.items, file)
        if item.kind == "string":
            return len(item.text) > 2
        return item.kind == "name" and self.filled_name(item.text, file)

    def filled_name(self, name, file):
        answers = self.values(name.strip("`"), file, self.filled)
        return name in FILLED or bool(answers) and all(answers)

    def filled_call(self, before, arguments, file):
        given = split(arguments.items)
        if arguments.text == "(" and [item.text for part in given[-1:] for item in part[:2]] == ["count", ":"]:
            # [0](repeating: 0, count: 9)
            number = self.number(given[-1][2:], file)
            return number is not None and number > 0
        if arguments.text == "{" and len(before) > 2 and before[-1].text == "flatMap":
            made = block(arguments.items)
            return self.filled(before[:-2], file) and len(made) == 1 and self.filled(made[0].items, file)
        while before and before[-1].kind == "group" and before[-1].text == "(":
            # A call with arguments and a trailing closure.
            before, arguments = before[:-1], before[-1]
        if not before or before[-1].kind != "name":
            return False
        name = before[-1].text
        if name == "zip":
            return all(self.filled(part, file) for part in split(arguments.items))
        if name == "stride":
            ends = [self.number(part[2:], file) for part in split(arguments.items)]
            return len(ends) == 3 and None not in ends and ends[0] != ends[1]
        if name in ("Array", "Set") and len(before) == 1:
            return self.filled(arguments.items, file)
        if name in ("prefix", "suffix", "random", "sample", "regions") and len(before) > 2 and before[-2].text == ".":
            number = self.number(split(arguments.items)[0], file) if arguments.items else None
            if number is not None:
                return number > 0 and (name in ("random", "sample", "regions") or self.filled(before[:-2], file))
        if name in KEEPS and len(before) > 2 and before[-2].text == ".":
            return self.filled(before[:-2], file)
        return self.filled_name(name, file)
