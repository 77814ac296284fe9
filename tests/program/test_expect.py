#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--expect: each row of its language holds on one capture and not on another one; mistakes are told with their place."""
import json
import re
import sys
import tempfile

from program import CAPTURES, ROOT, main, run, same


def expect(lines, *arguments):
    with tempfile.NamedTemporaryFile("w", suffix=".expect") as file:
        file.write(lines)
        file.flush()
        result = run("--expect", file.name, *arguments)
        return result.returncode, result.stderr.decode().replace(file.name, "FILE")


CUT = tempfile.NamedTemporaryFile(suffix=".pcap") # a capture that ends within a packet


def capture(name):
    return CUT.name if name == "cut" else CAPTURES / f"{name}.pcap"


CUT.write(capture("roce_rc_send_small.a").read_bytes()[:1000])
CUT.flush()


ROWS = [line.split("\t") for line in (ROOT / "tests/program/expect_rows.tsv").read_text().splitlines()
        if not line.startswith("#")]


def test_rows():
    """expect_rows.tsv"""
    for line, passing, failing, told in ROWS:
        if passing != "-":
            same(expect(line, capture(passing)), (0, ""), f"{line} on {passing}")
        code, errors = expect(f"\n  {line}   # as it should be\n", capture(failing))
        same(code, 2 if failing == "cut" else 1, f"{line} on {failing}: {errors}")
        assert f"FILE:2: does not hold: {line} # as it should be\n    " in errors, errors
        assert told in errors, f"{line} on {failing} tells {errors}, not {told}"
        assert "rdma-analyze: 1 of 1 expectations does not hold\n" in errors, errors


SOURCES = {name: (ROOT / "analyzer/report" / name).read_text()
           for name in ("expect_path.h", "expect_parse.c", "expect_parser.c")}
# the enumerators of expect_path.h, by which rows are told that have them
KINDS = {
    "RDA_PICK_MEMBER": r"\w\.\w", "RDA_PICK_ALL": r"\[\*\]", "RDA_PICK_INDEX": r"\[\d+\]", "RDA_PICK_WHERE": r"\[\w[^]]* ",
    "RDA_OPERAND_NUMBER": r"[=<>] -?\d[^*]*$", "RDA_OPERAND_TEXT": r'[=<>] ("|[A-Za-z](?!\w*\())', "RDA_OPERAND_FLAG": r"= (true|false)",
    "RDA_OPERAND_UNKNOWN": r"= unknown", "RDA_OPERAND_MEMBER": r"[=<>*] \.\w", "RDA_OPERAND_FOLD": r"[=<>*] \w+\(",
}


def constructs():
    """What the parser knows, as its sources have it, with how a row that has it looks."""
    def all_of(name, pattern):
        found = re.findall(pattern, SOURCES[name], re.M)
        assert found, pattern
        return found

    for sign in all_of("expect_path.h", r'C\((?!ID)\w+, "([^"]+)",'):
        yield f"the sign {sign}", rf" {re.escape(sign)} "
    for fold in all_of("expect_path.h", r'F\((?!ID)\w+, "([^"]+)"\)'):
        yield f"the fold {fold}", rf"\b{fold}\("
    units = all_of("expect_parser.c", r"units\[\] = (\{.*\});")[0]
    for unit in re.findall(r'\{"(\w+)", ', units):
        yield f"the unit {unit}", rf"\d{unit}\b"
    for name in ("expect_parse.c", "expect_parser.c"):
        for word in all_of(name, r'rda_parser_(?:accept|expect)\(p, "((?:\\.|[^"\\])+)"'):
            word = word.replace("\\", "")
            yield f"the word {word}", rf"\b{word}\b" if word[0].isalpha() else re.escape(word)
    for word in all_of("expect_parser.c", r'strcmp\(word, "(\w+)"\)'):
        yield f"the value {word}", rf"= {word}\b"
    for severity in ("error", "warning", "note"):
        yield f"the severity {severity}", rf"finding >= {severity}"
    kinds = all_of("expect_path.h", r"^\t(RDA_(?:PICK|OPERAND)_\w+)")
    same(set(kinds), set(KINDS), "enumerators of expect_path.h")
    yield from KINDS.items()


def test_each_construct_has_a_row():
    """Whatever the parser knows is in a row that holds on one capture and not on another one."""
    lines = [line for line, passing, _, _ in ROWS if passing != "-"]
    found = dict(constructs())
    assert len(found) > 35, found
    assert "the sign <=" in found and "the fold max" in found and "the unit ns" in found, found
    same([name for name, pattern in found.items() if not any(re.search(pattern, line) for line in lines)], [])


def test_what_is_described_is_right():
    """The expectations that docs/ci.md shows, and those of docs/ci/, make sense."""
    page = (ROOT / "docs/ci.md").read_text()
    shown = [block for block in re.findall(r"(?:^    .*\n)+", page, re.M) if "no finding >=" in block and "does not hold" not in block]
    same(len(shown), 1)
    for text in [shown[0], *(path.read_text() for path in (ROOT / "docs/ci").glob("*.expect"))]:
        code, errors = expect(text, capture("roce_rc_send_small.a"))
        same(code in (0, 1) and not re.search(r"FILE:\d+:\d+:", errors), True, errors)


