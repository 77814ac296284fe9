#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--junit, --sarif and --baseline: files that CI systems read, valid by their schemas, with the numbers of the JSON."""
import functools
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

import jsonschema

from program import CAPTURES, EVERY, ROOT, main, run, same

FOLDER = tempfile.TemporaryDirectory()
HERE = pathlib.Path(FOLDER.name)
ALL = [*sorted(CAPTURES.glob("*.pcap")), *sorted(CAPTURES.glob("made/*.pcap*"))][::EVERY]
SARIF = jsonschema.Draft4Validator(json.loads((ROOT / "tests/program/sarif_schema.json").read_text()))
ROWS = json.loads(run("--list-checks=json").stdout)


KNOWN_RULES = [] # that were found valid: they are the same each time, and many


def write(name, text):
    (HERE / name).write_text(text)
    return HERE / name


def gate(*arguments):
    """Exit code, messages, the JUnit cases by suite, the SARIF run; both files are valid."""
    junit, sarif = HERE / "junit.xml", HERE / "out.sarif"
    result = run("--junit", junit, "--sarif", sarif, *arguments)
    lint = subprocess.run(["xmllint", "--noout", "--schema", ROOT / "tests/program/junit.xsd", junit], capture_output=True, text=True)
    same(lint.returncode, 0, lint.stderr)
    document = json.loads(sarif.read_text())
    driver = document["runs"][0]["tool"]["driver"]
    rules, driver["rules"] = driver["rules"], driver["rules"] if driver["rules"] != KNOWN_RULES else []
    SARIF.validate(document)
    driver["rules"] = KNOWN_RULES[:] = rules
    suites = {suite.get("name"): suite for suite in xml.parse(junit).getroot()}
    for suite in suites.values():
        same(len(suite), int(suite.get("tests")))
        for count, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            same(sum(case.find(tag) is not None for case in suite), int(suite.get(count)), suite.get("name"))
    junit.unlink()
    sarif.unlink()
    same([path for path in HERE.iterdir() if path.name.startswith(".rdma-analyze")], [])
    return result.returncode, result.stderr.decode(), suites, document["runs"][0]


@functools.cache
def told_of(path):
    """What JSON says of a capture, as text."""
    return run("--format", "json", path).stdout.decode()


def cases(suite, tag):
    return {case.get("name"): case for case in suite if case.find(tag) is not None}


def test_every_capture():
    """Results are the findings of the JSON, with their frames; a case fails for each check that found something."""
    for path in ALL:
        code, _, suites, told = gate("--fail-on", "warning", "--format", "json", path)
        findings = json.loads(told_of(path))["findings"]
        weighty = {finding["code"] for finding in findings if finding["severity"] != "note"}
        same(code, int(bool(weighty)), path)
        same({name.split()[0] for name in cases(suites["checks"], "failure")}, weighty, path)
        same(len(suites["checks"]), len(ROWS))
        same([(r["ruleId"], r["level"], r["message"]["text"], r["properties"]["fails"]) for r in told["results"]],
             [(f["code"], f["severity"], f["text"], f["severity"] != "note") for f in findings], path)
        same([[l["physicalLocation"]["region"]["startLine"] for l in r["locations"] + r.get("relatedLocations", [])
               if "region" in l["physicalLocation"]] for r in told["results"]],
             [f["frames"] for f in findings], path)
        rules = told["tool"]["driver"]["rules"]
        same([rules[r["ruleIndex"]]["id"] for r in told["results"]], [r["ruleId"] for r in told["results"]])
        same(len({rule["id"] for rule in rules}), len(rules))
        same([(rule["id"], rule["defaultConfiguration"]["level"]) for rule in rules[:-1]],
             [(row["code"], row["severity"]) for row in ROWS])


def test_expectations():
    """A case for each line; those that do not hold are results at their line."""
    lines = write("some.expect", "no finding >= error\n\nconnections[*].flows[0].packets < 0 # <&\x01\n")
    code, _, suites, told = gate("--expect", lines, CAPTURES / "roce_loss_single.a.pcap")
    same(code, 1)
    assert "checks" not in suites # nothing of them can fail
    same(list(cases(suites["expectations"], "failure")), ["line 3: connections[*].flows[0].packets < 0"])
    result = told["results"][-1]
    same((result["ruleId"], result["level"]), ("expectation", "error"))
    same(result["locations"][0]["physicalLocation"]["region"]["startLine"], 3)
    assert "flows[0].packets is 333" in result["message"]["text"], result


