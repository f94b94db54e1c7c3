#!/bin/sh
# What needs a card, one after the other. Prints a line for each; what each has printed lands in OUT.
#
#   grader/tests/hardware/all.sh OUT [tests|microbenchmarks|profiler|counters|repeat|libraries]...
#
# WARPGRADE names the program (grader/warpgrade), BUILD the folder of a build (build/release): a machine that cannot
# build gets both from another one. Exits with 1 if anything has failed.
set -u
cd "$(dirname "$0")/../../.." || exit 2
[ $# -ge 1 ] || { sed -n '2,7s/^# \{0,1\}//p' grader/tests/hardware/all.sh >&2; exit 2; }
out=$1
shift
[ $# -gt 0 ] || set -- tests microbenchmarks profiler counters repeat libraries
export WARPGRADE="${WARPGRADE:-$PWD/grader/warpgrade}" WARPGRADE_ROOT="$PWD"
build=${BUILD:-build/release}
mkdir -p "$out" || exit 2
failed=0

run() { # NAME SUFFIX COMMAND...
    name=$1 file=$out/$1.$2
    shift 2
    start=$(date +%s)
    "$@" >"$file" 2>"$out/$name.log" </dev/null
    code=$?
    [ $code -eq 0 ] || failed=1
    echo "$name: exit $code, $(($(date +%s) - start)) s, $file"
}

for step; do
    case $step in
        tests) run tests txt "$build/grader/tests/test_hardware" ;;
        # The table is in microbenchmarks.txt, the profile with what was measured beside it; the kit's own stays.
        microbenchmarks)
            run microbenchmarks txt "$WARPGRADE" calibrate --microbenchmarks --out "$out/microbenchmarks.toml"
            ;;
        # As README has it, for those who want more counters than the kit's own.
        profiler)
            run profiler txt ncu --target-processes all -k regex:padded -c 1 "$WARPGRADE" bench \
                solutions/transpose/4_padding.cu --shape 1024x1024 --samples 1
            ;;
        counters) run counters md python3 grader/tests/hardware/counters.py ;;
        repeat) run repeat md python3 grader/tests/hardware/repeat.py 20 ;;
        libraries) run open_against_libraries md grader/tests/hardware/compare/run.sh ;;
        *)
            echo "there is no step $step" >&2
            exit 2
            ;;
    esac
done
exit $failed
