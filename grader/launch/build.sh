# Configuration and compilation of the program, and what spares them. Read by grader/warpgrade, which sets root, state, build
# and stamp.
# shellcheck shell=bash
# shellcheck disable=SC2154

with say

# Sets state where the kit's own folder cannot be written. Programs that are started from here find .venv by it.
choose_state() {
    local name
    name=kit-$(printf '%s' "$root" | cksum)
    state=${WARPGRADE_STATE:-${XDG_CACHE_HOME:-${HOME-}/.cache}/warpgrade/${name%% *}}
    { mkdir -p -- "$state/build" && [[ -w $state/build ]]; } 2>/dev/null ||
        cannot "there is no folder to write to: neither $root nor $state can be written." \
            'Set WARPGRADE_STATE to a folder that can be, or copy the kit to one, then run the command again.'
    export WARPGRADE_STATE=$state
}

# Whether the kit's own program runs on this machine; a note spares the next call the question.
tries_prebuilt() {
    local why
    if why=$("$prebuilt" --version 2>&1); then
        mkdir -p -- "$notes"
        : >"$notes/runs-$HOSTTYPE"
        return
    fi
    say "the kit's own program does not run here (${why:-it ends without a word}), so it is built from source"
    return 1
}

# One digest of the names and contents of all that the program is built from, wherever the kit lies.
source_digest() { cd -- "$root" && find_inputs -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum; }

# new_stamp FILE: as old as now, so that what is edited from here on is seen by the next call; mv makes it the stamp.
new_stamp() {
    : >"$1"
    stamp_digest=$(source_digest)
    printf '%s\n' "$stamp_digest" "$root" >"$1.written"
    touch -r "$1" -- "$1.written"
    mv -- "$1.written" "$1"
}

# Files that are younger than the build, or lie elsewhere, may still be the same: a copy of the kit.
is_same_source() {
    local built_from='' new=$state/build/warpgrade.checked.$$
    read -r built_from <"$stamp"
    new_stamp "$new"
    if [[ $stamp_digest == "$built_from" ]] && "$binary" --version >/dev/null 2>&1; then
        mv -- "$new" "$stamp"
    else
        rm -f -- "$new"
        return 1
    fi
}

configure() {
    local log=$state/build/configure.log cache=$build/CMakeCache.txt generator='Unix Makefiles'
    # A cache that came with a copy of the folder names the old place, and CMake refuses it.
    if [[ -e $cache ]] && ! { grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache" &&
        grep -qxF "CMAKE_CACHEFILE_DIR:INTERNAL=$build" "$cache"; }; then
        rm -rf -- "$build"
    fi
    PATH=$PATH:${python%/*} # pip's ninja
    if [[ -e $cache ]]; then
        generator=$(sed -n 's/^CMAKE_GENERATOR:INTERNAL=//p' "$cache")
    else
        export CXX=$compiler
        ! command -v ninja >/dev/null || generator=Ninja
        [[ ! -d $fetched/usr ]] || export CMAKE_PREFIX_PATH=$fetched/usr${CMAKE_PREFIX_PATH:+:$CMAKE_PREFIX_PATH}
    fi
    if ! "$cmake" -S "$root" -B "$build" -G "$generator" >"$log" 2>&1 </dev/null; then
        grep -A 12 -m 1 'CMake Error' "$log" >&2 || tail -n 20 "$log" >&2
        cannot "CMake could not configure the build; its whole output is in ${log#"$state"/}."
    fi
}

# Reads ninja's "[12/80] ..." or make's "[ 15%] ...".
show_progress() {
    local line percent=0 status
    begin_progress
    while status=0; IFS= read -r -t 5 line || status=$?; ((status == 0 || status > 128)); do
        if [[ $line =~ ^\[\ *([0-9]+)(/([0-9]+)|%)\] ]]; then
            percent=$((100 * BASH_REMATCH[1] / ${BASH_REMATCH[3]:-100}))
        fi
        progress "$percent" 'building:'
    done
    end_progress
}

# compile_target [--target NAME]
compile_target() {
    local log=$state/build/build.log started=$SECONDS
    if ! "$cmake" --build "$build" --parallel "$(nproc)" "$@" 2>&1 </dev/null | tee "$log" | show_progress; then
        grep -E -A 4 '(error|Error)( [0-9]+)?:|undefined reference' "$log" | head -n 40 >&2 || tail -n 20 "$log" >&2
        say "the build failed; its whole output is in ${log#"$state"/}."
        exit 70
    fi
    say "built in $((SECONDS - started)) s"
}

# build_program [all]: the program, or with `all` the tests as well.
build_program() {
    local compiler cmake
    take_turn build
    if [[ ${1-} == all ]] || needs_build; then
        with python
        with packages
        provide_packages
        if [[ -x $binary ]]; then
            say 'building what has changed'
        else
            say 'building the grader; this happens once, takes some minutes and 90 MB of disk'
        fi
        new_stamp "$state/build/warpgrade.started"
        configure
        if [[ ${1-} == all ]]; then compile_target; else compile_target --target warpgrade-bin; fi
        mv -- "$state/build/warpgrade.started" "$stamp"
    fi
    end_turn build
}
