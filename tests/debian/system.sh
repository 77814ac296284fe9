# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Debian systems in folders, to run commands in; sourced by the scripts beside it, which are root.
# DEBIAN_MIRROR names the mirror (else the host's own for Debian 12), DEBIAN_CACHE a folder to keep
# the downloaded base packages in.

# Where the host gets Debian 12 from.
mirror()
{
    local uri
    # shellcheck disable=SC2016  # $(...) is apt's
    uri=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' 2>/dev/null |
        awk '$2 == "bookworm" { print $1; exit }')
    echo "${DEBIAN_MIRROR:-${uri:-http://deb.debian.org/debian}}"
}

# make_system SUITE FOLDER: a bare Debian with git, sudo and a user with sudo
make_system()
{
    local options=(--variant=minbase "--include=git,sudo") log

    log=$(mktemp)
    if [ -n "${DEBIAN_CACHE:-}" ]; then
        mkdir -p "$DEBIAN_CACHE"
        options+=(--cache-dir="$(realpath "$DEBIAN_CACHE")")
    fi
    debootstrap "${options[@]}" "$1" "$2" "$(mirror)" >"$log" ||
        { tail -n 20 "$log"; rm -f "$log"; return 1; }
    rm -f "$log"
    # a mirror may be behind, and lists expire after a week
    echo 'Acquire::Check-Valid-Until "false";' >"$2/etc/apt/apt.conf.d/99behind"
    echo "127.0.0.1 localhost $(hostname)" >"$2/etc/hosts" # sudo looks its own host up
    chroot "$2" useradd --create-home --shell /bin/bash user
    echo 'user ALL=(ALL) NOPASSWD: ALL' >"$2/etc/sudoers.d/user"
}

# in_system FOLDER USER COMMAND: in namespaces of its own, so that no mount or process is left behind
in_system()
{
    # shellcheck disable=SC2016  # $1.. are of the inner shell
    unshare --mount --pid --fork bash -euc '
        mount -t proc proc "$1/proc"
        mount -t tmpfs tmpfs "$1/dev/shm"
        mount -t devpts -o newinstance,ptmxmode=0666 devpts "$1/dev/pts"
        exec chroot "$1" env -i /bin/su --login "$2" -c "$3"' system "$1" "$2" "$3" </dev/null
}
