#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs the commands of the README, each in a bare Debian 12 of its own: nothing in it but git and
# sudo, and a clone of what is committed here. As root, on a host with debootstrap:
#
#     tests/debian/bare.sh
#
# The first command is run by a user with sudo, the others by root. For a few minutes it takes about
# 4 GB below $TMPDIR. DEBIAN_MIRROR names the mirror (else the host's own for Debian 12),
# DEBIAN_CACHE a folder to keep the downloaded base packages in.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/var/tmp}/bare-debian.XXXXXX")
trap 'rm -rf --one-file-system "$work"' EXIT

# Where the host gets Debian 12 from.
mirror()
{
    local uri
    # shellcheck disable=SC2016  # $(...) is apt's
    uri=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' 2>/dev/null |
        awk '$2 == "bookworm" { print $1; exit }')
    echo "${uri:-http://deb.debian.org/debian}"
}

make_base()
{
    local options=(--variant=minbase "--include=git,sudo")

    if [ -n "${DEBIAN_CACHE:-}" ]; then
        mkdir -p "$DEBIAN_CACHE"
        options+=(--cache-dir="$(realpath "$DEBIAN_CACHE")")
    fi
    debootstrap "${options[@]}" bookworm "$work/base" "${DEBIAN_MIRROR:-$(mirror)}" \
        >"$work/debootstrap.log" || { tail -n 20 "$work/debootstrap.log"; return 1; }
    git clone -q --bare "$root" "$work/base/srv/rdma-analyze.git"
    chroot "$work/base" useradd --create-home --shell /bin/bash user
    echo 'user ALL=(ALL) NOPASSWD: ALL' >"$work/base/etc/sudoers.d/user"
}

# in_bare SYSTEM USER COMMAND: in namespaces of its own, so that no mount or process is left behind
in_bare()
{
    # shellcheck disable=SC2016  # $1.. are of the inner shell
    unshare --mount --pid --fork bash -euc '
        mount -t proc proc "$1/proc"
        mount -t tmpfs tmpfs "$1/dev/shm"
        mount -t devpts -o newinstance,ptmxmode=0666 devpts "$1/dev/pts"
        exec chroot "$1" env -i /bin/su --login "$2" -c "$3"' bare "$1" "$2" \
        "git clone -q /srv/rdma-analyze.git && cd rdma-analyze && $3" </dev/null
}

[ "$(id -u)" -eq 0 ] || { echo "bare.sh: must be root (chroot, mount)" >&2; exit 2; }
mapfile -t commands < <(sed -n 's/^    \(\.\/dev [a-z]*\).*/\1/p' "$root/README.md")
[ ${#commands[@]} -eq 2 ] || { echo "bare.sh: ${#commands[@]} commands in README.md, not 2" >&2; exit 2; }

echo "== bare Debian 12 with git and sudo"
make_base
failed=0
verdict=()
user=user
for command in "${commands[@]}"; do
    echo "== $command, as $user"
    cp -a "$work/base" "$work/system"
    chroot "$work/system" chown -R "$user" /srv/rdma-analyze.git
    start=$SECONDS
    if in_bare "$work/system" "$user" "$command"; then
        verdict+=("'$command' passed in $((SECONDS - start)) s")
    else
        verdict+=("'$command' FAILED")
        failed=1
    fi
    rm -rf --one-file-system "$work/system"
    user=root
done
printf 'bare Debian 12: %s; %s\n' "${verdict[@]}"
exit "$failed"
