#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs scenarios: a few lines that make a capture and say what the program is to find in it.

usage: run.py PROGRAM ROOT [PATH...]          runs the scenarios of files and folders (default: all)
       run.py --keep FILE.scn OUT.pcap        writes the capture of one
       run.py --list-checks-without PROGRAM   the checks that no scenario fires, or holds to silence where it comes near,
                                              and UNFIRED does not name

README.md has the language.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import expectations
import iwarp  # noqa: F401  its verbs are in VERBS by being imported
from language import Wrong, duration_ns, read
from management import members  # noqa: F401  its verbs are in VERBS by being imported
import packet
from scene import Scene
from verbs import BARE, REQUESTS, VERBS, psns

HERE = pathlib.Path(__file__).resolve().parent
CODELESS = {"flow", "connection", "host", "key", "capture", "document"}
LINKS = {"rocev2", "rocev1", "infiniband", "infiniband_grh", "ethernet"}


# ---- settings -----------------------------------------------------------------------------------

def set_qp(scene, words, keys):
    names = list(keys)
    if len(names) != 2:
        raise ValueError("qp takes two: qp A=0x11 B=0x12")
    scene.connect(names[0], keys[names[0]], names[1], keys[names[1]])


def set_host(scene, words, keys):
    for name, value in keys.items():
        host, packed = scene.host(name), packet.address(str(value), None)
        host.ip[4 if len(packed) == 4 else 6] = packed


def set_link(scene, words, keys):
    if words[1] not in LINKS:
        raise ValueError(f"links are {', '.join(sorted(LINKS))}")
    scene.link = "rocev2" if words[1] == "ethernet" else words[1]
    if words[2:] == ["grh"]:
        scene.link += "_grh"


def set_default(scene, words, keys):
    unknown = set(keys) - packet.KEYS
    if unknown:
        raise ValueError(f"a packet has no {', '.join(sorted(unknown))}")
    scene.defaults.setdefault(words[1] if len(words) > 1 else None, {}).update(keys)


def set_time(scene, words, keys):
    scene.start_ns = round(float(words[1]) * 1_000_000_000)


def set_service(scene, words, keys):
    if words[1] not in packet.SERVICES:
        raise ValueError(f"services are {', '.join(packet.SERVICES)}")
    scene.service = words[1]


def set_file(scene, words, keys):
    scene.pcapng, scene.drops = True, keys.get("drops")


def set_cooked(scene, words, keys):
    scene.cooked = True


def number(name):
    return lambda scene, words, keys: setattr(scene, name, int(words[1], 0))


def duration(name):
    return lambda scene, words, keys: setattr(scene, name, duration_ns(words[1]))


def set_option(scene, words, keys):
    scene.options += words[1:]


SETTINGS = {"mtu": number("mtu"), "mss": number("mss"), "ip": number("version"), "snaplen": number("snaplen"),
            "step": duration("step_ns"), "gap": duration("gap_ns"),
            "resolution": duration("resolution_ns"), "qp": set_qp, "host": set_host,
            "link": set_link, "default": set_default, "time": set_time, "service": set_service,
            "pcapng": set_file, "cooked": set_cooked, "option": set_option}
EXPECTATIONS = {"expect", "silent", "exactly", "broken"}


# ---- from a file to a capture -------------------------------------------------------------------

def first_psn(statements, name):
    """The PSN of a QP's first request, which a CM exchange in front of it must tell; None."""
    for statement in statements:
        words = statement.words
        if len(words) > 2 and words[0] == name and words[1].split("_", 1)[-1] in REQUESTS:
            return psns(words[2])[0]
        if words[:2] == [name, "packet"] and "psn" in statement.keys:
            return statement.keys["psn"]
    return None


