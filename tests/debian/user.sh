#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A user without root: in a Debian where somebody has installed what the build needs, and where this user can
# neither use sudo nor dpkg nor apt, the program and the plugin are built, installed below ~/.local, tried, moved and
# uninstalled. As root, on a host with debootstrap:
#
#     tests/debian/user.sh [SUITE]           # bookworm (Debian 12) unless it is given; trixie, jammy, noble
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=tests/debian/system.sh
. "$root/tests/debian/system.sh"

must_be_root user.sh
suite=${1:-bookworm}
work=$(mktemp -d "${TMPDIR:-/var/tmp}/user.XXXXXX")
trap 'rm -rf --one-file-system "$work"' EXIT
system=$work/system
echo "== $suite, with what the build needs, and tshark"
make_system "$suite" "$system"
copy_tree "$root" "$system" /srv/tree
in_system "$system" root "cd /srv/tree && ./dev setup build &&
    DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends tshark >/dev/null"
chroot "$system" cp -r /srv/tree /home/user/tree
chroot "$system" chown -R user: /home/user/tree
chroot "$system" sh -c "cd /usr/bin && mv sudo apt-get apt-cache dpkg dpkg-query /root"
rm "$system/etc/sudoers.d/user"

cat >"$system/srv/try" <<'END'
#!/bin/bash
set -euo pipefail
fail() { echo "user: FAILED: $*" >&2; exit 1; }
cd ~/tree
capture=captures/roce_corrupt.a.pcap
! command -v sudo && ! command -v dpkg-query || fail "sudo and dpkg-query are there"

said=$(./dev setup build 2>&1) || fail "./dev setup build, where all is there: $said"
[ -z "$said" ] || fail "./dev setup build said: $said"
if said=$(./dev setup test 2>&1); then fail "./dev setup test found all that was not installed"; fi
[[ $said = *libxml2-utils* || $said = *xmllint* ]] || fail "./dev setup test did not say what is missing: $said"
./dev run >report
grep -q '21 of 1063 packets' report || fail "./dev run: no report"

cmake --install build --prefix ~/.local >log || fail "cmake --install: $(cat log)"
mkdir -p ~/.config/wireshark/profiles && cp -r plugin/profile/RDMA ~/.config/wireshark/profiles/
~/.local/bin/rdma-analyze --reader=wiretap $capture >report || fail "the module is not found"
tshark -q -r $capture -z rdma,report >report 2>log || fail "tshark: $(cat log)"
grep -q '21 of 1063 packets' report || fail "the plugin is not found"
[ -e ~/.local/share/man/man1/rdma-analyze.1.gz ] || fail "no manual"

mv ~/.local ~/moved
~/moved/bin/rdma-analyze --reader=wiretap $capture >report || fail "it cannot be moved"
mv ~/moved ~/.local
cmake --build build --target uninstall >log || fail "uninstall: $(cat log)"
[ -z "$(find ~/.local -type f -o -type l)" ] || fail "left: $(find ~/.local -type f -o -type l)"
END
chmod 755 "$system/srv/try"
start=$SECONDS
in_system "$system" user /srv/try
echo "user: built, installed, run, moved and uninstalled without root on $suite, in $((SECONDS - start)) s"
