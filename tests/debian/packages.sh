#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Makes the Debian and RPM packages, holds the first against Debian's policy, and installs and runs them in
# a bare Debian 12 of their own. As root, on a host with debootstrap, lintian and rpm:
#
#     tests/debian/packages.sh
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=tests/debian/system.sh
. "$root/tests/debian/system.sh"

[ "$(id -u)" -eq 0 ] || { echo "packages.sh: must be root (chroot, mount)" >&2; exit 2; }
work=$(mktemp -d "${TMPDIR:-/var/tmp}/packages.XXXXXX")
trap 'rm -rf --one-file-system "$work"' EXIT

echo "== building"
cmake -S "$root" -B "$work/build" -G Ninja -DRDA_BUILD_TESTS=OFF -DRDA_LIBRARY=ON >/dev/null
cmake --build "$work/build" >/dev/null
for kind in DEB RPM; do
    (cd "$work/build" && cpack -G "$kind" -B "$work/packages" >/dev/null)
done
ls "$work"/packages/*.deb "$work"/packages/*.rpm

echo "== lintian: errors fail"
lintian --allow-root --fail-on error "$work"/packages/*.deb

echo "== a bare Debian 12"
make_system bookworm "$work/base"
mkdir "$work/base/srv/packages"
cp "$work"/packages/*.deb "$root/captures/roce_corrupt.a.pcap" "$work/base/srv/packages"
in_system "$work/base" root "
    set -e
    apt-get -qq update
    export DEBIAN_FRONTEND=noninteractive
    cd /srv/packages
    apt-get -qq install -y --no-install-recommends ./rdma-analyze_*.deb
    ! dpkg -l | grep -q libwiretap
    rdma-analyze roce_corrupt.a.pcap | head -n 3
    apt-get -qq install -y --no-install-recommends ./rdma-analyze-wiretap_*.deb
    rdma-analyze --reader=wiretap roce_corrupt.a.pcap | head -n 3
    apt-get -qq install -y --no-install-recommends tshark ./wireshark-plugin-rdma_*.deb ./librda-dev_*.deb
    tshark -r roce_corrupt.a.pcap -Y rdma.analysis.finding -2 | head -n 1 | grep -q .
    dpkg --purge rdma-analyze rdma-analyze-wiretap wireshark-plugin-rdma librda-dev >/dev/null
    ! ls -d /usr/share/doc/rdma-analyze* /usr/lib/rdma-analyze 2>/dev/null
" || { echo "packages: FAILED"; exit 1; }
echo "packages: installed, run, and purged"
