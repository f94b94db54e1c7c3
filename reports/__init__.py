"""Figures and pages from result JSON ("warpgrade.result/1"), and from nothing else.

Everything that comes from a submission (messages, kernel names, paths) is data: the templates escape it.
"""
