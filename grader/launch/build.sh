# Packages, configuration and compilation of the program. Read by grader/warpgrade, which sets root, build and stamp.
# Everything that is said here goes to standard error: standard output belongs to the program.
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

# Sets state where the kit's own folder cannot be written. Programs that are started from here find .venv by it.
choose_state() {
    local name
    name=kit-$(printf '%s' "$root" | cksum)
    state=${WARPGRADE_STATE:-${XDG_CACHE_HOME:-${HOME-}/.cache}/warpgrade/${name%% *}}
    mkdir -p -- "$state/build" 2>/dev/null && [[ -w $state/build ]] ||
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

# "12" of g++ or clang++ at $1; nothing if it does not run.
major_version() { "$1" -dumpversion 2>/dev/null | cut -d. -f1; }

# Prints the first C++ compiler that knows enough of C++20: g++ 12, clang++ 16.
find_compiler() {
    local candidate version least
    for candidate in ${CXX:+"$CXX"} g++ g++-14 g++-13 g++-12 clang++; do
        command -v "$candidate" >/dev/null || continue
        version=$(major_version "$candidate")
        least=12
        [[ $candidate != *clang* ]] || least=16
        [[ $version =~ ^[0-9]+$ ]] && ((version >= least)) && { printf '%s' "$candidate"; return; }
    done
    return 1
}

# Prints the Debian packages that are missing, one a line.
missing_packages() {
    find_compiler >/dev/null || echo g++
    command -v cmake >/dev/null || echo cmake
    command -v ninja >/dev/null || command -v make >/dev/null || echo ninja-build
    command -v git >/dev/null || echo git
    command -v python3 >/dev/null && python3 -I -c 'import ensurepip, venv' 2>/dev/null || echo python3-venv
    # With CMAKE_PREFIX_PATH the libraries may be elsewhere; without dpkg, CMake says what it does not find.
    [[ -z ${CMAKE_PREFIX_PATH-} ]] && command -v dpkg-query >/dev/null || return 0
    local package packages=(libcli11-dev nlohmann-json3-dev libfmt-dev libtomlplusplus-dev)
    [[ ! -d $root/grader/tests ]] || packages+=(catch2) # a student kit has no tests
    for package in "${packages[@]}"; do
        [[ $(dpkg-query -W -f='${Status}' "$package" 2>/dev/null) == 'install ok installed' ]] || echo "$package"
    done
}

provide_packages() {
    local missing log=$state/build/packages.log
    mapfile -t missing < <(missing_packages)
    if ((${#missing[@]} > 0)); then
        if ! command -v apt-get >/dev/null; then
            cannot "these are not installed (named as Debian 12 names them): ${missing[*]}" \
                'Install them with the package manager of this system, then run the command again.'
        elif ((EUID != 0)); then
            cannot 'some packages are not installed. To install them, type:' \
                "sudo apt-get install -y ${missing[*]}"
        fi
        say "installing ${missing[*]}"
        export DEBIAN_FRONTEND=noninteractive
        if ! { apt-get -q -o DPkg::Lock::Timeout=300 update &&
            apt-get -q -y -o DPkg::Lock::Timeout=300 --no-install-recommends install "${missing[@]}"; } \
            >"$log" 2>&1 </dev/null; then
            tail -n 15 "$log" >&2
            cannot "apt-get could not install them; its whole output is in ${log#"$state"/}. To try by hand:" \
                "apt-get update && apt-get install -y ${missing[*]}"
        fi
    fi
    find_compiler >/dev/null ||
        cannot 'no C++ compiler here knows enough of C++20: g++ 12 or clang 16 is needed, or a newer one.'
    local version
    version=$(cmake --version | sed -n '1s/[^0-9]*//p')
    [[ $(printf '%s\n' 3.22 "$version" | sort -V | head -n 1) == 3.22 ]] ||
        cannot "cmake $version is too old: 3.22 or newer is needed." 'pip install cmake has a newer one.'
}

configure() {
    local log=$state/build/configure.log cache=$build/CMakeCache.txt generator='Unix Makefiles'
    # A cache that came with a copy of the folder names the old place, and CMake refuses it.
    if [[ -e $cache ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache"; then
        rm -rf -- "$build"
    fi
    if [[ -e $cache ]]; then
        generator=$(sed -n 's/^CMAKE_GENERATOR:INTERNAL=//p' "$cache")
    else
        CXX=$(find_compiler)
        export CXX
        ! command -v ninja >/dev/null || generator=Ninja
    fi
    if ! cmake -S "$root" -B "$build" -G "$generator" >"$log" 2>&1 </dev/null; then
        grep -A 12 -m 1 'CMake Error' "$log" >&2 || tail -n 20 "$log" >&2
        cannot "CMake could not configure the build; its whole output is in ${log#"$state"/}."
    fi
}

# Copies ninja's or make's "[12/80] ..." to the terminal, in one line; swallows the rest.
show_progress() {
    local line
    while IFS= read -r line; do
        [[ -t 2 && $line =~ ^\[\ *([0-9]+(/[0-9]+|%))\] ]] && printf '\rwarpgrade: built %s ' "${BASH_REMATCH[1]}" >&2
    done
    [[ ! -t 2 ]] || printf '\r\033[K' >&2
}

# compile_target [--target NAME]
compile_target() {
    local log=$state/build/build.log started=$SECONDS
    if ! cmake --build "$build" --parallel "$(nproc)" "$@" 2>&1 </dev/null |
        tee "$log" | show_progress; then
        grep -E -A 4 '(error|Error)( [0-9]+)?:|undefined reference' "$log" | head -n 40 >&2 || tail -n 20 "$log" >&2
        say "the build failed; its whole output is in ${log#"$state"/}."
        exit 70
    fi
    say "built in $((SECONDS - started)) s"
}

# take_turn NAME: one build at a time, and one pip; `ctest -j` or two terminals may start several.
take_turn() {
    mkdir -p -- "$state/build"
    command -v flock >/dev/null || return 0
    exec 9>"$state/build/$1.lock"
    flock -n 9 || { say "waiting for another $1 in this folder" && flock 9; }
}
end_turn() { exec 9>&-; }

# build_program [all]: the program, or with `all` the tests as well.
build_program() {
    take_turn build
    if [[ ${1-} == all ]] || needs_build; then
        if [[ -x $binary ]]; then
            say 'building what has changed'
        else
            say 'building the grader; this happens once and takes some minutes'
        fi
        provide_packages
        # The stamp is as old as the start of the build: what is edited while it runs is built by the next call.
        : >"$state/build/warpgrade.started"
        configure
        if [[ ${1-} == all ]]; then compile_target; else compile_target --target warpgrade-bin; fi
        mv -- "$state/build/warpgrade.started" "$stamp"
    fi
    end_turn
}
