#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The Wireshark GUI with the plugin and the profile, on a display that nobody sees: makes pictures of the
# tree of an RDMA frame, the expert dialog, the conversations, the menus, graphs, statistics and reports, to be looked at.
#
#     tests/plugin/gui.sh [build/plugin/rdma.so [CAPTURE [FRAME [FOLDER]]]]
#
# The pictures go to build/gui. Needs the packages wireshark, xvfb, openbox, xdotool and imagemagick.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
plugin=${1:-$root/build/plugin/rdma.so}
capture=${2:-$root/captures/roce_loss_single.a.pcap}
frame=${3:-239}
pictures=${4:-$root/build/gui}
width=1500 height=1200

for tool in wireshark Xvfb openbox xdotool import; do
    command -v "$tool" >/dev/null || { echo "gui.sh: $tool is not installed" >&2; exit 77; }
done
version=$(wireshark --version 2>/dev/null | sed -n '1s/^[^0-9]*\([0-9]*\.[0-9]*\).*/\1/p')
mkdir -p "$pictures"
home=$(mktemp -d)
chmod 755 "$home"
started=()

# as root Wireshark ignores plugins of a user's
as_user=()
[ "$(id -u)" -ne 0 ] || as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)

finish()
{
    local pid
    for pid in "${started[@]}"; do
        kill "$pid" 2>/dev/null || true
    done
    wait 2>/dev/null || true
    rm -rf "$home"
}
trap finish EXIT

prepare_home()
{
    local plugins=$home/.local/lib/wireshark/plugins name
    for name in "$version" "${version/./-}"; do
        mkdir -p "$plugins/$name/epan"
        cp "$plugin" "$plugins/$name/epan/rdma.so"
    done
    mkdir -p "$home/.config/wireshark/profiles" "$home/run"
    cp -r "$root/plugin/profile/RDMA" "$home/.config/wireshark/profiles/"
    # more room for the tree than for the list; the conversations that we are here for
    printf '%s\n' "gui.geometry_main_width: $((width - 10))" "gui.geometry_main_height: $((height - 40))" |
        tee "$home/.config/wireshark/recent_common" >>"$home/.config/wireshark/profiles/RDMA/recent"
    printf '%s\n' "gui.geometry_main_upper_pane: 100" "gui.conversation_tabs: RDMA" "gui.endpoint_tabs: RDMA" \
        >>"$home/.config/wireshark/profiles/RDMA/recent"
    cp "$capture" "$home/capture.pcap"
    chmod 700 "$home/run"
    [ ${#as_user[@]} -eq 0 ] || chown -R 65534:65534 "$home"
}

# wait_for TITLE -> the window
wait_for()
{
    local _
    for _ in $(seq 240); do
        xdotool search --onlyvisible --name "$1" 2>/dev/null | tail -n 1 | grep . && return
        sleep 0.5
    done
    echo "gui.sh: no window '$1'" >&2
    import -window root "$pictures/failed.png"
    return 1
}

# picture NAME: once nothing moves any more
picture()
{
    local now before=none
    for _ in $(seq 60); do
        sleep 1
        now=$(import -window root rgb:- | md5sum)
        [ "$now" != "$before" ] || break
        before=$now
    done
    import -window root "$pictures/$1.png"
    echo "$pictures/$1.png"
}

# opened TITLE KEY...: opens a dialog of the menu by its keys -> the window
opened()
{
    local title=$1
    shift
    xdotool windowactivate --sync "$main" key --delay 300 "$@"
    wait_for "$title"
}

# Opens a dialog of the menu by its keys, and makes a picture of it.
dialog()
{
    local name=$1 window
    shift
    window=$(opened "$@")
    xdotool windowmove --sync "$window" 0 0 windowsize --sync "$window" $((width - 10)) $((height - 100))
    picture "$name"
    xdotool windowclose "$window"
}

# menu NAME KEY...: a picture of a menu that the keys leave open
menu()
{
    local name=$1
    shift
    xdotool windowactivate --sync "$main" key --delay 300 "$@"
    picture "$name"
    xdotool key --delay 300 Escape Escape Escape
}

# The report as wide as it opens, and where its first button goes to: the frame in the list behind it.
report()
{
    local window
    window=$(opened 'RDMA report' "$@")
    xdotool windowmove --sync "$window" 0 500
    picture report_as_it_opens
    xdotool windowactivate --sync "$window" key --delay 300 Tab Tab space
    picture report_filters
    xdotool windowactivate --sync "$window" key space
    picture report_goes_to
    xdotool windowclose "$window"
    xdotool windowactivate --sync "$main" key --delay 300 ctrl+slash ctrl+a BackSpace Return
}

prepare_home
exec 3>"$home/display"
Xvfb -displayfd 3 -screen 0 ${width}x${height}x24 -nolisten tcp >/dev/null 2>&1 &
started+=($!)
for _ in $(seq 60); do
    [ ! -s "$home/display" ] || break
    sleep 0.5
done
DISPLAY=:$(cat "$home/display")
export DISPLAY
openbox >/dev/null 2>&1 &
started+=($!)
"${as_user[@]}" env -i PATH="$PATH" HOME="$home" XDG_RUNTIME_DIR="$home/run" DISPLAY="$DISPLAY" LC_ALL=C.UTF-8 \
    wireshark -C RDMA -o gui.update.enabled:FALSE -o gui.layout_type:1 \
    -o gui.layout_content_3:NONE -r "$home/capture.pcap" -g "$frame" >"$home/log" 2>&1 &
started+=($!)
main=$(wait_for 'capture\.pcap')
xdotool windowmove --sync "$main" 0 0 windowsize --sync "$main" $((width - 10)) $((height - 40))
sleep 2
# the focus into the tree below the list; its last item is ours, and all of that is expanded
xdotool windowactivate --sync "$main" mousemove $((width / 2)) $((height - 120)) click 1
xdotool key --delay 50 --repeat 20 Down key --delay 300 shift+Right
picture tree
xdotool click --repeat 60 5
picture analysis
dialog expert 'Expert Information' alt+a Up Return
dialog conversations 'Conversations' alt+s c
dialog statistics 'RDMA opcodes' alt+s Up Return # the last of the menu
menu submenu alt+t Up Right
menu conversation_filter alt+a Up Up Up Up Up Up Up Right
dialog io_graphs 'I/O Graphs' alt+s i
dialog connections 'RDMA connections' alt+t Up Right Return # Tools > RDMA: connections, findings, keys, report
dialog report 'RDMA report' alt+t Up Right Up Return
report alt+t Up Right Up Return
[ "$version" = 4.0 ] || # which has a fixed list
    dialog follow 'Follow RDMA' alt+a Up Up Right Return # the only one besides UDP's that is not grey
dialog response_times 'Service Response' alt+s r Up Up Up Up Up Return
