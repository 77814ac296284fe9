# SPDX-License-Identifier: GPL-2.0-or-later
"""RoCEv2 packets of RC as bytes, with a real ICRC, and pcap files of them.

Written from the specification for this folder alone: what other tests build frames with is not used here.
"""

import struct
import zlib

SEND_FIRST, SEND_MIDDLE, SEND_LAST, SEND_ONLY = 0x00, 0x01, 0x02, 0x04
WRITE_FIRST, WRITE_MIDDLE, WRITE_LAST, WRITE_ONLY = 0x06, 0x07, 0x08, 0x0A
READ, RESPONSE_FIRST, RESPONSE_MIDDLE, RESPONSE_LAST, RESPONSE_ONLY = 0x0C, 0x0D, 0x0E, 0x0F, 0x10
ACK, ATOMIC_ANSWER, COMPARE_SWAP, FETCH_ADD = 0x11, 0x12, 0x13, 0x14
HAS_AETH = (RESPONSE_FIRST, RESPONSE_LAST, RESPONSE_ONLY, ACK, ATOMIC_ANSWER)
HAS_RETH = (WRITE_FIRST, WRITE_ONLY, READ)
ATOMICS = (COMPARE_SWAP, FETCH_ADD)
HEAD = 14 + 20 + 8  # Ethernet, IPv4, UDP
ETHERNET = 1


def mac(host):
    return bytes([0x0C, 0x42, 0xA1, 0, 0, host + 1])


def address(host):
    return bytes([192, 168, 7, host + 11])


def dotted(host):
    return ".".join(map(str, address(host)))


def pattern(start, length):
    """Payload that differs from place to place."""
    seed = start * 2654435761 & 0xFFFFFFFF
    words = (length + 3) // 4
    return struct.pack(f">{words}I", *((seed + 0x9E3779B1 * i) & 0xFFFFFFFF for i in range(words)))[:length]


def sum16(data):
    total = sum(struct.unpack(f">{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def body(p, data):
    """BTH and all behind it but the ICRC."""
    pad = -len(data) % 4
    out = struct.pack(">BBHII", p.opcode, 0x40 | pad << 4, 0xFFFF, p.to_qpn,
                      (0x80000000 if p.asks else 0) | (p.psn & 0xFFFFFF))
    if p.opcode in HAS_RETH:
        out += struct.pack(">QII", *p.reth)
    if p.opcode in ATOMICS:
        out += struct.pack(">QIQQ", *p.atomic)
    if p.opcode in HAS_AETH:
        out += struct.pack(">I", p.syndrome << 24 | (p.msn & 0xFFFFFF))
    if p.opcode == ATOMIC_ANSWER:
        out += struct.pack(">Q", p.atomic)
    return out + data + bytes(pad)


def frame(p):
    """The whole frame of a packet as its sender made it."""
    inner = body(p, pattern(p.place, p.length))
    udp = struct.pack(">HHHH", p.port, 4791, 8 + len(inner) + 4, 0)
    ip = struct.pack(">BBHHHBBH", 0x45, 0x02, 20 + 8 + len(inner) + 4, p.ident, 0x4000, 64, 17, 0)
    ip += address(p.host) + address(p.to_host)
    masked = bytearray(ip + udp)
    masked[1] = masked[8] = masked[10] = masked[11] = masked[26] = masked[27] = 0xFF
    crc = zlib.crc32(b"\xff" * 8 + bytes(masked) + inner[:4] + b"\xff" + inner[5:])
    ip = ip[:10] + struct.pack(">H", sum16(ip)) + ip[12:]
    return mac(p.to_host) + mac(p.host) + b"\x08\x00" + ip + udp + inner + struct.pack("<I", crc)


def write_pcap(path, records):
    """records: (time in ns, bytes)"""
    with open(path, "wb") as stream:
        stream.write(struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 262144, ETHERNET))
        for time_ns, data in records:
            stream.write(struct.pack("<IIII", *divmod(time_ns, 1_000_000_000), len(data), len(data)) + data)
