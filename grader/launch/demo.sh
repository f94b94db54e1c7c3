# demo: verifies the course, which grades every solution and every stub, and renders both reports.
# Read by grader/warpgrade.
# shellcheck shell=bash
# shellcheck disable=SC2154

with say
with python

run_demo() {
    (($# == 0)) || { say 'demo takes no arguments'; exit 2; }
    local status=0 name
    prepare
    rm -rf -- "$root/build/demo"
    cd -- "$root" || exit # paths in messages start at assignments/ and solutions/
    say 'grading every solution and every stub on the virtual GPU'
    "$binary" verify --results build/demo || status=$?
    [[ -e build/demo/solutions.json ]] || exit "$status" # nothing was graded
    if provide_reports; then
        for name in solutions stubs; do
            (run_python reports report "build/demo/$name.json" --out "build/demo/$name") || exit 70
        done
    else
        say 'so there is no HTML report; the table above is complete'
        ((status != 0)) || status=3
    fi
    exit "$status"
}
