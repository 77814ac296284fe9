# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes real TCP traffic that is no iWARP and captures it: HTTP, TLS and SSH on the loopback of a network
namespace of its own. Needs root, unshare, dumpcap, curl, openssl, and for SSH sshd, ssh and scp; a kind
whose tools are not there is left out, and that is said.

usage: traffic.py FOLDER MEGABYTES [SSHD]    (measure.py runs it with unshare)

Bodies are text, zeros, random bytes, a gzip of text, and whatever capture lies in FOLDER/body.
"""

import contextlib
import gzip
import os
import pathlib
import random
import shutil
import subprocess
import sys
import time

MTUS = (1500, 65536)  # of a network, and of one whose segments were merged
HTTP_PORT, TLS_PORT, SSH_PORT = 8080, 8443, 8022
TLS = {"tls13_aes": ["-tls1_3", "-ciphersuites", "TLS_AES_128_GCM_SHA256"],
       "tls13_chacha": ["-tls1_3", "-ciphersuites", "TLS_CHACHA20_POLY1305_SHA256"],
       "tls12_gcm": ["-tls1_2", "-cipher", "ECDHE-RSA-AES256-GCM-SHA384"],
       "tls12_cbc": ["-tls1_2", "-cipher", "AES128-SHA:@SECLEVEL=0"],
       "tls12_plain": ["-tls1_2", "-cipher", "NULL-SHA256:@SECLEVEL=0"]}
SSH = {"ssh_chacha": ["-c", "chacha20-poly1305@openssh.com"],
       "ssh_gcm": ["-c", "aes256-gcm@openssh.com"],
       "ssh_ctr": ["-c", "aes128-ctr", "-o", "MACs=hmac-sha2-256"],
       "ssh_compressed": ["-c", "aes128-ctr", "-o", "Compression=yes"]}


def quietly(*command, **keywords):
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **keywords)


@contextlib.contextmanager
def running(*command, wait=0.5, **keywords):
    """A server while the block runs."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, **keywords)
    time.sleep(wait)
    try:
        yield
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def captured(path):
    with running("dumpcap", "-q", "-P", "-B", "64", "-i", "lo", "-w", path, wait=1.5):
        yield
        time.sleep(1)


def make_bodies(folder, size):
    folder.mkdir(exist_ok=True)
    chance = random.Random(1)
    words = [bytes(chance.choices(range(97, 123), k=chance.randint(2, 9))) for _ in range(5000)]
    text = b" ".join(chance.choices(words, k=size // 6))[:size]
    (folder / "text").write_bytes(text)
    (folder / "zeros").write_bytes(bytes(size))
    (folder / "random").write_bytes(chance.randbytes(size))
    (folder / "text.gz").write_bytes(gzip.compress(text))
    return sorted(path.name for path in folder.iterdir())


def http(out, bodies, names):
    with running(sys.executable, "-m", "http.server", str(HTTP_PORT), cwd=bodies, wait=1.5):
        for mtu in MTUS:
            quietly("ip", "link", "set", "lo", "mtu", str(mtu))
            with captured(out / f"http_{mtu}.pcap"):
                for name in names:
                    quietly("curl", "-s", "-o", "/dev/null", f"http://127.0.0.1:{HTTP_PORT}/{name}")


def tls(out, bodies, names):
    key, certificate = out / "key.pem", out / "certificate.pem"
    quietly("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate,
            "-days", "9", "-subj", "/CN=localhost")
    for index, (kind, options) in enumerate(TLS.items()):
        version, *cipher = options
        quietly("ip", "link", "set", "lo", "mtu", str(MTUS[index % 2]))
        with running("openssl", "s_server", "-accept", str(TLS_PORT), "-key", key, "-cert", certificate,
                     "-WWW", "-quiet", version, *cipher, cwd=bodies):
            with captured(out / f"{kind}.pcap"):
                for name in names:
                    quietly("openssl", "s_client", "-connect", f"127.0.0.1:{TLS_PORT}", "-quiet", "-ign_eof",
                            version, *cipher, input=f"GET /{name} HTTP/1.0\r\n\r\n".encode())
    key.unlink()
    certificate.unlink()


def privilege_separation(out):
    """sshd wants a user and a folder; they are there in this mount namespace only."""
    passwd = out / "passwd"
    passwd.write_text(pathlib.Path("/etc/passwd").read_text(encoding="utf-8") +
                      "sshd:x:65534:65534::/run/sshd:/usr/sbin/nologin\n", encoding="utf-8")
    quietly("mount", "--bind", passwd, "/etc/passwd")
    os.makedirs("/run/sshd", mode=0o755, exist_ok=True)


def ssh(out, bodies, names, sshd):
    keys = out / "keys"
    shutil.rmtree(keys, ignore_errors=True)
    keys.mkdir(mode=0o700)
    for name in ("host", "user"):
        quietly("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", keys / name)
    privilege_separation(keys)
    with running(sshd, "-D", "-f", "/dev/null", "-h", keys / "host", "-p", str(SSH_PORT),
                 "-o", "ListenAddress=127.0.0.1", "-o", "StrictModes=no", "-o", "PermitRootLogin=yes",
                 "-o", "PidFile=none", "-o", f"AuthorizedKeysFile={keys}/user.pub",
                 "-o", "Subsystem=sftp internal-sftp", wait=1.5):
        for index, (kind, options) in enumerate(SSH.items()):
            quietly("ip", "link", "set", "lo", "mtu", str(MTUS[index % 2]))
            common = ["-F", "none", "-i", str(keys / "user"), "-o", "StrictHostKeyChecking=no",
                      "-o", "UserKnownHostsFile=/dev/null", *options]
            with captured(out / f"{kind}.pcap"):
                for name in names:
                    quietly("scp", "-P", str(SSH_PORT), *common, f"127.0.0.1:{bodies}/{name}", "/dev/null")
                quietly("ssh", "-p", str(SSH_PORT), *common, "127.0.0.1", "ls -l /usr/bin; seq 20000")
    shutil.rmtree(keys)


def main():
    out, megabytes = pathlib.Path(sys.argv[1]).resolve(), float(sys.argv[2])
    sshd = sys.argv[3] if len(sys.argv) > 3 else shutil.which("sshd") or "/usr/sbin/sshd"
    quietly("ip", "link", "set", "lo", "up")
    names = make_bodies(out / "body", int(megabytes * (1 << 20)))
    tools = [(http, "curl", ()), (tls, "openssl", ()), (ssh, sshd, (sshd,))]
    for make, tool, more in tools:
        if shutil.which(tool):
            make(out, out / "body", names, *more)
        else:
            print(f"{make.__name__}: left out, there is no {tool}")


if __name__ == "__main__":
    main()
