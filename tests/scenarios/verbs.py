# SPDX-License-Identifier: GPL-2.0-or-later
"""What each verb puts on the wire: requests, resends, responses, CNPs, and frames that are no RDMA.

VERBS maps the word to a function of (scene, statement, sender, words, keys). Keys that a packet has
a field for (packet.KEYS) go into every packet of the line; each verb lists the others it knows.
"""

import struct

import packet
import frames  # packet knows where it lies
from language import duration_ns
from scene import WRAP, Message

VERBS = {}
SYNDROMES = {"ack": 0x00, "rnr": 0x20, "nak": 0x60, "invalid": 0x61, "access": 0x62,
                      "operational": 0x63}
DEFAULT_BYTES, CLEAR_TEXT_PORT = 64, 18515
NO_CREDITS, RNR_CODE = 31, 14
NOT_REPEATED = {"ip_id", "damage", "icrc", "ecn", "cut"}  # what befell a packet, when it is resent
PAUSE_ADDRESS = bytes.fromhex("0180c2000001")


class Context:
    """One line at work: what its packets have in common."""

    def __init__(self, scene, statement, sender, words, keys):
        self.scene, self.statement, self.sender = scene, statement, sender
        self.words, self.keys = words, keys
        self.given = {key: value for key, value in keys.items() if key in packet.KEYS}
        if "payload" in self.given:
            self.given["payload"] = packet.octets(self.given["payload"])
        self.lost = (set(psns(str(keys["lost"]))) if "lost" in keys else set())
        self.first = True

    @property
    def destination(self):
        return self.scene.qp(self.keys["to"]) if "to" in self.keys else self.sender.peer

    def send(self, computed):
        """One packet: what was computed, and the line's own fields instead where given."""
        if not self.first:
            self.scene.now_ns += self.gap_ns
        self.first = False
        if "fill" in self.given and computed.get("payload"):
            computed = {**computed, "payload": frames.pattern(len(computed["payload"]), self.given["fill"])}
        lost = self.statement.lost or computed.get("psn") in self.lost
        return self.scene.send(self.sender, self.destination, {**computed, **self.given}, lost,
                               self.statement.label)

    @property
    def gap_ns(self):
        return duration_ns(str(self.keys["gap"])) if "gap" in self.keys else self.scene.gap_ns


def verb(*names, keys=()):
    """Registers a verb under its names, with the keys that it knows beside a packet's."""
    def register(function):
        for name in names:
            VERBS[name] = (function, set(keys) | {"to", "lost", "gap"})
        return function
    return register


def psns(text):
    """The PSNs of 10, 10-13, 11,12 or 0xfffffe-1 (across the wrap)."""
    found = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        first = int(first, 0) % WRAP
        count = (int(last, 0) - first) % WRAP + 1 if last else 1
        found += [(first + i) % WRAP for i in range(count)]
    return found


def span(context, at=0):
    """(the PSNs of the line, all PSNs of the message that they belong to)"""
    if len(context.words) <= at:
        raise ValueError("a PSN is missing")
    own = psns(context.words[at])
    return own, psns(str(context.keys["of"])) if "of" in context.keys else own


# ---- requests -----------------------------------------------------------------------------------

OPERATIONS = {  # name: Only, First, Middle, Last; None where there is no such packet
    "send": (packet.SEND_ONLY, packet.SEND_FIRST, packet.SEND_MIDDLE, packet.SEND_LAST),
    "write": (packet.WRITE_ONLY, packet.WRITE_FIRST, packet.WRITE_MIDDLE, packet.WRITE_LAST)}
WITH_IMM = {packet.SEND_ONLY: packet.SEND_ONLY_IMM, packet.SEND_LAST: packet.SEND_LAST_IMM,
            packet.WRITE_ONLY: packet.WRITE_ONLY_IMM, packet.WRITE_LAST: packet.WRITE_LAST_IMM}
