# SPDX-License-Identifier: GPL-2.0-or-later
"""iWARP as bytes: MPA start frames, FPDUs with markers and CRC, TCP segments in frames, and pcap files of them.

Written from RFC 5040 to 5044, 6581, 7306 and 9293 for this folder alone: what other tests build frames with is not
used here. Sequence numbers are unbounded and cut to 32 bits when they are written.
"""

import struct

WRITE, READ_REQUEST, READ_RESPONSE, SEND, SEND_INV, SEND_SE, SEND_SE_INV, TERMINATE = range(8)
IMMEDIATE, IMMEDIATE_SE, ATOMIC, ATOMIC_ANSWER = range(8, 12)
QUEUES = {READ_REQUEST: 1, ATOMIC: 1, TERMINATE: 2, ATOMIC_ANSWER: 3}  # the others: 0
TAGGED = (WRITE, READ_RESPONSE)
NAMES = ("WRITE", "READ Request", "READ Response", "SEND", "SEND with Invalidate", "SEND with Solicited Event",
         "SEND with Solicited Event and Invalidate", "Terminate", "Immediate Data",
         "Immediate Data with Solicited Event", "Atomic Request", "Atomic Response")
FIN, SYN, RST, PSH, ACK = 1, 2, 4, 8, 16
MARKER_EVERY = 512
ETHERNET = 14


def crc_of(byte):
    for _ in range(8):
        byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
    return byte


CRC = [crc_of(byte) for byte in range(256)]


