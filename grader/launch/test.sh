# test: builds everything and runs the project's own tests; arguments go to ctest (`test -R padding`).
# Read by grader/warpgrade.
# shellcheck shell=bash
# shellcheck disable=SC2154

with say
with build
with python

run_test() {
    build_program all
    knows_nvrtc || provide_nvrtc
    # Copies of the kit in other folders have no .venv to look in.
    local nvrtc
    nvrtc=$(find_nvrtc) || cannot 'NVRTC was here and is not any more.'
    [[ $nvrtc != "$venv"/* ]] || export WARPGRADE_NVRTC=${WARPGRADE_NVRTC-$nvrtc}
    # Elsewhere than in CI the tests of reports/ are shown as skipped when pip has no network.
    { provide_reports && provide_requirements "$root/reports/tests/test-requirements.txt" 'a validator of HTML' 40; } ||
        [[ -z ${CI-} ]] || exit 3
    # Which part is taken of many like cases (grader/tests/support/part.py): the next one with each commit, and after
    # some commits another eighth of the longest tests (grader/tests/python.cmake).
    local part eighth other left_out=student
    part=$(git -C "$root" rev-list --count HEAD 2>/dev/null) || part=0
    export WARPGRADE_PART=${WARPGRADE_PART-$part}
    if (($# == 0)) && [[ -z ${WARPGRADE_ALL-} ]]; then
        eighth=$((WARPGRADE_PART / 7 % 8))
        for other in {1..7}; do left_out+="|eighth_$(((eighth + other) % 8))"; done
        echo "warpgrade test: of the longest tests an eighth, and of many like cases a part; WARPGRADE_ALL=1 takes all"
    fi
    # One more than there are processors: some tests wait (for a clock, a browser, a process that is killed).
    local status=0
    (cd -- "$root" && ctest --test-dir "$build" -LE "^($left_out)\$" --output-on-failure --no-tests=error --timeout 900 \
        --parallel "$(($(nproc) + 1))" --progress "$@") </dev/null || status=$?
    if ((status == 0)); then
        echo 'warpgrade test: every test that ran has passed'
    else
        echo 'warpgrade test: FAILED; to see one test again:  ./grader/warpgrade test -R NAME -V'
        status=1
    fi
    exit "$status"
}
