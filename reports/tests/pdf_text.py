"""The words of a PDF that matplotlib wrote, without a PDF reader: its fonts number characters as Unicode does."""

import re
import zlib

STREAM = re.compile(rb"stream\r?\n(.*?)\r?\nendstream", re.S)
ARRAY = re.compile(rb"\[((?:\s|-?[\d.]+|\((?:[^()\\]|\\.)*\))*)\]\s*TJ", re.S)
STRING = re.compile(rb"\(((?:[^()\\]|\\.)*)\)", re.S)
ESCAPED = re.compile(rb"\\(.)", re.S)
LETTERS = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}


def streams(data):
    """What is compressed in the file, one after the other."""
    for found in STREAM.finditer(data):
        try:
            yield zlib.decompress(found[1])
        except zlib.error:
            pass  # a stream that is not compressed


def words(data):
    """A line a string that was drawn."""
    lines = []
    for stream in streams(data):
        for array in ARRAY.finditer(stream):
            text = b"".join(ESCAPED.sub(lambda m: LETTERS.get(m[1], m[1]), part) for part in STRING.findall(array[1]))
            lines.append(text.decode("utf-16-be", errors="replace"))
    return "\n".join(lines)
