"""Reads Swift into statements: as much as the rules of this folder need.

Types and names are not resolved. The code is formatted by swift-format, which makes the ends of lines reliable.
"""
from dataclasses import dataclass, field

from swift_tokens import Token, group, tokens

MODIFIERS = set("""public package private fileprivate internal open static final nonisolated mutating nonmutating
    override lazy indirect required convenience unowned weak isolated consuming borrowing async""".split())
TYPES = {"struct", "class", "enum", "extension", "protocol", "actor"}
# A line that ends or begins with one of these goes on.
ENDS_OPEN = {"try", "await", "in", "return", "throw", "let", "var", "is", "as", "where", "else", "import", "case"}
BEGINS_OPEN = {"else", "catch", "where", "throws", "rethrows", "is", "as"}


@dataclass
class Statement:
    """A statement of a kind ("if", "for", "call", ...), with the parts that its kind has."""
    kind: str
    line: int
    items: list = field(default_factory=list)
    body: list = None
    orelse: list = None
    cases: list = field(default_factory=list)
    prefix: list = field(default_factory=list)
    name: str = ""
    label: str = ""
    where: list = field(default_factory=list)


class Parser:
    """Splits what is between braces into statements."""

    def __init__(self, items):
        self.items, self.place = items, 0

    def peek(self, offset=0):
        place = self.place + offset
        return self.items[place] if place < len(self.items) else Token("end", "", 0)

    def skip_newlines(self):
        while self.peek().kind == "newline" or self.peek().text == ";":
            self.place += 1

    def statements(self):
        found = []
        while True:
            self.skip_newlines()
            if self.peek().kind == "end":
                return found
            found.append(self.statement())

    def statement(self):
        prefix = self.prefix()
        first = self.peek()
        label = ""
        if first.kind == "name" and self.peek(1).text == ":" and self.peek(2).text in (
                "for", "while", "repeat", "do", "if", "switch"):
            label = first.text
            self.place += 2
            first = self.peek()
        if first.kind == "name":
            parse = getattr(self, "parse_" + first.text, None)
            if first.text in ("func", "init", "subscript", "deinit"):
                parse = self.parse_function
            elif first.text in TYPES and self.peek(1).kind == "name" and self.peek(1).text not in ("func", "var"):
                parse = self.parse_type
            elif first.text in ("return", "throw", "break", "continue"):
                parse = self.parse_jump
            if parse:
                made = parse()
                made.prefix, made.line, made.label = prefix, first.line, label
                return made
        return Statement("call", first.line, self.rest(), prefix=prefix)

    def prefix(self):
        """Takes attributes and modifiers."""
        taken = []
        while True:
            item = self.peek()
            if item.text == "@":
                taken += [item, self.peek(1)]
                self.place += 2
                while self.peek().text == "." and self.peek(1).kind == "name":
                    self.place += 2
                if self.peek().text == "(":
                    taken.append(self.peek())
                    self.place += 1
            elif item.kind == "name" and item.text in MODIFIERS:
                taken.append(item)
                self.place += 1
                if self.peek().text == "(":
                    self.place += 1
            elif taken and item.kind == "newline":
                self.place += 1
            else:
                return taken

    def ends_here(self):
        """Whether the newline at this place ends a statement."""
        before = self.items[self.place - 1]
        offset = 0
        while self.peek(offset).kind == "newline":
            offset += 1
        after = self.peek(offset)
        if after.kind == "end":
            return True
        if after.text in BEGINS_OPEN or after.text == "{" or after.is_binary() or after.text[:1] in ".?:,":
            return False
        if after.kind == "operator" and after.text.startswith("->"):
            return False
        if before.kind == "name" and before.text in ENDS_OPEN or before.text in (",", ":"):
            return False
        return not (before.kind == "operator" and before.space_before and before.text not in ("...", "!"))

    def rest(self):
        """Takes the rest of a statement."""
        taken = []
        while self.peek().kind != "end" and self.peek().text != ";":
            if self.peek().kind == "newline":
                if self.ends_here():
                    break
            else:
                taken.append(self.peek())
            self.place += 1
        return taken

    def until_brace(self, word=None):
        """Takes items up to a brace, or up to a word and the brace after it; returns them and the brace's items."""
        taken = []
        while self.peek().kind != "end":
            item = self.peek()
            self.place += 1
            if item.text == "{" and word is None:
                return taken, item.items
            if word is not None and item.text == word and self.next_is_brace():
                self.skip_newlines()
                self.place += 1
                return taken, self.items[self.place - 1].items
            if item.kind != "newline":
                taken.append(item)
        return taken, []

    def next_is_brace(self):
        offset = 0
        while self.peek(offset).kind == "newline":
            offset += 1
        return self.peek(offset).text == "{"

    def take_word(self, word):
        """Takes a word that may be on the next line."""
        offset = 0
        while self.peek(offset).kind == "newline":
            offset += 1
        if self.peek(offset).text != word:
            return False
        self.place += offset + 1
        return True

    def parse_if(self):
        self.place += 1
        condition, body = self.until_brace()
        made = Statement("if", 0, condition, block(body))
        if self.take_word("else"):
            self.skip_newlines()
            if self.peek().text == "if":
                made.orelse = [self.parse_if()]
            else:
                made.orelse = block(self.peek().items)
                self.place += 1
        return made

    def parse_guard(self):
        self.place += 1
        condition, body = self.until_brace("else")
        return Statement("guard", 0, condition, orelse=block(body))

    def parse_for(self):
        self.place += 1
        items, body = self.until_brace()
        names = [item.text for item in items]
        sequence = items[names.index("in") + 1:] if "in" in names else items
        places = [number for number, item in enumerate(sequence) if item.text == "where"]
        where = sequence[places[0] + 1:] if places else []
        if items and items[0].text == "case":
            where = where + [items[0]]
        return Statement("for", 0, sequence[:places[0]] if places else sequence, block(body), where=where)

    def parse_while(self):
        self.place += 1
        condition, body = self.until_brace()
        return Statement("while", 0, condition, block(body))

    def parse_repeat(self):
        self.place += 1
        _, body = self.until_brace()
        self.take_word("while")
        return Statement("repeat", 0, self.rest(), block(body))

    def parse_do(self):
        self.place += 1
        _, body = self.until_brace()
        made = Statement("do", 0, body=block(body))
        while self.take_word("catch"):
            pattern, caught = self.until_brace()
            made.cases.append((pattern, block(caught)))
        return made

    def parse_switch(self):
        self.place += 1
        subject, body = self.until_brace()
        made, case = Statement("switch", 0, subject), None
        inner = Parser(body)
        while inner.peek().kind != "end":
            inner.skip_newlines()
            inner.prefix()
            if inner.peek().text in ("case", "default"):
                pattern = []
                while inner.peek().kind != "end" and inner.peek().text != ":":
                    pattern.append(inner.peek())
                    inner.place += 1
                inner.place += 1
                case = []
                made.cases.append((pattern, case))
            elif inner.peek().kind != "end":
                (case if case is not None else []).append(inner.statement())
        return made

    def parse_defer(self):
        self.place += 1
        _, body = self.until_brace()
        return Statement("defer", 0, body=block(body))

    def parse_jump(self):
        kind = self.peek().text
        self.place += 1
        if kind in ("break", "continue"):
            made = Statement(kind, 0, [])
            if self.peek().kind == "name":
                made.name = self.peek().text
                self.place += 1
            return made
        # A value may begin on the next line.
        if self.peek().kind == "newline" and self.ends_here():
            return Statement(kind, 0, [])
        self.skip_newlines()
        return Statement(kind, 0, self.rest())

    def parse_function(self):
        name = self.peek()
        if name.text == "func":
            self.place += 1
            name = self.peek()
        self.place += 1
        signature = []
        while self.peek().kind != "end":
            item = self.peek()
            if item.text == "{":
                self.place += 1
                return Statement("func", 0, signature, block(item.items), name=name.text.strip("`"))
            if item.kind == "newline":
                if self.ends_here():
                    break
            else:
                signature.append(item)
            self.place += 1
        return Statement("func", 0, signature, None, name=name.text.strip("`"))

    def parse_type(self):
        kind = self.peek().text
        self.place += 1
        header, body = self.until_brace()
        return Statement("type", 0, header, block(body), name=header[0].text, label=kind)


def block(items):
    return Parser(items).statements()


def parse(text):
    """Returns the statements of a file."""
    return block(group(tokens(text)))