WITH_INV = {packet.SEND_ONLY: packet.SEND_ONLY_INV, packet.SEND_LAST: packet.SEND_LAST_INV}
SINGLE = {"read": packet.READ, "faa": packet.FETCH_ADD, "cas": packet.COMPARE_SWAP,
          "flush": packet.FLUSH, "atomic_write": packet.ATOMIC_WRITE}
REQUESTS = {*OPERATIONS, *SINGLE}


def service_of(context, name):
    """(service, operation) of uc_write or write; the QP keeps the service for its responses."""
    prefix, _, rest = name.partition("_")
    service, operation = ((prefix, rest) if prefix in packet.SERVICES and rest
                          else (context.scene.service or "rc", name))
    context.sender.service = context.sender.peer.service = service
    return packet.SERVICES[service] << 5, operation


def place(choices, position, count):
    """Of Only, First, Middle, Last, the one at a position of count."""
    only, first, middle, last = choices
    return (only if count == 1 else first if position == 0 else
            last if position == count - 1 else middle)


def opcode_with(opcode, keys):
    if "imm" in keys:
        opcode = WITH_IMM.get(opcode, opcode)
    if "inv" in keys:
        opcode = WITH_INV.get(opcode, opcode)
    return opcode


def part_of(size, position, count, mtu):
    """The bytes of a message that its packet at a position carries; the last has the rest."""
    return mtu if position < count - 1 else max(0, size - mtu * (count - 1))


def size_of(context, count):
    if "bytes" in context.keys:
        return context.keys["bytes"]
    if "payload" in context.given:
        return len(context.given["payload"])
    return context.scene.mtu * count if count > 1 else DEFAULT_BYTES


def memory(context, first):
    """The address and key that a request has by default: no two messages of a QP overlap."""
    number = context.destination.number
    return {"va": 0x7F0000000000 + (number << 32) + ((first & 0xFFFF) << 12), "rkey": number << 8 | 0x42}


def remember(context, whole, kind, size, fields):
    """Notes a message, unless the PSN was in one already."""
    sender = context.sender
    begin = sender.widen(whole[0])
    if sender.message_at(whole[0]):
        return
    end = begin + len(whole) - 1
    counted = begin if kind == packet.READ else end
    sender.ask(Message(begin, end, counted, kind, fields, size))


def asks(context, position, count):
    """AckReq: on the last packet of a message, unless the line says otherwise."""
    if "noack" in context.keys:
        return 0
    return int(bool(context.keys.get("ack")) or position == count - 1)


def send_or_write(context, service, operation):
    own, whole = span(context)
    count, mtu = len(whole), context.scene.mtu
    solicited = context.given.pop("se", 0)
    size = size_of(context, count)
    fields = {**memory(context, whole[0]), "length": size, **context.given}
    remember(context, whole, operation, size, fields)
    for psn in own:
        position = (psn - whole[0]) % WRAP
        opcode = opcode_with(place(OPERATIONS[operation], position, count), context.keys)
        payload = frames.pattern(part_of(size, position, count, mtu), psn)
        computed = {**memory(context, whole[0]), "length": size, "opcode": service | opcode,
                    "psn": psn, "payload": payload, "ack_req": asks(context, position, count)}
        computed["se"] = solicited if position == count - 1 else 0
        computed["last"] = psn
        context.sender.note(psn, context.send(computed))


def request(scene, statement, sender, words, keys):
    context = Context(scene, statement, sender, words[1:], keys)
    service, operation = service_of(context, words[0])
    if operation in OPERATIONS:
        return send_or_write(context, service, operation)
    own, whole = span(context)
    opcode = SINGLE[operation]
    if len(whole) > 1 and operation != "read":
        raise ValueError(f"a {operation} has one PSN")
    size = {"read": size_of(context, len(whole)), "atomic_write": 8}.get(
        operation, keys.get("bytes", DEFAULT_BYTES))
    computed = {**memory(context, whole[0]), "length": size, "opcode": service | opcode,
                "psn": own[0], "ack_req": asks(context, 0, 1)}
    if operation == "atomic_write":
        computed["payload"] = frames.pattern(8, own[0])
    remember(context, whole, opcode, size, {**computed, **context.given})
    computed["last"] = whole[-1]
    sender.note(own[0], context.send(computed))


