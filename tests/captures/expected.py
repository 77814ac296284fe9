#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""expected.py PROGRAM ROOT: the captures of this project, held against expectations as a user's CI holds its own, by docs/ci/.

expect/NAME.expect has the captures that it is for in its first line. Each capture is in one of them.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM, ROOT = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
SCRIPT = ROOT / "docs/ci/check-captures.sh"
FILES = sorted((ROOT / "tests/captures/expect").glob("*.expect"))
CAPTURES = {path.stem: path for path in (ROOT / "captures").glob("*.pcap")}
broken = []


def check(expectations, folder, captures, **environment):
    return subprocess.run([SCRIPT, expectations, folder, *captures], capture_output=True, text=True,
                          env={**os.environ, "RDMA_ANALYZE": str(PROGRAM), **environment})


def want(code, result, what):
    if result.returncode != code:
        broken.append(f"{what}: exit code {result.returncode}, not {code}\n{result.stdout}{result.stderr}")


def families(folder):
    """Each family holds for its captures; and none of them for all of the others."""
    left = set(CAPTURES)
    for file in FILES:
        names = file.read_text().splitlines()[0].removeprefix("# captures: ").split()
        left -= set(names)
        results = folder / file.stem
        want(0, check(file, results, [CAPTURES[name] for name in names]), file.name)
        made = {path.name for path in results.iterdir()}
        if made != {f"{name}.pcap.{ending}" for name in names for ending in ("json", "xml", "sarif")}:
            broken.append(f"{file.name}: {sorted(made)}")
        # what was seen now is no news the next time, whatever is expected
        want(0, check(file, folder / "again", [CAPTURES[names[0]]], BASELINE=str(results)), f"{file.name} again")
        others = [CAPTURES["tcp_http.a"], CAPTURES["roce_loss_single.a"], CAPTURES["roce_rc_send_multi.a"]]
        want(1, check(file, folder / "others", [path for path in others if path.stem not in names]), f"{file.name} on others")
    if left:
        broken.append(f"in no file of expect/: {sorted(left)}")


def example(folder):
    """roce.expect, by the lines that the files for GitHub and GitLab run, in a project of a user."""
    shutil.copy(ROOT / "docs/ci/roce.expect", folder)
    (folder / "captures").mkdir()
    for service in ("github-actions", "gitlab-ci"):
        text = (ROOT / f"docs/ci/{service}.yml").read_text()
        line = re.search(r"/opt/rdma-analyze/docs/ci/(check-captures.sh .*)", text)[1]
        for code, name in ((0, "roce_rc_send_multi.a"), (1, "roce_loss_single.a")):
            capture = shutil.copy(CAPTURES[name], folder / "captures")
            want(code, subprocess.run(["sh", "-c", f"{SCRIPT.parent}/{line}"], cwd=folder, capture_output=True, text=True,
                                      env={**os.environ, "RDMA_ANALYZE": str(PROGRAM)}), f"{service}: {name}")
            os.unlink(capture)
    capture = folder / "cut.pcap"
    capture.write_bytes(CAPTURES["roce_rc_send_multi.a"].read_bytes()[:999])
    want(2, check(folder / "roce.expect", folder / "results", [capture, CAPTURES["roce_rc_send_multi.a"]]), "a damaged capture")
    want(2, subprocess.run([SCRIPT], capture_output=True, text=True), "no arguments")


with tempfile.TemporaryDirectory() as temporary:
    families(pathlib.Path(temporary))
    example(pathlib.Path(temporary))
print("\n".join(broken) or f"{len(CAPTURES)} captures are as expected")
sys.exit(bool(broken))
