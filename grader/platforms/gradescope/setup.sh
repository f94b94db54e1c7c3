#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds the image.
set -euo pipefail
base=${WARPGRADE_BASE:-/autograder}
sh "$base/source/nvrtc.sh"
chmod 755 "$base"/source/kit/grader/warpgrade "$base"/source/kit/grader/programs/*/warpgrade-bin # zip tools lose it
# Nobody but root reads the seed.
chmod 600 "$base/source/seed"
