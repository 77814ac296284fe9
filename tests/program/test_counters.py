#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--counters: whose they are, what is said of them, and mistakes. tests/captures/counters.py has what kernels counted."""
import json
import pathlib
import sqlite3
import sys
import tempfile

from program import CAPTURES, ROOT, main, matches, run, same, text

FOLDER = tempfile.TemporaryDirectory()
ONE = CAPTURES / "roce_loss_single.a.pcap" # host b counted 332 packets, one less than the capture has: dropped behind the tap


def file(name, content):
    path = pathlib.Path(FOLDER.name) / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)


TWICE = file("twice", "link rxe0/1 rcvd_pkts 10 out_of_seq_request 4\nlink rxe0/1 rcvd_pkts 342 out_of_seq_request 5\n")


def counters(*arguments):
    return json.loads(text("--format", "json", *arguments))["nic_counters"]


def rows(*arguments):
    return {row["counter"]: (row["nic"], row["captured"], row["verdict"]) for row in counters(*arguments)[0]["counters"]}


WANT = {"rcvd_pkts": (332, 333, "explained"), "out_of_seq_request": (1, 1, "same")}


def test_whose():
    """An address, several of one NIC, a device, the name of a tap, and two files."""
    before, after = (file(name, f"link rxe0/1 {line}\n") for name, line in (
        ("before", "rcvd_pkts 10 out_of_seq_request 4"), ("after", "rcvd_pkts 342 out_of_seq_request 5")))
    taps = "--tap", f"left={ONE}", "--tap", f"right={CAPTURES / 'roce_loss_single.b.pcap'}"
    for arguments in ((f"10.10.0.2={TWICE}", ONE), (f"10.10.0.2+fd00::2={TWICE}", ONE), (f"10.10.0.2/rxe0={TWICE}", ONE),
                      (f"10.10.0.2={before},{after}", ONE), (f"10.10.0.2={file('a,b', open(TWICE).read())}", ONE),
                      (f"right={TWICE}", *taps)):
        same(rows("--counters", *arguments), WANT, arguments)


def test_mistakes():
    """Each is told, and what was asked for beside it is printed where the captures were read."""
    devices = file("devices", "link rxe0/1 rcvd_pkts 1\nlink rxe1/1 rcvd_pkts 1\n")
    for value, told, reads in (
            ("10.10.0.2", '--counters: "10.10.0.2" is no HOST=FILE\n', False),
            ("=x", '--counters: "=x" is no HOST=FILE\n', False),
            (f"10.10.0.2={FOLDER.name}/none", "No such file or directory", False),
            (f"10.10.0.2={TWICE},{FOLDER.name}/none", "No such file or directory", False),
            (f"10.10.0.2={file('empty', '')}", "no counters in it", False),
            (f"10.10.0.2={file('random', bytes(range(256)) * 9)}", "no counters in it", False),
            (f"10.10.0.2={file('large', b'a' * (16 << 20) + b'a')}", "it has more than 16 MiB", False),
            (f"10.10.0.2={devices}", f"it has counters of rxe0, rxe1: say which, as in 10.10.0.2/rxe0={devices}", False),
            (f"10.10.0.2/rxe7={TWICE}", "no counters of rxe7 are there, but of rxe0", False),
            (f"10.10.0.9={TWICE}", "10.10.0.9: no host of this address is in the capture, and no tap of this name\n", True),
            (f"\x1b[31m={TWICE}", "no host of this address", True)):
        result = run("--counters", value, ONE)
        same(result.returncode, 2, value)
        assert told in result.stderr.decode(), (value, result.stderr)
        assert b"\x1b" not in result.stderr
        same(bool(result.stdout), reads, value)


def test_contradictions():
    """Where nothing would tell of them."""
    for options in (("--packets",), ("--format", "csv"), ("--each",), ("--connection", "0", "--graph", "psn")):
        same(run("--counters", f"10.10.0.2={TWICE}", *options, ONE).returncode, 2, options)


