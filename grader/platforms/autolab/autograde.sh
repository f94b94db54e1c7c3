#!/bin/sh
# autograde.sh HAND_IN: the feedback, and as the last line the marks. Without a mark there is no such line and the exit code is
# 1, so that the grader's own failure gives nobody a mark.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
export WARPGRADE_PYTHON="${WARPGRADE_PYTHON-/opt/warpgrade/bin/python}"
chmod 600 "$here/seed"
python3 -I -B "$here/hand_in.py" autolab "$1" "$here/results.json" --kit "$here/kit" --seed "$here/seed" \
    --seconds "${WARPGRADE_SECONDS:-540}" || exit 1
if grep -q '"scores": {}' "$here/results.json"; then exit 1; fi
cat "$here/results.json"
