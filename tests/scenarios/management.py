# SPDX-License-Identifier: GPL-2.0-or-later
"""The verbs of connection management: `cm` for a whole set-up, each CM message, and any MAD.

Fields have the names of tests/captures/cm.py (and of --list-headers); those that are not given have
the values that a Linux host would send for the two QPs.
"""

import ipaddress
import pathlib
import sys

import packet
from scene import WRAP
from verbs import VERBS, Context, verb

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "captures"))
import cm as layouts  # noqa: E402

MESSAGE_GAP_NS, TEARDOWN_NS = 100_000, 50_000
MTU_CODES = {256: 1, 512: 2, 1024: 3, 2048: 4, 4096: 5}
TRANSPORTS = {"rc": 0, "uc": 1, "rd": 2, "xrc": 3, "ud": 0}
ALIASES = {"psn": "starting_psn", "retry": "retry_count", "rnr_retry": "rnr_retry_count",
           "timeout": "primary_ack_timeout", "resources": "responder_resources",
           "depth": "initiator_depth", "qpn": "local_qpn", "flow_label": "primary_flow_label"}
MESSAGES = {name.removeprefix("cm_"): spec for name, spec in layouts.MESSAGES.items()}
REQ_REASONS = {"req": 0, "rep": 1, "other": 2}


def comm_id(qp):
    """One for each set-up of a QP."""
    return 0x10000000 * (ord(qp.name[0]) - ord("A") + 1) + qp.number + (qp.set_ups << 24)


def first_psn(scene, qp):
    psn = scene.first_psn(qp.name)
    return 0x100 + qp.number if psn is None else psn


def as_number(value):
    """Addresses may be written as such."""
    return value if isinstance(value, int) else int(ipaddress.ip_address(value))


def host_number(scene, host):
    return int.from_bytes(host.ip[scene.version])


def gid(scene, host):
    if scene.link == "rocev2" and scene.version == 4:
        return int.from_bytes(bytes(10) + b"\xff\xff" + host.ip[4])
    return int.from_bytes(host.ip[6] if scene.link == "rocev2" else host.gid)


def ip_private_data(scene, here, there, keys):
    """The header of annex A11 that a REQ for an IP service carries; ip_cm.x are its fields."""
    values = {"ip_version": scene.version, "source_port": 40000, "source": host_number(scene, here),
              "destination": host_number(scene, there)}
    for key, value in keys.items():
        if key.startswith("ip_cm."):
            values[key.removeprefix("ip_cm.")] = as_number(value)
    body = bytearray(92)
    layouts_fill(body, layouts.IP_CM, values)
    return int.from_bytes(body)


def layouts_fill(body, fields, values):
    """Sets the given fields; the others stay 0."""
    for member, byte, bit, width in fields:
        width = width or (len(body) - byte) * 8
        end = (bit + width + 7) // 8
        value = values.get(member, 0)
        if value >> width:
            raise ValueError(f"{member}={value} does not fit {width} bits")
        whole = int.from_bytes(body[byte:byte + end]) | value << (end * 8 - bit - width)
        body[byte:byte + end] = whole.to_bytes(end)


def usual(scene, name, here, there, keys):
    """What a message says when the line does not."""
    values = {"local_comm_id": comm_id(here), "remote_comm_id": comm_id(there)}
    lid = (0xFFFF, 0xFFFF) if scene.link.startswith("roce") else (here.host.lid, there.host.lid)
    if name in ("req", "rep"):
        # the PSN that the *recipient* starts with
        values |= {"local_qpn": here.number, "starting_psn": first_psn(scene, there),
                   "responder_resources": 16, "initiator_depth": 16, "rnr_retry_count": 7,
                   "local_ca_guid": 0x0200000000000000 | here.host.lid, "flow_control": 1}
    if name == "req":
        values |= {"service_id": layouts.IP_SERVICE, "transport": TRANSPORTS[scene.service or "rc"],
                   "retry_count": 7, "path_mtu": MTU_CODES[scene.mtu], "primary_ack_timeout": 19,
                   "remote_cm_timeout": 20, "local_cm_timeout": 20, "max_cm_retries": 15,
                   "pkey": 0xFFFF, "primary_local_lid": lid[0], "primary_remote_lid": lid[1],
                   "primary_local_gid": gid(scene, here.host),
                   "primary_remote_gid": gid(scene, there.host), "primary_hop_limit": 64,
                   "primary_flow_label": (40000 * 31 + 7174) & 0xFFFFF,
                   "primary_rate": 3, "private_data": ip_private_data(scene, here.host, there.host, keys)}
        if values["transport"] == 3:
            values["extended_transport"] = 1
    if name in ("dreq", "lap"):
        values["remote_qpn"] = there.number
    if name in ("sidr_req", "sidr_rep"):
        values |= {"request_id": comm_id(here if name == "sidr_req" else there), "pkey": 0xFFFF,
                   "service_id": 0x0000000001111C06, "qpn": here.number, "q_key": 0x11111111}
    if name == "rej":
        values |= {"reason": 28}
    if name == "mra":
        values["service_timeout"] = 20
    return values


