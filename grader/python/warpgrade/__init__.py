"""The course as a Python package: the command `warpgrade` (__main__.py), and `%load_ext warpgrade` in notebooks."""


def load_ipython_extension(shell):
    """`%load_ext warpgrade`; needs IPython, which nothing else here does."""
    from .magics import load

    load(shell)