def crc32c(data):
    crc, table = 0xFFFFFFFF, CRC
    for byte in data:
        crc = table[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


# ---- MPA ----------------------------------------------------------------------------------------

def start_frame(is_reply, habits, crc, reject=False):
    """habits: markers, revision, depths (IRD, ORD) or None, peer_to_peer, ready (kinds), private."""
    private = b""
    flags = 0x80 * habits.markers | 0x40 * crc | 0x20 * reject
    if habits.depths:
        flags |= 0x10
        ird, order = habits.depths
        if habits.peer_to_peer:
            ird |= 0x8000 | 0x4000 * ("send" in habits.ready)
            order |= 0x8000 * ("write" in habits.ready) | 0x4000 * ("read" in habits.ready)
        private = struct.pack(">HH", ird, order)
    private += habits.private
    key = b"MPA ID Rep Frame" if is_reply else b"MPA ID Req Frame"
    return key + struct.pack(">BBH", flags, habits.revision, len(private)) + private


def fpdu(at, ulpdu, crc, markers):
    """at: bytes of the stream since the start frame, by which markers are placed. crc: "on", "zero" or "unasked"."""
    body = struct.pack(">H", len(ulpdu)) + ulpdu
    body += bytes(-len(body) % 4)
    out, first, taken = bytearray(), None, 0
    while True:
        if markers and (at + len(out)) % MARKER_EVERY == 0:
            out += struct.pack(">HH", 0, 0 if first is None else len(out) - first)
        if first is None:
            first = len(out)
        if taken == len(body):
            break
        step = min(len(body) - taken, MARKER_EVERY - (at + len(out)) % MARKER_EVERY if markers else len(body))
        out += body[taken:taken + step]
        taken += step
    return bytes(out) + (bytes(4) if crc == "zero" else struct.pack("<I", crc32c(out)))


# ---- DDP and RDMAP ------------------------------------------------------------------------------

def tagged(opcode, last, version, stag, offset):
    return struct.pack(">BBIQ", 0x81 | 0x40 * last, version << 6 | opcode, stag, offset)


def untagged(opcode, last, version, msn, offset, invalidates=0):
    return struct.pack(">BBIIII", 0x01 | 0x40 * last, version << 6 | opcode, invalidates, QUEUES.get(opcode, 0),
                       msn & 0xFFFFFFFF, offset)


def read_request(sink, size, source):
    return struct.pack(">IQIIQ", *sink, size, *source)


def atomic_request(operation, number, place):
    return struct.pack(">IIIQQQQQ", operation, number, *place, 1, (1 << 64) - 1, 2, (1 << 64) - 1)


def terminate(reason, swapped, length, ddp, rdmap):
    """reason: layer, type, code. Linux's siw has nibbles and flags the other way round (swapped)."""
    layer, kind, code = reason
    flags = (ddp is not None, ddp is not None, rdmap is not None)
    if swapped:
        control = struct.pack(">BBBB", kind << 4 | layer, code, flags[0] | flags[1] << 1 | flags[2] << 2, 0)
    else:
        control = struct.pack(">BBBB", layer << 4 | kind, code, flags[0] << 7 | flags[1] << 6 | flags[2] << 5, 0)
    return control + (struct.pack(">H", length) + ddp if ddp is not None else b"") + (rdmap or b"")


# ---- TCP and below ------------------------------------------------------------------------------

def address(host, version):
    if version == 4:
        return bytes([10, 44, 0, host + 5])
    return bytes.fromhex("20010db8004400000000000000000000")[:15] + bytes([host + 5])


def written(host, version):
    return f"10.44.0.{host + 5}" if version == 4 else f"2001:db8:44::{host + 5}"


def sum16(data):
    if len(data) % 2:
        data += b"\0"
    total = sum(struct.unpack(f">{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def options(s):
    """Of a segment: what it says of itself in SYNs, timestamps, SACK blocks."""
    out = b""
    if s.flags & SYN:
        out += struct.pack(">BBH", 2, 4, s.mss) + b"\x04\x02" * s.sack_ok + b"\1\1" * s.sack_ok
        if s.scale is not None:
            out += struct.pack(">BBBB", 1, 3, 3, s.scale)
    if s.stamp is not None:
        out += struct.pack(">BBBBII", 1, 1, 8, 10, s.stamp & 0xFFFFFFFF, s.echo & 0xFFFFFFFF)
    if s.sacks:
        blocks = s.sacks[:3 if s.stamp is not None else 4]
        out += struct.pack(">BBBB", 1, 1, 5, 2 + 8 * len(blocks))
        for begin, end in blocks:
            out += struct.pack(">II", begin & 0xFFFFFFFF, end & 0xFFFFFFFF)
    return out


def frame(s, payload, checksum="right"):
    """The frame of a segment. checksum: "right"; "partial" as offloading hosts see it; "wrong"."""
    more = options(s)
    window = s.window if s.flags & SYN else s.window >> (s.scale or 0)
    tcp = struct.pack(">HHIIBBHHH", *s.ports, s.seq & 0xFFFFFFFF, s.ack & 0xFFFFFFFF if s.flags & ACK else 0,
                      (20 + len(more)) << 2, s.flags, min(window, 65535), 0, 0) + more
    source, destination = address(s.host, s.version), address(s.to_host, s.version)
    length = len(tcp) + len(payload)
    pseudo = source + destination + struct.pack(">II", length & 0xFFFF, 6)
    value = sum16(pseudo) ^ 0xFFFF if checksum == "partial" else sum16(pseudo + tcp + payload)
    value = (value + 0x1234) % 0xFFFF if checksum == "wrong" else value
    tcp = tcp[:16] + struct.pack(">H", value) + tcp[18:]
    if s.version == 4:
        ip = struct.pack(">BBHHHBBH", 0x45, 0, 20 + length, s.ident, 0x4000, 64, 6, 0) + source + destination
        ip = ip[:10] + struct.pack(">H", sum16(ip)) + ip[12:]
    else:
        ip = struct.pack(">IHBB", 0x60000000, length, 6, 64) + source + destination
    macs = bytes([2, 0, 0, 0, 0, s.to_host + 1]) + bytes([2, 0, 0, 0, 0, s.host + 1])
    return macs + (b"\x08\x00" if s.version == 4 else b"\x86\xdd") + ip + tcp + payload


def write_pcap(path, records):
    """records: (time in ns, captured bytes, bytes on the wire)"""
    with open(path, "wb") as stream:
        stream.write(struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 262144, 1))
        for time_ns, data, length in records:
            stream.write(struct.pack("<IIII", *divmod(time_ns, 1_000_000_000), len(data), length) + data)