def known_values(name, keys):
    """The line's own values for a message: fields and their short names."""
    members = {row[0] for row in MESSAGES[name][1]}
    values = {}
    for key, value in keys.items():
        member = key if key in members else ALIASES.get(key, key)
        if key == "mtu":
            member, value = "path_mtu", MTU_CODES.get(value, value)
        if member in members:
            values[member] = int(value, 16) if member == "private_data" else as_number(value)
    if "private_data" in values:  # hex from its first byte on
        width = len(keys["private_data"]) * 4
        length = body_bytes(name) * 8
        values["private_data"] <<= length - width
    return values


def body_bytes(name):
    """The bytes of a message's private data."""
    start = next(row[1] for row in MESSAGES[name][1] if row[0] == "private_data")
    return layouts.MAD_BYTES - layouts.MAD_HEADER_BYTES - start


def send_mad(scene, statement, sender, datagram, keys, own=frozenset()):
    """A MAD from QP1 to QP1; `own` keys are no fields of the packet around it."""
    context = Context(scene, statement, sender, [], keys)
    port = {} if "sport" in keys else {"sport": packet.GSI_PORT}
    computed = {"opcode": 0x64, "psn": sender.host.gsi_psn % WRAP, "dest_qp": packet.GSI_QP,
                "src_qp": packet.GSI_QP, "qkey": packet.GSI_QKEY, "payload": datagram, **port}
    sender.host.gsi_psn += 1
    kept = {key: value for key, value in keys.items() if key in packet.KEYS - own}
    scene.send(sender, context.destination, {**computed, **kept}, statement.lost, statement.label)


CM_OWN = {"psn", "flow_label", "pkey"}  # of these names a CM message has its own field


def send_message(scene, statement, sender, name, keys):
    peer = scene.qp(keys["to"]) if "to" in keys else sender.peer
    values = usual(scene, name, sender, peer, keys) | known_values(name, keys)
    body = bytearray(layouts.MAD_BYTES - layouts.MAD_HEADER_BYTES)
    layouts_fill(body, MESSAGES[name][1], values)
    # one transaction for the set-up, another for the tear-down
    low, high = sorted((comm_id(sender), comm_id(peer)))
    tid = keys.get("tid", low << 32 | (high & 0xFFFFFFF) << 4 | (name in ("dreq", "drep")))
    send_mad(scene, statement, sender,
             layouts.mad(layouts.CM_CLASS, 3, MESSAGES[name][0], bytes(body), tid=tid), keys,
             CM_OWN)
    if name == "req":
        label = values["primary_flow_label"]
        if scene.link == "rocev2" and label:
            sender.sport = peer.sport = packet.source_port_of_label(label)


def message(scene, statement, sender, words, keys):
    send_message(scene, statement, sender, words[0], keys)


def set_up(scene, statement, sender, words, keys):
    """REQ, REP, RTU. A key goes into each message that has the field; req.x and rep.x into one."""
    for qp in (sender, sender.peer):
        qp.restart()
        qp.set_ups += 1
    for at, (name, who) in enumerate((("req", sender), ("rep", sender.peer), ("rtu", sender))):
        if at:
            scene.now_ns += MESSAGE_GAP_NS
        own = {key.removeprefix(name + "."): value for key, value in keys.items()
               if key.startswith((name + ".", "ip_cm.")) or "." not in key}
        send_message(scene, statement, who, name, own)


@verb("mad", keys=("class", "method", "attribute", "status", "modifier", "tid", "body", "version"))
def mad(scene, statement, sender, words, keys):
    named = {"class": "mgmt_class"}
    fields = {named.get(key, key): value for key, value in keys.items()
              if key in ("class", "method", "attribute", "status", "modifier", "tid", "version")}
    fields = {"mgmt_class": 3, "method": 1, "attribute": 1, **fields}
    send_mad(scene, statement, sender,
             layouts.mad(body=bytes.fromhex(str(keys.get("body", ""))), **fields), keys)


def members(*names):
    """The keys of messages: fields, and short names."""
    own = {row[0] for name in names for row in MESSAGES[name][1]}
    if "req" in names:
        own |= {"ip_cm." + row[0] for row in layouts.IP_CM}
    return own | {alias for alias, member in ALIASES.items() if member in own} | {"mtu", "to", "tid"}


for each in MESSAGES:
    VERBS[each] = (message, members(each))
VERBS["cm"] = (set_up, members("req", "rep") |
               {f"{name}.{key}" for name in ("req", "rep", "rtu") for key in members(name)})
