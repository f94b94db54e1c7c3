#!/usr/bin/env python3
"""Fits the parameters of the time model that no microbenchmark gives, on the kernels of the half "fit" only.

    ninja -C build/r model_validate
    python3 grader/tests/model/fit.py build/r/grader/model_validate grader/profiles/h200.toml [NAME=FROM ...]

One parameter after the other is moved by a factor, as long as the mean of the squared logarithms of predicted over
measured falls. Prints what to write into the profile.
"""
import math
import sys

import predictions

SHAPES = {"1024x1024", "4096x4096", "8192x8192", "8191x8193", "6000x10000", "100x1000000", "1048576", "16777216", "67108864"}
FITTED = "launch_us next_launch_us dram_queue_random special_register_cycles store_buffer_lines".split()


def main():
    binary, profile = sys.argv[1:3]
    measured, halves = predictions.measured(profile)[0], predictions.families()
    model = predictions.Model(binary, profile)
    model.add({k for k in measured if k[1] in SHAPES and halves.get(k[0], ("", ""))[1] == "fit"})
    values = {}
    for line in open(profile):
        if line.startswith("[model."):
            name = line.strip()[7:-1]
        if line.startswith("value") and "name" in locals():
            values[name] = float(line.split("=")[1])

    def loss(parameters):
        # Huber's: a kernel that the model has no notion of must not bend the rest.
        total = 0.0
        predicted = model.run(**parameters)
        for key, p in predicted.items():
            e = abs(math.log(p["microseconds"] / measured[key].microseconds))
            total += e * e if e < 0.2 else 0.4 * e - 0.04
        return total / len(predicted)

    best = loss(values)
    print(f"{len(model.requests)} rows, loss {best:.5f}", flush=True)
    for factor in (1.25, 1.1):
        for name in FITTED:
            for step in (factor, 1 / factor):
                moved = False
                for _ in range(3):
                    trial = dict(values, **{name: values[name] * step})
                    now = loss(trial)
                    if now >= best * 0.999:
                        break
                    best, values, moved = now, trial, True
                if moved:
                    break
            model.run(**values)
            print(f"{name} = {values[name]:.6g}  loss {best:.5f}", flush=True)


if __name__ == "__main__":
    main()
