#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The man page and the completion scripts name every option of --help, and no other."""
import re
import shutil
import subprocess
import sys
import tempfile

from program import ROOT, main, options, same, text


def test_man_page():
    """docs/rdma-analyze.1 has an item for every option, with its letter and argument."""
    page = (ROOT / "docs/rdma-analyze.1").read_text()
    items = {}
    for line in re.findall(r"^\.It (.*Fl Fl .*)$", page, re.M):
        match = re.fullmatch(r"(?:Fl (\w) , )?Fl Fl ([a-z-]+)"
                             r"(?: Ar ([A-Z=]+(?: [A-Z]+)?)| Ns Op = Ns Ar ([A-Z]+))?", line)
        assert match, line
        items[match[2]] = (match[1] or "", match[3] or match[4] or "")
    same(items, options())


def section(name):
    return re.search(rf"^\.Sh {name}\n(.*?)(?=^\.Sh )", (ROOT / "docs/rdma-analyze.1").read_text(), re.M | re.S)[1]


def test_man_page_has_families():
    """Each family of checks is explained, and no other."""
    families = {code[0] for code in re.findall(r"^ ([A-Z]\d\d) ", text("--list-checks"), re.M)}
    assert len(families) > 9
    same(set(re.findall(r"^\.It Sy ([A-Z])$", section("FINDINGS"), re.M)), families)


def test_man_page_has_formats():
    """Each form of output stands in the section about formats, as do all options that write files."""
    formats = re.search(r"--format.*?((?:\w+, )+or \w+|(?:\w+, )+\w+)", text("--help"), re.S)
    assert formats, "--help names no formats"
    for name in re.findall(r"\w+", formats[1]):
        assert name == "or" or re.search(rf"\b{name}\b", section("FORMATS")), name
    for name in ("html", "sqlite", "junit", "sarif", "annotate", "anonymize", "extract", "save-on", "write"):
        assert name in options() and f"Fl Fl {name}" in section("FORMATS"), name


def test_fish_and_zsh():
    """The scripts for fish and zsh have every option once."""
    fish = text("--completion=fish")
    same(sorted(re.findall(r" -l ([a-z-]+)", fish)), sorted(options()))
    same({name: letter for name, letter in re.findall(r" -l ([a-z-]+) -s (\w)", fish)},
         {name: letter for name, (letter, _) in options().items() if letter})
    zsh = text("--completion=zsh")
    same(sorted(set(re.findall(r"--([a-z-]+)[=\[}]", zsh))), sorted(options()))
    for shell, script in (("fish", fish), ("zsh", zsh)):
        if shutil.which(shell):
            subprocess.run([shell, "-n", "/dev/stdin"], input=script.encode(), check=True)


def complete(*words):
    """What bash offers for the last word."""
    with tempfile.NamedTemporaryFile("w", suffix=".bash") as script:
        script.write(text("--completion"))
        script.flush()
        quoted = " ".join(f"'{word}'" for word in words)
        answer = subprocess.run(
            ["bash", "-c", f"source {script.name}; COMP_WORDS=({quoted}); "
             f"COMP_CWORD={len(words) - 1}; _rdma_analyze; printf '%s\\n' \"${{COMPREPLY[@]}}\""],
            check=True, capture_output=True, text=True)
    same(answer.stderr, "")
    return answer.stdout.split()


def test_bash():
    """Bash completes options, and the words of those that have words."""
    same(sorted(complete("rdma-analyze", "--")), sorted(f"--{name}" for name in options()))
    same(complete("rdma-analyze", "--list-"), ["--list-interfaces", "--list-checks", "--list-opcodes", "--list-headers"])
    same(complete("rdma-analyze", "--format", ""), ["text", "json", "ndjson", "csv"])
    same(complete("rdma-analyze", "--format", "=", "j"), ["json"])
    same(complete("rdma-analyze", "--format", "="), ["text", "json", "ndjson", "csv"])
    same(complete("rdma-analyze", "-F", "nd"), ["ndjson"])
    same(complete("rdma-analyze", "--port", ""), [])
    assert "tests" in complete("rdma-analyze", "--config", f"{ROOT}/te")[0]
    assert "tests" in complete("rdma-analyze", f"{ROOT}/te")[0]


def test_man_page_is_well_formed():
    """mandoc, where it is installed, has nothing to complain about."""
    if not shutil.which("mandoc"):
        return
    lint = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", ROOT / "docs/rdma-analyze.1"],
                          capture_output=True, text=True)
    same(lint.stdout, "")


main(sys.modules[__name__])