@verb("resend")
def resend(scene, statement, sender, words, keys):
    """The packets of these PSNs again as they were, with a new IP identification."""
    context = Context(scene, statement, sender, words[1:], keys)
    wanted = span(context)[0]
    done = set()
    for psn in wanted:
        if psn in done:
            continue
        fields = sender.sent.get(psn)
        message = sender.message_at(psn)
        if fields is None and message and message.kind == packet.READ:
            fields = rest_of_read(sender, message, psn, scene.mtu)
        if fields is None:
            raise ValueError(f"{sender.name} has sent no packet with PSN {psn}")
        if message and message.kind == packet.READ:
            left = message.end - sender.widen(psn) + 1
            done.update((psn + i) % WRAP for i in range(left))
        sender.note(psn, context.send({key: value for key, value in fields.items()
                                       if key not in NOT_REPEATED}))


def rest_of_read(sender, message, psn, mtu):
    """A READ request for what is missing from a PSN on."""
    fields = message.fields
    skipped = (sender.widen(psn) - message.begin) * mtu
    return {**fields, "psn": psn, "va": fields["va"] + skipped, "length": fields["length"] - skipped}


# ---- responses ----------------------------------------------------------------------------------

def responder_service(context):
    return packet.SERVICES[context.sender.service] << 5


def msn(context, psn, done):
    return context.sender.peer.completed(psn, done) % WRAP


@verb(*SYNDROMES, keys=("credits", "code"))
def acknowledge(scene, statement, sender, words, keys):
    """ACK and NAKs; several PSNs give several of them."""
    context = Context(scene, statement, sender, words[1:], keys)
    kind = words[0]
    value = {"ack": keys.get("credits", NO_CREDITS), "rnr": keys.get("code", RNR_CODE)}.get(kind, 0)
    for psn in span(context)[0]:
        context.send({"opcode": responder_service(context) | packet.ACKNOWLEDGE, "psn": psn,
                      "syndrome": SYNDROMES[kind] | value,
                      "msn": msn(context, psn, kind == "ack")})


RESPONSE_OPCODES = (packet.RESPONSE_ONLY, packet.RESPONSE_FIRST, packet.RESPONSE_MIDDLE,
                    packet.RESPONSE_LAST)


def asked_by(sender, psn):
    """The latest READ request (a resend may be of a part) that asked for a PSN: (first, count, bytes)."""
    requester = sender.peer
    wide = requester.widen(psn)
    message = requester.message_at(psn)
    if not message:
        return None
    if message.kind != packet.READ:
        return message.begin, 1, 0  # a FLUSH or ATOMIC WRITE
    latest = None
    for at, fields in requester.sent.items():  # in the order of the latest sending
        begin = requester.widen(at)
        if message.begin <= begin <= wide and fields["opcode"] & 0x1F == packet.READ:
            latest = begin, message.end - begin + 1, fields["length"]
    return latest or (message.begin, message.end - message.begin + 1, message.size)


@verb("response", keys=("of", "bytes", "credits"))
def respond(scene, statement, sender, words, keys):
    """READ responses: First, Middle, Last, Only as the request asked for them, or as `of` has it."""
    context = Context(scene, statement, sender, words[1:], keys)
    own, whole = span(context)
    asked = None if "of" in keys else asked_by(sender, own[0])
    begin, count, size = asked or (sender.peer.widen(whole[0]), len(whole), None)
    if "bytes" in keys or size is None:
        size = size_of(context, count)
    for psn in own:
        position = sender.peer.widen(psn) - begin
        opcode = place(RESPONSE_OPCODES, position, count)
        payload = frames.pattern(part_of(size, position, count, scene.mtu), psn)
        context.send({"opcode": responder_service(context) | opcode, "psn": psn,
                      "syndrome": keys.get("credits", NO_CREDITS), "payload": payload,
                      "msn": msn(context, psn, True)})