def test_what_cannot_be_read():
    """A damaged capture and a missing one are errors of both, and the exit code is 2."""
    cut = HERE / "c\x01t <&> ü.pcap"
    cut.write_bytes((CAPTURES / "roce_loss_single.a.pcap").read_bytes()[:5000])
    code, _, suites, told = gate(cut)
    same(code, 2)
    same(len(cases(suites["captures"], "error")), 2)
    same(told["invocations"][0]["executionSuccessful"], False)
    same(len(told["invocations"][0]["toolExecutionNotifications"]), 1)
    code, _, suites, told = gate("/no/such/capture")
    same((code, list(cases(suites["captures"], "error"))), (2, ["all files"]))
    same(told["invocations"][0]["executionSuccessful"], False)


def test_skipped():
    """What was switched off, or has not what it requires, is skipped and not passed."""
    _, _, suites, _ = gate("--fail-on", "note", "--check", "S02=off", CAPTURES / "roce_loss_single.a.pcap")
    assert "S02 retransmission" in cases(suites["checks"], "skipped")
    _, _, suites, _ = gate("--fail-on", "note", "--count-only", CAPTURES / "roce_loss_single.a.pcap")
    same(len(cases(suites["checks"], "skipped")), len(ROWS))


# ---- an older document ----------------------------------------------------------------------------

def baseline(name, change=lambda document: None):
    document = json.loads(told_of(CAPTURES / name))
    change(document)
    return write("old.json", json.dumps(document))


def test_nothing_new():
    """Against its own document no capture fails, and every result is unchanged."""
    for path in ALL:
        old = write("old.json", told_of(path))
        code, errors, suites, told = gate("--baseline", old, path)
        same((code, errors), (0, ""), path)
        same({result["baselineState"] for result in told["results"]} - {"unchanged"}, set(), path)
        same(cases(suites["checks"], "failure"), {})


def test_new_and_worse():
    """A finding that is new, or of which there are more cases, or a weightier one, fails; what is better does not."""
    name = "roce_loss_single.a.pcap"
    for what, change, state in (
            ("new", lambda d: d.update(findings=[f for f in d["findings"] if f["code"] != "S02"]), "new"),
            ("worse", lambda d: d["findings"][0].update(severity="note"), "updated"),
            ("worse", lambda d: d["findings"][0].update(count=0), "updated"),
            ("new", lambda d: d["connections"][0]["endpoints"][0].update(address="10.9.9.9"), "new"),
            (None, lambda d: d["findings"][0].update(count=99, severity="error"), "unchanged")):
        code, errors, suites, told = gate("--baseline", baseline(name, change), CAPTURES / name)
        same(told["results"][0]["baselineState"], state)
        same(code, int(what is not None), errors)
        if what:
            assert f"{what}: warning S02 10.10.0.1 > 10.10.0.2: At least 1 of 333 packets" in errors, errors
            assert "S02 retransmission" in cases(suites["checks"], "failure")
        code, _, _, _ = gate("--fail-on", "error", "--baseline", baseline(name, change), CAPTURES / name)
        same(code, 0)
    # other ids and QPs are no difference; the other direction is one
    def renumber(document):
        document["connections"].insert(0, {})
        for finding in document["findings"]:
            finding["connection"] += 1
    same(gate("--baseline", baseline(name, renumber), CAPTURES / name)[0], 0)
    same(gate("--baseline", baseline(name, lambda d: d["connections"][0]["endpoints"].reverse()), CAPTURES / name)[0], 1)


