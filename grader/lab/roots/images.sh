#!/usr/bin/env bash
# grader/lab/roots/images.sh KIT.tar.gz [FOLDER]: builds grader/containers/Dockerfile from an unpacked kit, looks at what the
# image holds, and types a newcomer's commands in it, as its own user and with the course mounted. buildah needs no daemon; in
# place of the registry's debian:12-slim it gets the Debian that roots.py keeps in FOLDER (build/roots).
# Needs root, and: apt-get install buildah
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
kit=$(realpath -- "$1")
base=$(realpath -- "${2-$here/../../../build/roots}")/base-bookworm
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=vfs CONTAINERS_STORAGE_CONF=$scratch/storage.conf
printf '[storage]\ndriver = "vfs"\ngraphroot = "%s/graph"\nrunroot = "%s/run"\n' "$scratch" "$scratch" >"$CONTAINERS_STORAGE_CONF"

mkdir "$scratch/course"
tar -xzf "$kit" -C "$scratch/course" --strip-components=1

bare=$(buildah from scratch)
tar -C "$base" -cf "$scratch/base.tar" .
buildah add -q "$bare" "$scratch/base.tar" / >/dev/null
buildah run "$bare" -- userdel --remove student # the laboratory's own, which debian:12-slim has not
buildah commit -q "$bare" docker.io/library/debian:12-slim >/dev/null
buildah rm "$bare" >/dev/null

build() {
    buildah bud --pull-never -f "$scratch/course/grader/containers/Dockerfile" "$@" "$scratch/course"
}
build -t warpgrade-development --target development
build -t warpgrade
made=$(buildah from --pull-never warpgrade)
inside=$(buildah mount "$made")
echo "image: $(du -sm "$inside" | cut -f1) MB on disk"
found=$(find "$inside/course" \( -name solutions -o -name tests -o -name seed -o -name answers.md \) -print)
[[ -z $found ]] || { printf 'not for students, and in the image:\n%s\n' "$found"; exit 1; }
run() { echo "\$ $*"; buildah run "$made" -- "$@"; }
run id -un
run ./grader/warpgrade doctor
run ./grader/warpgrade check copy

# With the student's own folder in the place of the image's, as the handout says.
chown -R 1000 "$scratch/course"
echo 'with the course mounted:'
buildah run -v "$scratch/course:/course" "$made" -- ./grader/warpgrade check copy

# The folder of the project must not become an image.
mkdir -p "$scratch/course/grader/tests"
if build >"$scratch/refused" 2>&1; then echo 'an image was built of a folder with tests'; exit 1; fi
grep 'build this in the folder' "$scratch/refused" | tail -n 1
