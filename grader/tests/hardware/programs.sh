#!/bin/sh
# On a machine with a card: compiles the whole programs of tests/programs with nvcc, runs each, and compares what it prints
# with NAME.out, which the virtual host is held to. Says of each: same, or what differs.
cd "$(dirname "$0")/../programs" || exit 1
folder=$(mktemp -d) || exit 1
differing=0
for file in *.cu; do
    name=${file%.cu}
    arguments=$(sed -n 's#^// arguments: ##p' "$file")
    wanted=$(sed -n 's#^// exit: ##p' "$file")
    if ! nvcc -std=c++17 -arch=native -o "$folder/$name" "$file" 2> "$folder/$name.log"; then
        echo "$name: nvcc refuses it"
        differing=1
        continue
    fi
    # shellcheck disable=SC2086
    sed -n 's#^// input: ##p' "$file" | sed 's/\\n/\n/g' | "$folder/$name" $arguments > "$folder/$name.out" 2> /dev/null
    code=$?
    if [ "$code" != "${wanted:-0}" ]; then
        echo "$name: exit code $code"
        differing=1
    elif cmp -s "$folder/$name.out" "$name.out"; then
        echo "$name: same"
    else
        echo "$name: other output"
        diff "$folder/$name.out" "$name.out" | head -5
        differing=1
    fi
done
rm -r "$folder"
exit $differing
