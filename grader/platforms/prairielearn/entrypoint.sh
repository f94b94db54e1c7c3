#!/usr/bin/env bash
# PrairieLearn runs this in a new container for each hand-in, without network. It ends with 0 whatever happens: a hand-in that
# could not be graded is not gradable, and costs no attempt.
set -uo pipefail
base=${WARPGRADE_BASE:-/grade}
kit=${WARPGRADE_KIT:-/grader}
export WARPGRADE_PYTHON=${WARPGRADE_PYTHON-/opt/warpgrade/bin/python}
mkdir -p "$base/results"
chmod 600 "$base/tests/seed"
python3 -I -B "$kit/hand_in.py" prairielearn "$base/student" "$base/results/results.json" \
    --kit "$kit/kit" --seed "$base/tests/seed" --seconds "${WARPGRADE_SECONDS:-540}" --memory 1536 ||
    [[ -s $base/results/results.json ]] ||
    printf '{"gradable": false, "message": "The grader could not work. This says nothing about your program."}\n' \
        >"$base/results/results.json"
exit 0
