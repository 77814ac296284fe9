#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Holds captures against expectations, each by itself, and leaves what CI systems show:
#
#     check-captures.sh EXPECTATIONS RESULTS CAPTURE...
#
# RESULTS/NAME.json, .xml (JUnit) and .sarif of each. Where $BASELINE is a folder with a NAME.json,
# only what is new or worse fails. $RDMA_ANALYZE is the program, $RDMA_OPTIONS further options of it.
# Exit code: the greatest of rdma-analyze: 0 all is as expected, 1 something is not, 2 a capture
# could not be read.
set -u

if [ $# -lt 3 ]; then
    echo "usage: $0 EXPECTATIONS RESULTS CAPTURE..." >&2
    exit 2
fi
expectations=$1
results=$2
shift 2
mkdir -p "$results" || exit 2
worst=0
for capture in "$@"; do
    name=$(basename "$capture")
    old=
    [ -n "${BASELINE:-}" ] && [ -f "$BASELINE/$name.json" ] && old=$BASELINE/$name.json
    # shellcheck disable=SC2086  # options are words
    "${RDMA_ANALYZE:-rdma-analyze}" ${RDMA_OPTIONS:-} --expect "$expectations" ${old:+--baseline "$old"} \
        --junit "$results/$name.xml" --sarif "$results/$name.sarif" \
        --format json "$capture" >"$results/$name.json"
    code=$?
    echo "$name: $(case $code in 0) echo 'as expected' ;; 1) echo 'NOT as expected' ;; *) echo 'NOT READ' ;; esac)"
    [ $code -le $worst ] || worst=$code
done
exit $worst
