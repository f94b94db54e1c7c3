"""Bandwidth: of a stage in result JSON, and the points of bench JSON ("warpgrade.bench/1")."""

from reports.places import shown

SCHEMA = "warpgrade.bench/1"
CLASSES = ("aligned", "odd", "thin", "small")


class Point:
    """One kernel on one shape. Keys that the JSON lacks are None here; nothing is made up."""

    FIELDS = ("class", "threads", "seconds", "iqr_seconds", "samples", "gb_per_s", "copy_gb_per_s",
              "reference_gb_per_s", "naive_gb_per_s", "cpu_gb_per_s", "elements_per_s", "limiter", "detail",
              "reference_origin", "sm_clock_mhz", "memory_clock_mhz", "temperature_c", "throttled_by")

    def __init__(self, data):
        self.data = data
        self.origin = data.get("origin") or "measured"
        self.shape = shape_list(data.get("shape"))
        self.verdict = data.get("verdict") or "ok"
        for field in self.FIELDS:
            setattr(self, "shape_class" if field == "class" else field, data.get(field))

    @property
    def is_usable(self):
        """What physics rules out is shown to a person, and what was not timed has no bandwidth: neither is drawn."""
        return bool(self.gb_per_s) and self.verdict in ("ok", "noisy")

    @property
    def share_of_copy(self):
        return self.data.get("share_of_copy") or over(self.gb_per_s, self.copy_gb_per_s)

    @property
    def yardstick(self):
        """What `copy_gb_per_s` is of, in words."""
        return "FMA loop" if self.data.get("yardstick") == "compute" else "copy"

    @property
    def unit(self):
        return "TFLOP/s" if self.yardstick == "FMA loop" else "GB/s"

    def in_unit(self, gb_per_s):
        """A rate of this shape in `unit`: bytes and operations of a shape are proportional."""
        if self.unit == "GB/s" or not gb_per_s:
            return gb_per_s
        return gb_per_s * (over(self.data.get("gflop_per_s"), self.gb_per_s) or 0) / 1e3

    @property
    def rate(self):
        return self.in_unit(self.gb_per_s)

    @property
    def share_of_reference(self):
        return self.data.get("share_of_reference") or over(self.gb_per_s, self.reference_gb_per_s)

    @property
    def interval(self):
        """Ends of the 95 % interval in `unit`; None where the result has none."""
        low, high = self.data.get("share_interval") or (0, 0)
        reference = self.in_unit(self.reference_gb_per_s)
        return (low * reference, high * reference) if high and reference else None

    @property
    def speedup_over_naive(self):
        return self.data.get("speedup_over_naive") or over(self.gb_per_s, self.naive_gb_per_s)

    @property
    def speedup_over_cpu(self):
        return self.data.get("speedup_over_cpu") or over(self.gb_per_s, self.cpu_gb_per_s)

    @property
    def elements(self):
        """Of the shape, as the problem counts them; its extents need not be factors."""
        if self.data.get("elements"):
            return self.data["elements"]
        return round(self.elements_per_s * self.seconds) if self.elements_per_s and self.seconds else None

    @property
    def element_rate(self):
        return self.elements_per_s or over(self.elements, self.seconds)

    @property
    def bytes_an_element(self):
        """That the problem must move, and `gb_per_s` counts."""
        return self.data.get("bytes_an_element") or over(self.gb_per_s and self.seconds and self.gb_per_s * 1e9 * self.seconds, self.elements)

    @property
    def spread(self):
        """Interquartile range over the median."""
        return over(self.iqr_seconds, self.seconds)


def shape_list(shape):
    """[8192, 8192], "8192x8192" and 67108864 are shapes; anything else is none."""
    if isinstance(shape, str):
        parts = shape.replace("\N{MULTIPLICATION SIGN}", "x").replace(" ", "").split("x")
        return [int(part) for part in parts] if all(part.isdigit() for part in parts) else []
    if isinstance(shape, int):
        return [shape]
    return [int(part) for part in shape] if isinstance(shape, list) else []


def over(above, below):
    return above / below if above and below else None


def merge(result, documents):
    """Adds bench points and traces to the result's stages: by assignment and stage, and the file's hash if both say it.

    Returns sentences about what did not fit, which the report repeats.
    """
    complaints = []
    for path, data in documents:
        key = "sweep" if data.get("schema") == SCHEMA else "trace"
        for part in data.get("stages") or []:
            points = part.get("points") if key == "sweep" else part.get("trace")
            name = f"{part.get('assignment')}/{part.get('stage')}"
            if not points:
                if key == "sweep":
                    complaints.append(f"{shown(path)}: nothing of {name} was timed")
                continue
            same = [stage for stage in result.stages
                    if (stage.assignment, stage.id) == (part.get("assignment"), part.get("stage"))]
            fitting = [stage for stage in same
                       if not stage.sha256 or not part.get("sha256") or stage.sha256 == part["sha256"]]
            for stage in fitting:
                stage.add(key, points)
            if not fitting:
                complaints.append(f"{shown(path)}: {name} is " + ("of another version of the file" if same else
                                                           "not in the result"))
    result.left_out += complaints
    return complaints
