#!/bin/sh
# What a machine has beside the kit: Python with NVRTC in /opt/warpgrade, libarchive for hand-ins that are archives, and the user
# that hand-ins are graded as. Run once, as root, with nvrtc-requirements.txt beside it. The wheels come from PyPI: NVIDIA's licence is between them and whoever runs this.
set -eu
cd -- "$(dirname -- "$0")"
place=${WARPGRADE_PLACE:-/opt/warpgrade}
export DEBIAN_FRONTEND=noninteractive
apt-get update
archives=$(apt-cache search --names-only '^libarchive13(t64)?$' | cut -d ' ' -f 1)
# shellcheck disable=SC2086 # one name, or none
apt-get install -y --no-install-recommends ca-certificates python3 python3-venv $archives
rm -rf /var/lib/apt/lists/*
python3 -m venv "$place"
"$place/bin/pip" install --no-cache-dir --disable-pip-version-check -r nvrtc-requirements.txt
id student >/dev/null 2>&1 || useradd --system --no-create-home --shell /usr/sbin/nologin student
