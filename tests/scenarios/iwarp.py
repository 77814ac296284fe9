# SPDX-License-Identifier: GPL-2.0-or-later
"""The verbs of iWARP: MPA's start frames, an FPDU of each opcode, and what TCP does to their segments.

Sequence numbers, MSNs, offsets of READ responses, markers, pads and CRCs are right unless a line says
otherwise. A QP's direction of the connection is its Stream; its port is 40000 and its number.
"""

import functools
import struct
from dataclasses import dataclass, field

import packet
import frames  # packet knows where it lies
from language import duration_ns
from verbs import verb

PORT, MARKER_EVERY = 40000, 512
FIN, SYN, RST, ACK = 1, 2, 4, 16
WRITE, READ, RESPONSE, SEND, TERMINATE, IMMEDIATE, ATOMIC, ANSWER = 0, 1, 2, 3, 7, 8, 10, 11
QUEUES = {READ: 1, TERMINATE: 2, ATOMIC: 1, ANSWER: 3}
READY = {"send": (0x4000, 0), "write": (0, 0x8000), "read": (0, 0x4000)}  # bits of IRD, of ORD
STAG, OFFSET, SINK, SINK_OFFSET = 0x1100, 0x7000, 0x5100, 0x9000

START = {"rev", "crc", "markers", "reject", "ird", "ord", "p2p", "rtr", "private_data", "key", "flags", "flip"}
TCP_KEYS = {"mss", "window", "missed", "twice", "mirrored", "reverse", "queue", "fin", "rst", "bare", "back", "short_of", "gap", "cut", "interface", "flip", "offload", "had"}
FPDU_KEYS = TCP_KEYS | {"bytes", "more", "op", "tagged", "dv", "rv", "reserved", "stag", "to", "queue_number", "msn",
                        "mo", "inv", "padding", "damage", "crc", "markers", "fill", "length"}


def crc32c(data, crc=0):
    crc ^= 0xFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def crc_of(byte):
    for _ in range(8):
        byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
    return byte


TABLE = [crc_of(byte) for byte in range(256)]


@dataclass
class Stream:
    """What one side sends."""
    sequence: int = 1000
    begin: int = None  # of full operation: markers count from it
    markers: bool = False
    crc: bool = False
    waiting: bytes = b""  # that goes with the next line
    msn: dict = field(default_factory=lambda: {queue: 1 for queue in range(4)})
    offset: int = 0  # in the message that is not at its end
    asked: list = field(default_factory=list)  # READs: STag, offset and size of the sink
    atomics: list = field(default_factory=list)


def stream_of(scene, qp):
    return scene.tcp.setdefault(("iwarp", qp.name), Stream())


# ---- segments -----------------------------------------------------------------------------------

def put_segment(scene, statement, sender, keys, sequence, payload, flags=ACK, lost=False, acknowledgment=None,
                ident=None):
    if acknowledgment is None:
        acknowledgment = stream_of(scene, sender.peer).sequence - keys.get("short_of", 0)
    options = had_already(scene, keys["had"]) if "had" in keys else b""
    head = struct.pack(">HHIIBBHHH", PORT + sender.number, PORT + sender.peer.number, sequence % (1 << 32),
                       acknowledgment % (1 << 32) if flags & ACK else 0, 5 + len(options) // 4 << 4, flags,
                       keys.get("window", 500), 0, 0) + options
    scene.ip_id += 1 # as a sender numbers its segments: a copy has that of its original
    ident = (scene.ip_id if ident is None else ident) & 0xFFFF
    layer = functools.partial(frames.ip4, ident=ident) if scene.version == 4 else frames.ip6
    ips = [qp.host.ip[scene.version] for qp in (sender, sender.peer)]
    pseudo = ips[0] + ips[1] + struct.pack(">II", len(head) + len(payload), 6)
    sum_of = pseudo if "offload" in keys else pseudo + head + payload
    sum_of = frames.checksum(sum_of) ^ (0xFFFF if "offload" in keys else 0)  # the NIC would do the rest
    head = head[:16] + struct.pack(">H", sum_of) + head[18:]
    if "flip" in keys: # of one without data, in its urgent pointer
        damaged = bytearray(head + payload)
        damaged[-1] ^= 0x10
        head, payload = bytes(damaged[:len(head)]), bytes(damaged[len(head):])
    whole = layer(head + payload, 6, source=ips[0], destination=ips[1])
    for copy in range(2 if "mirrored" in keys else 1):
        scene.now_ns += copy * scene.gap_ns
        scene.put(packet.ethernet(whole, {}, sender.host, sender.peer.host), lost, keys.get("cut"),
                  keys.get("interface", 0), label=None if copy else statement.label)


