# SPDX-License-Identifier: GPL-2.0-or-later
"""The tables that tshark prints of the plugin's statistics, against the program's JSON."""
import pathlib
import re
from collections import Counter, defaultdict

STATISTICS = ["-z", "conv,rdma", "-z", "endpoints,rdma", "-z", "rdma,srt", "-z", "rdma,tree"]
# of upper layers: how the program's output calls them, and people do
PEOPLE = dict(re.findall(r'U\(\w+, "(\w+)", +"([^"]+)"\)',
                         (pathlib.Path(__file__).resolve().parents[2] / "analyzer/rda.h").read_text()))


def section(printed, title):
    """What tshark prints under a title, up to its line of equals signs."""
    found = re.search(rf"^{title}\b.*\n((?:(?!=====).*\n)*)", printed, re.M)
    assert found, f"no {title} were printed"
    return found[1]


def end(endpoint):
    """An endpoint's name in the tables."""
    if endpoint["qpn"] is not None:
        return f"{endpoint['address']} 0x{endpoint['qpn']:06x}"
    return f"{endpoint['address']} " + ("?" if endpoint["port"] is None else f"port {endpoint['port']}")


def segments(tshark, capture, document):
    """Frames of iWARP, and bytes of these, by connection and sender: what has bytes of FPDUs, or a start frame."""
    found = defaultdict(lambda: (0, 0))
    if any(connection["transport"] == "iwarp" for connection in document["connections"]):
        names = ["rdma.connection", "rdma.src_endpoint", "frame.len"]
        rows, _ = tshark.fields("-2", "-r", capture, "-Y", "tcp && rdma.connection", names=names)
        for number, sender, length in (row.values() for row in rows.values()):
            key = int(number[0]), sender[0]
            found[key] = found[key][0] + 1, found[key][1] + int(length[0])
    return found


def directions(document, of_iwarp):
    """(sender, receiver, packets, bytes) of each connection, by connection."""
    for connection in document["connections"]:
        ends = [end(endpoint) for endpoint in connection["endpoints"]]
        flows = [(flow["packets"], flow["bytes"]) if flow else (0, 0) for flow in connection["flows"]]
        if connection["transport"] == "iwarp":
            flows = [of_iwarp[connection["id"], sender] for sender in ends]
        yield [(ends[side], ends[1 - side], *flow) for side, flow in enumerate(flows)]


def joined(got, want):
    """Rows of one pass: what a QP had sent before it was known whose other direction it is has a row of its own."""
    alone = [row for row in got if row not in want and row[0].endswith(" ?") and row[3] == 0]
    whole = [list(row) for row in got if row not in alone]
    for sender, receiver, packets, _ in alone:
        for row in whole:
            if receiver in row[:2] and row[1 - row.index(receiver)].startswith(sender[:-1]):
                row[2 if row[1] == receiver else 3] += packets
                break
        else:
            whole.append([sender, receiver, packets, 0])
    return sorted(map(tuple, whole))


def check_conversations(printed, document, of_iwarp, whole):
    """In one pass a segment of iWARP counts if an FPDU ends in it: what it is a part of is not known by then."""
    rows = re.findall(r"^(\S.*?) +<-> (\S.*?) {2,}(\d+) \S+ \S+ +(\d+) \S+ ",
                      section(printed, "RDMA Conversations"), re.M)
    got = sorted((one, other, int(there), int(back)) for one, other, back, there in rows)
    want = sorted((there[0], there[1], there[2], back[2]) for there, back in directions(document, of_iwarp))
    if not whole and of_iwarp:
        assert len(got) == len(want) and all(a[:2] == b[:2] and a[2:] <= b[2:] for a, b in zip(got, want)), \
            f"conversations: got {got}, want at most {want}"
        return
    if not whole:
        got = joined(got, want)
    assert got == want, f"conversations: got {got}, want {want}"


def check_endpoints(printed, document, of_iwarp):
    """Of each QP or port: packets and bytes that it sent, that it received."""
    want, got = Counter(), Counter()
    for connection in directions(document, of_iwarp):
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


def measured(document):
    """(title of the table, name, latency) of all kinds of messages and commands."""
    for connection in document["connections"]:
        for flow in filter(None, connection["flows"]):
            for name, message in flow["messages"].items():
                yield "Message", name.upper().replace("_", " "), message["latency_ns"]
    for layer in document.get("upper_layers", ()):
        for row in layer["operations"]:
            yield PEOPLE[layer["protocol"]], row["operation"] or f"code {row['operation_code']}", row["latency_ns"]


def response_times(printed):
    """(title of the table, name): count, and least, greatest, mean and sum in microseconds."""
    found, title = {}, None
    for line in section(printed, "RDMA SRT Statistics").splitlines():
        head = re.match(r"Index +(\S.*?) +(?:Calls|Count)", line)
        title = head[1] if head else title
        row = re.match(r" *\d+ +(\S.*?) +(\d+)" + r" +(\d+\.\d{6})" * 4, line)
        if row and int(row[2]):
            found[title, row[1]] = [int(row[2]), *(round(float(number) * 1e6) for number in row.groups()[2:])]
    return found


def check_response_times(printed, document):
    """Count, least and greatest of each operation, in microseconds; average and sum, which the program only bounds."""
    want, bounds = {}, defaultdict(lambda: [0, 0])
    for *name, latency in measured(document):
        name = tuple(name)
        if latency and latency["count"]:
            count, least, most = want.get(name, (0, latency["min"], 0))
            want[name] = (count + latency["count"], min(least, latency["min"]), max(most, latency["max"]))
            others = latency["count"] - 1
            bounds[name][0] += (latency["max"] + others * latency["min"]) / 1000
            bounds[name][1] += (latency["min"] + others * latency["max"]) / 1000
    want = {name: (count, (least + 500) // 1000, (most + 500) // 1000)
            for name, (count, least, most) in want.items()}
    got = response_times(printed)
    assert {name: tuple(row[:3]) for name, row in got.items()} == want, f"response times: got {got}, want {want}"
    for name, (count, _, _, average, total) in got.items():
        least, most = bounds[name]
        assert least - 1 <= total <= most + 1 and abs(average - total / count) <= 1, \
            f"response times of {name}: {total} us in all of {least} to {most}, {average} each of {count}"


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


def check(printed, document, of_iwarp, whole):
    """`whole` is False in one pass: packets have passed before it was known which QP sent them."""
    check_conversations(printed, document, of_iwarp, whole)
    if whole:
        check_endpoints(printed, document, of_iwarp)
    check_response_times(printed, document)
    check_tree(printed, document, whole)