def test_text():
    """What differs has a line with its reason; what is the same is named; drops are a finding."""
    drops = file("drops", "NIC statistics:\n     rx_discards_phy: 5\n     rx_packets: 7\n" * 2 + "     rx_discards_phy: 8\n")
    printed = text("--counters", f"10.10.0.2={TWICE}", "--counters", f"10.10.0.2={drops}", ONE)
    matches(r"\n rcvd_pkts +332 +333\n      1 lost behind this capture point, as resends show\n  The same: out_of_seq_request \(1\)\n", printed)
    matches(r"warning N01 nic-dropped, suspected: 10\.10\.0\.2\n    The NIC of 10\.10\.0\.2 dropped 3 packets, says its counter rx_discards_phy;\n"
            r"    this capture shows 1 packet to it that did not arrive\.\n    The NIC itself", printed)
    matches(r"Not compared: rx_packets\n", printed)


def test_exit_code():
    """Findings of counters count for --fail-on, --check and --expect as others do."""
    argument = f"10.10.0.1={file('lost', '# delta' + chr(10) + 'rcvd_pkts 1' + chr(10))}"
    clean = CAPTURES / "roce_rc_send_small.a.pcap"
    found = [f for f in json.loads(text("-F", "json", "--counters", argument, clean))["findings"] if f["code"] == "N02"]
    same(len(found), 1)
    same(found[0]["arguments"]["host"], "10.10.0.1")
    same(run("--fail-on", "warning", clean).returncode, 0)
    same(run("--fail-on", "warning", "--counters", argument, clean).returncode, 1)
    same(run("--fail-on", "warning", "--check", "N02=off", "--counters", argument, clean).returncode, 0)
    rule = file("rule", "nic_counters[*].counters[*].unexplained == 0\n")
    same(run("--expect", rule, "--counters", argument, clean).returncode, 1)


def test_database():
    """Each counter is a row, and each reason."""
    base = pathlib.Path(FOLDER.name) / "run.db"
    text("--sqlite", base, "--counters", f"10.10.0.2={TWICE}", ONE)
    with sqlite3.connect(base) as connection:
        same(connection.execute("SELECT counter, nic, captured FROM nic_counter ORDER BY counter_number").fetchall(),
             [("rcvd_pkts", 332, 333), ("out_of_seq_request", 1, 1)])
        same(connection.execute("SELECT reason, count FROM nic_counter_reason").fetchall(), [("lost_behind_tap", 1)])


# reason: scenario, host, counter, what the NIC counted, how much less than the capture shows it may be for that reason
REASONS = {
    "alike": ("sequence/identification_of_the_psn", "192.0.2.1", "sent_pkts", 7, 2),
    "perhaps_ended": ("answer/retry_budget_spent", "192.0.2.1", "retry_exceeded_err", 0, 1),
    "set_up_anew": ("answer/reset_same_psns", "192.0.2.1", "completer_retry_err", 0, 1),
    "went_on": ("sequence/tail_of_a_repair_lost", "192.0.2.1", "completer_retry_err", 1, 1),
    "not_told": ("sequence/psn_after_read", "192.0.2.2", "duplicate_request", 0, 1),
}


def test_reasons():
    """Reasons that recorded captures of captures/ do not have, each on a scenario that has it; what is behind it is unexplained."""
    sys.path.insert(0, str(ROOT / "tests/scenarios"))
    import run as player
    for reason, (scenario, host, counter, counted, count) in REASONS.items():
        capture = pathlib.Path(FOLDER.name) / "scenario.pcap"
        player.play(ROOT / f"tests/scenarios/{scenario}.scn")[1].write(capture)
        for less in range(min(counted, 1) + 1):
            counts = file("less", f"# difference\n{counter} {counted - less}\n")
            row, = counters("--counters", f"{host}={counts}", capture)[0]["counters"]
            same((row["verdict"], row["captured"], row["unexplained"], [(why["reason"], why["count"]) for why in row["why"]]),
                 ("differs" if less else "explained", counted + count, less, [(reason, count)]), f"{reason}, {less} fewer")


def test_once():
    """What was read once is no difference, unless the text says so."""
    same(rows("--counters", f"10.10.0.2={file('once', 'rcvd_pkts 332' + chr(10))}", ONE), {"rcvd_pkts": (None, None, "read_once")})
    same(rows("--counters", f"10.10.0.2={file('delta', '# difference' + chr(10) + 'rcvd_pkts 332' + chr(10))}", ONE),
         {"rcvd_pkts": WANT["rcvd_pkts"]})


main(sys.modules[__name__])
