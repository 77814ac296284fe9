# SPDX-License-Identifier: GPL-2.0-or-later
"""Blocks and options of pcapng, made and taken apart, in either byte order: "<" or ">"."""
import struct

from program import same


def block(order, kind, body):
    body += bytes(-len(body) % 4)
    return struct.pack(order + "II", kind, len(body) + 12) + body + struct.pack(order + "I", len(body) + 12)


def option(order, code, value):
    return struct.pack(order + "HH", code, len(value)) + value + bytes(-len(value) % 4)


def options_of(order, data):
    """[(code, value)] up to the end of options"""
    at = 0
    while at < len(data):
        code, length = struct.unpack(order + "HH", data[at:at + 4])
        if code == 0:
            same((length, at + 4), (0, len(data)), "end of options")
            return
        yield code, data[at + 4:at + 4 + length]
        at += 4 + length + -length % 4
    same(at, 0, "options without an end")


def blocks_of(data, order):
    at = 0
    while at < len(data):
        length = struct.unpack(order + "I", data[at + 4:at + 8])[0]
        same(data[at + length - 4:at + length], data[at + 4:at + 8], "lengths of a block")
        yield data[at:at + length]
        at += length
