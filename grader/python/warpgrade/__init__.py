"""The course as a Python package: the command `warpgrade` (__main__.py), and `%load_ext warpgrade` in notebooks."""