def had_already(scene, label):
    """A D-SACK (RFC 2883): the bytes of a labelled line came though they were there."""
    _, sequence, payload = scene.sent[label]
    return struct.pack(">BBBBII", 1, 1, 5, 10, sequence % (1 << 32), (sequence + len(payload)) % (1 << 32))


def put_segments(scene, statement, sender, keys, sequence, payload):
    """The bytes, cut into segments; `missed`: the other side has what the capture has not."""
    mss = keys.get("mss", scene.mss)
    flags = (0 if "bare" in keys else ACK) | (FIN if "fin" in keys else 0) | (RST if "rst" in keys else 0)
    cuts = [(sequence + at, payload[at:at + mss]) for at in range(0, max(1, len(payload)), mss)]
    idents = [scene.ip_id + 1 + index for index in range(len(cuts) * (2 if "twice" in keys else 1))]
    if "reverse" in keys: # by the network: identifications are of the order of sending
        cuts.reverse()
        idents.reverse()
    lost = statement.lost or "missed" in keys
    for index, (at, part) in enumerate(cuts * (2 if "twice" in keys else 1)):
        if index:
            scene.now_ns += duration_ns(str(keys["gap"])) if "gap" in keys else scene.gap_ns
        put_segment(scene, statement, sender, keys, at, part, flags, lost, ident=idents[index])


def send_bytes(scene, statement, sender, keys, payload):
    stream = stream_of(scene, sender)
    stream.waiting += payload
    if "queue" in keys:
        return
    payload, stream.waiting, sequence = stream.waiting, b"", stream.sequence
    stream.sequence += len(payload) + ("fin" in keys)
    sequence -= keys.get("back", 0)
    if statement.label:
        scene.sent[statement.label] = (sender, sequence, payload)
    put_segments(scene, statement, sender, keys, sequence, payload)
    if "missed" in keys:
        put_segment(scene, statement, sender.peer, {}, stream_of(scene, sender.peer).sequence, b"")


@verb("iw_tcp", keys=TCP_KEYS | {"payload"})
def tcp(scene, statement, sender, words, keys):
    """A segment with any bytes, or without: an acknowledgment, a FIN, a RST. bare=1: it acknowledges nothing; back=20:
    its number is so much lower, as that of a RST that answers an old segment."""
    send_bytes(scene, statement, sender, keys, packet.octets(keys.get("payload", "")))


@verb("iw_resend", keys=TCP_KEYS)
def resend(scene, statement, sender, words, keys):
    """The segments of a labelled line again."""
    owner, sequence, payload = scene.sent[words[1]]
    if owner is not sender:
        raise ValueError(f"{words[1]} was not sent by {sender.name}")
    put_segments(scene, statement, sender, keys, sequence - keys.get("back", 0), payload)


# ---- start frames -------------------------------------------------------------------------------

def start_frame(is_reply, keys):
    depths, flags = b"", 0x80 * ("markers" in keys) | 0x40 * ("crc" in keys) | 0x20 * ("reject" in keys)
    revision = keys.get("rev", 2 if {"ird", "ord"} & keys.keys() else 1)
    if {"ird", "ord"} & keys.keys():
        flags |= 0x10
        ird, ord_ = keys.get("ird", 0x3FFF), keys.get("ord", 0x3FFF)
        if "p2p" in keys:
            ird |= 0x8000
        for kind in str(keys.get("rtr", "")).split(",") if "rtr" in keys else ():
            ird, ord_ = ird | READY[kind][0], ord_ | READY[kind][1]
        depths = struct.pack(">HH", ird, ord_)
    private = depths + packet.octets(keys.get("private_data", ""))
    key = keys.get("key", f"MPA ID {'Rep' if is_reply else 'Req'} Frame")
    return key.encode() + struct.pack(">BBH", keys.get("flags", flags), revision, len(private)) + private


def put_start(scene, statement, sender, is_reply, keys):
    stream, peer = stream_of(scene, sender), stream_of(scene, sender.peer)
    tcp = {key: keys[key] for key in keys if key == "flip"}
    send_bytes(scene, statement, sender, tcp, start_frame(is_reply, keys))
    stream.begin, peer.markers = stream.sequence, "markers" in keys
    stream.crc = peer.crc = stream.crc or "crc" in keys