def perform(scene, statement):
    """One line that is no expectation."""
    words, keys = statement.words, statement.keys
    if words[0] in SETTINGS:
        return SETTINGS[words[0]](scene, words, keys)
    if words[0] in BARE:
        function, known = BARE[words[0]]
        sender = None
    else:
        if not scene.is_qp(words[0]):  # `cm` and the like are A's
            words = ["A", *words]
        sender, words = scene.qp(words[0]), words[1:]
        if not words or words[0] not in VERBS:
            raise ValueError(f"{' '.join(words[:1]) or 'nothing'} is no verb")
        function, known = VERBS[words[0]]
    unknown = set(keys) - known - packet.KEYS
    if unknown:
        raise ValueError(f"{words[0]} knows no {', '.join(sorted(unknown))}")
    scene.advance(statement.time_ns, 2_000 if words[0] == "copy" else None)
    return function(scene, statement, sender, words, keys)


def check_expectation(statement):
    """What can be told of an expectation before the program has run."""
    words, keys = statement.words, statement.keys
    if words[0] == "broken" and len(words) < 2:
        raise ValueError("broken needs the reason")
    if words[0] in ("exactly", "broken") or words[:2] == ["expect", "nothing"]:
        return
    if len(words) < 2:
        raise ValueError(f"{words[0]} what?")
    codes = words[1:] if words[0] == "silent" else words[1:2]
    if words[0] == "expect" and words[1] in CODELESS:
        if not statement.tests:
            raise ValueError("nothing is compared")
        return
    for code in codes:
        if not expectations.CODE.fullmatch(code):
            raise ValueError(f"{code} is neither a check's code nor one of {', '.join(sorted(CODELESS))}")
    strange = [word for word in words[1 + len(codes):]
               if word not in expectations.SEVERITIES + expectations.PROOFS]
    strange += sorted(set(keys) - expectations.KEYS)
    if strange:
        raise ValueError(f"{words[0]} knows no {', '.join(strange)}")


def play(path):
    """(title, scene, expectations) of a file."""
    title, statements = read(path)
    scene, expected = Scene(), []
    for index, statement in enumerate(statements):
        scene.first_psn = lambda name, at=index: first_psn(statements[at:], name)
        try:
            if statement.words[0] in EXPECTATIONS:
                check_expectation(statement)
                expected.append(statement)
            else:
                perform(scene, statement)
        except (ValueError, KeyError, IndexError, TypeError) as error:
            raise Wrong(statement.line, str(error) or type(error).__name__) from error
    for statement in expected:  # labels may be named before they are there
        for name in ("frames", "frame", "line"):
            try:
                if name in statement.keys:
                    expectations.frame_list(scene, statement.keys[name])
            except ValueError as error:
                raise Wrong(statement.line, str(error)) from error
    return title, scene, expected


# ---- running the program ------------------------------------------------------------------------

class Program:
    def __init__(self, run):
        self.run = run
        self.codes = {row["code"] for row in json.loads(run("--list-checks=json").stdout)}

    def judge(self, capture, options):
        """(document, None) or (None, what is wrong)."""
        result = self.run("--format", "json", *options, str(capture))
        if result.returncode not in (0, 1):
            return None, f"exit code {result.returncode}: {result.stderr.decode().strip()}"
        if b"Sanitizer" in result.stderr or b"runtime error" in result.stderr:
            return None, result.stderr.decode().strip()
        try:
            return json.loads(result.stdout), None
        except json.JSONDecodeError as error:
            return None, f"what it prints is no JSON: {error}"


def run_scenario(program, path, folder):
    """What is wrong, each as FILE:LINE: text; a scenario that cannot be read is wrong too."""
    try:
        title, scene, expected = play(path)
    except Wrong as error:
        return [f"{path}:{error.line}: {error}"]
    strange = [f"{path}:{s.line}: {title}: the program has no check {code}"
               for s in expected for code in s.words[1:]
               if expectations.CODE.fullmatch(code) and code not in program.codes]
    if strange:
        return strange
    capture = pathlib.Path(folder) / (path.stem + (".pcapng" if scene.pcapng else ".pcap"))
    scene.write(capture)
    document, failure = program.judge(capture, scene.options)
    if failure:
        return [f"{path}:1: {title}: {failure}"]
    broken = next((s for s in expected if s.words[0] == "broken"), None)
    if len(expected) == bool(broken):
        return [f"{path}:1: {title}: nothing is expected"]
    wrong = [f"{path}:{line or 1}: {title}: {text}"
             for line, text in expectations.check(scene, document, expected)]
    if broken and not wrong:
        return [f"{path}:{broken.line}: {title}: it holds now: take `broken` out"]
    if broken:
        print(f"{path}:{broken.line}: known not to hold: {broken.words[1]}")
        return []
    if wrong:
        wrong += [f"    found: {expectations.of_finding(finding)}" for finding in document["findings"]]
    return wrong


