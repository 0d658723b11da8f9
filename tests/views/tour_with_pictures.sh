#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Leads the window through its panes with real keys and mouse clicks on an X server of its own, and
# takes a picture after each step, for a person to look at.
#   tests/views/tour_with_pictures.sh PROGRAM SCRIPT FOLDER [WIDTHxHEIGHT]
# Places of clicks are those of samples/mlp_train.py at 1400x860.
# Wants Xvfb, xdotool, ImageMagick's import and a window manager (openbox), without which dialogs do
# not get the keyboard. Ends with 1 when the window ended on the way.
set -u
if [ $# -lt 3 ]; then sed -n '3,8p' "$0" >&2; exit 2; fi
program=$1 script=$2 out=$3 size=${4:-1400x860}
mkdir -p "$out"
for number in $(seq 90 120); do [ -e "/tmp/.X$number-lock" ] || break; done
export DISPLAY=:$number
Xvfb "$DISPLAY" -screen 0 "${size}x24" >"$out/server.log" 2>&1 &
server=$!
settings=$(mktemp -d)
trap 'kill $window $manager $server 2>/dev/null; rm -rf "$settings"' EXIT
sleep 1
openbox >/dev/null 2>&1 &
manager=$!
sleep 1
"$program" --settings "$settings/settings.ini" --size "$size" "$script" >"$out/window.log" 2>&1 &
window=$!
for try in $(seq 60); do
    id=$(xdotool search --onlyvisible --pid $window --name Cutaway 2>/dev/null | tail -1)
    [ -z "$id" ] || break
    kill -0 $window 2>/dev/null || { cat "$out/window.log" >&2; exit 1; }
    sleep 0.5
done
[ -n "$id" ] || { echo "no window after 30 s" >&2; exit 1; }
xdotool windowactivate --sync "$id" windowmove "$id" 0 0
step=0
# NAME SECONDS [xdotool's words]: does it, waits, takes a picture.
see() {
    local name=$1 seconds=$2
    shift 2
    [ $# -eq 0 ] || xdotool "$@"
    sleep "$seconds"
    kill -0 $window 2>/dev/null || { echo "the window ended before: $name" >&2; exit 1; }
    step=$((step + 1))
    import -window root "$out/$(printf %02d $step)_$name.png"
}
at() { # of the window, in percent
    echo "mousemove $((${size%x*} * $1 / 100)) $((${size#*x} * $2 / 100))"
}

see compiled 6
see line_selected 1 $(at 12 28) click 1
see node_selected 1 key alt+4 $(at 47 48) click 1
see zoomed 1 $(at 45 45) click 4 click 4 click 4
see fitted 1 key ctrl+0
see hovered 2 $(at 47 48)
for pane in partition:alt+5 passes:alt+6 compare:alt+c steps:alt+s capture:alt+3 messages:alt+2 \
    kernels:alt+8 memory:alt+0 whatif:alt+w output:alt+o; do
    see "${pane%:*}" 1 key "${pane#*:}"
done
see tours 1 key alt+t
see inspector 1 key alt+i
see measured 9 key F5
see times 1 key alt+m
for tab in flame_graph compilation roofline sweep trace; do
    see "$tab" 1 key Right
done
see kept 1 key alt+c $(at 31 16) click 1
see compared_on_graph 2 $(at 35 44) click 1
see compared_graphs 2 $(at 40 44) click 1
see compared_calls 2 $(at 44 44) click 1
see compared_text 1 $(at 30 44) click 1
see joint 1 key alt+4 $(at 37 15) click 1
see types_on_edges 1 $(at 49 94) click 1
see types_gone 1 $(at 49 94) click 1 key ctrl+0
see occupancy 1 $(at 32 94) click 1 type Occ
see occupancy_chosen 1 key Return
see kinds_again 1 $(at 32 94) click 1 key Home key Return
see rewrites 1 key alt+6 key period key period
see rewrites_on_graph 2 $(at 36 67) click 1
see rule 1 $(at 40 67) click 1
see schedule 1 key alt+8 $(at 79 77) click 1
see saved_value 1 key alt+5 $(at 31 88) click 1
see numbers 6 key F6
see found 1 key ctrl+p type mm
see found_gone 1 key Escape
see rows_filtered 1 key alt+8 key ctrl+f type fused
see rows_whole 1 key Escape
see commands 1 key ctrl+shift+p
see commands_gone 1 key Escape
see view_menu 1 key alt+v
see view_menu_gone 1 key Escape
see glossary_menu 1 key alt+h
see glossary_menu_gone 1 key Escape
see tour_begun 4 key alt+t $(at 5 67) click 1
see tour_next 2 $(at 92 94) click 1
see shortcuts 1 key F1
see shortcuts_gone 1 key Escape
see settings 1 key ctrl+comma
see settings_gone 1 key Escape
see dark 2 key ctrl+alt+t
see layout_profile 2 key ctrl+alt+3
see presentation 3 key F11
see presentation_over 2 key Escape
see edited 3 key alt+1 key ctrl+End type "wrong("
see edit_undone 3 key ctrl+z key ctrl+z key ctrl+z key ctrl+z key ctrl+z key ctrl+z
echo "$step pictures in $out"
