#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Installs everything below a prefix of a user without root, moves it, and takes it away again.

    test_prefix.py --cmake CMAKE BUILD ROOT

The program finds its module wherever the prefix is; Wireshark finds the plugin below ~/.local and, when
the prefix is the system's, in its own folder; after the target `uninstall` no file is left.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import tempfile

CAPTURE = "captures/roce_corrupt.a.pcap"


def run(*words, **more):
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, **more)
    assert done.returncode == 0, f"{' '.join(map(str, words))}:\n{done.stdout}{done.stderr}"
    return done.stdout


def files(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir())


def install(args, prefix, **environment):
    """Installs; the build folder's manifest of what was installed before is kept."""
    run(args.cmake, "--install", args.build, "--prefix", prefix, env={**os.environ, **environment})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cmake", required=True)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("root", type=pathlib.Path)
    args = parser.parse_args()
    manifest = args.build / "install_manifest.txt"
    kept = manifest.read_bytes() if manifest.exists() else None
    with tempfile.TemporaryDirectory() as folder:
        try:
            check(args, pathlib.Path(folder))
        finally:
            if kept is not None:
                manifest.write_bytes(kept)
    print("installed, moved, and uninstalled")


def check(args, folder):
    home = folder / "home"
    local = home / ".local"
    install(args, local)
    assert (local / "bin/rdma-analyze").exists(), files(local)
    if any(name.endswith("rdma.so") for name in files(local)) and shutil.which("tshark"):
        user = {**os.environ, "HOME": str(home), "XDG_CONFIG_HOME": str(home / ".config")}
        folder.chmod(0o755)
        # Wireshark does not look for root's own plugins
        nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.getuid() == 0 else []
        listed = run(*nobody, "tshark", "-G", "plugins", env=user)
        assert str(local) in listed, f"tshark does not find the plugin in ~/.local:\n{listed}"

    moved = folder / "elsewhere"
    local.rename(moved)
    want = run(args.build / "analyzer/rdma-analyze/rdma-analyze", args.root / CAPTURE)
    assert run(moved / "bin/rdma-analyze", args.root / CAPTURE) == want
    if any(name.endswith("-wiretap.so") for name in files(moved)):
        assert run(moved / "bin/rdma-analyze", "--reader=wiretap", args.root / CAPTURE) == want

    local.parent.mkdir(exist_ok=True)
    moved.rename(local)
    run(args.cmake, "--build", args.build, "--target", "uninstall")
    assert files(local) == [], f"left after uninstall: {files(local)}"

    stage = folder / "stage"
    install(args, "/usr", DESTDIR=str(stage))
    plugins = [name for name in files(stage) if name.endswith("/rdma.so")]
    if plugins:
        where = run("pkg-config", "--variable=plugindir", "wireshark").strip().lstrip("/")
        assert plugins == [f"{where}/epan/rdma.so"], plugins


if __name__ == "__main__":
    main()
