# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Debian and Ubuntu systems in folders, to run commands in; sourced by the scripts beside it, which are
# root. DEBIAN_MIRROR and UBUNTU_MIRROR name the mirrors (else the host's own for Debian 12, and Ubuntu's),
# DEBIAN_CACHE a folder to keep the downloaded base packages in.

# must_be_root NAME: of the script
must_be_root()
{
    [ "$(id -u)" -eq 0 ] || { echo "$1: must be root (chroot, mount)" >&2; exit 2; }
}

# Where the host gets Debian 12 from.
debian_mirror()
{
    local uri
    # shellcheck disable=SC2016  # $(...) is apt's
    uri=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' 2>/dev/null |
        awk '$2 == "bookworm" { print $1; exit }')
    echo "${DEBIAN_MIRROR:-${uri:-http://deb.debian.org/debian}}"
}

# make_system SUITE FOLDER: a bare Debian or Ubuntu with git, sudo and a user with sudo
make_system()
{
    local options=(--variant=minbase "--include=git,sudo") log mirror script=()
    local keys=/usr/share/keyrings/ubuntu-archive-keyring.gpg

    case $1 in
    focal | jammy | noble) # Ubuntu
        mirror=${UBUNTU_MIRROR:-http://archive.ubuntu.com/ubuntu}
        options+=("--components=main,universe")
        [ -e "/usr/share/debootstrap/scripts/$1" ] || script=(/usr/share/debootstrap/scripts/jammy) # newer than it
        # a Debian has no keys of Ubuntu's: then the systems made here, which only run tests, go unchecked
        if [ -e "$keys" ]; then
            options+=(--keyring="$keys")
        else
            options+=(--no-check-gpg)
        fi
        ;;
    *) mirror=$(debian_mirror) ;;
    esac
    if [ -n "${DEBIAN_CACHE:-}" ]; then
        mkdir -p "$DEBIAN_CACHE"
        options+=(--cache-dir="$(realpath "$DEBIAN_CACHE")")
    fi
    log=$(mktemp)
    debootstrap "${options[@]}" "$1" "$2" "$mirror" "${script[@]}" >"$log" 2>&1 ||
        { tail -n 20 "$log" >&2; rm -f "$log"; return 1; }
    rm -f "$log"
    # a mirror may be behind, and lists expire after a week
    echo 'Acquire::Check-Valid-Until "false";' >"$2/etc/apt/apt.conf.d/99behind"
    echo "127.0.0.1 localhost $(hostname)" >"$2/etc/hosts" # sudo looks its own host up
    chroot "$2" useradd --create-home --shell /bin/bash user
    echo 'user ALL=(ALL) NOPASSWD: ALL' >"$2/etc/sudoers.d/user"
}

# copy_tree ROOT SYSTEM FOLDER: what git knows of, as it lies in ROOT, is put there: changes that are not
# committed are tested too
copy_tree()
{
    rm -rf "${2:?}$3"
    mkdir -p "$2$3"
    (cd "$1" && git ls-files -z | tar -cf - --null -T -) | tar -C "$2$3" -xf -
}

# in_system SYSTEM USER COMMAND: in namespaces of its own, so that no mount or process is left behind; its root is a mount,
# as that of any system, without which `ip netns exec` fails
in_system()
{
    # shellcheck disable=SC2016  # $1.. are of the inner shell
    unshare --mount --pid --fork bash -euc '
        mount --bind "$1" "$1"
        mount -t proc proc "$1/proc"
        mount -t sysfs -o ro sysfs "$1/sys" # mpirun looks there for processors, and complains
        mount -t tmpfs tmpfs "$1/dev/shm"
        mount -t devpts -o newinstance,ptmxmode=0666 devpts "$1/dev/pts"
        exec chroot "$1" env -i /bin/su --login "$2" -c "$3"' system "$1" "$2" "$3" </dev/null
}
