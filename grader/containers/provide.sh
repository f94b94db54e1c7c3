#!/bin/sh
# What an image has beside the course: a Python with NVRTC and with what reports are drawn with, in /opt/warpgrade. Both
# recipes run it as root, with the two lists of packages beside it.
set -eu
cd -- "$(dirname -- "$0")"
apt-get update
apt-get install -y --no-install-recommends python3-venv
rm -rf /var/lib/apt/lists/*
python3 -m venv /opt/warpgrade
# The wheels come from PyPI when the image is built: NVIDIA's licence is between them and whoever builds it.
/opt/warpgrade/bin/pip install --no-cache-dir -r nvrtc-requirements.txt -r requirements.txt
