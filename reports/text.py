"""Numbers, shapes and times as a reader sees them, in pages, figures and PDF alike."""

import re

THIN_SPACE = "\N{NARROW NO-BREAK SPACE}"
TIMES = "\N{MULTIPLICATION SIGN}"
DASH = "\N{EN DASH}"
# What shows nothing, reorders what follows or is no character: the table `hidden` of grader/base/characters.cpp (tests/test_text.py
# compares them).
HIDDEN = ((0x00AD, 0x00AD), (0x034F, 0x034F), (0x061C, 0x061C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F),
          (0x200B, 0x200F), (0x2028, 0x202E), (0x2060, 0x206F), (0x2800, 0x2800), (0x3164, 0x3164), (0xFDD0, 0xFDEF),
          (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFB), (0xFFFE, 0xFFFF), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A),
          (0x1FFFE, 0x1FFFF), (0x2FFFE, 0x2FFFF), (0x3FFFE, 0xEFFFF), (0xFFFFE, 0xFFFFF), (0x10FFFE, 0x10FFFF))
CONTROLS = ((0x00, 0x08), (0x0B, 0x1F), (0x7F, 0x9F), (0xD800, 0xDFFF))  # but line breaks and tabs; and surrogates
NOT_SHOWN = re.compile("[" + "".join(f"{chr(a)}-{chr(b)}" for a, b in CONTROLS + HIDDEN) + "]")


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def arguments_text(shape):
    """[1000, 256], of a run of a whole program -> "1000 256"."""
    return " ".join(str(part) for part in shape) if isinstance(shape, (list, tuple)) else shape


def shape_text(shape):
    """[33, 65] and "33x65" -> "33 x 65", with the sign for times."""
    if isinstance(shape, str):
        parts = shape.replace(" ", "").split("x")
        return f" {TIMES} ".join(parts) if all(part.isdigit() for part in parts) else shape
    if not isinstance(shape, (list, tuple)):
        return number_text(shape)
    return f" {TIMES} ".join(number_text(part) if len(shape) == 1 else str(part) for part in shape)


def number_text(value):
    """Counts in full, ratios with three digits, nothing as a dash."""
    if value is None or str(value) == "":  # None, or a key that the JSON lacks
        return DASH
    if not is_number(value):
        return str(value)
    if float(value).is_integer():
        return f"{int(value):,}".replace(",", THIN_SPACE)
    return f"{value:.3g}"


def points_text(value):
    """Marks to a hundredth: 7, 0.47."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def rate_text(value):
    """GB/s: whole from 100 on, else three digits."""
    return f"{value:.0f}" if is_number(value) and value >= 100 else number_text(value)


def percent_text(fraction):
    """0.873 -> "87 %"; below 10 % with one digit more."""
    if not is_number(fraction):
        return DASH
    percent = 100 * fraction
    return f"{percent:.1f}{THIN_SPACE}%" if 0 < abs(percent) < 9.95 else f"{percent:.0f}{THIN_SPACE}%"


def factor_text(value):
    """A speed-up: 12.3 x."""
    if not is_number(value):
        return DASH
    return f"{value:.0f}{THIN_SPACE}{TIMES}" if value >= 99.5 else f"{value:.3g}{THIN_SPACE}{TIMES}"


def scaled_text(value, unit, factor=1000):
    """1.3e9 -> "1.3 G" + unit."""
    if not is_number(value):
        return DASH
    prefixes = ["", "k", "M", "G", "T", "P"]
    while abs(value) >= 0.9995 * factor and len(prefixes) > 1:
        value /= factor
        prefixes.pop(0)
    return f"{value:.3g}{THIN_SPACE}{prefixes[0]}{unit}"


def seconds_text(value):
    if not is_number(value):
        return DASH
    for scale, unit in ((1, "s"), (1e-3, "ms"), (1e-6, "\N{MICRO SIGN}s")):
        if abs(value) >= scale:
            return f"{value / scale:.3g}{THIN_SPACE}{unit}"
    return f"{value / 1e-9:.3g}{THIN_SPACE}ns"


def counted(number, one, many=None):
    """counted(1, "file") -> "1 file"; counted(3, "class", "classes") -> "3 classes"."""
    return f"{number_text(number)} {one if number == 1 else many or one + 's'}"


def joined(words):
    """["a", "b", "c"] -> "a, b and c"."""
    words = list(words)
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1] if words else ""


def printable(text):
    """What steers a terminal, hides or reorders text must not reach one, a page or a font."""
    return NOT_SHOWN.sub("\N{REPLACEMENT CHARACTER}", str(text)).replace("\t", " ")


def cut(text, most):
    """At most `most` characters of one line."""
    text = text.replace("\n", " ")
    return text if len(text) <= most else text[:most - 1].rstrip() + "\N{HORIZONTAL ELLIPSIS}"
