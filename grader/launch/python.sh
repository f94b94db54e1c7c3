# The Python environment .venv and what lives in it: matplotlib for reports, and NVRTC where the machine has none.
# Read by grader/warpgrade.
# shellcheck shell=bash
# shellcheck disable=SC2154

with say

# WARPGRADE_PYTHON names a Python that has all of it.
venv=$state/.venv
python=${WARPGRADE_PYTHON:-$venv/bin/python}
# Python is started with -I, in a folder of the kit's: the caller's folder may be a hand-in with a json.py in it.
unset "${!PYTHON@}"

# run_python PACKAGE ARGUMENTS...: becomes one of the kit's Python packages.
run_python() { exec "$python" -I -B -X utf8 "$root/grader/launch/isolated.py" "$@"; }

# Prints the first Python here that reports run on, else the system's, whatever it is.
find_python() {
    local candidate
    for candidate in python3 python3.{15..10}; do
        "$candidate" -I -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null && break
        candidate=''
    done
    printf '%s' "${candidate:-python3}"
}

# Prints what .venv's Python runs as pip: its own, the system's, or one that comes as a file. Debian has a Python
# without pip, and a package with pip as a file, which is unpacked without root.
find_pip() {
    local file
    ! "$venv/bin/python" -I -c 'import pip' 2>/dev/null || { printf '%s' "$venv"/lib/python3*/site-packages/pip; return; }
    ! "$(find_python)" -I -c 'import pip, os; print(os.path.dirname(pip.__file__), end="")' 2>/dev/null || return 0
    if [[ -z ${WARPGRADE_WHEELS-} ]] && command -v apt-get dpkg >/dev/null; then
        with packages
        unpack_packages "$state/build/pip" python3-pip-whl >/dev/null 2>&1 </dev/null || true
    fi
    for file in ${WARPGRADE_WHEELS:+"$WARPGRADE_WHEELS"/pip-*.whl} "$state"/build/pip/usr/share/python-wheels/pip-*.whl; do
        [[ ! -e $file ]] || { printf '%s/pip' "$file"; return; }
    done
    return 1
}

make_venv() {
    local log=$1 base
    base=$(find_python)
    if ! command -v "$base" >/dev/null; then
        say 'python3 is not installed. To install it, type:'
        say_python_package
        return 1
    fi
    [[ ! -x $venv/bin/python ]] || ! "$venv/bin/python" -I -c '' 2>/dev/null || return 0
    rm -rf -- "$venv"
    # Without ensurepip, which is a package of its own on Debian, there is no pip in it: find_pip has another.
    (cd -- "$state/build" && { "$base" -I -m venv "$venv" || { rm -rf -- "$venv" && "$base" -I -m venv --without-pip "$venv"; }; }) \
        >"$log" 2>&1 && return
    rm -rf -- "$venv"
    say "$base could not make .venv; its output is in ${log#"$state"/}. What may be missing:"
    say_python_package
    return 1
}
say_python_package() {
    with packages
    know_distribution
    printf '    %s\n' "$(install_line "${packages[python]}")" >&2
}

