# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads the lines of a scenario: what stands in each, and nothing yet of what it means.

    label: +10us lost A write 10-13 ecn=3 se   # comment

README.md describes the language. A Statement has the words, the keys (name=value, and flags as
name=1), and what stands in front of them; `repeat` is unrolled here and `{}` computed.
"""

import ast
import operator
import re
from collections import namedtuple

# time_ns: None where none is given; keys: {name: value}; tests: [(name, comparison, value)]
Statement = namedtuple("Statement", "line label time_ns lost words keys tests")

UNITS_NS = {"ns": 1, "us": 1_000, "ms": 1_000_000, "s": 1_000_000_000}
DURATION = re.compile(r"([+-]?)(\d+(?:\.\d+)?)(ns|us|ms|s)")
TOKEN = re.compile(r'(?:[^\s"#]|"[^"]*")+')
TEST = re.compile(r"([\w.@]+)(>=|<=|!=|=|>|<)(.*)", re.S)
NUMBER = re.compile(r"[+-]?(?:0[xX][0-9a-fA-F]+|\d+)")
AS_WRITTEN = {"payload", "padding", "trailer", "private_data", "mac", "to_mac", "text"}
FLAGS = {"ack", "absent", "becn", "damage", "fecn", "migreq", "noack", "se",
         "crc", "fin", "flip", "markers", "mirrored", "missed", "more", "offload", "p2p", "queue", "reject", "reverse", "rst",
         "siw", "twice"}
OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
             ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.BitAnd: operator.and_,
             ast.BitOr: operator.or_, ast.BitXor: operator.xor, ast.LShift: operator.lshift,
             ast.RShift: operator.rshift, ast.Pow: operator.pow}
VARIABLES = "ijk"  # of the outermost repeat, of one inside it, and of one inside that


class Wrong(Exception):
    """The scenario is not written as README.md says; carries the line's number."""

    def __init__(self, line, message):
        super().__init__(message)
        self.line = line


def duration_ns(text):
    """The nanoseconds of 10us, +5ms, -1.5s; None when it is no duration."""
    match = DURATION.fullmatch(text)
    if not match:
        return None
    value = round(float(match[2]) * UNITS_NS[match[3]])
    return -value if match[1] == "-" else value


def compute(expression, variables):
    """The value of what stands in {}: whole numbers, i, j, k, + - * // % & | ^ << >> ** and ()."""
    def value(node):
        if isinstance(node, ast.Expression):
            return value(node.body)
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            return node.value
        if isinstance(node, ast.Name) and node.id in variables:
            return variables[node.id]
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -value(node.operand)
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            return OPERATORS[type(node.op)](value(node.left), value(node.right))
        raise ValueError(f"{{{expression}}} cannot be computed")
    return value(ast.parse(expression.strip(), mode="eval"))


def scalar(text):
    """A number where it reads as one, else the text."""
    return int(text, 0) if NUMBER.fullmatch(text) and not re.fullmatch(r"0\d+", text) else text


def parse_line(number, text):
    """A Statement of one line without its repeat; None for an empty one."""
    label, time_ns, lost, words, keys, tests = None, None, False, [], {}, []
    for token in TOKEN.findall(text):
        plain = token.replace('"', "")
        if token.startswith('"'):
            words.append(plain)
        elif not words and token.endswith(":"):
            label = plain[:-1]
        elif not words and token[0] in "+-" and duration_ns(plain) is not None:
            time_ns = duration_ns(plain)
        elif plain == "lost":
            lost = True
        elif TEST.fullmatch(token):
            name, comparison, value = TEST.fullmatch(token).groups()
            quoted, value = '"' in value, value.replace('"', "")
            keep = quoted or name in AS_WRITTEN
            tests.append((name, comparison, value if keep else scalar(value)))
            if comparison == "=":
                keys[name] = tests[-1][2]
        elif plain in FLAGS and (len(words) > 1 or words and plain != "ack"):  # A ack 10
            keys[plain] = 1
        else:
            words.append(plain)
    if not words and (label or time_ns is not None or lost):
        raise Wrong(number, "nothing stands behind the label, the time or `lost`")
    return Statement(number, label, time_ns, lost, words, keys, tests) if words else None


def without_comment(text):
    """The line up to a # that does not stand in quotes."""
    quoted = False
    for at, character in enumerate(text):
        if character == '"':
            quoted = not quoted
        elif character == "#" and not quoted:
            return text[:at]
    return text


def indent(text):
    return len(text) - len(text.lstrip())


def statements(lines, variables=None):
    """Yields the Statements of (number, text) lines; `repeat` unrolled."""
    variables = variables or {}
    at = 0
    while at < len(lines):
        number, text = lines[at]
        at += 1
        match = re.match(r"\s*repeat\s+(.+?)\s*:\s*(.*)$", text)
        if not match:
            yield from filled(number, text, variables)
            continue
        if len(variables) == len(VARIABLES):
            raise Wrong(number, f"more than {len(VARIABLES)} repeats inside each other")
        body = [(number, part) for part in match[2].split(";") if part.strip()]
        if not body:
            while at < len(lines) and indent(lines[at][1]) > indent(text):
                body.append(lines[at])
                at += 1
        name = VARIABLES[len(variables)]
        for turn in range(scalar(fill(number, match[1], variables))):
            yield from statements(body, {**variables, name: turn})


def fill(number, text, variables):
    try:
        return re.sub(r"\{([^}]*)\}", lambda match: str(compute(match[1], variables)), text)
    except (ValueError, SyntaxError, ZeroDivisionError) as error:
        raise Wrong(number, str(error)) from error


def filled(number, text, variables):
    statement = parse_line(number, fill(number, text, variables))
    if statement:
        yield statement


def read(path):
    """(title, [Statement]) of a file."""
    lines, title = [], None
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        stripped = text.strip()
        if stripped.startswith("#") and title is None and "SPDX" not in stripped:
            title = stripped.lstrip("# ")
        body = without_comment(text).rstrip()
        if body:
            lines.append((number, body))
    if not title:
        raise Wrong(1, "the first comment is the title, and there is none")
    return title, list(statements(lines))
