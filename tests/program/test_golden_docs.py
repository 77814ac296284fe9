#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What docs/tutorial.md, docs/verdicts.md and README.md show is what the program prints.

In a block of code a line "$ COMMAND" is followed by what the command prints; "..." stands for any number
of lines. Commands of a page run one after the other in a folder with captures/, in the shell, and must
end well. With a third argument, `update`, what docs/tutorial.md shows otherwise is written anew: up to the
first "..." as many lines as there were, or all where there was none; choose the others by hand.
"""
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from program import PROGRAM, ROOT, main

PAGES = {"docs/tutorial.md": "$ ", "docs/verdicts.md": "$ ", "README.md": None}
README = ("rdma-analyze captures/roce_corrupt.a.pcap",)
"""README.md shows what ./dev run prints, in its first block."""


def shell(command, folder):
    environment = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS")}
    environment["PATH"] = f"{PROGRAM.resolve().parent}:{environment['PATH']}"
    result = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], cwd=folder, env=environment,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert result.returncode == 0, f"{command}: exit code {result.returncode}: {result.stdout}"
    return result.stdout.splitlines()


def blocks(page):
    """The blocks of code of a page, as lines, with where they begin and end in it."""
    lines = (ROOT / page).read_text().splitlines()
    fences = [number for number, line in enumerate(lines) if line.startswith("```")]
    for begin, end in zip(fences[::2], fences[1::2]):
        yield begin + 1, lines[begin + 1:end]


def shown(page):
    """(command, lines that it is shown to print), in the order of the page."""
    if PAGES[page] is None:
        _, lines = next(iter(blocks(page)))
        return [(README[0], lines)]
    found = []
    for _, lines in blocks(page):
        for line in lines:
            if line.startswith(PAGES[page]):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line)
    return found


def is_shown(want, got):
    """Whether `got` is `want`, whose lines "..." stand for any number of lines."""
    pattern = "".join("(?:.*\n)*" if line.strip() == "..." else re.escape(line) + "\n" for line in want)
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in got)) is not None


def run_pages(each):
    for page in PAGES:
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "captures").symlink_to(ROOT / "captures")
            for command, want in shown(page):
                each(page, command, want, shell(command, folder))


def test_shown_is_printed():
    """Each command of the pages prints what is shown."""
    wrong = []

    def compare(page, command, want, got):
        if not is_shown(want, got):
            wrong.append("\n".join([f"{page}: $ {command}", *difflib.unified_diff(want, got, "page", "printed", lineterm="")]))

    run_pages(compare)
    assert not wrong, "\n".join([*wrong, "if that is meant: test_golden_docs.py PROGRAM ROOT update"])


def test_is_shown():
    """"..." stands for any number of lines, at the end too, and for nothing else."""
    for want, got, fits in ((["a"], ["a"], True), (["a"], ["a", "b"], False), (["a", "..."], ["a", "b"], True),
                            (["...", "b"], ["a", "b"], True), (["...", "b"], ["b", "a"], False),
                            (["a", "...", "c"], ["a", "b", "c"], True), (["a", "...", "c"], ["a"], False),
                            (["a", "...", "b", "..."], ["a", "c", "b"], True), (["a", "..."], ["a"], True),
                            (["a", "...", "a"], ["a"], False), ([], [], True), ([], ["a"], False)):
        assert is_shown(want, got) == fits, (want, got)


def test_tutorial_has_commands():
    """At least ten are shown: a page that lost its mark would pass for nothing."""
    assert len(shown("docs/tutorial.md")) >= 10


def update():
    page, anew = "docs/tutorial.md", {}

    def note(where, command, want, got):
        if where == page and is_shown(want, got):
            anew[command] = [f"$ {command}", *want]
        elif where == page:
            print(f"is new, look at it: {command}")
            keep = want.index("...") if "..." in want else len(got)
            anew[command] = [f"$ {command}", *got[:keep], *(["..."] if keep < len(got) else [])]

    run_pages(note)
    text = (ROOT / page).read_text()
    for _, lines in blocks(page):
        block = "\n".join(lines)
        text = text.replace(f"```\n{block}\n```", "```\n" + "\n".join(
            line for command in re.findall(r"^\$ (.*)$", block, re.M) for line in anew[command]) + "\n```")
    (ROOT / page).write_text(text)


if sys.argv[3:] == ["update"]:
    update()
else:
    main(sys.modules[__name__])
