#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Builds this tree, and tests the plugin, beside other versions of Wireshark: in a Debian or Ubuntu each
# that has it, as a user. As root, on a host with debootstrap:
#
#     tests/debian/wireshark.sh 4.4 4.6
#
# RDA_WIRESHARK="4.4 4.6" ./dev test does the same. DEBIAN_SYSTEMS names a folder to keep the systems
# in (1.5 GB each), and to find them again; CTEST_PATTERN says which tests are run there, CMAKE_OPTIONS
# how it is built (-DRDA_LTO=OFF takes half as long).
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=tests/debian/system.sh
. "$root/tests/debian/system.sh"

# the Debian or Ubuntu (22.04, 24.04) that has it
declare -A suites=([3.6]=jammy [4.0]=bookworm [4.2]=noble [4.4]=trixie [4.6]=sid)
pattern=${CTEST_PATTERN:-^(unit|plugin|differential)/}

# test_version VERSION FOLDER -> the line for the end
test_version()
{
    local version=$1 system=$2/${suites[$1]} is

    if [ ! -e "$system/etc/sudoers.d/user" ]; then
        echo "== ${suites[$version]}, for Wireshark $version" >&2
        make_system "${suites[$version]}" "$system" >&2
    fi
    copy_tree "$root" "$system" /home/user/tree
    chroot "$system" chown -R user: /home/user/tree
    in_system "$system" user "cd tree && ./dev setup build test &&
        cmake --preset dev -DRDA_BUILD_TESTS=ON ${CMAKE_OPTIONS:-} && cmake --build --preset dev" >&2
    is=$(in_system "$system" user "tshark --version | sed -n '1s/[^0-9]*\([0-9.]*[0-9]\).*/\1/p'")
    case $is in
    "$version".*) ;;
    *) echo "${suites[$version]} has Wireshark $is, not $version" >&2 ;;
    esac
    in_system "$system" user "cd tree && ctest --preset dev -R '$pattern'" >&2
    # how many of what: the last lines of tests that passed are in the log only
    in_system "$system" user "grep -E '^[0-9]+ (captures|filters|FPDUs|rows)' \
        tree/build/Testing/Temporary/LastTest.log || true"
    echo "Wireshark $is (${suites[$version]})"
}

must_be_root wireshark.sh
[ $# -gt 0 ] || { echo "usage: wireshark.sh VERSION..." >&2; exit 2; }
for version in "$@"; do
    [ -n "${suites[$version]:-}" ] ||
        { echo "wireshark.sh: no Debian or Ubuntu is known to have Wireshark $version" >&2; exit 2; }
done

systems=${DEBIAN_SYSTEMS:-}
if [ -z "$systems" ]; then
    systems=$(mktemp -d "${TMPDIR:-/var/tmp}/wireshark.XXXXXX")
    trap 'rm -rf --one-file-system "$systems"' EXIT
fi
mkdir -p "$systems"
failed=0
verdict=()
for version in "$@"; do
    # not in a condition: that would switch off -e inside
    set +e
    line=$(set -e; test_version "$version" "$systems")
    status=$?
    set -e
    if [ $status -eq 0 ]; then
        verdict+=("$line: passed")
    else
        verdict+=("Wireshark $version: FAILED")
        failed=1
    fi
done
printf '%s\n' "${verdict[@]}"
exit "$failed"
