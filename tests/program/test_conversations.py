#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Connection management in JSON, against what the listing of all headers says of each message."""
import json
import sys

from program import CAPTURES, main, same, text

SEEN = {"path_mtu_seen", "first_psn_seen", "reads_seen"}  # beside what was agreed
MESSAGES = {f"cm_{name}": name for name in ("req", "mra", "rep", "rtu", "rej", "dreq", "drep")}


def report(capture):
    return json.loads(text("--format", "json", capture))


def listed(capture):
    lines = text("--headers", "--format", "ndjson", capture).splitlines()
    return [json.loads(line) for line in lines]


def note(messages, name, packet):
    """When it was sent first and last, and how often."""
    moment = messages.setdefault(name, {
        "file": 0, "frame": packet["frame"], "time_ns": packet["time_ns"],
        "time": packet["time"], "sent": 0})
    moment["last_time_ns"], moment["last_time"] = packet["time_ns"], packet["time"]
    moment["sent"] += 1


def conversations(packets):
    """Those that begin with a REQ, by the communication IDs: [{REQ's fields, REP's, messages}]."""
    found, by_id = [], {}
    for packet in packets:
        source, destination = packet["source"], packet["destination"]
        for header in packet["headers"]:
            name, fields = MESSAGES.get(header["header"]), header["fields"]
            if not name:
                continue
            mine = source, fields["local_comm_id"]
            other = destination, fields.get("remote_comm_id")
            it = by_id.get(other) or by_id.get(mine)
            if name == "req" and not (it and it["req"]["local_qpn"] == fields["local_qpn"]):
                it = {"hosts": (source, destination), "messages": ({}, {})}
                found.append(it)
            it.setdefault(name, fields)
            by_id[mine] = it
            side = it["hosts"].index(source)
            note(it["messages"][side if name in ("dreq", "drep") else 0], name, packet)
            if name == "rej":
                it["by"] = side
    return found


def wait(messages, first, then):
    if first not in messages or then not in messages:
        return None
    return messages[then]["time_ns"] - messages[first]["time_ns"]


def expected(it):
    """What the document is to say of a conversation, but for what was seen of its connection."""
    req, rep, messages = it["req"], it.get("rep", {}), it["messages"]
    retries = {"retry_count": req["retry_count"],
               "ack_timeout_ns": 4096 << req["primary_ack_timeout"]}
    cm = {name: messages[0].get(name) for name in ("req", "mra", "rep", "rtu", "rej")}
    if cm["rej"]:
        names = {4: "timeout", 8: "invalid service ID", 28: "consumer reject"}
        reason = it["rej"]["reason"]
        cm["rej"] |= {"reason": reason, "reason_name": names[reason], "by": it["by"]}
    ends = [
        {"qpn": req["local_qpn"], "role": "active", "first_psn": rep.get("starting_psn"),
         "responder_resources": req["responder_resources"],
         "initiator_depth": req["initiator_depth"],
         "reads_agreed": rep.get("responder_resources"),
         "rnr_retry_count": rep.get("rnr_retry_count"), **retries},
        {"qpn": rep.get("local_qpn"), "role": "passive", "first_psn": req["starting_psn"],
         "responder_resources": rep.get("responder_resources"),
         "initiator_depth": rep.get("initiator_depth"),
         "reads_agreed": rep.get("initiator_depth"),
         "rnr_retry_count": req["rnr_retry_count"], **retries}]
    for side, end in enumerate(ends):
        end["address"] = it["hosts"][side]
        end["dreq"], end["drep"] = (messages[side].get(name) for name in ("dreq", "drep"))
    return {**cm, "req_to_rep_ns": wait(messages[0], "req", "rep"),
            "rep_to_rtu_ns": wait(messages[0], "rep", "rtu"),
            "service_id": req["service_id"], "service_port": int(req["service_id"], 16) & 0xffff,
            "path_mtu": 128 << req["path_mtu"], "endpoints": ends}


def agreed(cm):
    """Without what was seen; the active side first."""
    ends = [{key: end[key] for key in end.keys() - SEEN} for end in cm["endpoints"]]
    ends.sort(key=lambda end: end["role"])
    told = {**{key: cm[key] for key in cm.keys() - SEEN}, "endpoints": ends}
    if cm["rej"]:
        told["rej"] = {**cm["rej"], "by": int(cm["endpoints"][cm["rej"]["by"]]["role"] != "active")}
    return told


def check_seen(connection, packets):
    """What was seen, against the packets of the connection."""
    full = [packet["payload_length"] for packet in packets
            if packet["connection"] == connection["id"]
            and packet["name"].endswith(("First", "Middle"))]
    same(connection["cm"]["path_mtu_seen"], max(full, default=None))
    for side, end in enumerate(connection["cm"]["endpoints"]):
        flow = connection["flows"][side]
        same((end["address"], end["qpn"]),
             (connection["endpoints"][side]["address"], connection["endpoints"][side]["qpn"]))
        same(end["first_psn_seen"], flow["first_psn"])
        if not flow["messages"]["atomic"]["count"]:
            reads = [packet["reads_outstanding"] or 0 for packet in packets if packet["role"]
                     and packet["connection"] == connection["id"] and packet["flow"] == side]
            same(end["reads_seen"], max(reads, default=None))


def test_captures():
    """Each conversation is told once: in its connection, or for itself."""
    connected = alone = 0
    for capture in sorted(CAPTURES.glob("*.pcap")):
        document = report(capture)
        with_cm = [connection for connection in document["connections"] if connection["cm"]]
        same([connection["id"] for connection in document["connections"]
              if connection["paired_by"] == "cm"],
             [connection["id"] for connection in with_cm], capture)
        if not document["conversations"] and not with_cm:
            continue
        packets = listed(capture)
        told = [connection["cm"] for connection in with_cm] + document["conversations"]
        told.sort(key=lambda cm: cm["req"]["frame"])
        same([agreed(cm) for cm in told], [expected(it) for it in conversations(packets)], capture)
        for connection in with_cm:
            check_seen(connection, packets)
        connected += len(with_cm)
        alone += len(document["conversations"])
    assert connected > 9 and alone > 1, (connected, alone)


def test_refused():
    """A refusal, and a request without an answer, have no connection, and are told nevertheless."""
    (refused,) = report(CAPTURES / "roce_cm_reject.a.pcap")["conversations"]
    same((refused["rej"]["reason_name"], refused["rej"]["by"]), ("invalid service ID", 1))
    (unanswered,) = report(CAPTURES / "roce_cm_timeout.a.pcap")["conversations"]
    same((unanswered["req"]["sent"], unanswered["rep"], unanswered["rej"]["by"]), (15, None, 0))


main(sys.modules[__name__])
