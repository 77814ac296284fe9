#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Makes the Debian and RPM packages, holds the first against Debian's policy, and installs, runs and purges
# them in a bare Debian 12. As root, on a Debian 12 with debootstrap, lintian and rpm:
#
#     tests/debian/packages.sh
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=tests/debian/system.sh
. "$root/tests/debian/system.sh"

must_be_root packages.sh
work=$(mktemp -d "${TMPDIR:-/var/tmp}/packages.XXXXXX")
trap 'rm -rf --one-file-system "$work"' EXIT

# quietly COMMAND...: what it says only when it fails
quietly()
{
    "$@" >"$work/log" 2>&1 || { tail -n 40 "$work/log" >&2; echo "packages: FAILED: $*" >&2; exit 1; }
}

echo "== building"
quietly cmake -S "$root" -B "$work/build" -G Ninja -DRDA_BUILD_TESTS=OFF -DRDA_LIBRARY=ON
quietly cmake --build "$work/build"
for kind in DEB RPM; do
    quietly cpack --config "$work/build/CPackConfig.cmake" -G "$kind" -B "$work/packages"
done
for kind in deb rpm; do
    made=("$work"/packages/*."$kind")
    [ ${#made[@]} -eq 4 ] || { echo "packages: ${#made[@]} .$kind files, not 4" >&2; exit 1; }
done

echo "== lintian: errors fail"
lintian --allow-root --fail-on error "$work"/packages/*.deb

echo "== what the RPM packages have, and need"
for file in "$work"/packages/*.rpm; do
    basename "$file"
    rpm --query --package --list "$file" >"$work/list"
    rpm --query --package --requires "$file" >"$work/needs"
    case $(basename "$file") in
    rdma-analyze-wiretap-*) want='/usr/lib.*/rdma-analyze/rdma-analyze-wiretap.so' needs=libwiretap ;;
    rdma-analyze-*) want='/usr/bin/rdma-analyze' needs=libpcap ;;
    wireshark-plugin-*) want='/usr/lib.*/wireshark/plugins/.*/epan/rdma.so' needs=libwireshark ;;
    librda-*) want='/usr/lib.*/librda.so' needs=libisal ;;
    *) echo "packages: FAILED: an unknown package" >&2; exit 1 ;;
    esac
    grep -qx "$want" "$work/list" || { echo "packages: FAILED: no $want" >&2; exit 1; }
    grep -q "^$needs\.so" "$work/needs" || { echo "packages: FAILED: $needs is not needed" >&2; exit 1; }
    # the program starts without Wireshark
    if [ "$needs" = libpcap ] && grep -E 'wiretap|wireshark' "$work/needs"; then
        echo "packages: FAILED: the program needs Wireshark" >&2
        exit 1
    fi
done

echo "== a bare Debian 12"
make_system bookworm "$work/base"
mkdir "$work/base/srv/packages"
cp "$work"/packages/*.deb "$root/captures/roce_corrupt.a.pcap" "$work/base/srv/packages"
cat >"$work/base/srv/packages/try" <<'END'
#!/bin/bash
# each step must end well, and each output have what it is asked for
set -euo pipefail
fail() { echo "packages: FAILED: $*" >&2; exit 1; }
must_say() { local words=$1 said; shift; said=$("$@" 2>&1) || true; grep -q -- "$words" <<<"$said" ||
    fail "'$*' did not say '$words' but: $said"; }
get() { apt-get -qq install -y --no-install-recommends "$@" >log 2>&1 || { cat log; fail "apt-get install $*"; }; }
export DEBIAN_FRONTEND=noninteractive
cd /srv/packages
apt-get -qq update

get ./rdma-analyze_*.deb
if dpkg -l | grep libwiretap; then fail "the program brought libwiretap"; fi
must_say '21 of 1063 packets' rdma-analyze roce_corrupt.a.pcap
must_say 'rdma-analyze-wiretap' rdma-analyze --reader=wiretap roce_corrupt.a.pcap # the module to install

get ./rdma-analyze-wiretap_*.deb
must_say '21 of 1063 packets' rdma-analyze --reader=wiretap roce_corrupt.a.pcap

get tshark ./wireshark-plugin-rdma_*.deb
must_say '^21$' tshark -2 -r roce_corrupt.a.pcap -Y 'rdma.icrc.status == "Bad"' -T fields -e frame.number
must_say '21 of 1063 packets' tshark -q -r roce_corrupt.a.pcap -z rdma,report
[ -e /usr/share/wireshark/profiles/RDMA/preferences ] || fail "the profile is not there"

get gcc libc6-dev pkgconf ./librda-dev_*.deb
printf '#include <rda.h>\nint main(void) { rda_engine_free(rda_engine_new(0)); }\n' >t.c
flags=$(pkg-config --cflags --libs rda) || fail "librda-dev: pkg-config does not know it"
# shellcheck disable=SC2086  # words
gcc t.c $flags -o t && ./t || fail "librda-dev: no program is made with it"

man=/usr/share/man/man1/rdma-analyze.1.gz
[ -e $man ] || fail "no manual"
[ -e /usr/share/bash-completion/completions/rdma-analyze ] || fail "no completion"
packages="rdma-analyze rdma-analyze-wiretap wireshark-plugin-rdma librda-dev"
dpkg --listfiles $packages | sort -u >files
dpkg --purge $packages >/dev/null
while read -r file; do
    case $file in
    */rdma-analyze* | */librda* | */epan/rdma.so | */profiles/RDMA*) [ ! -e "$file" ] || fail "$file is left" ;;
    esac
done <files
END
chmod +x "$work/base/srv/packages/try"
in_system "$work/base" root /srv/packages/try
echo "packages: made, held against policy, installed, run, and purged"
