# What a build from source needs: a compiler, CMake, ninja or make, and libraries. Root on Debian has it installed; without
# root CMake comes by pip and the libraries are unpacked into build/; what is left is named, with the command to type.
# Read by grader/warpgrade.
# shellcheck shell=bash
# shellcheck disable=SC2154

with say
with python

least_gcc=11 least_clang=16 least_cmake=3.22
fetched=$state/build/packages # libraries that were unpacked there

# Sets distribution ("Debian GNU/Linux 12"), family (apt, dnf ...: its package manager), and packages, whose keys are what
# the functions below miss.
know_distribution() {
    local file=${WARPGRADE_OS_RELEASE:-/etc/os-release} ids=''
    declare -gA packages=()
    distribution='this system' family=''
    if [[ -r $file ]]; then
        # shellcheck source=/dev/null
        distribution=$(source "$file" && printf '%s %s' "${NAME-}" "${VERSION_ID-}")
        # shellcheck source=/dev/null
        ids=$(source "$file" && printf ' %s %s ' "${ID-}" "${ID_LIKE-}")
    fi
    local names=()
    case $ids in
        *' debian '* | *' ubuntu '*)
            family=apt
            names=(g++ cmake ninja-build python3-venv libcli11-dev nlohmann-json3-dev libfmt-dev libtomlplusplus-dev catch2)
            ;;
        *' fedora '* | *' rhel '* | *' centos '*)
            family=dnf
            names=(gcc-c++ cmake ninja-build python3-pip cli11-devel json-devel fmt-devel tomlplusplus-devel catch-devel)
            ;;
        *' suse '* | *' opensuse '* | *' opensuse-'*)
            family=zypper
            names=(gcc-c++ cmake ninja python3-pip cli11-devel nlohmann_json-devel fmt-devel tomlplusplus-devel Catch2-devel)
            ;;
        *' arch '*)
            family=pacman
            names=(gcc cmake ninja python cli11 nlohmann-json fmt tomlplusplus catch2)
            ;;
        *' alpine '*)
            cannot "$distribution has musl as its C library, and NVIDIA's compiler runs on glibc only." \
                'Use a container of another distribution, for example of Debian 12.'
            ;;
    esac
    ((${#names[@]} > 0)) || names=(g++ cmake ninja python CLI11 nlohmann-json fmt toml++ Catch2)
    local key number=0
    for key in compiler cmake ninja python cli11 json fmt toml catch; do packages[$key]=${names[number++]}; done
}

# Prints what to type to install the packages named.
install_line() {
    local sudo='sudo '
    ((EUID != 0)) || sudo=''
    case $family in
        apt) has_apt_lists || printf '%sapt-get update && ' "$sudo"; printf '%sapt-get install -y %s' "$sudo" "$*" ;;
        dnf) printf '%sdnf install -y %s' "$sudo" "$*" ;;
        zypper) printf '%szypper install -y %s' "$sudo" "$*" ;;
        pacman) printf '%spacman -S --needed %s' "$sudo" "$*" ;;
        *) printf 'with the package manager of this system: %s' "$*" ;;
    esac
}

has_apt_lists() {
    local lists=''
    eval "$(apt-config shell lists Dir::State::lists/d 2>/dev/null)"
    compgen -G "${lists:-/var/lib/apt/lists/}*_Packages*" >/dev/null
}

# The version of a package that apt would install, without epoch; nothing if it knows none.
apt_version() { apt-cache policy "$1" 2>/dev/null | sed -n 's/^ *Candidate: \([0-9]*:\)\?\([0-9][^ ]*\)/\2/p'; }

at_least() { [[ $(printf '%s\n' "$1" "$2" | sort -V | head -n 1) == "$1" ]]; } # LEAST VERSION

# Sets compiler, the first one here that knows enough of C++20, and old_compiler ("g++ 10"), one that does not.
find_compiler() {
    local candidate version least
    compiler='' old_compiler=''
    for candidate in ${CXX:+"$CXX"} g++ g++-{15..11} clang++ clang++-{21..16}; do
        version=$("$candidate" -dumpversion 2>/dev/null) || continue
        version=${version%%.*}
        [[ $version =~ ^[0-9]+$ ]] || continue
        least=$least_gcc
        [[ $candidate != *clang* ]] || least=$least_clang
        ((version < least)) || { compiler=$candidate; return; }
        old_compiler=${old_compiler:-$candidate $version}
    done
}

