#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks the rules of docs/conventions.md that can be read off the sources.

    sources.py ROOT SUITE...

SUITE... are the unit suites that the build knows. Prints each breach; exit code 1 when there is
one.
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys

MAX_FILE = 500
MAX_FUNCTION = 60

PURE = {"stdbool.h", "stddef.h", "stdint.h", "string.h"}
ENGINE = PURE | {"stdarg.h", "stdlib.h", "inttypes.h", "glib.h"}
# the families of checks: one folder each
FAMILIES = [f"analyzer/checks/{family}" for family in (
    "answer", "capture", "congestion", "frame", "iwarp", "keys", "management", "sequence", "time", "ulp")]
# a tracker's folder -> the headers that others may reach; every other header there is private
PUBLIC = {
    "analyzer/track/congestion": {"holds.h", "mark_log.h", "slowing.h"},
    "analyzer/track/iwarp": {"fpdu.h", "iwarp.h", "rdmap_track.h"},
    "analyzer/track/keys": {"key_event.h", "key_ledger.h", "key_log.h", "key_track.h", "memory_key.h",
                            "spans.h", "stag_track.h"},
    "analyzer/track/roce": {"account.h", "copies.h", "footprint.h", "gave_up.h", "giveup.h", "icrc_source.h", "matcher.h",
                            "reach.h", "reaction.h", "request.h", "schedule.h", "source_port.h", "time_sums.h", "trail.h"},
    "analyzer/track/setup": {"cm_track.h", "exchange.h", "exchange_text.h"},
    "analyzer/track/ulp": {"ulp.h", "ulp_commands.h", "ulp_credits.h", "ulp_iwarp.h", "ulp_roce.h", "ulp_turns.h"},
}
# a tracker's folder -> the other trackers that it knows
KNOWS = {"analyzer/track/congestion": {"analyzer/track/roce"}, "analyzer/track/iwarp": {"analyzer/track/roce"}, "analyzer/track/keys": {"analyzer/track/iwarp", "analyzer/track/roce", "analyzer/track/setup"},
         "analyzer/track/roce": {"analyzer/track/setup"}, "analyzer/track/setup": set(),
         "analyzer/track/ulp": {"analyzer/track/iwarp", "analyzer/track/roce", "analyzer/track/setup"}}
# plain values and the calls of the library, which everybody shares with those who use it
LIBRARY = "analyzer/rda.h"
# from below: a file reaches the headers of its own layer and of those before it, by whatever way
LAYERS = ["dissectors", "analyzer/base", "analyzer/track", "analyzer/facts", "analyzer/checks", "analyzer/engine",
          "analyzer/taps", "analyzer/report", "analyzer/rdma-analyze", "plugin"]
# folder -> headers in <> that its files may include
INCLUDES = {
    "dissectors": PURE | {"isa-l.h", "isa-l/crc.h"},
    "dissectors/ulp": PURE,
    **{folder: ENGINE for folder in ("analyzer/base", "analyzer/track", *PUBLIC, "analyzer/facts", "analyzer/checks",
                                     *FAMILIES, "analyzer/engine", "analyzer/taps")},
}
CODE_FOLDERS = [*INCLUDES, "analyzer/report", "analyzer/report/page", "analyzer/rdma-analyze", "plugin", "bench", "tests/unit",
                "tests/fuzz", "tests/simulate"]


def suite_of(path):
    """analyzer/checks/FAMILY/NAME.c has test_check_FAMILY_NAME.c; FAMILY.c test_check_FAMILY.c"""
    family = path.parent.name
    if path.parent.parent.name != "checks":
        return path.stem
    return f"check_{family}" if path.stem == family else f"check_{family}_{path.stem}"


def files(root, folder, *endings):
    return sorted(path for ending in endings for path in (root / folder).glob("*" + ending))


def folder_of(name):
    return str(pathlib.PurePath(name).parent)


def layer_of(name):
    return max((i for i, layer in enumerate(LAYERS) if name.startswith(layer + "/")), default=None)


def included(root, path):
    return re.findall(r'^\s*#\s*include\s*([<"])([^>"]+)', (root / path).read_text(), re.M)


def check_includes(root):
    for folder, system in INCLUDES.items():
        for path in files(root, folder, ".c", ".h"):
            for bracket, name in included(root, path):
                if bracket == "<" and name not in system:
                    yield f"{path}: {folder}/ may not include <{name}>"


