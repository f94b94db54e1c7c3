#!/bin/sh
# Builds compare.cu and runs compare.py on this machine's GPU: the report goes to standard output.
#
#   grader/tests/hardware/compare/run.sh > grader/tests/hardware/results/open_against_libraries.md
#
# NVCC and PYTHON name the programs, CUTENSOR_LIBRARY a libcutensor.so.2; arguments go to compare.py.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
"${NVCC:-nvcc}" -std=c++17 -O3 -arch="${ARCH:-native}" -shared -Xcompiler -fPIC "$here/compare.cu" -o "$build/libcompare.so"
"${PYTHON:-python3}" "$here/compare.py" --library "$build/libcompare.so" --cutensor "${CUTENSOR_LIBRARY:-}" "$@"
