#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs the commands of the README, each in a bare Debian or Ubuntu of its own: nothing in it but git and
# sudo, and a clone of what is committed here. As root, on a host with debootstrap:
#
#     tests/debian/bare.sh [SUITE]           # bookworm (Debian 12) unless it is given; trixie, jammy, noble
#
# CTEST_OPTIONS is added to `./dev test`, to run a part of the tests (-R '^unit/').
# The first command is run by a user with sudo, the others by root. For a few minutes it takes about
# 4 GB below $TMPDIR.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=tests/debian/system.sh
. "$root/tests/debian/system.sh"

must_be_root bare.sh
mapfile -t commands < <(sed -n 's/^    \(\.\/dev [a-z]*\).*/\1/p' "$root/README.md")
[ ${#commands[@]} -eq 2 ] || { echo "bare.sh: ${#commands[@]} commands in README.md, not 2" >&2; exit 2; }

suite=${1:-bookworm}
work=$(mktemp -d "${TMPDIR:-/var/tmp}/bare-debian.XXXXXX")
trap 'rm -rf --one-file-system "$work"' EXIT
echo "== bare $suite with git and sudo"
make_system "$suite" "$work/base"
git clone -q --bare "$root" "$work/base/srv/rdma-analyze.git"
failed=0
verdict=()
user=user
for command in "${commands[@]}"; do
    echo "== $command, as $user"
    cp -a "$work/base" "$work/system"
    chroot "$work/system" chown -R "$user" /srv/rdma-analyze.git
    [ "$command" != './dev test' ] || command+=" ${CTEST_OPTIONS:-}"
    start=$SECONDS
    if in_system "$work/system" "$user" \
        "git clone -q /srv/rdma-analyze.git && cd rdma-analyze && $command"; then
        verdict+=("'$command' passed in $((SECONDS - start)) s")
    else
        verdict+=("'$command' FAILED")
        failed=1
    fi
    rm -rf --one-file-system "$work/system"
    user=root
done
printf 'bare %s: %s; %s\n' "$suite" "${verdict[@]}"
exit "$failed"