@verb("result", keys=("credits",))
def result(scene, statement, sender, words, keys):
    """An ATOMIC ACK."""
    context = Context(scene, statement, sender, words[1:], keys)
    for psn in span(context)[0]:
        context.send({"opcode": responder_service(context) | packet.ATOMIC_ACKNOWLEDGE, "psn": psn,
                      "syndrome": keys.get("credits", NO_CREDITS), "msn": msn(context, psn, True)})


@verb("cnp")
def cnp(scene, statement, sender, words, keys):
    context = Context(scene, statement, sender, words[1:], keys)
    native = scene.link.startswith("infiniband")
    context.send({"opcode": packet.CNP_INFINIBAND if native else packet.CNP_ROCE, "psn": 0,
                  "becn": 1, "dscp": 48, "payload": bytes(16)})


# services whose responders count messages, and requests of one PSN that end one
ACKNOWLEDGED = packet.SERVICES["rc"], packet.SERVICES["xrc"]
ENDS = {packet.SEND_LAST, packet.SEND_LAST_IMM, packet.SEND_ONLY, packet.SEND_ONLY_IMM,
        packet.WRITE_LAST, packet.WRITE_LAST_IMM, packet.WRITE_ONLY, packet.WRITE_ONLY_IMM,
        packet.SEND_LAST_INV, packet.SEND_ONLY_INV, packet.COMPARE_SWAP, packet.FETCH_ADD,
        packet.FLUSH, packet.ATOMIC_WRITE}


@verb("packet", keys=("bytes",))
def any_packet(scene, statement, sender, words, keys):
    """Any opcode with any fields."""
    context = Context(scene, statement, sender, words[1:], keys)
    if "opcode" not in keys:
        raise ValueError("packet needs an opcode=")
    opcode, psn, size = keys["opcode"], keys.get("psn", 0), keys.get("bytes", 0)
    computed = {"psn": psn, "payload": frames.pattern(size, psn)}
    if opcode >> 5 in ACKNOWLEDGED and opcode & 0x1F in ENDS and not sender.message_at(psn):
        begin = sender.widen(psn)
        sender.ask(Message(begin, begin, begin, opcode & 0x1F, {}, size))
    if opcode & 0x1F in packet.RESPONSES:
        computed["msn"] = msn(context, psn, True)
    context.send(computed)


# ---- the same again, and frames without RDMA ----------------------------------------------------

def copy(scene, statement, _, words, keys):
    """The previous packet bit for bit, or with other outer fields (mac=, ttl=, ecn=...)."""
    if not scene.latest:
        raise ValueError("there is no packet to copy")
    source, destination, fields = scene.latest
    scene.emit(source, destination, {**fields, **keys}, statement.lost, statement.label)


def pause(scene, statement, _, words, keys):
    body = struct.pack(">HH", 1, keys.get("quanta", 0xFFFF)).ljust(46, b"\0")
    control(scene, statement, keys, body)


def pfc(scene, statement, _, words, keys):
    """priority=3 or 3,4; quanta=0 lets go."""
    classes = [int(part) for part in str(keys.get("priority", 3)).split(",")]
    quanta = keys.get("quanta", 0xFFFF)
    body = struct.pack(">HH8H", 0x0101, sum(1 << c for c in classes),
                       *(quanta if c in classes else 0 for c in range(8)))
    control(scene, statement, keys, body.ljust(46, b"\0"))


def control(scene, statement, keys, body):
    mac = bytes.fromhex(keys.get("mac", "02000000ff01").replace(":", ""))
    scene.put(frames.ethernet(body, 0x8808, PAUSE_ADDRESS, mac), statement.lost,
              interface=keys.get("interface", 0), label=statement.label)


