# How the launcher speaks: on standard error, since standard output belongs to the program. Read by grader/warpgrade.
# shellcheck shell=bash
# shellcheck disable=SC2154

say() { printf 'warpgrade: %s\n' "$*" >&2; }

# Ends with exit code 3, "this machine cannot", and the lines given.
cannot() {
    say "$1"
    shift
    (($# == 0)) || printf '    %s\n' "$@" >&2
    exit 3
}

# progress PERCENT WORDS, after begin_progress: nothing for 2 s; then, on a terminal, one line that changes, and elsewhere
# a line for every 10 %, and at least every 15 s.
begin_progress() { progress_start=$SECONDS progress_last=$SECONDS progress_shown=0; }
progress() {
    ((SECONDS - progress_start >= 2)) || return 0
    if [[ -t 2 ]]; then
        printf '\r\033[Kwarpgrade: %s %d %%' "$2" "$1" >&2
    elif (($1 >= progress_shown + 10 || SECONDS >= progress_last + 15)); then
        progress_last=$SECONDS progress_shown=$1
        say "$2 $1 %"
    fi
}
end_progress() { [[ ! -t 2 ]] || printf '\r\033[K' >&2; }

# take_turn NAME ... end_turn NAME: one build at a time, and one pip; `ctest -j` or two terminals may start several.
declare -gA turns=()
take_turn() {
    local status=0 file=$state/build/$1.lock number
    mkdir -p -- "${file%/*}"
    command -v flock >/dev/null || return 0
    exec {number}>"$file"
    turns[$1]=$number
    flock -n -E 75 "$number" || status=$?
    if ((status == 75)); then
        say "waiting for another $1 in this folder"
        status=0
        flock "$number" || status=$?
    fi
    # Some network file systems have no locks.
    ((status == 0)) ||
        say "${file%/*} cannot be locked: until all is set up, let one warpgrade end before you start another"
}
end_turn() {
    local number=${turns[$1]-}
    [[ -z $number ]] || exec {number}>&-
}
