#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Configures, builds, installs and packs this tree with the oldest CMake that it allows: 3.16, Ubuntu 20.04's,
# in an Ubuntu 22.04, as the libraries of the former are too old. As root, on a host with debootstrap:
#
#     tests/debian/cmake.sh
#
# DEBIAN_SYSTEMS names a folder with the Ubuntu 22.04 of wireshark.sh, which is taken then.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=tests/debian/system.sh
. "$root/tests/debian/system.sh"

must_be_root cmake.sh
version=$(sed -n 's/^cmake_minimum_required(VERSION \([0-9]*\.[0-9]*\).*/\1/p' "$root/CMakeLists.txt")
system=${DEBIAN_SYSTEMS:-}/jammy
if [ ! -e "$system/etc/sudoers.d/user" ]; then
    system=$(mktemp -d "${TMPDIR:-/var/tmp}/cmake.XXXXXX")/jammy
    trap 'rm -rf --one-file-system "$(dirname "$system")"' EXIT
    make_system jammy "$system"
fi
copy_tree "$root" "$system" /home/user/tree
chroot "$system" chown -R user: /home/user/tree
cp -a "$system/etc/apt/sources.list" "$system/etc/apt/sources.list.d/focal.list"
sed -i 's/jammy/focal/' "$system/etc/apt/sources.list.d/focal.list"

cat >"$system/srv/install" <<'END'
#!/bin/bash
set -euo pipefail
cd /home/user/tree
./dev setup build
apt-get -qq update
cmake=$(apt-cache madison cmake | awk -v want="$1" 'index($3, want ".") == 1 && !found { print $3; found = 1 }')
[ -n "$cmake" ] || { echo "no CMake $1 is to be had" >&2; exit 1; }
DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends --allow-downgrades \
    "cmake=$cmake" "cmake-data=$cmake" dpkg-dev file >/dev/null
END
cat >"$system/srv/try" <<'END'
#!/bin/bash
# what CMake says only when it fails
set -euo pipefail
version=$1 prefix=$HOME/made
shift
quietly() { "$@" >log 2>&1 || { tail -n 40 log; echo "failed: $*"; exit 1; }; }
cd ~/tree
[[ $(cmake --version) = *"version $version."* ]] || { echo "this is not CMake $version"; exit 1; }
quietly cmake -S . -B build-old -G Ninja -DRDA_BUILD_TESTS=OFF -DRDA_LIBRARY=ON "$@"
quietly cmake --build build-old
quietly cmake --install build-old --prefix "$prefix"
"$prefix/bin/rdma-analyze" captures/roce_corrupt.a.pcap >report
grep -q '21 of 1063 packets' report
quietly cmake --build build-old --target uninstall
[ -z "$(find "$prefix" -type f -o -type l)" ] || { echo "files are left in $prefix"; exit 1; }
cd build-old
quietly cpack -G DEB -B "$PWD/packages"
ls packages/*.deb
END
chmod 755 "$system/srv/install" "$system/srv/try"
in_system "$system" root "/srv/install $version"
in_system "$system" user "/srv/try $version ${CMAKE_OPTIONS:-}"
echo "CMake $version: configured, built, installed, uninstalled, and packed"
