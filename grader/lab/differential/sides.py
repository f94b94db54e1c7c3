"""The two sides of the differential test, each a program that stays and is told the stem of one unit after the other."""
import os
import select
import struct
import subprocess


class SideLost(Exception):
    """The program ended, or took too long, over a unit."""


class Side:
    def __init__(self, program, name, seconds=120):
        self.program, self.name, self.seconds, self.process = program, name, seconds, None

    def run(self, stem):
        """Words and text of STEM.NAME.bin and .txt."""
        if self.process is None:
            self.process = subprocess.Popen([self.program, "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        try:
            self.process.stdin.write((stem + "\n").encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            self.close()
            raise SideLost(f"{self.name} has ended before {stem}") from None
        ready, _, _ = select.select([self.process.stdout], [], [], self.seconds)
        line = self.process.stdout.readline() if ready else b""
        if not line:
            code = self.process.poll()
            self.close()
            raise SideLost(f"{self.name}: {'no end' if not ready else f'ended with {code}'} over {stem}")
        with open(f"{stem}.{self.name}.bin", "rb") as file:
            data = file.read()
        with open(f"{stem}.{self.name}.txt", encoding="utf-8", errors="replace") as file:
            return data, file.read().splitlines()

    def close(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


def records(data, kernels):
    """(status, bytes of `out`) for each kernel."""
    at, found = 0, []
    for kernel in kernels:
        size = 4 * kernel.out_words()
        found.append((struct.unpack_from("<I", data, at)[0], data[at + 4:at + 4 + size]))
        at += 4 + size
    if at != len(data):
        raise ValueError(f"{len(data)} bytes for {len(kernels)} kernels of {at}")
    return found


def write_unit(stem, ptx, manifest):
    with open(stem + ".ptx", "w", encoding="utf-8") as file:
        file.write(ptx)
    with open(stem + ".txt", "w", encoding="utf-8") as file:
        file.write(manifest)


def remove_unit(stem):
    for end in ("ptx", "txt", "virtual.bin", "virtual.txt", "virtual.csv", "card.bin", "card.txt"):
        try:
            os.remove(f"{stem}.{end}")
        except FileNotFoundError:
            pass
