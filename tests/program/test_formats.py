#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The formats for machines: every key of the schema, and the same facts in each format."""
import csv
import io
import json
import pathlib
import sys
import tempfile

from program import CAPTURES, EVERY, main, run, same, text

FILES = [CAPTURES / name for name in (
    "roce_cm_rping.a.pcap", "roce_cm_rping_ipv6.a.pcap", "roce_err_bad_rkey_write.a.pcap",
    "roce_corrupt.a.pcap")]

# docs/output.md, in the form: key, or key: keys of the object
CAPTURE = {"file", "link_types", "packets", "rdma_packets", "first_time_ns", "duration_ns",
           "cut_by_snaplen", "malformed", "icrc", "damaged_at"}
CONNECTION = {"id", "transport", "service", "paired_by", "path_mtu", "application", "endpoints",
              "cm", "flows"}
COUNTS = {
    "resends": {"after_nak", "after_rnr", "after_timeout", "after_implied_nak", "unexplained"},
    "lost": {"before_tap", "after_tap", "by_capture"},
    "naks": {"sequence", "invalid_request", "remote_access", "remote_operational", "other"},
    "messages": {"send", "write", "read", "atomic", "flush", "atomic_write"},
    "stalled": {"timeout", "rnr", "nak", "implied_nak", "unexplained"},
}
FLOW = {"packets", "bytes", "dscp", "dscp_count", "cnp_dscp", "first_psn", "last_psn", "request_packets", "new_request_packets",
        "retransmitted_packets", "reordered_packets", "mirrored_packets", "acks", "rnr_naks",
        "cnps", "ce_marked", "ack_latency_ns", "message_latency_ns", "read_first_response_ns",
        "messages_not_timed", "stalled_ns", "spent_ns", *COUNTS}
TIME = {"total", "idle", "sending", "waiting", "network", "responder", "limited", "paused", "held", "congestion", *COUNTS["resends"]} # or null
LATENCY = {"count", "min", "p50", "p90", "p99", "max"} # or null
LATENCIES = {"latency_ns", "ack_latency_ns", "message_latency_ns", "read_first_response_ns"}
COUNTERS = {
    "duplicate_request", "out_of_sequence", "nak_seq_sent", "packet_seq_err", "rnr_nak_sent",
    "rnr_nak_received", "local_ack_timeout_err", "roce_adp_retrans", "implied_nak_seq_err",
    "remote_access_errors_sent", "remote_access_errors_received", "remote_invalid_request_sent",
    "remote_invalid_request_received", "remote_op_errors_sent", "remote_op_errors_received",
    "retry_exceeded", "rnr_retry_exceeded", "ecn_marked_received", "cnp_sent", "cnp_received",
    "icrc_errors_received"}
PACKET = {"frame", "time_ns", "transport", "source", "destination", "length", "opcode", "name",
          "dest_qp", "psn", "pkey", "ack_req", "solicited", "migreq", "pad", "fecn", "becn",
          "payload_length", "icrc", "notes", "connection", "flow", "relative_psn",
          "retransmission_of", "answers"}


def has(keys, record, what):
    assert not keys - record.keys(), f"{what} lacks {keys - record.keys()}"


def check_time(time):
    """Null, or causes that add up."""
    if time is not None:
        same(time.keys(), TIME)
        same(sum(time.values()), 2 * time["total"])


def check_timing(flow):
    """An object of all its keys, or null; the parts come to the whole."""
    kinds = [message["latency_ns"] for message in flow["messages"].values()]
    whole = flow["message_latency_ns"]
    for latency in [whole, flow["ack_latency_ns"], flow["read_first_response_ns"], *kinds]:
        assert latency is None or latency.keys() == LATENCY and latency["count"] > 0, latency
    same(whole["count"] if whole else 0, sum(kind["count"] for kind in kinds if kind))
    if flow["stalled_ns"] is not None:
        same(flow["stalled_ns"], sum(flow["stalled"].values()))
    check_time(flow["spent_ns"])


