#!/usr/bin/env bash
# Runs one file of unittest tests with the venv's Python, where there is one. Exit code 77, which CTest prints as
# "Skipped": the tests need the venv and there is none, or every test of the file was skipped for a reason it prints.
set -euo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../../.." && pwd)
cd -- "$root"
python=python3
if [[ -x .venv/bin/python ]]; then
    python=.venv/bin/python
elif [[ $1 == reports/* || $1 == handouts/* ]]; then
    echo "skipped: no .venv (matplotlib, jinja2); ./grader/warpgrade test makes it"
    exit 77
fi
status=0
output=$(PYTHONDONTWRITEBYTECODE=1 "$python" -m unittest -v "$1" 2>&1) || status=$?
printf '%s\n' "$output"
# From Python 3.12 on, a run that skips everything ends with code 5.
((status != 5)) || exit 77
if ((status == 0)) && [[ $output =~ Ran\ ([0-9]+)\ test ]]; then
    ran=${BASH_REMATCH[1]}
    [[ ! $output =~ \(skipped=$ran\)$ ]] || exit 77
fi
exit "$status"
