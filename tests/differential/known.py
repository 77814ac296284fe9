# SPDX-License-Identifier: GPL-2.0-or-later
"""known.tsv: the differences between tshark and us that are understood, each with its reason.

A row says which difference it is, so that it can swallow no other: in which captures, in which
packets, in which field, and what the two say. A row that no difference uses any more fails the test.
"""

import fnmatch
import re
from collections import namedtuple

# One difference. packet: our listing as {"header.member": value} with "frame", "cut" and "fragment",
# or {} when only tshark sees RDMA; ours, theirs: lists of values
Difference = namedtuple("Difference", "capture frame field packet ours theirs")


def shown(values):
    return ",".join(f"{value:#x}" if isinstance(value, int) else str(value) for value in values) or "none"


class Known:
    """A row. Its condition is words with spaces between, all of which must hold:

        cut, fragment            the capture has less of the frame than was sent; an IP fragment
        header                   the packet has this header
        !word                    the opposite
        header.member=0x40-0x5f  the first such field of the packet is in the range, or is the value
        frame=3                  the frame's number in its capture
    """

    def __init__(self, line, number):
        columns = line.rstrip("\n").split("\t")
        if len(columns) != 6 or not all(columns):
            raise ValueError(f"known.tsv: line {number} has not 6 columns")
        self.number = number
        self.versions, captures, self.condition, fields, pattern, self.reason = columns
        self.captures, self.fields = captures.split(","), fields.split(",")
        self.pattern = re.compile(pattern)
        self.used = 0

    def is_about(self, version):
        return fnmatch.fnmatchcase(version, self.versions)

    def names(self, version, capture):
        return self.is_about(version) and any(
            fnmatch.fnmatchcase(capture, name) for name in self.captures)

    def swallows(self, version, difference):
        return (self.names(version, difference.capture) and
                any(fnmatch.fnmatchcase(difference.field, name) for name in self.fields) and
                all(holds(word, difference.packet) for word in self.condition.split() if word != "*") and
                self.pattern.fullmatch(f"{shown(difference.ours)} => {shown(difference.theirs)}"))


def holds(word, packet):
    if word.startswith("!"):
        return not holds(word[1:], packet)
    name, _, wanted = word.partition("=")
    value = packet.get(name)
    if not wanted:
        return bool(value) or any(member.startswith(name + ".") for member in packet)
    if not isinstance(value, int):
        return value == wanted
    low, _, high = wanted.partition("-")
    return int(low, 0) <= value <= int(high or low, 0)


def read(path):
    with open(path, encoding="utf-8") as lines:
        return [Known(line, number) for number, line in enumerate(lines, 1)
                if line.strip() and not line.startswith("#")]
