"""Reads Swift into tokens, and groups of what is between brackets."""
import re
from dataclasses import dataclass

TOKEN = re.compile(r"""
    (?P<comment>//[^\n]*)
  | (?P<directive>\#(?:if|elseif|else|endif|available|unavailable|warning|error|sourceLocation)\b[^\n]*)
  | (?P<newline>\n)
  | (?P<space>[ \t\r]+)
  | (?P<name>\#?[A-Za-z_][A-Za-z_0-9]*|`[^`\n]+`|\$[0-9]+)
  | (?P<number>[0-9](?:[0-9A-Fa-f_xob]|\.(?=[0-9])|[eEpP][-+]?(?=[0-9]))*)
  | (?P<bracket>[()\[\]{}])
  | (?P<punctuation>[,;:@])
  | (?P<operator>[-+*/%=<>!&|^~?.]+)
  | (?P<other>.)
""", re.VERBOSE)
REGEX = re.compile(r"/(?![ /*])(?:\\.|[^/\\\n])+/")
EXTENDED_REGEX = re.compile(r"(#+)/.*?/\1", re.DOTALL)
STRING = re.compile(r'(#*)("""|")')
CLOSING = {"(": ")", "[": "]", "{": "}"}

@dataclass
class Token:
    kind: str
    text: str
    line: int
    space_before: bool = False
    space_after: bool = False

    def is_binary(self):
        return self.kind == "operator" and self.space_before and self.space_after


@dataclass
class Group:
    """A pair of brackets and what is between them."""
    text: str
    line: int
    items: list
    kind: str = "group"

    def is_binary(self):
        return False


def skip_string(text, start):
    """Returns the end of the string that begins there; strings inside its interpolations are skipped, too."""
    opening = STRING.match(text, start)
    hashes, quotes = opening.groups()
    end, escape = quotes + hashes, "\\" + hashes
    place = opening.end()
    while place < len(text):
        if text.startswith(end, place):
            return place + len(end)
        if text.startswith(escape + "(", place):
            place += len(escape) + 1
            depth = 1
            while depth and place < len(text):
                if STRING.match(text, place):
                    place = skip_string(text, place)
                    continue
                depth += {"(": 1, ")": -1}.get(text[place], 0)
                place += 1
        elif text.startswith(escape, place):
            place += len(escape) + 1
        else:
            place += 1
    return place


def skip_comment(text, start):
    depth, place = 1, start + 2
    while depth and place < len(text):
        if text.startswith("/*", place):
            depth, place = depth + 1, place + 2
        elif text.startswith("*/", place):
            depth, place = depth - 1, place + 2
        else:
            place += 1
    return place


def tokens(text):
    place, line, found = 0, 1, []
    while place < len(text):
        if STRING.match(text, place):
            kind, end = "string", skip_string(text, place)
        elif text.startswith("/*", place):
            kind, end = "comment", skip_comment(text, place)
        elif EXTENDED_REGEX.match(text, place):
            kind, end = "string", EXTENDED_REGEX.match(text, place).end()
        elif text[place - 1:place] in " (," and REGEX.match(text, place):
            kind, end = "string", REGEX.match(text, place).end()
        else:
            match = TOKEN.match(text, place)
            kind, end = match.lastgroup, match.end()
        if kind not in ("comment", "directive", "space"):
            before = place == 0 or text[place - 1] in " \t\n([{,"
            after = end == len(text) or text[end] in " \t\n)]},"
            found.append(Token(kind, text[place:end], line, before, after))
        line += text.count("\n", place, end)
        place = end
    return found


def group(found):
    """Nests what is between brackets. Raises ValueError if they do not match."""
    stack = [Group("", 1, [])]
    for token in found:
        if token.text in CLOSING and token.kind == "bracket":
            stack.append(Group(token.text, token.line, []))
        elif token.kind == "bracket":
            inner = stack.pop()
            if not stack or CLOSING.get(inner.text) != token.text:
                raise ValueError(f"line {token.line}: {token.text} closes nothing")
            # The newlines inside parentheses mean nothing.
            if inner.text != "{":
                inner.items = [item for item in inner.items if item.kind != "newline"]
            stack[-1].items.append(inner)
        else:
            stack[-1].items.append(token)
    if len(stack) != 1:
        raise ValueError(f"line {stack[-1].line}: {stack[-1].text} is not closed")
    return stack[0].items
