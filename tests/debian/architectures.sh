#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Builds this tree for other processors, and holds that it says there what it says here, byte for byte,
# about every capture: i386 has words of 32 bits, s390x has the other byte order.
#
#     tests/debian/architectures.sh [i386] [s390x]
#
# Needs what `./dev setup others` installs, and a build of this host in build/ (./dev build). Nothing of the host is changed, and it needs no root:
# libraries are Debian 12's for that processor, unpacked into a folder. ARCHITECTURES names a folder to
# keep that in (300 MB each, and the build) and to find it again. CTEST_PATTERN says which tests are run
# there (those of units), DEBIAN_MIRROR names the mirror.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=tests/debian/system.sh
. "$root/tests/debian/system.sh"

declare -A triplets=([i386]=i686-linux-gnu [s390x]=s390x-linux-gnu)
declare -A processors=([i386]=i686 [s390x]=s390x)
# where Debian has the libraries, and the loader of programs
declare -A folders=([i386]=i386-linux-gnu [s390x]=s390x-linux-gnu)
declare -A loaders=([i386]=lib/ld-linux.so.2 [s390x]=lib/ld64.so.1)
# the processor of the host runs programs of i386
declare -A emulators=([i386]="" [s390x]=qemu-s390x-static)
libraries="libc6-dev libglib2.0-dev libpcap-dev libjson-c-dev libseccomp-dev libsqlite3-dev
           libwireshark-dev zlib1g-dev libzstd-dev check"

say() { printf '== %s\n' "$*" >&2; }

# in_apt ARCHITECTURE FOLDER apt-get...: with a state of its own
in_apt()
{
    local architecture=$1 folder=$2/apt
    shift 2
    "$@" -o Dir::State="$folder" -o Dir::State::status="$folder/status" -o Dir::Cache="$folder/cache" \
        -o Dir::Etc::sourcelist="$folder/sources.list" -o Dir::Etc::sourceparts=/dev/null \
        -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" \
        -o Acquire::Check-Valid-Until=false -o APT::Sandbox::User=root -qq
}