def raw(scene, statement, _, words, keys):
    scene.put(bytes.fromhex("".join(words[1:])), statement.lost, keys.get("cut"),
              keys.get("interface", 0), label=statement.label)


def icmp(scene, statement, _, words, keys):
    """An error about the frame before this line: type= code= mtu=, the first quote= bytes of its IP packet."""
    quoted = scene.frames[-1][1][14:]
    ip6 = quoted[0] >> 4 == 6
    source = packet.address(keys.get("reporter"), (frames.IP6_A[:15] if ip6 else frames.IP4_A[:3]) + b"\xfe")
    destination = quoted[8:24] if ip6 else quoted[12:16]
    body = struct.pack(">BBHI", keys.get("type", 1 if ip6 else 3), keys.get("code", 0), 0, keys.get("mtu", 0)) + \
        quoted[:keys.get("quote", 48 if ip6 else 28)]
    pseudo = source + destination + struct.pack(">II", len(body), 58) if ip6 else b""
    body = body[:2] + struct.pack(">H", frames.checksum(pseudo + body)) + body[4:]
    whole = (frames.ip6 if ip6 else frames.ip4)(body, 58 if ip6 else 1, source=source, destination=destination)
    scene.put(frames.ethernet(whole, 0x86DD if ip6 else 0x0800), statement.lost, label=statement.label)


def arp(scene, statement, _, words, keys):
    """Who asks for whom; op=2: who tells whom."""
    body = struct.pack(">HHBBH", 1, 0x0800, 6, 4, keys.get("op", 1)) + bytes(6) + \
        packet.address(keys["who"], None) + bytes(6) + packet.address(keys["whom"], None)
    scene.put(frames.ethernet(body, 0x0806), statement.lost, label=statement.label)


@verb("tcp", "text", keys=("seq", "flags", "text"))
def tcp(scene, statement, sender, words, keys):
    """A TCP segment; perftest's exchange and the like go in clear text."""
    text = " ".join(words[1:]) or keys.get("text", "")
    payload = text.encode().decode("unicode_escape").encode("latin-1")
    source, destination = sender.host, scene.qp(keys["to"]).host if "to" in keys else sender.peer.host
    passive = source.name > destination.name
    ports = (CLEAR_TEXT_PORT, 40000) if passive else (40000, CLEAR_TEXT_PORT)
    ports = keys.get("sport", ports[0]), keys.get("dport", ports[1])
    here, there = (source.name, *ports), (destination.name, *reversed(ports))
    seq = keys.get("seq", scene.tcp.get(here, 1))
    scene.tcp[here] = seq + len(payload)
    ips = source.ip[scene.version], destination.ip[scene.version]
    head = struct.pack(">HHIIBBHHH", *ports, seq, scene.tcp.get(there, 1), 5 << 4,
                       keys.get("flags", 0x18), 65535, 0, 0)
    pseudo = ips[0] + ips[1] + struct.pack(">II", len(head) + len(payload), 6)
    segment = head[:16] + struct.pack(">H", frames.checksum(pseudo + head + payload)) + head[18:]
    layer = frames.ip4 if scene.version == 4 else frames.ip6
    whole = layer(segment + payload, 6, source=ips[0], destination=ips[1])
    scene.put(packet.ethernet(whole, keys, source, destination), statement.lost, keys.get("cut"),
              keys.get("interface", 0), label=statement.label)


# Lines without a sender: the function, the keys
BARE = {"copy": (copy, packet.KEYS), "pause": (pause, {"quanta", "mac", "interface"}),
        "pfc": (pfc, {"priority", "quanta", "mac", "interface"}), "raw": (raw, {"cut", "interface"}),
        "icmp": (icmp, {"type", "code", "mtu", "quote", "reporter"}), "arp": (arp, {"who", "whom", "op"})}
for prefix in ("", *(service + "_" for service in packet.SERVICES)):
    for name in REQUESTS:
        VERBS[prefix + name] = (request, {"bytes", "of", "ack", "noack", "to", "lost", "gap"})
