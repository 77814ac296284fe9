# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes the bytes of one packet from named fields: whatever is not given has its right value.

A field that is given goes into the packet as it is, whether it is right or not; lengths, checksums
and CRCs are computed around it.
"""

import ipaddress
import pathlib
import struct
import sys
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "captures"))
import frames  # noqa: E402
from icrc import vcrc  # noqa: E402

SERVICES = {"rc": 0, "uc": 1, "rd": 2, "ud": 3, "xrc": 5}
CNP_ROCE, CNP_INFINIBAND = 0x81, 0x80
GSI_QP, GSI_QKEY, GSI_PORT = 1, 0x80010000, 55410

# Operations by the low 5 bits of the opcode: the headers behind the BTH, and whether a response.
SEND_FIRST, SEND_MIDDLE, SEND_LAST, SEND_LAST_IMM, SEND_ONLY, SEND_ONLY_IMM = range(6)
WRITE_FIRST, WRITE_MIDDLE, WRITE_LAST, WRITE_LAST_IMM, WRITE_ONLY, WRITE_ONLY_IMM = range(6, 12)
READ, RESPONSE_FIRST, RESPONSE_MIDDLE, RESPONSE_LAST, RESPONSE_ONLY = range(12, 17)
ACKNOWLEDGE, ATOMIC_ACKNOWLEDGE, COMPARE_SWAP, FETCH_ADD = range(17, 21)
SEND_LAST_INV, SEND_ONLY_INV, FLUSH, ATOMIC_WRITE = 0x16, 0x17, 0x1C, 0x1D
RESPONSES = range(RESPONSE_FIRST, COMPARE_SWAP)
HEADERS = {
    SEND_LAST_IMM: ["immdt"], SEND_ONLY_IMM: ["immdt"], WRITE_FIRST: ["reth"],
    WRITE_LAST_IMM: ["immdt"], WRITE_ONLY: ["reth"], WRITE_ONLY_IMM: ["reth", "immdt"],
    READ: ["reth"], RESPONSE_FIRST: ["aeth"], RESPONSE_LAST: ["aeth"], RESPONSE_ONLY: ["aeth"],
    ACKNOWLEDGE: ["aeth"], ATOMIC_ACKNOWLEDGE: ["aeth", "atomicacketh"],
    COMPARE_SWAP: ["atomiceth"], FETCH_ADD: ["atomiceth"], SEND_LAST_INV: ["ieth"],
    SEND_ONLY_INV: ["ieth"], FLUSH: ["feth", "reth"], ATOMIC_WRITE: ["reth"]}

# How each header is made of the fields, by the keys that name them.
MAKE = {
    "rdeth": lambda f: frames.rdeth(f.get("ee", 0xA1)),
    "deth": lambda f: frames.deth(f.get("qkey", 0x11111111), f["src_qp"]),
    "xrceth": lambda f: frames.xrceth(f.get("srq", 0xB1)),
    "feth": lambda f: frames.feth(f.get("sel", 0), f.get("plt", 1)),
    "reth": lambda f: frames.reth(f.get("va", 0), f.get("rkey", 0), f.get("length", 0)),
    "atomiceth": lambda f: frames.atomiceth(f.get("va", 0), f.get("rkey", 0),
                                            f.get("swap", f.get("add", 1)), f.get("compare", 0)),
    "aeth": lambda f: frames.aeth(f.get("syndrome", 0x1F), f.get("msn", 0)),
    "atomicacketh": lambda f: frames.atomicacketh(f.get("original", 0)),
    "immdt": lambda f: frames.immdt(f.get("imm", 0)),
    "ieth": lambda f: frames.ieth(f.get("inv", 0)),
}
BTH_KEYS = ("se", "migreq", "tver", "pkey", "fecn", "becn", "resv6a", "dest_qp", "ack_req", "resv7",
            "psn")
KEYS = {*BTH_KEYS, "opcode", "pad", "padding", "headers", "payload", "fill", "short", "ee", "qkey",
        "src_qp", "srq", "sel", "plt", "va", "rkey", "length", "swap", "add", "compare", "syndrome",
        "msn", "original", "imm", "inv", "ecn", "dscp", "ttl", "ip_id", "ip_flags", "ip_fragment",
        "ip_length", "flow_label", "from_ip", "to_ip", "sport", "dport", "udp_length",
        "udp_checksum", "mac", "to_mac", "vlan", "priority", "grh_length", "grh_version",
        "next_header", "vl", "sl", "slid", "dlid", "lnh", "icrc", "vcrc", "damage", "cut",
        "trailer", "interface"}


def headers_of(opcode):
    """The names of the extended headers of an opcode, in the order on the wire."""
    service, operation = opcode >> 5, opcode & 0x1F
    if service not in SERVICES.values() or opcode in (CNP_INFINIBAND, CNP_ROCE):
        return []
    request = operation not in RESPONSES
    own = {SERVICES["rd"]: ["rdeth", "deth"] if request else ["rdeth"], SERVICES["ud"]: ["deth"],
           SERVICES["xrc"]: ["xrceth"] if request else []}.get(service, [])
    return own + HEADERS.get(operation, [])


def source_port_of_label(label):
    return 0xC000 | ((label & 0x3FFF) ^ (label >> 14))


def source_port_of_qps(one, other):
    """As Linux makes it without a flow label: equal in both directions."""
    product = one * other
    product ^= product >> 20
    product ^= product >> 40
    return source_port_of_label(product & 0xFFFFF)


def source_port_of_ud(qpn):
    return 0xC000 + ((qpn * 0x61C88647 & 0xFFFFFFFF) >> 18)


def octets(text):
    """The bytes of a field that is written as hex digits."""
    return bytes.fromhex(text.removeprefix("0x"))


def transport(fields):
    """From the BTH to the pad."""
    names = fields.get("headers")
    names = headers_of(fields["opcode"]) if names is None else [n for n in names.split(",") if n]
    payload = fields.get("payload", b"")
    padding = fields.get("padding")
    padding = bytes(-len(payload) % 4) if padding is None else octets(padding)
    head = frames.bth(fields["opcode"], pad=fields.get("pad", len(padding)),
                      **{key: fields[key] for key in BTH_KEYS if key in fields})
    whole = head + b"".join(MAKE[name](fields) for name in names) + payload + padding
    return whole[:len(whole) - fields.get("short", 0)]


def address(text, default):
    return ipaddress.ip_address(text).packed if text else default


def pick(fields, **names):
    """{argument: field} for the fields that are given."""
    return {name: fields[key] for name, key in names.items() if key in fields}


def rocev2(packet, fields, source, destination, version):
    """IP, UDP, and what they carry, up to the ICRC; and the length of the routing headers."""
    from_ip = address(fields.get("from_ip"), source.ip[version])
    to_ip = address(fields.get("to_ip"), destination.ip[version])
    datagram = frames.udp(packet + bytes(4), fields.get("dport", frames.ROCEV2_PORT),
                          fields["sport"], fields.get("udp_length"), fields.get("udp_checksum", 0))
    if version == 4:
        whole = frames.ip4(datagram, 17, source=from_ip, destination=to_ip,
                           ident=fields["ip_id"] & 0xFFFF,
                           **pick(fields, dscp="dscp", ecn="ecn", ttl="ttl", flags="ip_flags",
                                  fragment="ip_fragment"))
        if "ip_length" in fields:
            head = whole[:2] + struct.pack(">H", fields["ip_length"]) + whole[4:10] + bytes(2) + whole[12:20]
            whole = head[:10] + struct.pack(">H", frames.checksum(head)) + head[12:] + whole[20:]
        return whole[:-4], 28
    whole = frames.ip6(datagram, 17, source=from_ip, destination=to_ip,
                       **pick(fields, dscp="dscp", ecn="ecn", hop_limit="ttl", flow="flow_label"))
    if "ip_length" in fields:
        whole = whole[:4] + struct.pack(">H", fields["ip_length"]) + whole[6:]
    return whole[:-4], 48


def grh(packet, fields, source, destination):
    tclass = fields.get("dscp", 0) << 2 | fields.get("ecn", 0)
    whole = frames.grh(packet, tclass=tclass, sgid=source.gid, dgid=destination.gid,
                       **pick(fields, flow="flow_label", hop_limit="ttl", paylen="grh_length",
                              next_header="next_header"))
    return bytes([fields.get("grh_version", 6) << 4 | whole[0] & 0xF]) + whole[1:]


def finish(kind, packet, routing, fields, start=0):
    """Appends the ICRC, or what the fields say stands in its place."""
    whole = frames.with_icrc(kind, packet, routing, start)
    icrc = fields.get("icrc")
    if icrc == "absent":
        whole = whole[:-4] + bytes(4)
    elif icrc == "twice":  # of a FLUSH, as Linux has it
        crc = zlib.crc32(packet[routing + start:], struct.unpack("<I", whole[-4:])[0])
        whole = whole[:-4] + struct.pack("<I", crc)
    elif icrc is not None:
        whole = whole[:-4] + struct.pack(">I", icrc)
    if fields.get("damage") == "payload":  # the byte in front of the ICRC
        whole = whole[:-5] + bytes([whole[-5] ^ 0x10]) + whole[-4:]
    elif fields.get("damage") == "ip_length":  # a bit of it, which the header's checksum then does not fit
        whole = whole[:3] + bytes([whole[3] ^ 2]) + whole[4:]
    elif fields.get("damage") == "class":  # a bit of the DSCP, and that packets can be marked: the ICRC covers neither
        whole = whole[:1] + bytes([whole[1] ^ 0x0A]) + whole[2:]
    elif fields.get("damage") == "ecn":  # a bit of the mark
        whole = whole[:1] + bytes([whole[1] ^ 1]) + whole[2:]
    elif fields.get("damage") in (1, "icrc"):
        whole = whole[:-4] + bytes([whole[-4] ^ 0xFF]) + whole[-3:]
    return whole


def mac(text, default):
    return bytes.fromhex(text.replace(":", "")) if text else default


def ethernet(whole, fields, source, destination, kind=None):
    if "vlan" in fields:
        whole = frames.vlan(whole, fields["vlan"], kind, fields.get("priority", 0))
        kind = 0x8100
    return frames.ethernet(whole, kind, mac(fields.get("to_mac"), destination.mac),
                           mac(fields.get("mac"), source.mac))


def infiniband(packet, fields, source, destination, with_grh):
    routing = grh(packet, fields, source, destination) if with_grh else packet
    whole = frames.lrh(routing, fields.get("lnh", 3 if with_grh else 2), vl=fields.get("vl", 0),
                       sl=fields.get("sl", 0), dlid=fields.get("dlid", destination.lid),
                       slid=fields.get("slid", source.lid))
    whole = (finish("grh", whole, 40, fields, start=8) if with_grh
             else finish("lrh", whole, 8, fields))
    if fields.get("vcrc") == "absent":
        return whole
    check = vcrc(whole)
    return whole + (bytes([check[0] ^ 0xFF]) + check[1:] if fields.get("damage") == "vcrc" else check)


def frame(link, version, source, destination, fields):
    """The frame of a packet: link is rocev2, rocev1, infiniband or infiniband_grh."""
    packet = transport(fields)
    if link == "rocev2":
        whole, routing = rocev2(packet, fields, source, destination, version)
        whole = finish("ip4" if version == 4 else "ip6", whole, routing, fields)
        whole = ethernet(whole, fields, source, destination)
    elif link == "rocev1":
        whole = finish("grh", grh(packet, fields, source, destination), 40, fields)
        whole = ethernet(whole, fields, source, destination, 0x8915)
    else:
        whole = infiniband(packet, fields, source, destination, link == "infiniband_grh")
    return whole + octets(fields.get("trailer", ""))