def reached(root, sources):
    """(source, header) of all headers of the project that a source sees, by the compiler's word"""
    half = len(sources) // 2
    runs = [subprocess.Popen([*shlex.split(os.environ.get("CC", "cc")), "-MM", "-MG", "-nostdinc", "-I.", *part],
                             cwd=root, stdout=subprocess.PIPE, text=True) for part in (sources[:half], sources[half:])]
    for run in runs: # what the system has is left out: -MG takes it for headers that are not made yet
        for rule in run.communicate()[0].replace("\\\n", " ").splitlines():
            source, *headers = rule.partition(":")[2].split()
            yield from ((source, header) for header in headers if (root / header).exists())
        if run.returncode:
            sys.exit("the compiler does not tell what the sources include")


def breach(source, header):
    """Why a source may not see a header; None: it may."""
    here, there = folder_of(source), folder_of(header)
    if header == LIBRARY:
        return None
    if layer_of(header) is None or layer_of(header) > layer_of(source):
        return f"{here}/ stands below {there}/"
    if here != there and there in PUBLIC and pathlib.PurePath(header).name not in PUBLIC[there]:
        return f"private to {there}/: ask its public headers"
    if here in KNOWS and there in KNOWS and there != here and there not in KNOWS[here]:
        return f"{here}/ knows nothing of {there}/"
    if here in ("analyzer/report", "analyzer/rdma-analyze", "plugin") and there in FAMILIES:
        return "a family's state is its own"
    return None


def ways(root, source):
    """header -> the includes that lead to it, the shortest chain"""
    chains, left = {source: []}, [source]
    for name in left: # grows
        for bracket, header in included(root, name):
            if bracket == '"' and header not in chains and (root / header).exists():
                chains[header] = [*chains[name], header]
                left.append(header)
    return chains


def check_reach(root):
    sources = [str(path.relative_to(root)) for path in sorted(root.glob("*/**/*.c"))]
    bad, told = {}, set()
    for source, header in reached(root, [source for source in sources if layer_of(source) is not None]):
        why = breach(source, header)
        if why:
            bad.setdefault(source, {})[header] = why
    for source, headers in bad.items():
        chains = ways(root, source)
        for header, why in headers.items():
            chain = chains.get(header, [header])
            link = (folder_of(source), *[source, *chain][-2:])
            if link not in told and not headers.keys() & set(chain[:-1]): # else that one is told
                told.add(link)
                yield f"{root / source}: may not reach {' > '.join(chain)}: {why}"


def check_tags(root):
    """A tag names one struct of the product."""
    found = {}
    for layer in LAYERS:
        for path in sorted((root / layer).glob("**/*.[ch]")):
            for tag in re.findall(r"^struct (rda_\w+) \{", path.read_text(), re.M):
                if found.setdefault(tag, path) != path:
                    yield f"{path}: struct {tag} is defined in {found[tag]} too"


def check_bytes(root):
    touch = re.compile(r"dissectors/cursor\.h|rda_cursor|frame->bytes|frame\.bytes")
    for folder in {"analyzer/checks", *FAMILIES}:
        for path in files(root, folder, ".c", ".h"):
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if touch.search(line):
                    yield (f"{path}:{number}: a check sees no bytes: have dissectors/ read the value into struct "
                           f"rda_packet, or ask rda_read_..._of (dissectors/packet.h)")


def check_public_header(root):
    """It stands alone, and all that it declares is ours."""
    text = (root / LIBRARY).read_text()
    for name in re.findall(r"^\s*#\s*include\s*(.*)", text, re.M):
        if name not in ("<stdbool.h>", "<stddef.h>", "<stdint.h>"):
            yield f"{LIBRARY}: includes {name}"
    for name in re.findall(r"^(?:[a-z_]+ )*(?:struct |enum )?\w+ \**(\w+)\(", text, re.M):
        if not name.startswith("rda_"):
            yield f"{LIBRARY}: {name} does not begin with rda_"


# functions of headers that many files need under a short name
SHORT_NAMES = {"asked", "be16", "be24", "be32", "be64", "bits", "dissect", "emit", "in_flight_ns", "ip4_checksum_fails", "ip4_checksum_fits", "ip4_is_marked",
               "is_credible", "is_next_file", "le32", "message_after", "ns_sum", "ns_times", "print", "print_in",
               "syndrome_kind", "trigger_name", "vcrc", "watched_until"}