@verb("mpa_request", "mpa_reply", keys=START)
def start(scene, statement, sender, words, keys):
    put_start(scene, statement, sender, words[0] == "mpa_reply", keys)


@verb("mpa", keys=START | {f"{frame}.{key}" for frame in ("request", "reply") for key in START})
def mpa(scene, statement, sender, words, keys):
    """SYNs, request, reply; request.x= and reply.x= are for one of the two."""
    for qp in (sender, sender.peer):
        scene.tcp[("iwarp", qp.name)] = Stream(sequence=1000 * (1 + scene.set_ups))
    scene.set_ups += 1
    for qp, flags in (sender, SYN), (sender.peer, SYN | ACK):
        put_segment(scene, statement, qp, {}, stream_of(scene, qp).sequence, b"", flags, statement.lost)
        stream_of(scene, qp).sequence += 1
        scene.now_ns += scene.step_ns
    for qp, name in (sender, "request"), (sender.peer, "reply"):
        own = {key: value for key, value in keys.items() if "." not in key}
        own |= {key.split(".")[1]: value for key, value in keys.items() if key.startswith(name + ".")}
        put_start(scene, statement, qp, name == "reply", own)
        scene.now_ns += scene.step_ns


# ---- FPDUs --------------------------------------------------------------------------------------

def with_markers(stream, body, damage):
    """The FPDU with its markers, and its CRC behind."""
    at = stream.sequence + len(stream.waiting) - (stream.begin or 0)
    out, distance = b"", 0

    def due():
        return stream.markers and (at + len(out)) % MARKER_EVERY == 0

    def marker():
        return struct.pack("<HH" if damage == "swapped" else ">HH", 0, distance + 4 * (damage == "marker"))

    if due():
        out += marker()
    first = len(out)
    for index in range(0, len(body), 4):
        distance = len(out) - first
        out += (marker() if index and due() else b"") + body[index:index + 4]
    distance = len(out) - first
    out += marker() if due() else b""
    crc = crc32c(out) ^ (1 if damage in (1, "crc") else 0) if stream.crc else 0
    return out + struct.pack("<I", crc)


def put_fpdu(scene, statement, sender, keys, ulpdu):
    stream = stream_of(scene, sender)
    for key in "crc", "markers":
        if key in keys:
            setattr(stream, key, bool(keys[key]))
    body = struct.pack(">H", keys.get("length", len(ulpdu))) + ulpdu
    pad = -len(body) % 4
    body += (packet.octets(str(keys["padding"])) * pad)[:pad] if "padding" in keys else bytes(pad)
    if statement.label:
        scene.ulpdus[statement.label] = ulpdu
    send_bytes(scene, statement, sender, keys, with_markers(stream, body, keys.get("damage")))


def control(keys, opcode, tagged):
    first = 0x80 * keys.get("tagged", tagged) | 0x40 * ("more" not in keys) | keys.get("dv", 1)
    return bytes([first | keys.get("reserved", 0) << 2, keys.get("rv", 1) << 6 | keys.get("op", opcode)])


def tagged(keys, opcode, stag, offset):
    return control(keys, opcode, 1) + struct.pack(">IQ", keys.get("stag", stag), keys.get("to", offset))


def untagged(stream, keys, opcode, size=0):
    """The header; MSN and MO go on by themselves."""
    queue = keys.get("queue_number", QUEUES.get(opcode, 0))
    number = keys.get("msn", stream.msn[queue % 4])
    header = control(keys, opcode, 0) + struct.pack(">IIII", keys.get("inv", 0), queue, number,
                                                    keys.get("mo", stream.offset))
    stream.offset = stream.offset + size if "more" in keys else 0
    stream.msn[queue % 4] = number + ("more" not in keys)
    return header


def payload_of(keys, default=64):
    return frames.pattern(keys.get("bytes", default), keys.get("fill", 1))


@verb("iw_write", keys=FPDU_KEYS)
def write(scene, statement, sender, words, keys):
    put_fpdu(scene, statement, sender, keys, tagged(keys, WRITE, STAG, OFFSET) + payload_of(keys))


@verb("iw_send", keys=FPDU_KEYS | {"se"})
def send(scene, statement, sender, words, keys):
    opcode, payload = SEND + ("inv" in keys) + 2 * ("se" in keys), payload_of(keys)
    put_fpdu(scene, statement, sender, keys,
             untagged(stream_of(scene, sender), keys, opcode, len(payload)) + payload)


