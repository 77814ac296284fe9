# SPDX-License-Identifier: GPL-2.0-or-later
"""Builds RDMA frames, layer by layer: each function takes what comes behind it and returns bytes.

    ethernet(ip4(udp(rocev2_packet)))  is written  ethernet(rocev2_ip4(transport(0x04, payload=b"..")))

Every packet gets a right length in each header, a right IPv4 checksum, and right CRCs (icrc.py of
the ICRC test computes them; captures of real NICs and of the Linux kernel hold it to the truth).
"""

import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "differential"))
from icrc import icrc, masked_routing, vcrc  # noqa: E402

MAC_A, MAC_B = bytes.fromhex("020000000001"), bytes.fromhex("020000000002")
IP4_A, IP4_B = bytes([192, 0, 2, 1]), bytes([192, 0, 2, 2])
IP6_A = bytes.fromhex("20010db8000000000000000000000001")
IP6_B = bytes.fromhex("20010db8000000000000000000000002")
GID_A = bytes.fromhex("fe800000000000000002c903000a0001")
GID_B = bytes.fromhex("fe800000000000000002c903000a0002")
ETHERTYPES = {4: 0x0800, 6: 0x86DD}
ROCEV2_PORT = 4791
ALL_BYTES = bytes(range(256))


# ---- links --------------------------------------------------------------------------------------

def ethernet(packet, kind=None, destination=MAC_B, source=MAC_A):
    """kind: the EtherType; taken from the IP version when not given."""
    return destination + source + struct.pack(">H", kind or ethertype_of(packet)) + packet


def ethertype_of(packet):
    return ETHERTYPES[packet[0] >> 4]


def vlan(packet, identifier, kind=None, priority=0, dei=0):
    """A tag's last 4 bytes; what goes in front is an Ethernet header of type 0x8100 or the like."""
    return struct.pack(">HH", priority << 13 | dei << 12 | identifier,
                       kind or ethertype_of(packet)) + packet


def mpls(packet, labels):
    """labels: (label, traffic class, TTL), outermost first."""
    stack = b"".join(
        struct.pack(">I", label << 12 | traffic_class << 9 | (i == len(labels) - 1) << 8 | ttl)
        for i, (label, traffic_class, ttl) in enumerate(labels))
    return stack + packet


def sll(packet):
    return struct.pack(">HHH", 4, 1, 6) + MAC_A + b"\0\0" + struct.pack(
        ">H", ethertype_of(packet)) + packet


def sll2(packet):
    return struct.pack(">HHIHBB", ethertype_of(packet), 0, 7, 1, 4, 6) + MAC_A + b"\0\0" + packet


def loopback(packet, family, order):
    return struct.pack(order + "I", family) + packet


def erf(packet, kind, extensions=b"", time_s=0):
    """A record: extension headers of 8 bytes are given whole, bit 7 set in all but the last."""
    body = extensions + (b"\0\0" if kind in (2, 11, 16, 20) else b"") + packet
    return struct.pack("<IIBBHHH", 0, time_s, kind | (0x80 if extensions else 0), 0x04, 0, 0, 0)[
        :10] + struct.pack(">HHH", 16 + len(body), 0, len(packet)) + body


# ---- IP and what is carried in it ---------------------------------------------------------------

