#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""./dev where other package managers are, or none: what it would install, and what it says.

    dev.py ROOT

The package managers are stand-ins that write down what they were asked, in a PATH without compilers and
libraries; who runs it is root or not.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1])
TOOLS = ("bash", "cat", "dirname", "env", "grep", "mktemp", "rm", "sed", "tail")


def setup(user, managers, *groups, archive=True):
    """(exit code, what it said, what the managers were asked)"""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        asked = folder / "asked"
        asked.touch()
        for tool in TOOLS:
            (folder / tool).symlink_to(shutil.which(tool))
        answer = "echo Filename: x" if archive else "exit 1"
        stands_in = {"id": f"echo {user}", "apt-cache": answer}
        stands_in.update({name: f'echo {name} "$@" >>{asked}; case $* in *repoquery*|*-Si*) {answer};; esac'
                          for name in managers})
        for name, line in stands_in.items():
            (folder / name).write_text(f"#!{shutil.which('bash')}\n{line}\n")
            (folder / name).chmod(0o755)
        result = subprocess.run([folder / "bash", ROOT / "dev", "setup", *groups], env={"PATH": str(folder)},
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return result.returncode, result.stdout, asked.read_text().splitlines()


def installs(lines, manager):
    """What the last line asks for, without options."""
    words = lines[-1].split()
    assert words[0] == manager, lines
    return [word for word in words[1:] if not word.startswith("-") and word != "install"]


def test_debian():
    code, _, asked = setup(0, ["apt-get"], "build")
    assert code == 0 and asked[0] == "apt-get -qq update", asked
    assert {"gcc", "libglib2.0-dev", "libisal-dev", "libwireshark-dev"} <= {*installs(asked, "apt-get")}, asked


def test_fedora():
    """Libraries are asked for by what their packages provide."""
    code, _, asked = setup(0, ["dnf"], "build")
    assert code == 0
    assert {"gcc", "ninja-build", "pkgconfig(glib-2.0)", "pkgconfig(libisal)"} <= {*installs(asked, "dnf")}, asked


def test_arch():
    """A library that only users' recipes have is named, and nothing is installed."""
    code, said, asked = setup(0, ["pacman"], "build")
    assert code == 1 and "pc:libisal" in said, said
    assert not any("--needed" in line for line in asked), asked


def test_tests_of_others():
    for manager, package in (("dnf", "gcc-c++"), ("pacman", "python-jsonschema"), ("apt-get", "libxml2-utils")):
        code, _, asked = setup(0, [manager], "test")
        assert code == 0 and package in installs(asked, manager), asked


def test_optional():
    """What may be missing is left out, with what that costs, where the archive has it not."""
    code, said, asked = setup(0, ["apt-get"], "build", archive=False)
    assert code == 0 and "no plugin" in said, said
    assert "libwireshark-dev" not in installs(asked, "apt-get") and "gcc" in installs(asked, "apt-get"), asked


def test_nobody():
    """Neither root nor sudo: the command for somebody else is told, and nothing is done."""
    code, said, asked = setup(1000, ["apt-get"], "build")
    assert code == 1 and "apt-get -qq install" in said and "libpcap-dev" in said, said
    assert asked == [], asked


def test_no_manager():
    code, said, _ = setup(0, [], "build")
    assert code == 1 and "gcc" in said and "pc:libpcap" in said, said


for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
print("./dev setup does and says what it should")
