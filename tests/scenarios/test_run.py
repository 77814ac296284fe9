#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The runner of scenarios: what it makes of lines, and that a scenario that must fail does fail.

What a program would say comes from DOCUMENT, so that these tests know nothing of its checks; a few
run the program itself."""
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "program"))
from program import PROGRAM, ROOT, main, matches, run, same  # noqa: E402

import expectations  # noqa: E402
import run as runner  # noqa: E402
from language import Wrong, compute, duration_ns, parse_line  # noqa: E402
import capfile  # noqa: E402
from verbs import psns  # noqa: E402

FLOWS = [{"packets": 3, "lost": {"before_tap": 1}, "stalled_ns": None}, {"packets": 2}]
ENDS = [{"address": "192.0.2.1", "qpn": 0x11}, {"address": "192.0.2.2", "qpn": 0x12}]


def finding(code, severity="warning", proof="proven", count=1, frames=(1,), flow=0, text="so"):
    return {"code": code, "severity": severity, "proof": proof, "connection": 0, "flow": flow,
            "count": count, "frames": list(frames), "text": text, "advice": "look"}


def document(*findings):
    return {"findings": list(findings), "captures": [{"malformed": 0}], "memory_keys": [],
            "hosts": [{"address": "192.0.2.2", "counters": {"out_of_sequence": 3}}],
            "connections": [{"id": 0, "service": "RC", "endpoints": ENDS, "flows": FLOWS}]}


def played(text):
    """(scene, expectations) of a scenario's text."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "x.scn"
        path.write_text("# A title\n" + text)
        return runner.play(path)[1:]


def wrong(text, *findings):
    """What is wrong when the program says these findings."""
    scene, expected = played("one: A send 10\nB ack 10\n" + text)
    return [f"{line}: {what}" for line, what in expectations.check(scene, document(*findings), expected)]


def refused(text):
    try:
        played(text)
    except Wrong as error:
        return f"{error.line}: {error}"
    raise AssertionError(f"not refused: {text}")


def listed(text):
    """(opcode name, PSN) of the packets that the program sees in a scenario, and its scene."""
    scene, _ = played(text)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "x.pcap"
        scene.write(path)
        lines = run("--packets", "--headers", "--format", "ndjson", str(path)).stdout.splitlines()
        return [json.loads(line) for line in lines], list(capfile.read(path))


def names(text):
    return [f"{p['name']} {p['psn']}" for p in listed(text)[0]]


# ---- expectations -------------------------------------------------------------------------------

def test_what_is_met():
    """Each of these holds."""
    s04 = finding("S04", "warning", "suspected", 2, (2, 1), text="20 ms")
    for line in ("expect S04", "expect S04 warning", "expect S04 suspected count=2", "expect S04 frames=2,1",
                 "expect S04 frame=one", "expect S04 frames=2", "expect S04 count>1 text=\"20 MS\"",
                 "expect S04 frame=one+1", "expect S04 flow=A connection=B", "expect S04 connection=0 flow=0", "expect S04 frame=one@10"):
        same(wrong(line, s04), [], line)


def test_what_is_not_met():
    """Each of these fails, and only by itself."""
    s04 = finding("S04", "warning", "suspected", 2, (2, 1), text="20 ms")
    for line in ("expect S05", "expect S04 error", "expect S04 proven", "expect S04 count=1",
                 "expect S04 frames=1,2", "expect S04 frame=3", "expect S04 text=30", "expect S04 flow=B",
                 "expect S04 flow=1", "expect S04 connection=null", "expect S04 frames=2,1,3",
                 "expect S04 count>2"):
        found = wrong(line, s04)
        assert any(f.startswith("4: expected") for f in found), (line, found)
        # the finding that nothing else expects is a failure too
        assert any(f.startswith("None: not expected: S04") for f in found), (line, found)


def test_unexpected():
    """Warnings and errors may not come unexpected; notes may, unless `exactly`."""
    same(wrong("expect capture malformed=0", finding("S02", "note")), [])
    same(wrong("expect nothing", finding("S02", "note")), [])
    matches("not expected: S02", wrong("expect nothing", finding("S02"))[0])
    matches("not expected: S02", wrong("exactly", finding("S02", "note"))[0])
    matches("not expected: A11 error", wrong("expect capture malformed=0", finding("A11", "error"))[0])
    same(wrong("exactly\nexpect S02", finding("S02", "note")), [])
    matches("4: not silent: S02", wrong("silent A07 S02", finding("S02", "note"))[0])
    same(wrong("silent A07 S02"), [])
    same(wrong("silent S02 flow=B", finding("S02", "note")), [])
    matches("4: not silent: S02", wrong("silent S02 flow=A", finding("S02", "note"))[0])


def test_one_finding_for_each_line():
    """Two lines need two findings, and the narrow line gets the only one that it can have."""
    two = finding("S02", count=1), finding("S02", count=2)
    same(wrong("expect S02\nexpect S02 count=1", *two), [])
    same(len(wrong("expect S02\nexpect S02 count=1", two[0])), 1)
    same(len(wrong("expect S02", *two)), 1)