def test_dscp_of_flows():
    """Of each direction that which all its packets have, as --packets tells them; how many there are; apart from CNPs."""
    seen = set()
    for path in (sorted(CAPTURES.glob("*.pcap")) + sorted((CAPTURES / "made").glob("*.pcap*")))[::EVERY]:
        flows = {}
        for line in run("-p", "-F", "ndjson", path).stdout.decode().splitlines():
            packet = json.loads(line)
            if packet.get("dscp") is None or packet["connection"] is None or packet["icrc"] == "bad" or "opcode" not in packet:
                continue
            kind = "cnp" if packet["name"] and "CNP" in packet["name"] else "data"
            flows.setdefault((packet["connection"], packet["flow"], kind), set()).add(packet["dscp"])
        for connection in json.loads(run("-F", "json", path).stdout)["connections"]:
            for side, flow in enumerate(connection["flows"]):
                data, cnps = (flows.get((connection["id"], side, kind), set()) for kind in ("data", "cnp"))
                if (connection["endpoints"][side]["address"] or "").startswith("LID"):
                    data = cnps = set() # without an IP header
                same((flow["dscp"], flow["dscp_count"]), (min(data) if len(data) == 1 else None, len(data) or None),
                     f"{path.name} #{connection['id']}.{side}")
                same(flow["cnp_dscp"], min(cnps) if len(cnps) == 1 else None, path.name)
                seen |= {flow["dscp"]}
    assert {None, 0} <= seen, seen
    counted = json.loads(text("--count-only", "-F", "json", CAPTURES / "roce_rc_send_small.a.pcap"))
    same([flow["dscp_count"] for flow in counted["connections"][0]["flows"]], [None, None])


def in_class(path, dscp, to):
    """The capture `path`, with this DSCP in what goes to the higher address."""
    data = bytearray(path.read_bytes())
    at = 24
    while at < len(data):
        captured = int.from_bytes(data[at + 8:at + 12], "little")
        ip = at + 16 + 14
        if data[ip] == 0x45 and data[ip + 12:ip + 16] < data[ip + 16:ip + 20]:
            data[ip + 1] = dscp << 2 | data[ip + 1] & 3
            data[ip + 10:ip + 12] = b"\0\0"
            words = sum(int.from_bytes(data[i:i + 2], "big") for i in range(ip, ip + 20, 2))
            while words >> 16:
                words = (words & 0xffff) + (words >> 16)
            data[ip + 10:ip + 12] = (words ^ 0xffff).to_bytes(2, "big")
        at += 16 + captured
    to.write_bytes(data)


def test_one_class_may_be_chosen():
    """A direction of DSCP 26 is told as such, and an expectation of that class sees it alone."""
    with tempfile.TemporaryDirectory() as folder:
        path, expectations = pathlib.Path(folder) / "in.pcap", pathlib.Path(folder) / "expect"
        in_class(CAPTURES / "roce_loss_burst.a.pcap", 26, path)
        flows = json.loads(text("-F", "json", path))["connections"][0]["flows"]
        same([(flow["dscp"], flow["dscp_count"]) for flow in flows], [(26, 1), (0, 1)])
        packets = [flow["packets"] for flow in flows]
        for line, code in ((f"sum(connections[*].flows[dscp == 26].packets) == {packets[0]}", 0),
                           (f"sum(connections[*].flows[dscp == 0].packets) == {packets[1]}", 0),
                           ("connections[*].flows[dscp == 26].packets == 0", 1),
                           ("connections[*].flows[dscp == 8].packets >= 0", 1)):
            expectations.write_text(line + "\n")
            same(run("--expect", expectations, path).returncode, code, line)


def test_every_key():
    """The document has every key of the schema."""
    document = json.loads(text("--format", "json", *FILES))
    same(list(document), ["schema", "taps", "captures", "quality", "hosts", "connections", "paths", "conversations",
                          "memory_keys", "findings", "slowest_messages"])
    same(document["schema"], "rdma-analyze/1")
    same([capture["file"] for capture in document["captures"]], [str(file) for file in FILES])
    for capture in document["captures"]:
        has(CAPTURE, capture, "a capture")
        same(capture["rdma_packets"].keys(), {"rocev2", "rocev1", "infiniband", "iwarp"})
        same(capture["icrc"].keys(), {"good", "bad", "absent", "not_checkable"})
        check_time(capture["spent_ns"])
        same(sum(capture["icrc"].values()), sum(n or 0 for n in capture["rdma_packets"].values()))
    assert document["hosts"]
    for host in document["hosts"]:
        same(host["counters"].keys(), COUNTERS)
        check_time(host["spent_ns"])
    for index, connection in enumerate(document["connections"]):
        has(CONNECTION, connection, "a connection")
        same(connection["id"], index)
        same([endpoint.keys() for endpoint in connection["endpoints"]],
             [{"address", "qpn", "port"}] * 2)
        same(len(connection["flows"]), 2)
        for flow in connection["flows"]:
            has(FLOW, flow, "a flow")
            for key, names in COUNTS.items():
                same(flow[key].keys(), names)
            for message in flow["messages"].values():
                same(message.keys(), {"count", "bytes", "latency_ns"})
            check_timing(flow)


