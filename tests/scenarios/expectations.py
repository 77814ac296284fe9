# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares what the program says about a capture with what a scenario expects of it."""

import operator
import re

import iwarp

CODE = re.compile(r"[A-Z]\d\d")
SEVERITIES, PROOFS = ("error", "warning", "note"), ("proven", "suspected")
COMPARE = {"=": operator.eq, "!=": operator.ne, ">=": operator.ge, "<=": operator.le,
           ">": operator.gt, "<": operator.lt}
KEYS = {"count", "frames", "frame", "line", "connection", "flow", "text", "advice"}
NAMES = {"null": None, "true": True, "false": False}


def of_finding(finding):
    """A finding in one line."""
    where = "".join(f" {key}={finding[key]}" for key in ("connection", "flow")
                    if finding.get(key) is not None)
    return (f"{finding['code']} {finding['severity']} {finding['proof']} count={finding['count']}"
            f"{where} frames={','.join(map(str, finding['frames']))}: {finding['text']}")


# ---- what is where in the document --------------------------------------------------------------

def find_flow(scene, document, name):
    """(connection, index) of the flow that a QP sent; QPNs that the program cannot know are null."""
    qp = scene.qp(name)
    wanted = [(scene.address(qp.name[0]), qp.number), (scene.address(qp.peer.name[0]), qp.peer.number)]
    best = None
    for connection in document["connections"]:
        ends = connection["endpoints"]
        for side in (0, 1):
            pair = ends[side], ends[1 - side]
            fits = all(end["address"] == address and end["qpn"] in (None, number) and
                       (connection.get("transport") != "iwarp" or end["port"] == iwarp.PORT + number)
                       for end, (address, number) in zip(pair, wanted))
            known = sum(end["qpn"] is not None for end in pair)
            if fits and (best is None or known > best[2]):
                best = connection, side, known
    if not best:
        raise LookupError(f"no connection of {name} and {qp.peer.name}")
    return best[:2]


def find_host(scene, document, name):
    address = scene.address(name)
    for host in document["hosts"]:
        if host["address"] == address:
            return host["counters"]
    raise LookupError(f"no host {address}")


def find_key(scene, document, host, key):
    for row in document["memory_keys"]:
        if row["responder"] == scene.address(host) and int(row["key"], 16) == key:
            return row
    raise LookupError(f"no memory key {key:#010x} of {host}")


def find(scene, document, words):
    """The JSON object that `flow A`, `connection A`, `host B`, `key B 0x42`, `capture` name."""
    kind, names = words[0], words[1:]
    if kind == "flow":
        connection, side = find_flow(scene, document, names[0])
        return connection["flows"][side]
    if kind == "connection":
        return (document["connections"][int(names[0])] if names[0].isdigit()
                else find_flow(scene, document, names[0])[0])
    if kind == "host":
        return find_host(scene, document, names[0])
    if kind == "key":
        return find_key(scene, document, names[0], int(names[1], 0))
    return document["captures"][0] if kind == "capture" else document


def at_path(value, path):
    for part in path.split("."):
        if isinstance(value, list) and part in ("length", "count"):
            return len(value)
        value = value[int(part)] if isinstance(value, list) else value[part]
    return value


def holds(value, comparison, wanted):
    wanted = NAMES.get(wanted, wanted) if isinstance(wanted, str) else wanted
    if comparison in ("=", "!="):
        return COMPARE[comparison](value, wanted)
    return value is not None and COMPARE[comparison](value, wanted)


def check_numbers(scene, document, statement):
    """expect flow A lost.before_tap=1"""
    what = " ".join(statement.words[1:])
    try:
        place = find(scene, document, statement.words[1:])
    except (LookupError, IndexError) as error:
        return [f"{what}: {error}"]
    wrong = []
    for path, comparison, wanted in statement.tests:
        try:
            value = at_path(place, path)
        except (KeyError, IndexError, TypeError):
            wrong.append(f"{what} has no {path}")
            continue
        if not holds(value, comparison, wanted):
            wrong.append(f"{what} {path}{comparison}{wanted}, but it is {value}")
    return wrong


