# SPDX-License-Identifier: GPL-2.0-or-later
"""What of ours is what of tshark's (fields.tsv), and the values of both in a form that compares.

A value is an int or a string: numbers and flags are ints, bytes and GIDs are hex, addresses text.
"""

import ipaddress
import re
from collections import namedtuple

Row = namedtuple("Row", "ours theirs note")
TERM = re.compile(r"([\w.]+)(?:@(\d+):(\d+)|/(\d+)|(~))?")
# headers that have all their fields in tshark: fields of the same prefix must be in fields.tsv too
COMPLETE = ("lrh", "grh", "rwh", "bth", "rdeth", "deth", "reth", "atomiceth", "aeth", "atomicacketh",
            "immdt", "ieth", "cm.req", "cm.rep", "cm.rtu", "cm.rej", "cm.dreq", "cm.drsp")


class Term:
    """One field of tshark's and what part of it counts."""

    def __init__(self, text):
        match = TERM.fullmatch(text)
        if not match:
            raise ValueError(f"fields.tsv: cannot read {text}")
        self.name, bit, width, factor, swapped = match.groups()
        self.bit, self.width = (int(bit), int(width)) if bit else (None, None)
        self.factor, self.host_order = int(factor or 1), bool(swapped)

    def value(self, text, form):
        """tshark's text as a value; form: our field's type in --list-headers, None for bytes."""
        if self.bit is not None:
            return cut_bits(text, self.bit, self.width)
        if self.host_order:
            return int(text)
        if form in ("number", "flag"):
            return number(text) // self.factor if number(text) % self.factor == 0 else text
        if form == "ip6" and (":" in text or "." in text):  # some GIDs are only bytes to tshark
            return ipaddress.ip_address(text).packed.hex()
        if form in ("mac", "ip4"):
            return text
        return text.replace(":", "").lower()


def number(text):
    return {"True": 1, "False": 0}.get(text) if text in ("True", "False") else int(text, 0)


def cut_bits(text, bit, width):
    """An int up to 64 bits; hex from there on."""
    length = len(text) * 4
    value = int(text, 16) >> max(length - bit - width, 0) & (1 << width) - 1
    return value if width <= 64 else f"{value:0{width // 4}x}"


class Spec:
    """The second column of a row: terms joined by | (any of them) or + (bytes one after the other)."""

    def __init__(self, text):
        self.text = text
        self.joined = "+" in text
        self.terms = [Term(term) for term in re.split(r"[|+]", text)]
        self.unordered = "|" in text

    def values(self, row, form):
        """tshark's values in one frame; row: {field: [text]}."""
        if self.joined:
            parts = [row.get(term.name, ()) for term in self.terms]
            return ["".join(part).replace(":", "").lower() for part in zip(*parts)]
        values = [term.value(text, form) for term in self.terms for text in row.get(term.name, ())]
        return sorted(values, key=str) if self.unordered else values


def our_value(value, form, spec):
    """A member as the program lists it, in the form that Term.value has."""
    if form in ("number", "flag"):
        return int(value, 0) if isinstance(value, str) else int(value) # of 64 bits: as text
    if form == "ip6":
        return ipaddress.ip_address(value).packed.hex()
    if spec.terms[0].host_order:
        little = int.from_bytes(bytes.fromhex(value), "little")
        return little if little < 1 << 16 else int(value, 16)
    return value.lower()


def same(ours, theirs):
    """tshark shows a GID that holds an IPv4 address as that address."""
    if ours == theirs:
        return True
    return len(ours) == len(theirs) and all(
        a == b or (isinstance(b, str) and len(b) == 8 and isinstance(a, str) and len(a) == 32 and
                   a.endswith(b)) for a, b in zip(ours, theirs))


class Mapping:
    """fields.tsv and the program's table of headers together."""

    def __init__(self, path, headers, opcodes):
        """headers: --list-headers=json; opcodes: --list-opcodes=json."""
        self.rows, self.specs, self.theirs_only = {}, {}, set()
        interned, self.forms = {}, {}  # specs by their text, which more than one of ours may have
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                if line.strip() and not line.startswith("#"):
                    self.add(Row(*(line.rstrip("\n").split("\t") + [""])[:3]), interned)
        self.table = {"payload": "bytes", "icrc": "number", "vcrc": "number"}
        for header in headers:
            self.table[header["header"]] = None
            for field in header["fields"]:
                self.table[f"{header['header']}.{field['field']}"] = field["type"]
        for ours, spec in self.specs.items():
            self.forms.setdefault(spec.text, self.table.get(ours))
        # header: its spec; (header, member): spec
        self.of_header = {ours: spec for ours, spec in self.specs.items() if "." not in ours}
        self.of_member = {tuple(ours.split(".", 1)): spec for ours, spec in self.specs.items()
                          if "." in ours}
        self.transport = {"bth"}.union(*(row["headers"] for row in opcodes))
        # extended headers that tshark does not know at all: what is behind them it cannot find
        self.unknown = self.transport - self.of_header.keys() - {header for header, _ in self.of_member}
        self.by_column = {}
        for spec in interned.values():
            for term in spec.terms:
                self.by_column.setdefault(term.name, []).append(spec)

    def add(self, row, interned):
        if row.ours == "-":
            self.theirs_only.add(row.theirs)
            return
        if row.ours in self.rows:
            raise ValueError(f"fields.tsv: {row.ours} twice")
        self.rows[row.ours] = row
        if row.theirs != "-":
            self.specs[row.ours] = interned.setdefault(row.theirs, Spec(row.theirs))

    def columns(self):
        """All fields that tshark is asked for."""
        return list(self.by_column)

    def errors(self, tshark_fields):
        """What is missing on either side, as text."""
        ours = {name for name, form in self.table.items() if form is not None}
        ours |= {name for name in self.table if f"infiniband.{name}" in tshark_fields}
        for name in sorted(ours - self.rows.keys()):
            if name.split(".")[0] not in self.unknown & self.rows.keys():
                yield (f"tests/differential/fields.tsv: no row for {name} of --list-headers: which field of "
                       f"tshark's it is, or '{name}\\t-\\tWHY'; one row '{name.split('.')[0]}\\t-\\tWHY' does for "
                       f"an extended header that tshark does not know")
        for name in sorted(self.rows.keys() - self.table.keys()):
            yield f"fields.tsv: {name} is not in --list-headers"
        for name, row in self.rows.items():
            if row.theirs == "-" and not row.note:
                yield f"fields.tsv: {name} has no reason"
        known = set(self.by_column) | self.theirs_only
        for name in sorted(known - tshark_fields):
            yield f"fields.tsv: tshark has no field {name}"
        wanted = {name for name in tshark_fields if name.startswith("infiniband.") and any(
            name[11:] == prefix or name[11:].startswith(prefix + ".") for prefix in COMPLETE)}
        for name in sorted(wanted - known):
            yield f"fields.tsv: {name} of tshark's is not in it"