def test_numbers():
    """Numbers of the document, by name."""
    for line in ("expect flow A lost.before_tap=1 packets>=3", "expect flow B packets=2",
                 "expect connection A service=RC", "expect host B out_of_sequence=3",
                 "expect document connections.length=1", "expect flow A stalled_ns=null",
                 "expect flow A packets!=4"):
        same(wrong(line), [], line)
    for line in ("expect flow A lost.before_tap=2", "expect flow A nothing=1", "expect host C x=1",
                 "expect flow A stalled_ns>=0", "expect flow A packets<3", "expect key B 0x42 reads=1",
                 "expect connection 1 id=1"):
        same(len(wrong(line)), 1, line)


# ---- the language -------------------------------------------------------------------------------

def test_what_is_refused():
    """A scenario that cannot mean anything is wrong at its line."""
    for text, why in (("A sned 10", "2: sned is no verb"), ("A send", "2: a PSN is missing"),
                      ("A send 10 vva=1", "2: send knows no vva"), ("A2 send 10", "2: A2 is no QP"),
                      ("\nA faa 10-11", "3: a faa has one PSN"), ("expect S2", "2: S2 is neither"),
                      ("expect S02 eror", "2: expect knows no eror"), ("expect flow A", "2: nothing is"),
                      ("expect S02 frame=x", "2: no frame of the capture has the label x"),
                      ("A resend 10", "2: A has sent no packet"), ("label:", "2: nothing stands"),
                      ("A send {1+x}", "2: {1+x}"), ("link token", "2: links are"),
                      ("qp A=1", "2: qp takes two"), ("cm req.lenght=1", "2: cm knows no"),
                      ("cm retry=9", "2: retry_count=9 does not fit"), ("default vav=1", "2: a packet has no"),
                      ("copy", "2: there is no packet")):
        matches("^" + why.replace("{", r"\{").replace("+", r"\+"), refused(text), text)


def test_lines():
    """What stands where in a line."""
    s = parse_line(7, "x: +1.5ms lost A write 10-13 ecn=3 se va=0x10")
    same((s.line, s.label, s.time_ns, s.lost, s.words, s.keys),
         (7, "x", 1_500_000, True, ["A", "write", "10-13"], {"ecn": 3, "se": 1, "va": 16}))
    same(duration_ns("-5us"), -5000)
    same(duration_ns("10"), None)
    same(compute("10 + i*4 % 7", {"i": 3}), 15)
    same(psns("0xfffffe-1,5"), [0xFFFFFE, 0xFFFFFF, 0, 1, 5])


def test_repeat():
    """On one line, in a block, and inside each other."""
    want = ["RC SEND Only 10", "RC Acknowledge 10", "RC SEND Only 11", "RC Acknowledge 11"]
    same(names("repeat 2: A send {10+i} ; B ack {10+i}"), want)
    same(names("repeat 2:\n  A send {10+i}\n  B ack {10+i}"), want)
    same(names("repeat 2:\n  repeat 2:\n    A send {10*i+j}\nA send 9"),
         [f"RC SEND Only {psn}" for psn in (0, 1, 10, 11, 9)])


# ---- packets, as the program reads them ---------------------------------------------------------

def test_messages():
    """First, Middle, Last; parts; immediate and invalidate on the last."""
    same(names("A write 10-12 imm=1"), ["RC RDMA WRITE First 10", "RC RDMA WRITE Middle 11",
                                        "RC RDMA WRITE Last with Immediate 12"])
    same(names("A send 11-12 of=10-12 inv=5"), ["RC SEND Middle 11", "RC SEND Last with Invalidate 12"])
    same(names("A uc_send 10\nA ud_send 11\nA xrc_write 12"),
         ["UC SEND Only 10", "UD SEND Only 11", "XRC RDMA WRITE Only 12"])
    same(names("A write 10-13 lost=11-12"), ["RC RDMA WRITE First 10", "RC RDMA WRITE Last 13"])


def test_resend():
    """The same packets again; the rest of a READ; responses as the latest request asked."""
    same(names("A write 10-12\nA resend 11-12")[3:], ["RC RDMA WRITE Middle 11", "RC RDMA WRITE Last 12"])
    packets = listed("A read 10-13 bytes=4000\nB response 10-11\nA resend 12\nB response 12-13")[0]
    same([p["name"].split()[-1] for p in packets], ["Request", "First", "Middle", "Request", "First", "Last"])
    same([p["payload_length"] for p in packets], [0, 1024, 1024, 0, 1024, 4000 - 3 * 1024])
    same(packets[3]["dma_length"], 4000 - 2048)
    same(int(packets[3]["virtual_address"], 16) - int(packets[0]["virtual_address"], 16), 2048)


