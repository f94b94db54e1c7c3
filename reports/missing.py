"""Why a section is empty, and the command that fills it."""

import shlex


def sources(result, most=3):
    """The files of the result that are timed, for a command line."""
    paths = [shlex.quote(stage.path) for stage in result.stages if stage.source and not stage.is_program]
    paths = list(dict.fromkeys(paths))
    return " ".join(paths[:most] + (["..."] if len(paths) > most else []))


def bandwidth_command(result):
    return f"./grader/warpgrade check --format json {sources(result)} > result.json"


def bench_command(result):
    return f"./grader/warpgrade bench --cpu --format json {sources(result)} > bench.json"


NEVER_TIMED = "The stages of this result are whole programs, which are not timed."


def no_bandwidth(result):
    if not sources(result):
        return NEVER_TIMED
    return ("No stage of this result has a bandwidth, measured or modelled. This command times the correct ones: "
            f"`{bandwidth_command(result)}`")


def no_sweep(result):
    if not sources(result):
        return NEVER_TIMED
    return ("This result has no bandwidths over sizes and block sizes, with the naive kernel and the CPU beside them. "
            f"This command makes them, and the report takes its file as a second argument: `{bench_command(result)}`")


def no_trace(stage):
    return ("The first warp's accesses are not in the result. This command shows them: "
            f"`./grader/warpgrade explain {shlex.quote(stage.path)}`")


def no_source(stage):
    return f"The result does not hold the text of {stage.source}, so lines are shown by number only."
