#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs the Containerfile where no container engine is: each FROM is a bare Debian in a folder, and each RUN
# a command in it. Then what it makes is tried as its ENTRYPOINT would: on a capture, as its USER. As root, on
# a host with debootstrap:
#
#     tests/debian/container.sh
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=tests/debian/system.sh
. "$root/tests/debian/system.sh"

must_be_root container.sh
work=$(mktemp -d "${TMPDIR:-/var/tmp}/container.XXXXXX")
trap 'rm -rf --one-file-system "$work"' EXIT
declare -A stages=() # name -> folder
stage='' user=root folder=/ entry=()

fail() { echo "container: FAILED: $*" >&2; exit 1; }

# from IMAGE [AS NAME]
from()
{
    case $1 in
    debian:12 | debian:12-slim) ;;
    *) fail "no such image is known: $1" ;;
    esac
    stage=$work/stage${#stages[@]} user=root folder=/
    stages[${3:-last}]=$stage
    cp -a "$work/base" "$stage"
}

# copy [--from=STAGE] SOURCE TARGET
copy()
{
    case $1 in
    --from=*) cp -a "${stages[${1#--from=}]}$2" "$stage$3" ;;
    .) [ "$2" = . ] || fail "COPY . $2"; copy_tree "$root" "$stage" "$folder" ;;
    *) fail "COPY $*" ;;
    esac
}

make_system bookworm "$work/base"
rm "$work/base/etc/sudoers.d/user" # an image has none
while read -r word rest; do
    case $word in
    '' | '#'*) continue ;;
    *) echo "== $word $rest" ;;
    esac
    # shellcheck disable=SC2086  # words
    case $word in
    FROM) from $rest ;;
    COPY) copy $rest ;;
    WORKDIR) folder=$rest && mkdir -p "$stage$rest" ;;
    USER) user=$rest ;;
    RUN) in_system "$stage" "$user" "cd $folder && $rest" >"$work/log" 2>&1 || { tail -n 40 "$work/log"; fail "RUN $rest"; } ;;
    ENTRYPOINT) mapfile -t entry < <(python3 -c 'import json, sys; print(*json.loads(sys.argv[1]), sep="\n")' "$rest") ;;
    CMD) mapfile -t arguments < <(python3 -c 'import json, sys; print(*json.loads(sys.argv[1]), sep="\n")' "$rest") ;;
    *) fail "an unknown instruction: $word" ;;
    esac
done <"$root/Containerfile"

[ "$user" != root ] || fail "it runs as root"
in_system "$stage" "$user" "cd $folder && ${entry[*]} ${arguments[*]}" >"$work/said"
grep -q '^Usage: rdma-analyze' "$work/said" ||
    fail "${entry[*]} ${arguments[*]}: not the usage"
cp "$root/captures/roce_corrupt.a.pcap" "$stage$folder"
for options in '' --reader=wiretap; do # the module is there too
    in_system "$stage" "$user" "cd $folder && ${entry[*]} $options roce_corrupt.a.pcap" >"$work/said" ||
        fail "${entry[*]} $options"
    grep -q '21 of 1063 packets' "$work/said" || fail "${entry[*]} $options: not the report"
done
echo "container: built in ${#stages[@]} stages, and run as $user; $(du -sm --one-file-system "$stage" | cut -f 1) MB"