def test_msn():
    """Messages up to the PSN: a READ from its first PSN on, others when they are whole."""
    packets = listed("A write 10-11\nB ack 10\nB ack 11\nA read 12-13\nB response 12-13\nB nak 14\n"
                     "A resend 10-11\nB ack 13\nB ack 13 msn=77")[0]
    same([p["msn"] for p in packets if "msn" in p], [0, 1, 2, 2, 2, 2, 77])


def test_set_up():
    """The starting PSN of each side is told by the other; a line's fields are where it says; a second
    set-up has other IDs, a repeated REQ has not."""
    packets = listed("cm mtu=4096 rep.depth=3 resources=5 req.ip_cm.source=192.0.2.77\nA send 10\nB send 99\n"
                     "cm\nA req timeout=0\nA send 55")[0]
    fields = [{h["header"]: h["fields"] for h in p["headers"]} for p in packets]
    req, rep, again, last = fields[0]["cm_req"], fields[1]["cm_rep"], fields[5]["cm_req"], fields[8]["cm_req"]
    same((req["starting_psn"], rep["starting_psn"], req["path_mtu"]), (99, 10, 5))
    same((req["initiator_depth"], rep["initiator_depth"], rep["responder_resources"]), (16, 3, 5))
    matches("192.0.2.77|c000024d", json.dumps(fields[0]["ip_cm"]["source"]))
    assert again["local_comm_id"] != req["local_comm_id"]
    same(last["local_comm_id"], again["local_comm_id"])
    same(last["primary_ack_timeout"], 0)
    same(fields[6]["cm_rep"]["starting_psn"], 55)


def test_fill():
    """A resend with another payload, and nothing else new but its IP identification."""
    frames = listed("A write 10 bytes=8\nA resend 10 fill=77\nA resend 10")[1]
    same([f.data[-12:-4] for f in frames], [bytes(range(10, 18)), bytes(range(77, 85)), bytes(range(77, 85))])


def test_icrc():
    """Right on every link, unless a line says otherwise."""
    for setting in ("ip 4", "ip 6", "link rocev1", "link infiniband", "link infiniband grh"):
        packets = listed(setting + "\nA write 10-11 bytes=1030\nA send 12 damage\nA send 13 damage=payload\n"
                         "A send 14 udp_checksum=5 ecn=3 ttl=3\nA send 15 bytes=200 cut=100")[0]
        same([p["icrc"] for p in packets], ["good", "good", "bad", "bad", "good", "not_checkable"], setting)


def test_time_and_copies():
    """Times as the lines say; a copy is bit for bit; lost packets take time and an IP identification."""
    frames = listed("A send 10\ncopy\n+5ms lost A send 11\n+1s A send 12 gap=5us\nA write 13-14 gap=7us")[1]
    same([f.time_ns - frames[0].time_ns for f in frames],
         [0, 2_000, 1_005_002_000, 1_005_012_000, 1_005_019_000])
    same(frames[0].data, frames[1].data)
    same(frames[2].data[19] - frames[0].data[19], 2)


def test_files():
    """pcapng, with interfaces and drops; the snap length."""
    scene, _ = played("pcapng drops=7\nsnaplen 70\nA send 10\nA send 11 interface=1")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "x.pcapng"
        scene.write(path)
        frames = list(capfile.read(path))
        same([(len(f.data), f.wire) for f in frames], [(70, 122), (70, 122)])
        result = run("--format", "json", str(path))
        same(result.returncode, 0, result.stderr.decode())


# ---- as a command -------------------------------------------------------------------------------

def test_command():
    """A scenario that must fail does fail, and says where."""
    with tempfile.TemporaryDirectory() as folder:
        for text, code, pattern in (
                ("expect flow A acks=7 packets=1", 1, r"x.scn:3: A title: flow A acks=7, but it is 0\n0 of 1"),
                ("expect flow A packets=1", 0, "^1 of 1 scenarios hold"),
                ("expect nothing\nsilent Z99", 1, "x.scn:4: A title: the program has no check Z99"),
                ("expect flow A acks=7\nbroken \"not yet\"", 0, "x.scn:4: known not to hold: not yet"),
                ("expect flow A acks=0\nbroken \"not yet\"", 1, "x.scn:4: A title: it holds now"),
                ("B ack 10", 1, "x.scn:1: A title: nothing is expected"),
                ("nonsense", 1, "x.scn:3: nonsense is no verb")):
            path = pathlib.Path(folder) / "x.scn"
            path.write_text("# A title\nA send 10\n" + text + "\n")
            result = subprocess.run([sys.executable, runner.HERE / "run.py", PROGRAM, ROOT, path],
                                    stdout=subprocess.PIPE, text=True)
            same(result.returncode, code, result.stdout)
            matches(pattern, result.stdout, text)
        result = subprocess.run([sys.executable, runner.HERE / "run.py", "--keep", path, path],
                                stderr=subprocess.PIPE, text=True)
        same(result.returncode, 1)
        matches("x.scn:3: nonsense is no verb", result.stderr)


if __name__ == "__main__":
    main(sys.modules[__name__])
