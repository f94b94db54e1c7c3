"""Why a section is empty, and the command that fills it."""

import shlex


def sources(result, most=3):
    """The files of the result that are timed, for a command line."""
    paths = [shlex.quote(stage.path) for stage in result.stages if stage.source and not stage.is_program]
    paths = list(dict.fromkeys(paths))
    return " ".join(paths[:most] + (["..."] if len(paths) > most else []))


def command(verb, stage, *options):
    """What shows more of a stage: with --stage where the file's name and folder do not tell it. A program of no stage is
    run, with the arguments that it had."""
    if stage.is_own_program:
        verb = "run" if verb == "check" else verb
        options = ["--", *stage.arguments] if stage.arguments else []
    elif not stage.is_named_by_path:
        options = ["--stage", stage.name, *options]
    return " ".join(["./grader/warpgrade", verb, shlex.quote(stage.path), *map(shlex.quote, options)])


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
            f"`{command('explain', stage)}`")


def no_source(stage):
    return f"The result does not hold the text of {stage.source}, so lines are shown by number only."