# Debian has no ISA-L for i386: its C, of Debian's source.
make_isal()
{
    local folder=$1 triplet=$2 sysroot=$1/root source

    mkdir -p "$folder/isal" "$sysroot/usr/include/isa-l" "$sysroot/usr/lib/pkgconfig"
    (cd "$folder/isal" && in_apt i386 "$folder" apt-get source --download-only libisal >&2 &&
        tar -xf libisal_*.orig.tar.*)
    source=$(echo "$folder"/isal/*/)
    (cd "$source" && for file in crc/crc_base.c crc/crc_base_aliases.c crc/crc64_base.c; do
        "$triplet-gcc" --sysroot="$sysroot" -O2 -fPIC -Iinclude -c "$file"
    done && ar rc "$sysroot/usr/lib/libisal.a" crc_base.o crc_base_aliases.o crc64_base.o)
    cp "$source"/include/*.h "$sysroot/usr/include/isa-l/"
    printf '#include <isa-l/crc.h>\n' >"$sysroot/usr/include/isa-l.h"
    printf 'Name: libisal\nDescription: ISA-L\nVersion: 0\nLibs: -L/usr/lib -lisal\nCflags: -I/usr/include\n' \
        >"$sysroot/usr/lib/pkgconfig/libisal.pc"
}

# make_sysroot ARCHITECTURE FOLDER: Debian's libraries for it, in FOLDER/root
make_sysroot()
{
    local architecture=$1 folder=$2 sysroot=$2/root package link wanted=$libraries

    [ "$architecture" = i386 ] || wanted+=" libisal-dev"
    mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial" "$sysroot"
    : >"$folder/apt/status"
    printf "%s [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(debian_mirror) bookworm main\n" \
        deb deb-src >"$folder/apt/sources.list"
    in_apt "$architecture" "$folder" apt-get update
    # shellcheck disable=SC2086  # one word for each package
    in_apt "$architecture" "$folder" apt-get install -y --no-install-recommends --download-only $wanted >&2
    for package in "$folder"/apt/cache/archives/*.deb; do
        dpkg-deb -x "$package" "$sysroot"
    done
    rm -rf "$folder/apt/cache"
    # links from the root of the system, which is elsewhere
    find "$sysroot" -lname '/*' -print0 | while IFS= read -r -d '' link; do
        ln -sfn "$sysroot$(readlink "$link")" "$link"
    done
    [ "$architecture" != i386 ] || make_isal "$folder" "${triplets[$architecture]}"
}

emulator() { [ -z "${emulators[$1]}" ] || command -v "${emulators[$1]}"; }

# build ARCHITECTURE FOLDER, into FOLDER/build
build()
{
    local architecture=$1 sysroot=$2/root build=$2/build
    local triplet=${triplets[$architecture]} folder=${folders[$architecture]}
    local libraries=$sysroot/usr/lib/$folder:$sysroot/lib/$folder

    # What it needs is found in the folder, when it is linked and when it is run.
    PKG_CONFIG_SYSROOT_DIR=$sysroot \
        PKG_CONFIG_LIBDIR=$sysroot/usr/lib/$folder/pkgconfig:$sysroot/usr/share/pkgconfig:$sysroot/usr/lib/pkgconfig \
        cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DRDA_LTO=OFF \
        -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR="${processors[$architecture]}" \
        -DCMAKE_C_COMPILER="$triplet-gcc" -DCMAKE_SYSROOT="$sysroot" \
        -DCMAKE_FIND_ROOT_PATH_MODE_PROGRAM=NEVER \
        -DCMAKE_CROSSCOMPILING_EMULATOR="$(emulator "$architecture")" \
        -DCMAKE_SHARED_LINKER_FLAGS="-Wl,-rpath-link,$libraries" \
        -DCMAKE_MODULE_LINKER_FLAGS="-Wl,-rpath-link,$libraries" \
        -DCMAKE_EXE_LINKER_FLAGS="-Wl,--disable-new-dtags,-rpath,$libraries \
            -Wl,--dynamic-linker,$sysroot/${loaders[$architecture]}" >&2
    cmake --build "$build" >&2
}

# What is said about each capture, and files that are written beside that.
options=("" --format=json --format=csv "--packets --headers --format=ndjson" --packets "--all --keys" "--jobs=3")
files=(html annotate anonymize write)

# compare ARCHITECTURE FOLDER: prints what differs, and how much was compared
compare()
{
    local architecture=$1 work=$2/compared option file capture compared=0 differ=0
    local here=$work/program/rdma-analyze
    local there=("$2/build/analyzer/rdma-analyze/rdma-analyze")

    [ -z "${emulators[$architecture]}" ] || there=("$(emulator "$architecture")" "${there[@]}")
    mkdir -p "$work/program"
    # it may be built anew meanwhile
    cp "$root"/build/analyzer/rdma-analyze/rdma-analyze{,-wiretap.so} "$work/program/"
    cd "$root" # the same names in all that is printed
    for capture in captures/*.pcap captures/*.pcapng captures/made/*; do
        for option in "${options[@]}"; do
            # shellcheck disable=SC2086  # words
            { status=0; "$here" $option "$capture" >"$work/here" 2>&1 || status=$?; echo $status >>"$work/here"; }
            # shellcheck disable=SC2086
            { status=0; "${there[@]}" $option "$capture" >"$work/there" 2>&1 || status=$?; echo $status >>"$work/there"; }
            compared=$((compared + 1))
            cmp -s "$work/here" "$work/there" || { echo "$option $capture: differs"; differ=$((differ + 1)); }
        done
        for file in "${files[@]}"; do
            "$here" "--$file=$work/here" "$capture" >/dev/null 2>&1 || true
            "${there[@]}" "--$file=$work/there" "$capture" >/dev/null 2>&1 || true
            compared=$((compared + 1))
            cmp -s "$work/here" "$work/there" || { echo "--$file $capture: differs"; differ=$((differ + 1)); }
        done
    done
    echo "$architecture: $compared comparisons, $differ differ"
    [ "$differ" -eq 0 ]
}

[ $# -gt 0 ] || set -- i386 s390x
for architecture in "$@"; do
    [ -n "${triplets[$architecture]:-}" ] ||
        { echo "architectures.sh: $architecture is neither i386 nor s390x" >&2; exit 2; }
    for tool in "${triplets[$architecture]}-gcc" ${emulators[$architecture]}; do
        command -v "$tool" >/dev/null || { echo "architectures.sh: $tool is not installed" >&2; exit 2; }
    done
done

work=${ARCHITECTURES:-}
if [ -z "$work" ]; then
    work=$(mktemp -d "${TMPDIR:-/var/tmp}/architectures.XXXXXX")
    trap 'rm -rf --one-file-system "$work"' EXIT
fi
mkdir -p "$work"
work=$(realpath "$work")
failed=0
for architecture in "$@"; do
    folder=$work/$architecture
    if [ ! -e "$folder/root.done" ]; then
        say "Debian's libraries for $architecture"
        make_sysroot "$architecture" "$folder"
        touch "$folder/root.done"
    fi
    say "building for $architecture"
    build "$architecture" "$folder"
    say "testing on $architecture"
    # qemu takes ten times as long
    (cd "$folder/build" && CK_TIMEOUT_MULTIPLIER=20 ctest --output-on-failure --parallel "$(nproc)" -R "${CTEST_PATTERN:-^unit/}") || failed=1
    say "comparing"
    compare "$architecture" "$folder" || failed=1
done
exit "$failed"