def test_ndjson_is_json():
    """NDJSON has the same records, each with its kind."""
    document = json.loads(text("--format", "json", *FILES))
    records = [json.loads(line) for line in text("--format", "ndjson", *FILES).splitlines()]
    for kind, name in (("captures", "capture"), ("hosts", "host"), ("connections", "connection"),
                       ("conversations", "conversation"), ("slowest_messages", "slow_message")):
        same([record for record in records if record["record"] == name],
             [{"record": name, **record} for record in document[kind]])


def flat(record):
    """{"naks": {"other": 1}} -> {"naks.other": "1"}, as CSV has it."""
    cells = {}
    for key, value in record.items():
        if value is None and key in LATENCIES:
            value = dict.fromkeys(LATENCY)
        if value is None and key == "spent_ns":
            value = dict.fromkeys(TIME)
        if isinstance(value, dict):
            cells.update({f"{key}.{inner}": cell for inner, cell in flat(value).items()})
        elif isinstance(value, list):
            cells[key] = "; ".join(value)
        elif isinstance(value, bool):
            cells[key] = "true" if value else "false"
        else:
            cells[key] = "" if value is None else str(value)
    return cells


def test_csv_is_json():
    """CSV has a line for each flow, with the numbers of JSON."""
    document = json.loads(text("--format", "json", *FILES))
    rows = list(csv.DictReader(io.StringIO(text("--format", "csv", *FILES))))
    same(len(rows), 2 * len(document["connections"]))
    for row in rows:
        connection = document["connections"][int(row["id"])]
        flow = int(row["flow"])
        want = {key: value for key, value in connection.items()
                if key not in ("endpoints", "flows", "cm")}
        want = flat({**want, "source": connection["endpoints"][flow],
                     "destination": connection["endpoints"][1 - flow],
                     **connection["flows"][flow]})
        same({key: value for key, value in row.items() if key != "flow"}, want)


def test_packets():
    """The packets are those that the summary counted, in NDJSON, JSON and CSV alike."""
    document = json.loads(text("--format", "json", *FILES))
    lines = text("--packets", "--format", "ndjson", *FILES).splitlines()
    packets = [json.loads(line) for line in lines]
    same(json.loads(text("--packets", "--format", "json", *FILES)),
         {"schema": "rdma-analyze/1", "packets": packets})
    same(len(text("--packets", *FILES).splitlines()), len(packets))
    for index, capture in enumerate(document["captures"]):
        mine = [packet for packet in packets if packet["file"] == index]
        same(len(mine), sum(n or 0 for n in capture["rdma_packets"].values()))
        for verdict, count in capture["icrc"].items():
            same(sum(packet["icrc"] == verdict for packet in mine), count, verdict)
    for packet in packets:
        has(PACKET, packet, "a packet")
    for connection in document["connections"]:
        for side, flow in enumerate(connection["flows"]):
            mine = [packet for packet in packets
                    if packet["connection"] == connection["id"] and packet["flow"] == side]
            same(len(mine), flow["packets"])
            same({packet["source"] for packet in mine} - {connection["endpoints"][side]["address"]},
                 set())
    rows = csv.DictReader(io.StringIO(text("--packets", "--format", "csv", *FILES)))
    for row, packet in zip(rows, packets, strict=True):
        same({key: value for key, value in row.items() if value},
             {key: value for key, value in flat(packet).items() if value})


def test_headers():
    """--headers adds every header to the same record."""
    arguments = ("--format", "ndjson", FILES[0])
    with_headers = [json.loads(line) for line in text("--headers", *arguments).splitlines()]
    without = [json.loads(line) for line in text("--packets", *arguments).splitlines()]
    for record in with_headers:
        names = [header["header"] for header in record.pop("headers")]
        same(names[:4], ["eth", "ip4", "udp", "bth"])
    same(with_headers, without)


def test_empty_capture():
    """A capture without packets is whole in every format."""
    empty = FILES[0].read_bytes()[:24]
    document = json.loads(text("--format", "json", "-", stdin=empty))
    same(document["connections"], [])
    same(document["captures"][0]["first_time_ns"], None)
    same(len(text("--format", "csv", "-", stdin=empty).splitlines()), 1)
    same(json.loads(text("--packets", "--format", "json", "-", stdin=empty))["packets"], [])
    same(text("--packets", "--format", "ndjson", "-", stdin=empty), "")


main(sys.modules[__name__])
