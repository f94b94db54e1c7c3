"""The commands that make a result again, from what the result says of itself."""

import shlex


def card_text(points):
    """Clocks, temperature and throttling of the card over all timings; "" where nothing is known."""
    parts = []
    for field, name, unit in (("sm_clock_mhz", "SM clock", "MHz"), ("memory_clock_mhz", "memory clock", "MHz"),
                              ("temperature_c", "temperature", "\N{DEGREE SIGN}C")):
        values = [getattr(point, field) for point in points if getattr(point, field)]
        if values:
            low, high = min(values), max(values)
            parts.append(f"{name} {low:g}{'' if low == high else f' to {high:g}'} {unit}")
    throttled = sorted({reason for point in points for reason in point.throttled_by or []})
    if parts:
        parts.append("slowed down by " + ", ".join(throttled) if throttled else "not slowed down")
    return ", ".join(parts)


def is_of_checkout(result):
    """Whether who made the result had the kit as a clone, and who reads it has. A student's kit has no history."""
    return bool(result.tool.get("git")) and not result.is_without_seed


def replay_words(result):
    """What the commands are for, and where they work."""
    aim = "To check the same files on other shapes" if result.is_without_seed else "To make it again"
    return f"{aim}, in {'a checkout' if is_of_checkout(result) else 'the folder'} of the kit:"


def replay_commands(result):
    """Lines for a shell."""
    commands = []
    if is_of_checkout(result):
        commands.append(f"git checkout {shlex.quote(str(result.tool['git']))}")
    sources = list(dict.fromkeys(stage.path for stage in result.stages if stage.source))
    if not sources:
        return commands
    parts = ["./grader/warpgrade", "check", "--format", "json"]
    if not result.is_without_seed:
        parts += ["--seed", str(result.seed or 0)]
    parts += ["--device", str(result.device.get("kind") or "auto")]
    if result.device.get("profile"):
        parts += ["--profile", str(result.device["profile"])]
    commands.append(" ".join(map(shlex.quote, parts)) + " \\")
    commands += [f"    {shlex.quote(source)} \\" for source in sources]
    commands.append("    > result.json")
    commands.append("./grader/warpgrade report result.json --out report")
    return commands