def scenarios(paths):
    """The files that paths name: themselves, or all in a folder and below."""
    for path in map(pathlib.Path, paths):
        yield from sorted(path.rglob("*.scn")) if path.is_dir() else [path]


def run_all(paths):
    from program import run  # it takes PROGRAM and ROOT from the command line
    program, total, failed = Program(run), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for path in scenarios(paths):
            total += 1
            wrong = run_scenario(program, path, folder)
            failed += bool(wrong)
            print("\n".join(wrong), end="\n" if wrong else "")
    print(f"{total - failed} of {total} scenarios hold")
    return 1 if failed or not total else 0


# ---- which checks no scenario fires, or holds to silence ----------------------------------------

def played(folder):
    """(file, options) of the capture of each scenario."""
    for path in sorted(HERE.glob("*/*.scn")):
        scene = play(path)[1]
        file = pathlib.Path(folder) / f"{path.parent.name}.{path.stem}.pcap"
        scene.write(file)
        yield file, scene.options


def captures(root, folder, kept="*.pcap*"):
    """The same, and of those in captures/ whose names match."""
    yield from played(folder)
    for path in sorted((root / "captures").glob(kept)):
        yield path, []


def named():
    """The codes that some scenario expects, and those that have to be silent in one: a broken one does not count."""
    codes = {"expect": set(), "silent": set()}
    for path in scenarios([HERE]):
        statements = read(path)[1]
        if not any(s.words[0] == "broken" for s in statements):
            for s in statements:
                if s.words[0] in codes:
                    codes[s.words[0]] |= set(filter(expectations.CODE.fullmatch, s.words[1:]))
    return codes["expect"], codes["silent"]


def unfired():
    """{code: why no scenario fires it}, as the file UNFIRED has it."""
    lines = (HERE / "UNFIRED").read_text(encoding="utf-8").splitlines()
    return dict(line.split(None, 1) for line in lines if line and not line.startswith("#"))


def list_checks_without(program):
    output = subprocess.run([program, "--list-checks=json"], stdout=subprocess.PIPE, check=True).stdout
    rows, excused, (covered, silent) = json.loads(output), unfired(), named()
    codes = [row["code"] for row in rows]
    not_built = {row["code"] for row in rows if not row["meaning"]}  # not built yet
    if not_built:
        print(f"not built yet: {len(not_built)} checks, whose rows have no meaning")
    missing = [code for code in codes if code not in covered | not_built | excused.keys()]
    never_silent = [code for code in codes if code not in silent | not_built | excused.keys()]
    idle = [code for code in excused if code in covered or code not in codes]
    for code in missing:
        print(f"{code}: no scenario fires it: write one in tests/scenarios/ (README.md there says how), or its "
              "reason into UNFIRED")
    for code in never_silent:
        print(f"{code}: no scenario comes near without it: write one in tests/scenarios/clean/ that says `silent {code}`")
    for code in idle:
        print(f"{code}: UNFIRED names it without need")
    return 1 if missing or never_silent or idle else 0


def main():
    arguments = sys.argv[1:]
    if len(arguments) == 3 and arguments[0] == "--keep":
        try:
            play(pathlib.Path(arguments[1]))[1].write(arguments[2])
        except Wrong as error:
            sys.exit(f"{arguments[1]}:{error.line}: {error}")
        return 0
    if len(arguments) == 2 and arguments[0] == "--list-checks-without":
        return list_checks_without(arguments[1])
    if len(arguments) < 2 or arguments[0].startswith("-"):
        sys.exit(__doc__)
    sys.path.insert(0, str(HERE.parent / "program"))
    return run_all(arguments[2:] or [HERE])


if __name__ == "__main__":
    sys.exit(main())