@verb("iw_immediate", keys=FPDU_KEYS | {"se"})
def immediate(scene, statement, sender, words, keys):
    put_fpdu(scene, statement, sender, keys,
             untagged(stream_of(scene, sender), keys, IMMEDIATE + ("se" in keys)) + payload_of(keys, 8))


@verb("iw_read", keys=FPDU_KEYS | {"sink", "sink_to", "size"})
def read(scene, statement, sender, words, keys):
    """stag= and to= are of the source; size= is what is asked for, bytes= what follows the header."""
    asked = [keys.get("sink", SINK), keys.get("sink_to", SINK_OFFSET), keys.get("size", 64)]
    stream = stream_of(scene, sender)
    stream.asked.append(asked)
    put_fpdu(scene, statement, sender, keys, untagged(stream, keys, READ) + struct.pack(
        ">IQIIQ", *asked, keys.get("stag", STAG), keys.get("to", OFFSET)) + payload_of(keys, 0))


@verb("iw_response", keys=FPDU_KEYS)
def response(scene, statement, sender, words, keys):
    """To the oldest READ, all of it or bytes= with `more`."""
    waiting = stream_of(scene, sender.peer).asked
    sink = waiting[0] if waiting else [SINK, SINK_OFFSET, 64]
    payload = payload_of(keys, sink[2])
    put_fpdu(scene, statement, sender, keys, tagged(keys, RESPONSE, sink[0], sink[1]) + payload)
    sink[1], sink[2] = sink[1] + len(payload), sink[2] - len(payload)
    if waiting and "more" not in keys:
        waiting.pop(0)


@verb("iw_atomic", keys=FPDU_KEYS | {"id", "operation", "add", "compare", "mask"})
def atomic(scene, statement, sender, words, keys):
    """operation=0 adds, 2 compares and swaps."""
    stream = stream_of(scene, sender)
    stream.atomics.append(keys.get("id", len(stream.atomics) + 1))
    put_fpdu(scene, statement, sender, keys, untagged(stream, keys, ATOMIC) + struct.pack(
        ">IIIQQQQQ", keys.get("operation", 0), stream.atomics[-1], keys.get("stag", STAG), keys.get("to", OFFSET),
        keys.get("add", 1), keys.get("mask", 0), keys.get("compare", 0), keys.get("mask", 0)))


@verb("iw_answer", keys=FPDU_KEYS | {"id", "original"})
def answer(scene, statement, sender, words, keys):
    """To the oldest atomic."""
    waiting = stream_of(scene, sender.peer).atomics
    oldest = waiting.pop(0) if waiting else 1
    put_fpdu(scene, statement, sender, keys, untagged(stream_of(scene, sender), keys, ANSWER) +
             struct.pack(">IQ", keys.get("id", oldest), keys.get("original", 0)))


@verb("iw_terminate", keys=FPDU_KEYS | {"layer", "type", "code", "of", "siw"})
def terminate(scene, statement, sender, words, keys):
    """of= is the label of the FPDU that it is about; `siw` writes it as Linux does."""
    layer, kind, code = keys.get("layer", 1), keys.get("type", 1), keys.get("code", 0)
    failed = scene.ulpdus[keys["of"]] if "of" in keys else b""
    is_read = failed and not failed[0] & 0x80 and failed[1] & 15 == READ
    copied = failed[:14 if failed and failed[0] & 0x80 else 46 if is_read else 18]
    flags = (0xC0 | 0x20 * bool(is_read)) if failed else 0
    if "siw" in keys:
        layer, kind, flags = kind, layer, flags >> 7 & 1 | flags >> 5 & 2 | flags >> 3 & 4
    reason = bytes([layer << 4 | kind, code, flags, 0]) + (struct.pack(">H", len(failed)) if failed else b"")
    put_fpdu(scene, statement, sender, keys,
             untagged(stream_of(scene, sender), keys, TERMINATE) + reason + copied)


@verb("iw_raw", keys=FPDU_KEYS)
def raw(scene, statement, sender, words, keys):
    """An FPDU around these bytes (hex), and bytes= of payload."""
    put_fpdu(scene, statement, sender, keys, packet.octets("".join(words[1:])) + payload_of(keys, 0))


@verb("iw_keep_alive")
def keep_alive(scene, statement, sender, words, keys):
    """The last byte again, which the other side has."""
    put_segment(scene, statement, sender, keys, stream_of(scene, sender).sequence - 1, b"\0")
