# The Python environment .venv and what lives in it: matplotlib for reports, and NVRTC where the machine has none.
# Read by grader/warpgrade after build.sh.
# shellcheck shell=bash
# shellcheck disable=SC2154

# WARPGRADE_PYTHON names a Python that has all of it.
venv=$state/.venv
python=${WARPGRADE_PYTHON:-$venv/bin/python}
# Python is started with -I, in a folder of the kit's: the caller's folder may be a hand-in with a json.py in it.
unset "${!PYTHON@}"

# run_python PACKAGE ARGUMENTS...: becomes one of the kit's Python packages.
run_python() { exec "$python" -I -B -X utf8 "$root/grader/launch/isolated.py" "$@"; }

# provide_requirements FILE WHAT: installs a requirements file into .venv unless that is done already. Returns 1, with
# the reason said, if it cannot.
provide_requirements() {
    [[ -z ${WARPGRADE_PYTHON-} ]] || return 0
    local file=$1 what=$2 log=$state/build/pip.log
    local done_note=$venv/installed-${file##*/}
    [[ -x $venv/bin/python ]] && cmp -s -- "$file" "$done_note" && return
    take_turn pip
    # Another call may have installed it while this one waited; then pip has little to do.
    if [[ ! -x $venv/bin/python ]] || ! "$venv/bin/python" -I -c '' 2>/dev/null; then
        rm -rf -- "$venv"
        (cd -- "$state/build" && python3 -I -m venv "$venv") >"$log" 2>&1 || {
            rm -rf -- "$venv"
            say "python3 could not make .venv; its output is in ${log#"$state"/}. On Debian: apt-get install python3-venv"
            end_turn
            return 1
        }
    fi
    say "installing $what into .venv with pip"
    if ! (cd -- "$state/build" && "$venv/bin/python" -I -m pip install --quiet --disable-pip-version-check --no-input \
        --retries 2 --requirement "$file") >"$log" 2>&1 </dev/null; then
        tail -n 3 "$log" >&2
        say "pip could not install $what; its whole output is in ${log#"$state"/}. To try by hand:"
        printf '    %q -m pip install -r %q\n' "$venv/bin/python" "$file" >&2
        end_turn
        return 1
    fi
    cp -- "$file" "$done_note"
    end_turn
}

provide_reports() { provide_requirements "$root/reports/requirements.txt" 'matplotlib and jinja2'; }

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
    for file in "${python%/*/*}"/lib/python3*/site-packages/nvidia/*/lib/libnvrtc.so.1[23]*; do
        printf '%s\n' "$file"
        return
    done
    return 1
}

# NVRTC compiles CUDA to PTX, and needs neither a GPU nor a driver. Without a CUDA toolkit, NVIDIA's wheels serve.
provide_nvrtc() {
    local path
    if ! path=$(find_nvrtc); then
        say 'no CUDA toolkit here; NVRTC, the compiler that the grader needs, comes from PyPI (about 100 MB)'
        provide_requirements "$root/grader/launch/nvrtc-requirements.txt" NVRTC ||
            cannot 'there is no NVRTC, so nothing can be compiled. Install the CUDA toolkit, or give pip a network.'
        path=$(find_nvrtc) || cannot 'the wheels are installed, but hold no libnvrtc.so for this machine.'
    fi
    mkdir -p -- "$notes"
    printf '%s\n' "$path" >"$notes/nvrtc"
}
