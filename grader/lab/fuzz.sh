#!/usr/bin/env bash
# grader/lab/fuzz.sh MINUTES [TARGET...]: builds the fuzz targets (all, where none is named) and runs them side by side.
# What they find lies in build/fuzz/found/TARGET/, what they learn in build/fuzz/corpus/TARGET/. Exits with 1 where an
# input crashed, hung or took too much memory. `nice taskset -c 0 grader/lab/fuzz.sh 60` keeps it to one core.
set -euo pipefail
cd "$(dirname "$0")/../.."

all=(ptx host source launcher nvrtc_log toml wire roster archive)
declare -A longest=([ptx]=6000 [host]=360 [source]=4000 [launcher]=4000 [nvrtc_log]=4000 [toml]=8000 [wire]=4000 [roster]=4000 [archive]=8000)
build=build/fuzz
programs=$build/grader/lab/fuzz
rooms=$(find grader -mindepth 1 -maxdepth 1 -type d ! -name lab -printf '%f|' | sed 's/|$//')

if [[ ! ${1-} =~ ^[0-9]+$ ]]; then
    sed -n '2,4s/^# //p' "$0" >&2
    echo "targets: ${all[*]}" >&2
    exit 2
fi
minutes=$1
shift
targets=("$@")
[[ $# -gt 0 ]] || targets=("${all[@]}")
for target in "${targets[@]}"; do
    [[ -v longest[$target] ]] || { echo "no target is called $target: ${all[*]}" >&2; exit 2; }
done

if ! echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' |
    clang++ -fsanitize=fuzzer,address,undefined -x c++ - -o /dev/null 2>/dev/null; then
    major=$(clang++ -dumpversion 2>/dev/null | cut -d. -f1)
    echo "clang with libFuzzer is not installed. On Debian: apt-get install clang libclang-rt-${major:-14}-dev" >&2
    exit 3
fi

mkdir -p $build
log=$build/build.log
{
    cmake --preset fuzz && cmake --build --preset fuzz --target "${targets[@]/#/fuzz_}" &&
        cmake --preset release && cmake --build --preset release --target make_fuzz_seeds
} >$log 2>&1 || { tail -n 40 $log >&2; exit 3; }
# Seeds that the repository holds in another form. Made once: delete the folder to have them made again.
[[ -d $build/seeds ]] || build/release/grader/lab/fuzz/make_fuzz_seeds $build/seeds >>$log 2>&1

# Leaks are left to the tests of the preset asan. Stacks are told when an input is run again, below.
export ASAN_OPTIONS=detect_leaks=0:symbolize=0 UBSAN_OPTIONS=print_stacktrace=1
limits=(-rss_limit_mb=2048 -malloc_limit_mb=1024)

# One target until the time is over: what ends the process is in found/, and the next process goes on with the corpus.
fuzz() {
    local target=$1 end=$((SECONDS + 60 * minutes)) dictionary=grader/lab/fuzz/dictionaries/$1.dict
    local options=("${limits[@]}" -timeout=60 "-max_len=${longest[$target]}" "-artifact_prefix=$build/found/$target/")
    local corpus=$build/corpus/$target seeds=(grader/lab/fuzz/{seeds,crashes}/"$target" "$build/seeds/$target")
    for i in "${!seeds[@]}"; do [[ -d ${seeds[i]} ]] || unset "seeds[$i]"; done
    # What is new among the seeds. In this mode an input that crashes is left out: it would end each process at its start.
    if [[ ! -e $corpus.merged || -n $(find "${seeds[@]}" -newer "$corpus.merged" -print -quit) ]]; then
        $programs/fuzz_"$target" -merge=1 "${options[@]}" "$corpus" "${seeds[@]}" >"$corpus.merged" 2>&1 || true
    fi
    [[ ! -f $dictionary ]] || options+=("-dict=$dictionary")
    options+=(-print_final_stats=1 -reload=0)
    : >$build/"$target".log
    while ((SECONDS < end)); do
        $programs/fuzz_"$target" "${options[@]}" -max_total_time=$((end - SECONDS)) "$corpus" >>$build/"$target".log 2>&1 ||
            true
    done
    times >$build/"$target".times
}

start=$(mktemp)
trap 'rm -f $start; kill $(jobs -p) 2>/dev/null || true' EXIT
for target in "${targets[@]}"; do
    mkdir -p $build/{corpus,found}/"$target"
    fuzz "$target" &
done
wait

status=0
printf '%-10s %12s %9s %9s %7s\n' target executions cpu_s coverage corpus
for target in "${targets[@]}"; do
    executions=$(awk '/^stat::number_of_executed_units/ { n += $2 } END { print n + 0 }' $build/"$target".log)
    coverage=$(grep -a -oE ' cov: [0-9]+' $build/"$target".log | sort -k2n | tail -n 1 | tr -dc 0-9 || true)
    cpu=$(tail -n 1 $build/"$target".times | tr 'ms' '  ' | awk '{ printf "%.0f", 60 * $1 + $2 + 60 * $3 + $4 }')
    printf '%-10s %12s %9s %9s %7s\n' "$target" "$executions" "$cpu" "${coverage:-?}" \
        "$(find $build/corpus/"$target" -type f | wc -l)"
    [[ $executions -gt 0 ]] || status=1
done
# Each input that was found, once more: how it ends, and the first line of ours. Now 10 s of the processor's time are the
# limit; -timeout above counts the time of day, and the machine may be busy.
for target in "${targets[@]}"; do
    while IFS= read -r -d '' input; do
        if answer=$(ulimit -t 10; ASAN_OPTIONS=detect_leaks=0 $programs/fuzz_"$target" -timeout=0 "${limits[@]}" "$input" 2>&1); then
            kind="ends well this time"
        else
            kind=$(grep -a -m 1 -oE 'ERROR: [A-Za-z]+: [^ ]+( [a-z]+)?|runtime error: .*|terminate called .*' <<<"$answer" ||
                echo "ended without a word: more than 10 s?")
            status=1
        fi
        where=$(grep -a -m 1 -oE "grader/($rooms)/[^ :]+:[0-9]+" <<<"$answer" || true)
        echo "$target: $kind $where"
        echo "    $input"
    done < <(find $build/found/"$target" -type f -newer "$start" -print0)
done
exit $status
