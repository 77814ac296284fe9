# SPDX-License-Identifier: GPL-2.0-or-later
"""Two network namespaces joined by a cable: what one sends, the program sees in the other."""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from program import PROGRAM

SKIPPED = 77  # the exit code that ctest takes for it


def why_not():
    """Why there can be no namespaces here; None when there can."""
    for tool, package in (("ip", "iproute2"), ("tcpreplay", "tcpreplay")):
        if not shutil.which(tool):
            return f"{tool} is not installed (Debian: {package})"
    if os.geteuid() != 0:
        return "network namespaces need root"
    name = f"rda-try-{os.getpid()}"
    tried = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True)
    if tried.returncode != 0:
        return f"network namespaces are not allowed here: {tried.stderr.strip()}"
    subprocess.run(["ip", "netns", "del", name], check=True)
    return None


def skip_without():
    """Ends the test with a word where it cannot be run."""
    reason = why_not()
    if reason:
        print(f"skipped: {reason}")
        sys.exit(SKIPPED)


class Cable:
    """`near` and `far`: namespaces with an interface each, joined; more pairs with `pairs`."""

    def __init__(self, pairs=1):
        self.near, self.far = (f"rda-{end}-{os.getpid()}" for end in ("near", "far"))
        self.pairs = pairs

    def __enter__(self):
        try:
            self.lay()
        except BaseException:
            self.__exit__()
            raise
        return self

    def lay(self):
        for name in (self.near, self.far):
            self.ip("netns", "add", name)
            for which in ("all", "default"):
                self.inside(name, "sh", "-c", f"echo 1 >/proc/sys/net/ipv6/conf/{which}/disable_ipv6")
        for i in range(self.pairs):
            self.ip("link", "add", f"near{i}", "netns", self.near, "mtu", "9000", "type", "veth",
                    "peer", "name", f"far{i}", "netns", self.far, "mtu", "9000")
            for name, end in ((self.near, "near"), (self.far, "far")):
                self.ip("-n", name, "link", "set", f"{end}{i}", "arp", "off", "up")

    def __exit__(self, *_):
        for name in (self.near, self.far):
            subprocess.run(["ip", "netns", "del", name], check=False)

    @staticmethod
    def ip(*arguments):
        subprocess.run(["ip", *arguments], check=True)

    @staticmethod
    def inside(name, *command):
        return subprocess.run(["ip", "netns", "exec", name, *command], check=True,
                              capture_output=True)

    def replay(self, capture, *options, interface="near0"):
        """Sends the frames of a capture."""
        self.inside(self.near, "tcpreplay", "-q", "-i", interface, *options, capture)

    def listen(self, *arguments, **keywords):
        """The program, once it listens in `far`."""
        return Listener(["ip", "netns", "exec", self.far, PROGRAM, *arguments], **keywords)


class Listener:
    """A program that captures; its output goes to files, so that it never waits for the test."""

    def __init__(self, command, cwd=None):
        self.out, self.err = (tempfile.TemporaryFile() for _ in range(2))
        self.process = subprocess.Popen(command, stdout=self.out, stderr=self.err, cwd=cwd)
        self.until(lambda: b"listening on" in self.errors() or self.process.poll() is not None)

    @staticmethod
    def until(condition):
        """Waits; for ever, as ctest has a limit."""
        while not condition():
            time.sleep(0.01)

    @staticmethod
    def text_of(file):
        return os.pread(file.fileno(), 1 << 28, 0)

    def errors(self):
        return self.text_of(self.err)

    def output(self):
        return self.text_of(self.out)

    def end(self, number=signal.SIGINT):
        """Sends a signal; the exit code and what was printed."""
        self.process.send_signal(number)
        return self.wait()

    def wait(self):
        code = self.process.wait()
        return code, self.output().decode(), self.errors().decode()