# ---- findings -----------------------------------------------------------------------------------

def frame_list(scene, value):
    return [scene.frame_number(int(part) if part.isdigit() else part)
            for part in str(value).split(",")]


def meets(scene, document, statement, finding):
    """Whether a finding is what a line expects."""
    words, keys = statement.words[1:], statement.keys
    if finding["code"] not in (words if statement.words[0] == "silent" else words[:1]):
        return False
    if any(word in SEVERITIES and finding["severity"] != word or
           word in PROOFS and finding["proof"] != word for word in words[1:]):
        return False
    if not all(holds(finding["count"], comparison, value)
               for name, comparison, value in statement.tests if name == "count"):
        return False
    if "frames" in keys:
        wanted = frame_list(scene, keys["frames"])
        if finding["frames"][:len(wanted)] != wanted:
            return False
    among = [keys[name] for name in ("frame", "line") if name in keys]
    if not all(set(frame_list(scene, value)) <= set(finding["frames"]) for value in among):
        return False
    for name in ("connection", "flow"):
        wanted = keys.get(name)
        if isinstance(wanted, str) and wanted != "null":
            connection, side = find_flow(scene, document, wanted)
            if finding["connection"] != connection["id"] or name == "flow" and finding["flow"] != side:
                return False
        elif wanted is not None and finding[name] != NAMES.get(wanted, wanted):
            return False
    return all(str(keys[name]).lower() in (finding[name] or "").lower()
               for name in ("text", "advice") if name in keys)


def match(edges, count):
    """Gives each expectation a finding of its own where that can be: {expectation: finding}."""
    taken = {}

    def place(index, seen):
        for finding in edges[index]:
            if finding not in seen:
                seen.add(finding)
                if finding not in taken or place(taken[finding], seen):
                    taken[finding] = index
                    return True
        return False

    for index in range(count):
        place(index, set())
    return {index: finding for finding, index in taken.items()}


def check(scene, document, statements):
    """[(line, what is wrong)] of a scenario's expectations; line None for what no line expects."""
    findings, wrong = document["findings"], []
    wanted = [s for s in statements if s.words[0] == "expect" and CODE.fullmatch(s.words[1])]
    edges = []
    for statement in wanted:
        try:
            edges.append([i for i, finding in enumerate(findings)
                          if meets(scene, document, statement, finding)])
        except LookupError as error:
            edges.append([])
            wrong.append((statement.line, str(error)))
    given = match(edges, len(wanted))
    for index, statement in enumerate(wanted):
        if index not in given:
            others = [of_finding(f) for f in findings if f["code"] == statement.words[1]]
            came = "; ".join(others) if others else "there is none"
            wrong.append((statement.line, f"expected {describe(statement)}: {came}"))
    silent = [s for s in statements if s.words[0] == "silent"]
    exactly = any(s.words[0] == "exactly" for s in statements)
    for index, finding in enumerate(findings):
        name = re.search(r"\{\w+", finding["text"] or "")
        if name:
            wrong.append((None, f"{finding['code']}: its sentence in checks.def names {name[0]}}}, an argument that the "
                                "check does not give (rda_finding_say)"))
        loud = [s.line for s in silent if meets(scene, document, s, finding)]
        if loud:
            wrong.append((loud[0], f"not silent: {of_finding(finding)}"))
        elif index not in given.values() and (exactly or finding["severity"] != "note"):
            wrong.append((None, f"not expected: {of_finding(finding)}"))
    for statement in statements:
        if statement.words[0] == "expect" and statement.tests and statement not in wanted:
            wrong += [(statement.line, text) for text in check_numbers(scene, document, statement)]
    return wrong


def describe(statement):
    return " ".join(statement.words[1:] + ["".join(map(str, test)) for test in statement.tests])
