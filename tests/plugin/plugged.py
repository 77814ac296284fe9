# SPDX-License-Identifier: GPL-2.0-or-later
"""tshark with and without the plugin, in a folder of its own.

As root tshark loads no plugin from a person's folder, without a word; so it runs as nobody then, on
copies that nobody may read.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

NOBODY = 65534
SKIPPED = 77


def arguments(*flags):
    parser = argparse.ArgumentParser()
    for flag in flags:
        parser.add_argument(flag, action="store_true")
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--plugin", type=pathlib.Path, required=True)
    parser.add_argument("captures", type=pathlib.Path)
    options = parser.parse_args()
    options.program = options.program.resolve()
    return options


def captures(folder):
    """Of a folder, or the one file that is named."""
    if folder.is_file():
        return [folder]
    found = sorted([*folder.glob("*.pcap*"), *folder.glob("made/*.pcap*")])
    assert found, f"{folder}: no captures here"
    return found


class Unreadable(Exception):
    """tshark cannot open this capture, with the plugin or without."""


def sanitizers(plugin):
    """The libraries that tshark, which has none, must load first."""
    needed = subprocess.run(["ldd", plugin], capture_output=True, text=True, check=True).stdout
    return re.findall(r"=> (\S+/lib[au]b?san\S+)", needed)


class Tshark:
    """Two homes, one of them with the plugin, and room for one capture at a time for each user."""

    def __init__(self, options):
        if not shutil.which("tshark"):
            print("skipped: tshark is not installed")
            sys.exit(SKIPPED)
        version = re.search(r"(\d+)\.(\d+)", subprocess.run(
            ["tshark", "-v"], capture_output=True, text=True, check=True).stdout)
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        self.root.chmod(0o755)
        for home in ("with", "without"):
            (self.root / home).mkdir()
        for name in (f"{version[1]}.{version[2]}", f"{version[1]}-{version[2]}"):  # on Debian; elsewhere
            folder = self.root / "with/.local/lib/wireshark/plugins" / name / "epan"
            folder.mkdir(parents=True)
            shutil.copy(options.plugin, folder / "rdma.so")
        self.user = {}
        if os.geteuid() == 0:
            self.user = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
        self.sanitizers = sanitizers(options.plugin)
        # not -G plugins: that runs the extcap programs too, and one of them hangs with sanitizers
        listed = self.run("-G", "protocols")
        assert re.search(r"\trdma\b", listed), "tshark did not load the plugin"

    def add_profile(self, folder):
        """For -C, where the one with the plugin looks for it."""
        shutil.copytree(folder, self.root / "with/.config/wireshark/profiles" / folder.name)

    def copy(self, capture):
        """A capture where tshark may read it; named as the plugin names what is open."""
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.root))
        folder.chmod(0o755)
        shutil.copy(capture, folder / "this capture")
        (folder / "this capture").chmod(0o644)
        return folder / "this capture"

    def surroundings(self, plugin=True):
        """Of a process: how subprocess is to start it."""
        environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TZ": "UTC",
                       "HOME": str(self.root / ("with" if plugin else "without"))}
        if plugin and self.sanitizers:
            # libwireshark and GLib keep what they allocate
            environment |= {"LD_PRELOAD": ":".join(self.sanitizers), "G_SLICE": "always-malloc",
                            "ASAN_OPTIONS": "detect_leaks=0", "UBSAN_OPTIONS": "print_stacktrace=1"}
        return {"env": environment, "cwd": self.root, **self.user}

    def run(self, *words, plugin=True):
        result = subprocess.run(["tshark", *map(str, words)], capture_output=True, timeout=1800,
                                **self.surroundings(plugin))
        errors = result.stderr.decode()
        # a cut capture file is an error for tshark, and is told after all that could be read
        cut = "appears to have been cut short" in errors
        if "network type 247 unknown" in errors:
            raise Unreadable("libwiretap does not know InfiniBand's link type")
        assert result.returncode == 0 or cut, f"tshark {words}: {errors}"
        # the built-in dissectors have bugs of their own
        assert "Dissector bug, protocol RDMA," not in errors, errors
        assert "Could not compile" not in errors, errors  # a colour rule with a field that is not there
        return result.stdout.decode()

    def fields(self, *words, names):
        """Rows of fields, each a list of values, by frame number."""
        printed = self.run("-n", *words, "-T", "fields", "-E", "separator=/t", "-e", "frame.number",
                           *(word for name in names for word in ("-e", name)))
        rows = {}
        for line in printed.splitlines():
            if not re.match(r"\d+\t", line):
                break  # what -z prints comes after the packets
            number, *values = line.split("\t")
            rows[int(number)] = {name: value.split(",") if value else []
                                 for name, value in zip(names, values)}
        return rows, printed