MISTAKES = {
    "connections[*].flws[*].acks > 0": '1:16: there is no "flws"; did you mean flows?',
    "conections[*].id > 0": "1:1: there is no \"conections\"; did you mean connections?",
    "connections[*].flows[*].lost.after_tab == 0": "1:30: there is no \"after_tab\"; did you mean after_tap?",
    "hosts[addres == 10.0.0.1].counters.cnp_sent == 0": "1:7: there is no \"addres\"; did you mean address?",
    "hosts[*].counters.cnp_sent <= .cnp_sent": "1:32: there is no \"cnp_sent\"; there are address, counters, nic",
    "sum(hosts[*].counters.cnpsent) == 0": "1:23: there is no \"cnpsent\"; did you mean cnp_sent?",
    "connections.flows[*].acks > 0": "1:12: connections is a list: say connections[*]",
    "connections[*].flows[*].lost == 0": "1:1: this leads to an object: say which of its members, before_tap, after_tap, by_capture",
    "hosts[*].counters.cnp_sent[0] == 0": "1:27: cnp_sent is no list",
    "hosts[*].counters.cnp_sent.x == 0": "what stands before it has no members",
    "no finding >= warn": '1:15: "warn" is none of error, warning, note',
    "no finding S2": '1:12: there is no check "S2"; did you mean S02?',
    "no finding except": "1:18: the code of a check is expected here",
    "no findings": '1:4: "finding" is expected here',
    "if any no finding": '"if any" stands before values only',
    "finding S02 S03": "1:13: nothing is expected here any more",
    "count(connections[*].flows[*].acks) > 0": "1:7: count() takes elements of a list",
    "sum(connections[*].flows[*].lost) > 0": "1:5: this leads to an object",
    "sum(hosts[*].counters.cnp_sent == 0": '1:32: ")" is expected here',
    "sum(hosts[*].counters.cnp_sent) == x": "sum() compares with a number or another one of all",
    "hosts[*].counters.cnp_sent == sum(hosts[*].counters.cnp_sent)": "only a sum() or another one of all",
    "hosts[counters.cnp_sent == sum(hosts[*].counters.cnp_sent)].address != x": "a condition compares with values",
    'hosts[*].address > "a"': "1:20: a number is expected here: only == and != compare others",
    "connections[*].seen.management >= true": "only == and != compare others",
    'hosts[*].address == "a': '1:22: the text has no end: " is missing',
    "hosts[*].address": "1:17: ==, !=, <, <=, > or >= is expected here",
    "hosts[*].address = x": "==, !=, <, <=, > or >= is expected here",
    "hosts[*].address ==": "1:20: a value is expected here",
    "hosts[99999999999].address == x": '"99999999999" is no index',
    "hosts[*.address == x": '1:8: "]" is expected here',
    "hosts[*].address == 5 * 6": "a number is multiplied with a .member or a sum() here",
    "hosts[*]..address == 5": "1:10: a name is expected here",
    "# nothing": "1:1: nothing is expected here: the file has no expectation",
    "": "the file has no expectation",
    "no finding\n\n[": "3:1: a name is expected here",
    "hosts[address == x" + "[" * 5000: "is expected here",
    "connections[flows[" * 5000: '1:19: there is no "connections"',
    "connections[id == .flows[acks == .packets and " * 5000: '1:47: there is no "connections"',
}


def test_mistakes():
    """A line that makes no sense is told with its place, the capture is not even read, and the exit code is 2."""
    for lines, told in MISTAKES.items():
        for path in (capture("roce_rc_send_small.a"), "/no/such/capture"):
            code, errors = expect(lines, path)
            same(code, 2, lines)
            assert re.fullmatch(r"rdma-analyze: FILE:\d+:\d+: .*\n", errors) and told in errors, (lines[:80], errors[:200])
    result = run("--expect", "/no/such/file", capture("roce_rc_send_small.a"))
    same(result.returncode, 2)
    assert b"/no/such/file" in result.stderr


def paths(value, path=""):
    """Every path of a document that leads to a value."""
    if isinstance(value, dict) and not path.endswith(".arguments"):
        for name, member in value.items():
            yield from paths(member, f"{path}.{name}" if path else name)
    elif isinstance(value, list):
        for member in value:
            yield from paths(member, f"{path}[*]")
    else:
        yield path


def test_every_path():
    """Each member that the document of any capture has is known, also to a capture that has none of its kind."""
    found = set()
    for path in [*CAPTURES.glob("*.pcap"), *CAPTURES.glob("made/*.pcap*")]:
        document = json.loads(run("--format", "json", path).stdout)
        found.update(path for path in paths(document) if path != "schema")
    assert len(found) > 250 and "upper_layers[*].errors[*].status" in found, sorted(found)
    code, errors = expect("".join(f"{path} != unknown\n" for path in sorted(found)), capture("tcp_http.a"))
    same(code, 1, errors)


def test_many_violations():
    """Eight are told, the others counted; --fail-on counts beside them; a damaged capture stays an error."""
    code, errors = expect("captures[*].packets < 0\nfindings[*].count < 0\nno finding >= error",
                          *CAPTURES.glob("roce_*.a.pcap"))
    same(code, 1)
    same(len(re.findall(r"^    findings\[\d+\]\.count is ", errors, re.M)), 8)
    same(len(re.findall(r"^    and \d+ more$", errors, re.M)), 3)
    same(expect("no finding >= error", "--fail-on", "note", capture("roce_loss_single.a")), (1, ""))
    same(expect("no finding >= error", capture("cut"))[0], 2)
    # of no capture nothing is said but why it could not be read
    same(expect("finding S02", "/no/such/capture"), (2, "rdma-analyze: /no/such/capture: No such file or directory\n"))


main(sys.modules[__name__])
