"""TeX formulas in words, for those who hear them: what a person would say who reads one out."""

import re

# What a piece of TeX is called, in this order: what is within goes before what is around it.
WORDS = (
    (r"(\d)([A-Z])([A-Z])", r"\1 \2 \3"),  # letters side by side are a product
    (r"(\d)([A-Za-z])\b", r"\1 \2"),
    (r"([A-Za-z]{2,})/s\b", r"\1 a second"),
    (r"\\(?:mathrm|text)\{([^{}]*)\}", r"\1"),
    (r"(\d)\\,(?=\d)", r"\1"),  # a thin space within a number
    (r",?\\q?quad", ", "),
    (r"\\[ ,;]", " "),
    (r"\^\{-(\w+)\}", r" to the power of minus \1 "),
    (r"\^(?:\{(\w+)\}|(\w))", r" to the power of \1\2 "),
    (r"\\frac\{([^{}]*)\}\{([^{}]*)\}", r" \1, divided by \2, "),
    (r"\\log_(\w)", r"the logarithm to base \1 of "),
    (r"\\sum_(\w)", r"the sum over \1 of "),
    (r"\\lfloor([^\\]*)\\rfloor", r"\1 rounded down"),
    (r"\|([^|]*)\|", r"the size of \1 "),
    (r"_(\w)", r" \1 "),
    (r"\\cdot|\\times", " times "),
    (r"\\leq", " is at most "),
    (r"\\approx", " is about "),
    (r"\\oplus", " exclusive or "),
    (r"\\bmod", " modulo "),
    (r"\\ldots", " and so on "),
    (r"=", " equals "),
    (r"<", " is less than "),
    (r"/", " over "),
    (r" - ", " minus "),
    (r"\+", " plus "),
)


def spoken(tex):
    words = " ".join(tex.split())
    for pattern, said in WORDS:
        words = re.sub(pattern, said, words)
    return re.sub(r"\s+([,.)])", r"\1", re.sub(r"\(\s+", "(", " ".join(words.split()))).strip(" .,")