def checksum(data):
    data += bytes(len(data) % 2)
    total = sum(struct.unpack(f">{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def ip4(packet, protocol, options=b"", dscp=0, ecn=0, ident=0x1234, flags=2, fragment=0, ttl=64,
        source=IP4_A, destination=IP4_B):
    """flags: 2 DF, 1 MF; fragment in units of 8 bytes."""
    words = 5 + len(options) // 4
    header = struct.pack(">BBHHHBBH", 0x40 | words, dscp << 2 | ecn, words * 4 + len(packet), ident,
                         flags << 13 | fragment, ttl, protocol, 0) + source + destination + options
    return header[:10] + struct.pack(">H", checksum(header)) + header[12:] + packet


def ip6(packet, next_header, dscp=0, ecn=0, flow=0, hop_limit=64, source=IP6_A, destination=IP6_B):
    return struct.pack(">IHBB", 6 << 28 | dscp << 22 | ecn << 20 | flow, len(packet), next_header,
                       hop_limit) + source + destination + packet


def ip6_options(packet, next_header, options=b"\x01\x04\0\0\0\0"):
    """A hop-by-hop or destination options header: 2 bytes and the options (6 + 8n bytes)."""
    return bytes([next_header, (len(options) + 2) // 8 - 1]) + options + packet


def ip6_routing(packet, next_header):
    """A type 2 routing header with one address."""
    return bytes([next_header, 2, 2, 1]) + bytes(4) + IP6_B + packet


def ip6_fragment(packet, next_header, fragment=0, more=0, ident=0x89ABCDEF):
    return struct.pack(">BBHI", next_header, 0, fragment << 3 | more, ident) + packet


def udp(packet, destination_port, source_port=0xC001, length=None, sum_=0):
    return struct.pack(">HHHH", source_port, destination_port, length or 8 + len(packet),
                       sum_) + packet


def gre(packet, kind, key=None, sequence=None, with_checksum=False):
    flags = (0x8000 if with_checksum else 0) | (0x2000 if key is not None else 0) | (
        0x1000 if sequence is not None else 0)
    rest = b"" if key is None else struct.pack(">I", key)
    rest += (b"" if sequence is None else struct.pack(">I", sequence)) + packet
    if with_checksum:
        total = checksum(struct.pack(">HHI", flags, kind, 0) + rest)
        rest = struct.pack(">HH", total, 0) + rest
    return struct.pack(">HH", flags, kind) + rest


def erspan2(frame, session, vlan_id=0, cos=0, index=0):
    return struct.pack(">HHI", 1 << 12 | vlan_id, cos << 13 | 3 << 11 | session, index) + frame


def erspan3(frame, session, vlan_id=0, timestamp=0, sgt=0, frame_type=0, hw_id=0, direction=0,
            granularity=0, subheader=b""):
    tail = 1 << 15 | frame_type << 10 | hw_id << 4 | direction << 3 | granularity << 1 | bool(subheader)
    return struct.pack(">HHIHH", 2 << 12 | vlan_id, 2 << 13 | session, timestamp, sgt,
                       tail) + subheader + frame


def vxlan(frame, vni, flags=0x0800, group=0):
    return struct.pack(">HHI", flags, group, vni << 8) + frame


def geneve(packet, vni, kind, options=b"", oam=0, critical=0):
    return struct.pack(">BBHI", len(options) // 4, oam << 7 | critical << 6, kind,
                       vni << 8) + options + packet


# ---- InfiniBand ---------------------------------------------------------------------------------

def bth(opcode, pad=0, se=0, migreq=0, tver=0, pkey=0xFFFF, fecn=0, becn=0, resv6a=0,
        dest_qp=0x000011, ack_req=0, resv7=0, psn=0x000100):
    return struct.pack(">BBHII", opcode, se << 7 | migreq << 6 | pad << 4 | tver, pkey,
                       fecn << 31 | becn << 30 | resv6a << 24 | dest_qp, ack_req << 31 | resv7 << 24 | psn)


def transport(opcode, extended=b"", payload=b"", **fields):
    """From the BTH to the pad, without the ICRC."""
    pad = -len(payload) % 4
    return bth(opcode, pad=pad, **fields) + extended + payload + bytes(pad)


def rdeth(eecnxt=0x00A1A2):
    return struct.pack(">I", eecnxt)


def deth(q_key=0x80010000, src_qp=1):
    return struct.pack(">II", q_key, src_qp)


def xrceth(xrc_srq=0x00B1B2):
    return struct.pack(">I", xrc_srq)


def feth(sel=1, plt=3):
    return struct.pack(">I", sel << 4 | plt)


def reth(va=0x00007F0011223344, rkey=0x0A0B0C0D, dmalen=0):
    return struct.pack(">QII", va, rkey, dmalen)


def atomiceth(va=0x00007F0011223340, rkey=0x0A0B0C0D, swap_add=0x1112131415161718,
              compare=0x2122232425262728):
    return struct.pack(">QIQQ", va, rkey, swap_add, compare)


def aeth(syndrome=0x1F, msn=0x000042):
    return struct.pack(">I", syndrome << 24 | msn)


def atomicacketh(original=0x3132333435363738):
    return struct.pack(">Q", original)


def immdt(immediate=0xCAFE0001):
    return struct.pack(">I", immediate)


def ieth(rkey=0x0DEAD001):
    return struct.pack(">I", rkey)


def grh(packet, tclass=0, flow=0, next_header=0x1B, hop_limit=64, sgid=GID_A, dgid=GID_B,
        paylen=None):
    """packet without its ICRC, whose 4 bytes the length counts."""
    return struct.pack(">IHBB", 6 << 28 | tclass << 20 | flow,
                       len(packet) + 4 if paylen is None else paylen, next_header,
                       hop_limit) + sgid + dgid + packet


def lrh(packet, following, vl=0, sl=0, dlid=2, slid=1):
    """packet without its ICRC, whose 4 bytes (one word) the length counts."""
    words = (8 + len(packet) + 4) // 4
    return struct.pack(">BBHHH", vl << 4, sl << 4 | following, dlid, words, slid) + packet


# ---- whole RDMA packets -------------------------------------------------------------------------

def with_icrc(kind, packet, routing, start=0):
    """Appends the ICRC: `routing` bytes from `start` lead to the BTH."""
    head = masked_routing(kind, packet[start:start + routing])
    return packet + icrc(head, packet[start + routing:])


def rocev2_ip4(packet, options=b"", source_port=0xC001, udp_checksum=0, port=ROCEV2_PORT, **fields):
    whole = ip4(udp(packet + bytes(4), port, source_port, sum_=udp_checksum), 17, options, **fields)
    return with_icrc("ip4", whole[:-4], 28 + len(options))


def rocev2_ip6(packet, extensions=None, source_port=0xC001, **fields):
    """extensions: a function that puts extension headers before the UDP header and returns them with
    the number of the first; else there are none."""
    datagram, first = udp(packet + bytes(4), ROCEV2_PORT, source_port), 17
    if extensions:
        datagram, first = extensions(datagram)
    whole = ip6(datagram, first, **fields)
    return with_icrc("ip6", whole[:-4], len(whole) - len(packet) - 4)


def rocev1(packet, **fields):
    """From the GRH on; EtherType 0x8915."""
    return with_icrc("grh", grh(packet, **fields), 40)


def infiniband(packet, grh_fields=None, **fields):
    """From the LRH to the VCRC; with a GRH when grh_fields is given (may be empty)."""
    if grh_fields is None:
        whole = with_icrc("lrh", lrh(packet, 2, **fields), 8)
    else:
        whole = with_icrc("grh", lrh(grh(packet, **grh_fields), 3, **fields), 40, start=8)
    return whole + vcrc(whole)


def raw_infiniband(packet, following, **fields):
    """LNH 0 or 1: no ICRC, so the length is set here; `packet` is a multiple of 4 bytes."""
    whole = lrh(packet, following, **fields)
    whole = whole[:4] + struct.pack(">H", len(whole) // 4) + whole[6:]
    return whole + vcrc(whole)


def pattern(length, start=1):
    """Payload bytes that tell where they come from."""
    return (ALL_BYTES * (length // 256 + 2))[start & 0xFF:][:length]