# Sets cmake and old_cmake likewise; beside the system's, where pip puts it.
find_cmake() {
    local candidate version
    cmake='' old_cmake=''
    for candidate in cmake "${python%/*}/cmake" "${HOME-}/.local/bin/cmake"; do
        version=$("$candidate" --version 2>/dev/null | sed -n '1s/[^0-9]*//p') || continue
        [[ -n $version ]] || continue
        ! at_least "$least_cmake" "$version" || { cmake=$candidate; return; }
        old_cmake=$version
    done
}

# Prints the libraries whose headers the compiler named does not find, one a line.
missing_libraries() {
    local row
    {
        for row in 'CLI/CLI.hpp cli11' 'nlohmann/json.hpp json' 'fmt/format.h fmt' 'toml++/toml.h toml'; do
            printf '#if !__has_include(<%s>)\n%s\n#endif\n' "${row% *}" "${row#* }"
        done
        # A student kit has no tests.
        [[ ! -d $root/grader/tests ]] ||
            printf '#if !__has_include(<catch2/catch_all.hpp>) && !__has_include(<catch2/catch.hpp>)\ncatch\n#endif\n'
    } | "$1" -std=c++17 -E -P -x c++ "${include_flags[@]}" - 2>/dev/null | grep .
}

# Sets missing: keys of packages.
find_missing() {
    local folder folders
    missing=() include_flags=(-I"$fetched/usr/include")
    IFS=: read -ra folders <<<"${CMAKE_PREFIX_PATH-}"
    for folder in "${folders[@]}"; do include_flags+=(-I"$folder/include"); done
    find_compiler
    find_cmake
    [[ -n $compiler ]] || missing+=(compiler)
    [[ -n $cmake ]] || missing+=(cmake)
    command -v ninja >/dev/null || command -v make >/dev/null || [[ -x ${python%/*}/ninja ]] || missing+=(ninja)
    local libraries=(cli11 json fmt toml)
    [[ ! -d $root/grader/tests ]] || libraries+=(catch)
    if [[ -n $compiler$old_compiler ]]; then
        mapfile -t libraries < <(missing_libraries "${compiler:-${old_compiler% *}}")
    fi
    missing+=("${libraries[@]}")
}
is_missing() { [[ " ${missing[*]} " == *" $1 "* ]]; }

# Sets names: the packages of what is missing; on Debian and Ubuntu a compiler and a CMake that are new enough, and
# unavailable: what this distribution does not have.
name_packages() {
    local key candidate
    names=() unavailable=()
    # Not for the build; but who types one line should not have to type another one after it.
    python3 -I -c 'import ensurepip, venv' 2>/dev/null || is_missing python || missing+=(python)
    for key in "${missing[@]}"; do
        candidate=${packages[$key]}
        if [[ $family == apt ]] && has_apt_lists; then
            case $key in
                compiler) candidate=$(newest_enough_gcc) ;;
                cmake) at_least "$least_cmake" "$(apt_version cmake)" || continue ;; # pip has it
                *) [[ -n $(apt_version "$candidate") ]] || { unavailable+=("$candidate"); continue; } ;;
            esac
            [[ -n $candidate ]] || { unavailable+=("g++-$least_gcc or newer"); continue; }
        fi
        names+=("$candidate")
    done
}
newest_enough_gcc() {
    local name version
    for name in g++ g++-{15..11}; do
        version=$(apt_version "$name")
        [[ -z $version ]] || ! at_least "$least_gcc" "$version" || { printf '%s' "$name"; return; }
    done
}

# unpack_packages FOLDER NAME...: Debian packages into a folder, which takes no root. Where this machine has no lists of
# what there is, with lists of our own.
unpack_packages() {
    local folder=$1 own=() file
    shift
    mkdir -p -- "$folder"/{files,lists/partial,cache/archives/partial}
    if ! has_apt_lists; then
        own=(-o "Dir::State::lists=$folder/lists" -o "Dir::Cache=$folder/cache")
        apt-get -q "${own[@]}" update || return
    fi
    (cd -- "$folder/files" && apt-get -q "${own[@]}" download "$@") || return
    for file in "$folder"/files/*.deb; do dpkg -x "$file" "$folder" || return; done
}

# The libraries that are missing, and the shared libraries that they come with.
fetch_libraries() {
    local key names=() file
    [[ $family == apt ]] || return 1
    for key in "${missing[@]}"; do
        case $key in compiler | cmake | ninja | python) ;; *) names+=("${packages[$key]}") ;; esac
    done
    ((${#names[@]} > 0)) || return 0
    printf 'fetching %s\n' "${names[*]}"
    unpack_packages "$fetched" "${names[@]}" || return
    mapfile -t names < <(for file in "$fetched"/files/*.deb; do dpkg -f "$file" Depends; done |
        grep -o '\blib\(fmt\|tomlplusplus\)[0-9][a-z0-9]*')
    ((${#names[@]} == 0)) || unpack_packages "$fetched" "${names[@]}"
}

# What takes no root. Returns 1 if something is missing then.
fetch_without_root() {
    ! is_missing compiler || return 1
    fetch_libraries >>"$state/build/packages.log" 2>&1 </dev/null || return 1
    if is_missing cmake || is_missing ninja; then
        provide_requirements "$root/grader/launch/build-requirements.txt" 'CMake and ninja' 31 || return 1
    fi
    find_missing
    ((${#missing[@]} == 0))
}

install_as_root() {
    local log=$state/build/packages.log
    ((${#names[@]} > 0)) || return 0
    say "installing ${names[*]}"
    begin_progress
    if ! apt-get -q -y -o DPkg::Lock::Timeout=300 -o APT::Status-Fd=3 --no-install-recommends install "${names[@]}" \
        3>&1 >"$log" 2>&1 </dev/null | show_apt_progress; then
        tail -n 15 "$log" >&2
        cannot "apt-get could not install them; its whole output is in ${log#"$state"/}. To try by hand:" \
            "apt-get update && $(install_line "${names[@]}")"
    fi
    find_missing
}
# apt's "dlstatus:1:35.5:..." and "pmstatus:g++:62.1:..."; the first counts its own hundred.
show_apt_progress() {
    local kind percent
    while IFS=: read -r kind _ percent _; do
        case $kind in
            dlstatus) progress $((${percent%%.*} / 2)) 'installing packages:' ;;
            pmstatus) progress $((50 + ${percent%%.*} / 2)) 'installing packages:' ;;
        esac
    done
    end_progress
}

# Leaves compiler and cmake set, or ends with what to type.
provide_packages() {
    local missing names unavailable include_flags is_installer=false
    know_distribution
    find_missing
    ((${#missing[@]} > 0)) || return 0
    mkdir -p -- "$state/build"
    ((EUID != 0)) || [[ $family != apt ]] || is_installer=true
    if "$is_installer"; then
        export DEBIAN_FRONTEND=noninteractive
        apt-get -q -o DPkg::Lock::Timeout=300 update >"$state/build/packages.log" 2>&1 </dev/null || true
    fi
    name_packages
    ((${#unavailable[@]} == 0)) || say_unavailable
    if "$is_installer"; then install_as_root; fi
    ((${#missing[@]} == 0)) || fetch_without_root || say_missing
}

say_unavailable() {
    local old=''
    ! is_missing compiler || old=${old_compiler:+" (here: $old_compiler)"}
    cannot "the grader cannot be built from source here: $distribution has no ${unavailable[*]}$old." \
        'A student kit with a ready program needs none of them. To build, use Debian 12, Ubuntu 24.04 or newer, also in a' \
        'container; or install them in another way, and name the folder of libraries in CMAKE_PREFIX_PATH.'
}

say_missing() {
    local why='some packages are not installed'
    name_packages
    if is_missing compiler && [[ -n $old_compiler ]]; then
        why="$old_compiler is too old: g++ $least_gcc or clang $least_clang is needed, or a newer one"
    elif is_missing cmake && [[ -n $old_cmake ]]; then
        why="cmake $old_cmake is too old: $least_cmake or newer is needed"
    fi
    if ((${#names[@]} == 0)); then
        cannot "$why. To install a newer one, type:" 'python3 -m pip install --user cmake'
    fi
    cannot "$why. To install what is missing, type:" "$(install_line "${names[@]}")"
}