# provide_requirements FILE WHAT MEGABYTES: installs a requirements file into .venv unless that is done already. Returns 1,
# with the reason said, if it cannot.
provide_requirements() {
    [[ -z ${WARPGRADE_PYTHON-} ]] || return 0
    local file=$1 done_note=$venv/installed-${1##*/} status=0
    [[ -x $venv/bin/python ]] && cmp -s -- "$file" "$done_note" && return
    take_turn pip
    # Another call may have installed it while this one waited; then pip has little to do.
    install_requirements "$@" "$state/build/pip.log" && cp -- "$file" "$done_note" || status=1
    end_turn pip
    return "$status"
}

install_requirements() {
    local file=$1 what=$2 megabytes=$3 log=$4 pip from=() status=0
    make_venv "$log" || return
    if ! pip=$(find_pip); then
        say "this Python has no pip, which is needed to install $what. To install it, type:"
        say_python_package
        return 1
    fi
    if [[ -n ${WARPGRADE_WHEELS-} ]]; then
        [[ -d $WARPGRADE_WHEELS ]] || { say "WARPGRADE_WHEELS names no folder: $WARPGRADE_WHEELS"; return 1; }
        from=(--no-index --find-links "$(cd -- "$WARPGRADE_WHEELS" && pwd)")
    fi
    say "installing $what into .venv with pip (about $megabytes MB to fetch, up to 3 times that on disk)"
    begin_progress
    mkdir -p -- "$state/build/pip.tmp"
    while sleep 1 && kill -0 $$ 2>/dev/null; do show_fetched "$megabytes"; done &
    local watcher=$!
    (cd -- "$state/build" && TMPDIR=$state/build/pip.tmp "$venv/bin/python" -I "$pip" install --quiet \
        --disable-pip-version-check --no-input --retries 2 "${from[@]}" --requirement "$file") >"$log" 2>&1 </dev/null || status=1
    kill "$watcher"
    wait "$watcher" 2>/dev/null || true
    end_progress
    rm -rf -- "$state/build/pip.tmp"
    ((status != 0)) || return 0
    say "pip could not install $what; its whole output is in ${log#"$state"/}."
    explain_pip "$log"
    say 'Where pip has no network, let it fetch the files on a computer that has one, and bring that folder here:'
    printf '    python3 -m pip download -d wheels pip -r %s\n    WARPGRADE_WHEELS=wheels ./grader/warpgrade doctor\n' \
        "${file#"$root"/}" >&2
    return 1
}

# pip keeps what it has fetched in TMPDIR until all of it is there.
show_fetched() {
    local fetched
    fetched=$(du -sm -- "$state/build/pip.tmp" 2>/dev/null) || return 0
    fetched=$((100 * ${fetched%%[!0-9]*} / $1))
    progress "$((fetched < 99 ? fetched : 99))" 'fetching:'
}

# One line on what pip's many mean.
explain_pip() {
    local log
    log=$(<"$1")
    case $log in
        *'No space left'*) say "the disk that holds $state is full." ;;
        *CERTIFICATE_VERIFY_FAILED*)
            say 'pip does not trust a certificate, as behind a proxy that reads along. Name the file of your network with'
            printf '    export PIP_CERT=FILE\n' >&2
            ;;
        *ProxyError* | *'407 Proxy'* | *'annot connect to proxy'*)
            say "the proxy lets pip not through. HTTPS_PROXY is ${HTTPS_PROXY-${https_proxy-not set}}; its form is"
            printf '    export HTTPS_PROXY=http://USER:PASSWORD@HOST:PORT\n' >&2
            ;;
        *'name resolution'* | *'Name or service not known'* | *NewConnectionError* | *'imed out'* | *'is unreachable'*)
            say 'pip reaches no network. Where a proxy stands between, name it with'
            printf '    export HTTPS_PROXY=http://HOST:PORT\n' >&2
            ;;
        *'No matching distribution'*)
            printf '%s\n' "$log" | grep -m 1 'No matching distribution' >&2
            if [[ -z ${WARPGRADE_WHEELS-} ]]; then
                say "$("$venv/bin/python" -I --version) on $HOSTTYPE is not among those that it is made for; reports need Python 3.10."
            fi
            ;;
        *) printf '%s\n' "$log" | tail -n 3 >&2 ;;
    esac
}

provide_reports() { provide_requirements "$root/reports/requirements.txt" 'matplotlib and jinja2' 60; }

# Where packages are: of .venv, or of the Python that is named, its user's own too.
python_folders() {
    if [[ -z ${WARPGRADE_PYTHON-} ]]; then
        printf '%s\n' "$venv"/lib/python3*/site-packages
    else
        (cd -- "$root/grader/launch" && "$python" -c 'import sys; print(*sys.path, sep="\n")')
    fi
}

# Prints the path of an NVRTC of CUDA 12 or 13, in the order in which the grader looks.
find_nvrtc() {
    local folder file
    shopt -s nullglob
    for folder in ${CUDA_PATH:+"$CUDA_PATH"} ${CUDA_HOME:+"$CUDA_HOME"} /usr/local/cuda /usr/local/cuda-*; do
        for file in "$folder"/lib64/libnvrtc.so.1[23]* "$folder"/targets/*/lib/libnvrtc.so.1[23]*; do
            printf '%s\n' "$file"
            return
        done
    done
    # The loader's list may be older than what is installed.
    while IFS= read -r file; do
        [[ ! -e $file ]] || { printf '%s\n' "$file" && return; }
    done < <({ ldconfig -p || /sbin/ldconfig -p; } 2>/dev/null | sed -n 's/.*libnvrtc\.so\.1[23].* => //p')
    while IFS= read -r folder; do
        for file in "$folder"/nvidia/*/lib/libnvrtc.so.1[23]*; do
            printf '%s\n' "$file"
            return
        done
    done < <(python_folders)
    return 1
}

# NVRTC compiles CUDA to PTX, and needs neither a GPU nor a driver. Without a CUDA toolkit, NVIDIA's wheels serve.
provide_nvrtc() {
    local path
    if ! path=$(find_nvrtc); then
        say 'no CUDA toolkit here; NVRTC, the compiler that the grader needs, comes from NVIDIA as a Python package'
        provide_requirements "$root/grader/launch/nvrtc-requirements.txt" NVRTC 100 ||
            cannot 'without NVRTC nothing can be compiled. A CUDA toolkit serves as well; so does its file alone:' \
                'export WARPGRADE_NVRTC=/path/to/libnvrtc.so.13'
        path=$(find_nvrtc) || cannot 'the packages are installed, but hold no libnvrtc.so for this machine.'
    fi
    mkdir -p -- "$notes"
    printf '%s\n' "$path" >"$notes/nvrtc"
}
