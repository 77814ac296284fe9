# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads and writes capture files: classic pcap (both byte orders, us and ns) and pcapng.

Written for the tests, from the file formats' own descriptions, and not with the library that the
program reads captures with: the tests compare the two.
"""

import pathlib
import struct
from collections import namedtuple

# number counts from 1, as the program and tshark do; wire is the length before a snaplen cut it
Frame = namedtuple("Frame", "number link time_ns wire data")

# Link types (https://www.tcpdump.org/linktypes.html)
NULL, ETHERNET, RAW, LOOP, SLL, ERF, IPV4, IPV6, INFINIBAND, SLL2 = (
    0, 1, 101, 108, 113, 197, 228, 229, 247, 276)

PCAP_MAGIC = {  # first four bytes: byte order, nanoseconds per unit of the fraction
    b"\xd4\xc3\xb2\xa1": ("<", 1000), b"\xa1\xb2\xc3\xd4": (">", 1000),
    b"\x4d\x3c\xb2\xa1": ("<", 1), b"\xa1\xb2\x3c\x4d": (">", 1),
}
PCAPNG_MAGIC = b"\x0a\x0d\x0d\x0a"
PCAPNG_ORDER = {b"\x4d\x3c\x2b\x1a": "<", b"\x1a\x2b\x3c\x4d": ">"}
SECTION, INTERFACE, SIMPLE, ENHANCED = 0x0A0D0D0A, 1, 3, 6
IF_TSRESOL = 9


def find(given):
    """The captures that a path names: a file, or all pcap and pcapng files of a folder and below."""
    given = pathlib.Path(given)
    return sorted(path for path in given.rglob("*.pcap*")) if given.is_dir() else [given]


def read(path):
    """Yields the frames of a capture; ValueError where it is no capture."""
    with open(path, "rb") as stream:
        data = stream.read()
    if data[:4] in PCAP_MAGIC:
        return (frame for _, frame in pcap_frames(data))
    if data[:4] == PCAPNG_MAGIC:
        return _read_pcapng(data)
    raise ValueError(f"{path}: no pcap or pcapng")


def pcap_frames(data):
    """(offset of its record, frame) of each frame of a classic pcap."""
    order, unit = PCAP_MAGIC[data[:4]]
    link = struct.unpack_from(order + "I", data, 20)[0] & 0xFFFF
    offset, number = 24, 0
    while offset + 16 <= len(data):
        seconds, fraction, captured, wire = struct.unpack_from(order + "IIII", data, offset)
        number += 1
        time_ns = seconds * 1_000_000_000 + fraction * unit
        yield offset, Frame(number, link, time_ns, wire, data[offset + 16:offset + 16 + captured])
        offset += 16 + captured


def _option(data, order, code):
    """The value of the first option with this code in an option list, or None."""
    offset = 0
    while offset + 4 <= len(data):
        kind, length = struct.unpack_from(order + "HH", data, offset)
        if kind == code:
            return data[offset + 4:offset + 4 + length]
        offset += 4 + (length + 3) // 4 * 4
    return None


def _units_per_second(options, order):
    resolution = (_option(options, order, IF_TSRESOL) or b"\x06")[0]
    return 2 ** (resolution & 0x7F) if resolution & 0x80 else 10 ** resolution


def _blocks(data):
    """(offset, byte order, type, body) of each block of a pcapng."""
    offset, order = 0, "<"
    while offset + 12 <= len(data):
        if data[offset:offset + 4] == PCAPNG_MAGIC:
            order = PCAPNG_ORDER[bytes(data[offset + 8:offset + 12])]
        kind, length = struct.unpack_from(order + "II", data, offset)
        yield offset, order, kind, data[offset + 8:offset + length - 4]
        offset += length


def _read_pcapng(data):
    number, interfaces = 0, []
    for _, order, kind, body in _blocks(data):
        if kind == SECTION:
            interfaces = []
        elif kind == INTERFACE:
            link, _, snaplen = struct.unpack_from(order + "HHI", body)
            interfaces.append((link, snaplen, _units_per_second(body[8:], order)))
        elif kind == ENHANCED:
            index, high, low, captured, wire = struct.unpack_from(order + "IIIII", body)
            link, _, units = interfaces[index]
            number += 1
            time_ns = (high << 32 | low) * 1_000_000_000 // units
            yield Frame(number, link, time_ns, wire, body[20:20 + captured])
        elif kind == SIMPLE:
            link, snaplen, _ = interfaces[0]
            wire = struct.unpack_from(order + "I", body)[0]
            number += 1
            yield Frame(number, link, 0, wire, body[4:4 + min(wire, snaplen or wire)])


def with_link(path, old, new, folder):
    """The path of a copy in `folder` in which link type `old` is `new`; None where no frame has it."""
    data = bytearray(pathlib.Path(path).read_bytes())
    places = []
    if bytes(data[:4]) in PCAP_MAGIC:
        places = [(20, PCAP_MAGIC[bytes(data[:4])][0])]
    elif bytes(data[:4]) == PCAPNG_MAGIC:
        places = [(offset + 8, order) for offset, order, kind, _ in _blocks(data) if kind == INTERFACE]
    changed = [(offset, order) for offset, order in places
               if struct.unpack_from(order + "H", data, offset)[0] == old]
    for offset, order in changed:
        struct.pack_into(order + "H", data, offset, new)
    if not changed:
        return None
    copy = pathlib.Path(folder) / pathlib.Path(path).name
    copy.write_bytes(data)
    return copy


def write_pcap(path, link, frames, snaplen=262144):
    """Writes (time_ns, bytes) as a nanosecond pcap, cut at snaplen; a third member is the length
    before a cut."""
    with open(path, "wb") as stream:
        stream.write(struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, snaplen, link))
        for time_ns, data, *wire in frames:
            cut = data[:snaplen]
            stream.write(struct.pack("<IIII", time_ns // 1_000_000_000, time_ns % 1_000_000_000,
                                     len(cut), wire[0] if wire else len(data)) + cut)


def block(kind, body):
    body += bytes(-len(body) % 4)
    length = len(body) + 12
    return struct.pack("<II", kind, length) + body + struct.pack("<I", length)


def write_pcapng(path, links, frames):
    """Writes a pcapng with one interface for each link type; frames are (interface, time_ns, bytes), a
    fourth member is the length before a cut."""
    nanoseconds = struct.pack("<HHB3xHH", IF_TSRESOL, 1, 9, 0, 0)
    with open(path, "wb") as stream:
        stream.write(block(SECTION, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1)))
        for link in links:
            stream.write(block(INTERFACE, struct.pack("<HHI", link, 0, 262144) + nanoseconds))
        for interface, time_ns, data, *wire in frames:
            stream.write(block(ENHANCED, struct.pack(
                "<IIIII", interface, time_ns >> 32, time_ns & 0xFFFFFFFF, len(data),
                wire[0] if wire else len(data)) + data))