def check_names(root):
    """A public function is named after what its header is about: its name begins with rda_, and has a word of
    the header's name, of its folder's or of a file's there, or the tag of a struct that the header names."""
    for layer in LAYERS:
        for path in sorted((root / layer).glob("**/*.h")):
            text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
            files_here = [word for file in path.parent.glob("*.c") for word in file.stem.split("_")]
            nouns = {noun.rstrip("s") for noun in (
                *path.stem.split("_"), path.parent.name, *files_here,
                *re.findall(r"\b(?:struct|enum|union) rda_(\w+)", text))}
            for name in re.findall(r"^(?:[A-Za-z_][\w* ]*?[ *])(\w+)\(", text, re.M):
                words = name.removeprefix("rda_").split("_")
                runs = {"_".join(words[i:j]).rstrip("s") for i in range(len(words)) for j in range(i + 1, len(words) + 1)}
                if "_".join(words) not in SHORT_NAMES and (not name.startswith("rda_") or not runs & nouns):
                    yield f"{path}: {name} has no noun of its header: begin it with rda_{path.stem}_"


def check_sizes(root):
    for folder in CODE_FOLDERS:
        for path in files(root, folder, ".c", ".h"):
            lines = path.read_text().splitlines()
            if len(lines) >= MAX_FILE:
                yield f"{path}: {len(lines)} lines; a file has less than {MAX_FILE}"
            start = None
            for number, line in enumerate(lines, 1): # a function's braces stand in column 1
                if line == "{":
                    start = number
                elif line == "}" and start:
                    length = number - start + 1
                    if length > MAX_FUNCTION:
                        yield f"{path}:{start}: a function of {length} lines; {MAX_FUNCTION} at most"
                    start = None


def check_suites(root, suites):
    tests = {path.stem.removeprefix("test_") for path in (root / "tests/unit").glob("test_*.c")}
    for folder in INCLUDES:
        for path in files(root, folder, ".c"):
            if suite_of(path) not in tests:
                yield f"{path}: tests/unit/test_{suite_of(path)}.c is missing"
    for name in sorted(tests - set(suites)):
        yield f"tests/unit/test_{name}.c: missing in the list of tests/CMakeLists.txt"


def check_fuzzed(root):
    """Upper layers: fuzz_upper.c gives their readers any bytes, and cut_upper.c cuts its corpus at every length."""
    seen = ways(root, "tests/fuzz/fuzz_upper.c")
    for path in files(root, "dissectors/ulp", ".h"):
        if str(path.relative_to(root)) not in seen:
            yield f"{path}: tests/fuzz/fuzz_upper.c does not read it"


# whose messages go to standard error: a line each, and how far a file has been read; kept.c makes its one name harmless itself,
# and so does shortage.c, where there is no memory for anything else
TO_STDERR = {"complain.c", "progress.c", "shortage.c"}


def check_messages(root):
    """What goes to a terminal beside the report goes through complain.h, which makes it harmless."""
    for layer in LAYERS:
        for path in sorted((root / layer).glob("**/*.c")):
            if path.name not in TO_STDERR and re.search(r"\b(stderr|STDERR_FILENO|g_printerr|perror)\b", path.read_text()):
                yield f"{path}: messages are rda_complain's (analyzer/rdma-analyze/complain.h)"


def check_first_lines(root):
    for folder in CODE_FOLDERS:
        for path in files(root, folder, ".c", ".h", ".def"):
            if not path.read_text().startswith("/* SPDX-License-Identifier: GPL-2.0-or-later */\n"):
                yield f"{path}: the first line is no SPDX licence line"


def check_comments(root):
    """A comment stands alone: one that leans on the line above says something else when a line comes between."""
    for folder in CODE_FOLDERS:
        for path in files(root, folder, ".c", ".h", ".def"):
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if re.search(r"\blikewise\b", line, re.I):
                    yield f"{path}:{number}: a comment names its subject itself, without \"likewise\""


def main():
    root, suites = pathlib.Path(sys.argv[1]), sys.argv[2:]
    if not files(root, "dissectors", ".c"):
        sys.exit(f"{root}: no sources here")
    broken = [*check_includes(root), *check_public_header(root), *check_reach(root), *check_tags(root), *check_bytes(root),
              *check_names(root), *check_sizes(root), *check_suites(root, suites), *check_fuzzed(root), *check_first_lines(root),
              *check_messages(root), *check_comments(root)]
    print("\n".join(broken) or "all rules kept")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
