#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Installs librda into an empty folder, and uses it as another program would.

    test_installed.py --cmake CMAKE --cc CC --nm NM --program PROGRAM static|shared BUILD ROOT

Its symbols are all rda_..., and those of the shared library all in rda.h; the header needs nothing but
the standard's types; the example of docs/library.md is built by pkg-config alone, against the
installed files, and says of a capture what rdma-analyze says; and so it does when three engines
share the frames.
"""
import argparse
import difflib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

CAPTURES = ["captures/roce_corrupt.a.pcap", "captures/roce_loss_burst.a.pcap"]
STANDARD = {"stdbool.h", "stddef.h", "stdint.h"}


def run(*words, **more):
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, **more)
    assert done.returncode == 0, f"{' '.join(map(str, words))}:\n{done.stdout}{done.stderr}"
    return done.stdout


def defined(nm, library, *options):
    """Names of the global symbols that a library defines."""
    rows = (line.split() for line in run(nm, "--defined-only", "--extern-only", *options, library).splitlines())
    return {row[2] for row in rows if len(row) == 3}


def declared(header):
    """Functions that the header declares."""
    text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S)
    return set(re.findall(r"RDA_API[^;{]*?\b(rda_\w+)\(", text))


def example(root):
    """The C program of docs/library.md."""
    found = re.findall(r"```c\n(.*?)```", (root / "docs/library.md").read_text(), re.S)
    assert len(found) == 1, f"docs/library.md has {len(found)} programs in ```c, 1 expected"
    assert len(found[0].splitlines()) <= 60, "the example of docs/library.md has more than 60 lines"
    return found[0]


def check_symbols(args, library, header):
    names = defined(args.nm, library, *(["--dynamic"] if args.kind == "shared" else []))
    foreign = sorted(name for name in names if not name.startswith("rda_"))
    assert not foreign, f"{library.name} defines {foreign}: global names begin with rda_"
    if args.kind == "static":
        return
    missing, extra = declared(header) - names, names - declared(header)
    assert not missing, f"analyzer/rda.h declares {sorted(missing)}, which {library.name} does not have"
    assert not extra, f"{library.name} exports {sorted(extra)}, which are not in analyzer/rda.h"


def check_header(args, header, folder):
    includes = set(re.findall(r"#\s*include\s*[<\"]([^>\"]+)", header.read_text()))
    assert includes <= STANDARD, f"analyzer/rda.h includes {sorted(includes - STANDARD)}: only {sorted(STANDARD)}"
    alone = folder / "alone.c"
    alone.write_text('#include <rda.h>\n#include <rda.h>\nint main(void) { return 0; }\n')
    for standard in ("c11", "c17"):
        run(args.cc, f"-std={standard}", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{header.parent}",
            "-fsyntax-only", alone)
    empty = folder / "empty.cc"
    empty.write_text("")
    if subprocess.run([args.cc, "-fsyntax-only", empty], capture_output=True).returncode == 0: # it knows C++
        run(args.cc, "-x", "c++", "-std=c++11", "-Wall", "-Wextra", "-Werror", f"-I{header.parent}", "-fsyntax-only", alone)


def build(args, text, prefix, folder):
    source, program = folder / "example.c", folder / "example"
    source.write_text(text)
    library = next(prefix.rglob("rda.pc")).parent.parent
    environment = {**os.environ, "PKG_CONFIG_PATH": str(library / "pkgconfig")}
    words = ["--static"] if args.kind == "static" else []
    flags = run("pkg-config", "--cflags", "--libs", *words, "rda", env=environment).split()
    if args.kind == "static":  # else the shared one, which lies beside it, is taken
        flags = ["-l:librda.a" if flag == "-lrda" else flag for flag in flags]
    run(args.cc, "-std=c11", "-Wall", "-Wextra", "-Werror", source, "-o", program, *flags, "-lpcap")
    return program, {**os.environ, "LD_LIBRARY_PATH": str(library)}


def in_parts(source):
    """The example again, with three engines that share the frames."""
    whole = "rda_engine_packet(engine, &meta, &frame);"
    ends = "rda_engine_end(engine);"
    for line in (whole, ends, "rda_engine_new(NULL)", "rda_engine_result(engine)"):
        assert line in source, f"the example of docs/library.md has no {line}"
    shared = """struct rda_share share = rda_splitter_frame(splitter, &meta, &frame);
		for (int k = 0; k < 3; k++)
			if (k == (int)rda_share_engine(share.pair, 3))
				rda_engine_packet(part[k], &meta, &frame);
			else
				rda_engine_elsewhere(part[k], &meta, &frame, &share);
		if (share.told)
			rda_engine_told(part[rda_share_engine(share.told_pair, 3)], &meta, &share);"""
    merged = """struct rda_result *of[4], *two;
	of[3] = rda_splitter_result(splitter);
	rda_splitter_free(splitter);
	for (int k = 0; k < 3; k++) {
		rda_engine_end(part[k]);
		of[k] = rda_engine_result(part[k]);
		rda_engine_free(part[k]);
	}
	two = rda_result_merge(of[2], of[3]);
	rda_result_free(of[2]), rda_result_free(of[3]);
	of[2] = two;
	two = rda_result_merge(of[2], of[0]);
	rda_result_free(of[0]), rda_result_free(of[2]);
	of[0] = rda_result_merge(of[1], two);
	rda_result_free(of[1]), rda_result_free(two);"""
    source = source.replace(whole, shared).replace(ends, merged)
    source = source.replace("rda_engine_result(engine)", "of[0]").replace(
        "rda_engine_begin_capture(engine);", "rda_splitter_begin_capture(splitter);\n\tfor (int k = 0; k < 3; k++)\n\t\trda_engine_begin_capture(part[k]);")
    return source.replace("struct rda_engine *engine = rda_engine_new(NULL);", """struct rda_config config = {.part = true};
	struct rda_splitter *splitter = rda_splitter_new(&config);
	struct rda_engine *engine = NULL, *part[3] = {rda_engine_new(&config), rda_engine_new(&config), rda_engine_new(&config)};""")


def expected_of(report):
    """What the example prints, from the JSON of rdma-analyze."""
    for connection in report["connections"]:
        yield f"{connection['id']}: {connection['transport']} {connection['service']}\n"
        for end, flow in zip(connection["endpoints"], connection["flows"]):
            qpn = "unknown" if end["qpn"] is None else f"0x{end['qpn']:06x}"
            yield f"  {end['address']} QP {qpn}: {flow['packets'] if flow else 0} packets"
            if flow and flow["lost"] and flow["lost"]["before_tap"] is not None:
                lost = flow["lost"]["before_tap"] + flow["lost"]["after_tap"]
                yield f", {sum(flow['resends'].values())} resends, {lost} lost"
            yield "\n"
        for finding in report["findings"]:
            if finding["connection"] == connection["id"]:
                yield f"  {finding['code']}: {finding['text']}\n"


def main():
    parser = argparse.ArgumentParser()
    for name in ("--cmake", "--cc", "--nm"):
        parser.add_argument(name, required=True)
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("kind", choices=["static", "shared"])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("root", type=pathlib.Path)
    args = parser.parse_args()

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        prefix = folder / "prefix"
        run(args.cmake, "--install", args.build, "--prefix", prefix, "--component", "library")
        header = prefix / "include/rda.h"
        library = next(prefix.rglob("librda.a" if args.kind == "static" else "librda.so"))
        check_symbols(args, library.resolve(), header)
        check_header(args, header, folder)
        text = example(args.root)
        for title, source in (("the example", text), ("the example in parts", in_parts(text))):
            program, environment = build(args, source, prefix, folder)
            for capture in CAPTURES:
                report = json.loads(run(args.program, "--format=json", args.root / capture))
                told, expected = run(program, args.root / capture, env=environment), "".join(expected_of(report))
                assert expected.count("\n") > 3, f"{capture}: too little in it: {expected}"
                assert told == expected, "\n".join(difflib.unified_diff(
                    expected.splitlines(), told.splitlines(), f"rdma-analyze {capture}", title, lineterm=""))
    print(f"{args.kind}: installed, built against and run on {len(CAPTURES)} captures")


if __name__ == "__main__":
    sys.exit(main())