def test_expectations_as_before():
    """A line that did not hold before does not fail; one that does not hold in more places does."""
    lines = write("some.expect", "no finding S15\nconnections[*].flows[*].packets < 100\n")
    name = "roce_loss_single.a.pcap"
    code, errors, _, _ = gate("--expect", lines, "--baseline", baseline(name), CAPTURES / name)
    same((code, errors), (0, "rdma-analyze: 2 of 2 expectations do not hold, 2 as before\n"))
    old = baseline(name, lambda d: d["connections"][0]["flows"][0].update(packets=7))
    code, errors, suites, _ = gate("--expect", lines, "--baseline", old, CAPTURES / name)
    same(code, 1)
    assert errors.endswith("rdma-analyze: 2 of 2 expectations do not hold, 1 as before\n"), errors
    same(list(cases(suites["expectations"], "failure")), ["line 2: connections[*].flows[*].packets < 100"])


def diff(document, name):
    result = run("--diff", write("old.json", json.dumps(document)), CAPTURES / name)
    same((result.returncode, result.stderr), (0, b""))
    return " ".join(result.stdout.decode().split())


def test_diff():
    """--diff tells before from now: findings by their check and hosts, numbers one for all."""
    name = "roce_loss_single.a.pcap"
    same(diff(json.loads(told_of(CAPTURES / name)), name),
         "All findings are as before. All numbers are as before.")
    document = json.loads(told_of(CAPTURES / "roce_loss_last.a.pcap"))
    told = diff(document, name)
    for words in ("Worse: warning S02 10.10.0.1 > 10.10.0.2: 1 case, before 9 (note). At least 1 of 333 packets",
                  "New: note S15 10.10.0.1 > 10.10.0.2: 93 of 333 request packets were resends.",
                  "Gone: warning S04 10.10.0.1 > 10.10.0.2: Requests were sent again once after a timeout",
                  "connections[*].flows[*].retransmitted_packets 9 93",
                  "connections[*].flows[*].message_latency_ns.p99 124486329 43389019"):
        assert words in told, (words, told)
    assert not any(word in told for word in ("_psn", "qpn", "first_time_ns", "source_port")), told
    # of several connections numbers add up, but for percentiles; what is not known is no 0
    for connection in document["connections"]:
        connection["flows"][1]["lost"]["after_tap"] = None
        connection["flows"][0]["lost"]["after_tap"] = None
    document["connections"] *= 3
    told = diff(document, name)
    for words in ("connections[*].flows[*].retransmitted_packets 27 93", "connections[*].flows[*].lost.after_tap not known 1",
                  "connections[*].flows[*].message_latency_ns.p99 124486329 43389019"):
        assert words in told, (words, told)
    # an older document may say anything
    told = diff({"schema": "rdma-analyze/1", "hosts": [[[[{"a\x1b[31m": 7}]]]] + [{"x": 1e300}], "findings": [{"text": "\x1b[2J"}]}, name)
    assert "\x1b" not in told and "Gone: note : \\x1b[2J" in told, told
    deep = {"x": 5}
    for _ in range(25):
        deep = {"y": deep}
    diff({"schema": "rdma-analyze/1", "hosts": [deep]}, name)


def test_no_document():
    """What is no document of the program is told, before any capture is read."""
    for text, told in (("{", "offset 1: the document ends too early\n"), ('{"a" 5}', "offset 5: object property name"), ("[1]", "no document"), ("null", "offset"), ("{}", "no document"),
                       ('{"schema": "rdma-analyze/9"}', "no document"), ("[" * 100, "offset"), ("", "offset")):
        result = run("--baseline", write("old.json", text), "/no/such/capture")
        same(result.returncode, 2, text)
        assert f"old.json: {told}" in result.stderr.decode(), (text, result.stderr)
    # what has other things in its places is believed in none of them
    for text in ('"connections": 5, "findings": {}', '"connections": [5, null, {"endpoints": 7}, {"endpoints": [1]}]',
                 '"findings": [null, 5, [], {"code": 7, "severity": [], "connection": 99, "count": -1, "flow": 9}]'):
        old = write("old.json", f'{{"schema": "rdma-analyze/1", {text}}}')
        same(run("--baseline", old, "--expect", write("some.expect", "no finding\nhosts[*].address != x\nfindings[*].frames[*] > 0"),
                 CAPTURES / "roce_loss_single.a.pcap").returncode, 1, text)


assert shutil.which("xmllint"), "libxml2-utils is in the packages of the tests: ./dev setup test"
main(sys.modules[__name__])
