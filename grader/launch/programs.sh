# The programs that a release carries, for machines other than this one too: grader/launch/programs.cmake says how they
# are compiled. They are made in build/programs/MACHINE; `warpgrade-bin` there is one that was looked at.
# Read by grader/warpgrade.
# shellcheck shell=bash
# shellcheck disable=SC2154

with say
with build
with packages
with python

machines=(x86_64 aarch64)

# prepare_release ARGUMENTS...: what `release` packs beside the sources.
prepare_release() {
    # Pages where Python can make them; without, the kit has the Markdown alone.
    if [[ -d $root/solutions ]] && provide_reports; then
        (run_python handouts --no-pdf) >/dev/null || true
    fi
    [[ " $* " == *' --without-programs '* ]] || provide_programs
    [[ " $* " != *' --wheel'* ]] || provide_requirements "$root/grader/launch/wheel-requirements.txt" hatchling 2 ||
        cannot 'without it no wheel can be packed; `release` without --wheel needs no network.'
}

# provide_programs: makes what is missing or out of date.
provide_programs() {
    provide_requirements "$root/grader/launch/programs-requirements.txt" 'a compiler for other machines' 100 ||
        cannot 'without it there are no programs for other machines.' \
            './grader/warpgrade release --without-programs   # students then build the grader from source'
    provide_packages
    local machine zig
    zig=$("$python" -I -c 'import importlib.util; print(importlib.util.find_spec("ziglang").submodule_search_locations[0])')/zig
    link_headers "$root/build/programs/include"
    take_turn programs
    for machine in "${machines[@]}"; do
        make_program "$machine" "$zig"
    done
    end_turn programs
}

# link_headers FOLDER: the libraries of which the headers are enough, and nothing else of this machine's.
link_headers() {
    local name path
    mkdir -p -- "$1"
    for name in CLI fmt nlohmann toml++; do
        for path in {${CMAKE_PREFIX_PATH:-/usr},/usr,/usr/local}/include/"$name"; do
            [[ ! -d $path ]] || { ln -sfn -- "$path" "$1/$name" && continue 2; }
        done
        cannot "the headers of $name are not where they are looked for: /usr/include and /usr/local/include."
    done
}

# make_runtime MACHINE ZIG FILE: an archive of what clang calls of its runtime. Zig's own also has a memcpy, a strlen, an
# exp2 ..., which are slower than those of glibc or round otherwise, and a linker would take them first.
make_runtime() {
    local source=${3%.a}
    local names='divc3|cos|exp|exp2|fabs|floor_ceil|fma|fmax|fmin|fmod|log|log10|log2|round|sin|sincos|sqrt|tan|trunc'
    rm -rf -- "$source" "$3"
    mkdir -p -- "$source"
    cp -r -- "${2%/*}"/lib/compiler_rt{,.zig} "$source"
    sed -i -E -e "/@import\(\"compiler_rt\/($names|memcpy|memmove)\.zig\"\)/d" \
        -e '/symbol\(&(memset|memcmp|bcmp|strlen),/d' "$source/compiler_rt.zig"
    "$2" build-lib "$source/compiler_rt.zig" -target "$1-linux-gnu.2.17" -O ReleaseFast -fPIC -fstrip -fno-compiler-rt \
        -fno-ubsan-rt --name runtime -femit-bin="$3" || return
    # Names of the C library's do not begin so.
    if LC_ALL=C readelf --syms --wide "$3" | grep -E ' (GLOBAL|WEAK) +(DEFAULT|HIDDEN) +[0-9]+ [^_]'; then
        printf 'these functions are in it, and are those of glibc elsewhere\n'
        return 1
    fi
}

# is_configured CACHE ZIG: by what is here now.
is_configured() {
    [[ -e $1 && ! $root/grader/launch/programs.cmake -nt $1 && ! $root/grader/launch/programs.sh -nt $1 ]] &&
        grep -qxF "WARPGRADE_ZIG:UNINITIALIZED=$2" "$1"
}

# make_program MACHINE ZIG
make_program() {
    local place=$root/build/programs/$1 log=$root/build/programs/$1.log generator='Unix Makefiles' started=$SECONDS
    local runtime=$root/build/programs/runtime/$1.a
    # Zig keeps what it has compiled of its libraries; all that it writes stays here.
    local -x ZIG_GLOBAL_CACHE_DIR=$root/build/programs/cache ZIG_LOCAL_CACHE_DIR=$root/build/programs/cache
    if ! is_configured "$place/CMakeCache.txt" "$2"; then
        rm -rf -- "$place"
        make_runtime "$1" "$2" "$runtime" >"$log" 2>&1 </dev/null || {
            tail -n 20 "$log" >&2
            cannot "the compiler's runtime for $1 could not be built; the whole output is in ${log#"$root"/}."
        }
        ! command -v ninja >/dev/null || generator=Ninja
        cmake -S "$root" -B "$place" -G "$generator" --toolchain "$root/grader/launch/programs.cmake" \
            -D CMAKE_BUILD_TYPE=Release -D WARPGRADE_TESTS=OFF -D "WARPGRADE_ARCH=$1" -D "WARPGRADE_ZIG=$2" \
            -D "WARPGRADE_HEADERS=$root/build/programs/include" -D "WARPGRADE_RUNTIME=$runtime" >"$log" 2>&1 </dev/null || {
            grep -A 12 -m 1 'CMake Error' "$log" >&2 || tail -n 20 "$log" >&2
            cannot "CMake could not configure the program for $1; its whole output is in ${log#"$root"/}."
        }
        say "building the program for $1; this happens once and takes some minutes"
    fi
    if ! cmake --build "$place" --parallel "$(nproc)" --target warpgrade-bin 2>&1 </dev/null | tee "$log" | show_progress; then
        grep -E -A 4 'error:|undefined symbol' "$log" | head -n 40 >&2 || tail -n 20 "$log" >&2
        say "the program for $1 could not be built; the whole output is in ${log#"$root"/}."
        exit 70
    fi
    ! cmp -s -- "$place/grader/warpgrade-bin" "$place/warpgrade-bin" || return 0
    check_program "$place/grader/warpgrade-bin"
    cp -- "$place/grader/warpgrade-bin" "$place/warpgrade-bin"
    say "built the program for $1 in $((SECONDS - started)) s"
}

# check_program FILE: it must need nothing but the C library, and none newer than 2.17.
check_program() {
    local needed newest
    needed=$(LC_ALL=C readelf --dynamic --wide "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
        grep -vE '^(lib(c|m|dl|pthread|rt)\.so\.[0-9]+|ld-linux.*)$' || true)
    newest=$(LC_ALL=C readelf --version-info --wide "$1" | grep -o 'GLIBC_[0-9.]*' | sort -V | tail -n 1)
    [[ -z $needed && $(printf '%s\n' "$newest" GLIBC_2.17 | sort -V | tail -n 1) == GLIBC_2.17 ]] && return
    say "$1 needs more than glibc 2.17: $newest ${needed//$'\n'/ }"
    exit 70
}
