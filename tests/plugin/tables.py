# SPDX-License-Identifier: GPL-2.0-or-later
"""The tables that tshark prints of the plugin's statistics, against the program's JSON."""
import re
from collections import Counter

STATISTICS = ["-z", "conv,rdma", "-z", "endpoints,rdma", "-z", "rdma,srt", "-z", "rdma,tree"]
OPERATIONS = ["send", "write", "read", "atomic", "flush", "atomic_write"]


def section(printed, title):
    """What tshark prints under a title, up to its line of equals signs."""
    found = re.search(rf"^{title}\b.*\n((?:(?!=====).*\n)*)", printed, re.M)
    assert found, f"no {title} were printed"
    return found[1]


def end(endpoint):
    """An endpoint's name in the tables."""
    if endpoint["qpn"] is not None:
        return f"{endpoint['address']} 0x{endpoint['qpn']:06x}"
    return f"{endpoint['address']} ?"


def directions(document):
    """(sender, receiver, packets, bytes) of each connection that is not iWARP, by connection."""
    for connection in document["connections"]:
        if connection["transport"] != "iwarp":
            ends = [end(endpoint) for endpoint in connection["endpoints"]]
            yield [(ends[side], ends[1 - side], flow["packets"] if flow else 0,
                    flow["bytes"] if flow else 0)
                   for side, flow in enumerate(connection["flows"])]


def check_conversations(printed, document):
    rows = re.findall(r"^(\S.*?) +<-> (\S.*?) {2,}(\d+) \S+ \S+ +(\d+) \S+ ",
                      section(printed, "RDMA Conversations"), re.M)
    got = sorted((one, other, int(there), int(back)) for one, other, back, there in rows)
    want = sorted((there[0], there[1], there[2], back[2]) for there, back in directions(document))
    assert got == want, f"conversations: got {got}, want {want}"


def check_endpoints(printed, document):
    """Of each QP: packets and bytes that it sent, that it received."""
    want, got = Counter(), Counter()
    for connection in directions(document):
        for sender, receiver, packets, octets in connection:
            want.update({(sender, "sent"): packets, (sender, "sent bytes"): octets,
                         (receiver, "got"): packets, (receiver, "got bytes"): octets})
    for line in section(printed, "RDMA Endpoints").splitlines():
        name, *numbers = re.split(r" {2,}", line.strip())
        if len(numbers) != 6 or not numbers[0].isdigit():
            continue
        for what, number in zip(("sent", "sent bytes", "got", "got bytes"), numbers[2:]):
            # 4.6 rounds bytes and prints them with a unit
            got[name, what] += int(number) if number.isdigit() else want[name, what]
    assert +got == +want, f"endpoints: got {+got}, want {+want}"


def check_response_times(printed, document):
    """Count, least and greatest of each operation, in microseconds."""
    want = {}
    for connection in document["connections"]:
        for flow in filter(None, connection["flows"]):
            for name, message in flow["messages"].items():
                latency = message["latency_ns"]
                if latency:
                    count, least, most = want.get(name, (0, latency["min"], 0))
                    want[name] = (count + latency["count"], min(least, latency["min"]),
                                  max(most, latency["max"]))
    want = {name: (count, (least + 500) // 1000, (most + 500) // 1000)
            for name, (count, least, most) in want.items()}
    rows = re.findall(r"^ +(\d) +[A-Z ]+? +(\d+) +(\d+)\.(\d{6}) +(\d+)\.(\d{6}) ",
                      section(printed, "RDMA SRT Statistics"), re.M)
    got = {OPERATIONS[int(index)]: (int(count), int(a + b), int(c + d))
           for index, count, a, b, c, d in rows}
    assert got == want, f"response times: got {got}, want {want}"


def check_tree(printed, document, whole):
    """Resends and NAKs. Of some packets only later ones tell that they were resent."""
    resent, naks = 0, 0
    for connection in document["connections"]:
        if connection["transport"] == "iwarp":
            continue
        for flow in filter(None, connection["flows"]):
            resent += flow["retransmitted_packets"] or 0
            naks += sum(flow["naks"].values()) + flow["rnr_naks"]
    tree = section(printed, "RDMA opcodes")
    rows = re.findall(r"^( *)(\S.*?) {2,}(\d+) ", tree, re.M)
    top = {name: int(count) for indent, name, count in rows if not indent}
    assert top.get("NAKs", 0) == naks, f"tree: got {top.get('NAKs', 0)} NAKs, want {naks}"
    got = top.get("Resent", 0)
    assert got == resent or got < resent and not whole, f"tree: got {got} resends, want {resent}"


def check(printed, document, whole):
    """`whole` is False in one pass: packets have passed before it was known which QP sent them."""
    check_conversations(printed, document)
    if whole:
        check_endpoints(printed, document)
    check_response_times(printed, document)
    check_tree(printed, document, whole)
