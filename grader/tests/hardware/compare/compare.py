"""The open stages' reference solutions beside the libraries, on this machine's GPU, as a Markdown report.

    grader/tests/hardware/compare/run.sh > grader/tests/hardware/results/open_against_libraries.md

run.sh builds the library this loads. Needs PyTorch for CUDA (cuBLAS comes with it); cuTENSOR is compared with where
`pip install cutensor-cu13` has put it, or where CUTENSOR_LIBRARY names its file.

Method: random data. A sample is one call between two events, after a buffer of at least twice the L2 cache has been
overwritten, which also keeps the GPU busy while the call is queued. All are sampled in turn (A B C A B C ...), so that
clocks and temperature are the same for all. Outputs are poisoned before and compared after the first and the last
sample, bit by bit for a transpose. Exit code 1 if one was wrong.
"""

import argparse
import ctypes
import datetime
import hashlib
import pathlib
import statistics
import subprocess
import sys

import torch

ROOT = pathlib.Path(__file__).resolve().parents[4]
SOLUTIONS = ("solutions/transpose/8_open.cu", "solutions/reduction/7_open.cu", "solutions/scan/5_open.cu",
             "solutions/histogram/4_open.cu", "solutions/matmul/4_open.cu")

SHAPES = [
    ("aligned", 1024, 1024), ("aligned", 4096, 4096), ("aligned", 8192, 8192), ("aligned", 16384, 16384),
    ("aligned", 12288, 20480), ("aligned", 40000, 8000),
    ("odd", 1023, 1025), ("odd", 4093, 4099), ("odd", 8191, 8193), ("odd", 8192, 8193), ("odd", 8193, 8192),
    ("odd", 8196, 8196), ("odd", 8200, 8200), ("odd", 16383, 16417),
    ("thin, aligned", 100, 1000000), ("thin, aligned", 1000000, 100), ("thin, aligned", 32, 4194304),
    ("thin, aligned", 4194304, 32), ("thin, aligned", 1000, 300000), ("thin, aligned", 300000, 1000),
    ("thin, odd", 4194304, 33), ("thin, odd", 33, 4194304), ("thin, odd", 250, 1000001), ("thin, odd", 1000001, 250),
    ("thin, odd", 100, 1000001), ("thin, odd", 1000001, 100), ("thin, odd", 333, 777777), ("thin, odd", 777777, 333),
    ("thin, odd", 65, 3000001), ("thin, odd", 48, 3000001), ("thin, odd", 16, 8000001), ("thin, odd", 8000001, 16),
    ("thin, odd", 3, 50000000), ("thin, odd", 50000000, 3), ("thin, odd", 2, 80000001), ("thin, odd", 80000001, 2),
    ("line", 1, 100000001), ("line", 100000001, 1),
]
MISALIGNED = [(8192, 8192), (8191, 8193), (100, 1000000), (1000000, 100), (33, 100003), (100003, 33), (1, 1000003),
              (50000, 3), (31, 37)]
SCANS = [2**k for k in range(12, 29, 4)] + [2**25, 1000003, 100000007]
HISTOGRAMS = [(n, skew) for n in (2**16, 2**20, 2**24, 2**28, 100000007) for skew in (0, 90)] + [(2**28, 100)]
PRODUCTS = [(512, 512, 512), (1024, 1024, 1024), (2048, 2048, 256), (2047, 2049, 255), (2048, 2048, 2048),
            (4096, 4096, 4096), (4095, 4097, 4093), (8192, 8192, 8192), (64, 8192, 1024), (8192, 64, 1024)]
STAGES = ("naive", "tile", "register_tile", "open")
SIZES = [2**k for k in range(10, 31, 2)] + [2**11, 2**13, 2**29, 1000, 1000003, 100000007, 2**30 - 257]
SIZES = [(n, 0) for n in sorted(SIZES)] + [(2**20, 1), (2**26, 1), (2**30 - 257, 1)]


def library(path):
    lib = ctypes.CDLL(str(path))
    p, size = ctypes.c_void_p, ctypes.c_size_t
    lib.open_transpose.argtypes = [p, p, ctypes.c_int, ctypes.c_int]
    lib.open_reduce.argtypes = [p, size, p, p]
    lib.copy_by_float4.argtypes = lib.copy_by_memcpy.argtypes = [p, p, size]
    lib.cub_sum.argtypes = [p, ctypes.POINTER(size), p, p, size]
    lib.open_scan.argtypes = [p, p, p, ctypes.c_int]
    lib.open_histogram.argtypes = [p, p, ctypes.c_int]
    lib.matmul.argtypes = [ctypes.c_int, p, p, p, ctypes.c_int, ctypes.c_int, ctypes.c_int]
    lib.cub_scan.argtypes = lib.cub_histogram.argtypes = [p, ctypes.POINTER(size), p, p, ctypes.c_int]
    return lib


def checked(what, status):
    if status != 0:
        raise RuntimeError(f"{what} failed with status {status}")


class Cublas:
    """cublasSgeam: C = alpha op(A) + beta op(B), and cublasSgemm: C = alpha op(A) op(B) + beta C, column-major."""

    def __init__(self):
        self.lib = ctypes.CDLL("libcublas.so." + torch.version.cuda.split(".")[0])
        self.handle = ctypes.c_void_p()
        checked("cublasCreate", self.lib.cublasCreate_v2(ctypes.byref(self.handle)))
        version = ctypes.c_int()
        self.lib.cublasGetVersion_v2(self.handle, ctypes.byref(version))
        self.version = version.value
        self.one, self.zero = ctypes.c_float(1), ctypes.c_float(0)

    def transpose(self, source, target, rows, cols):
        p = ctypes.c_void_p
        checked("cublasSgeam", self.lib.cublasSgeam(
            self.handle, 1, 0, rows, cols, ctypes.byref(self.one), p(source), cols,
            ctypes.byref(self.zero), p(target), rows, p(target), rows))


    def product(self, a, b, c, rows, cols, depth):
        """Row-major c = a b, which is the column-major product of b and a; float32 throughout, no TF32."""
        p = ctypes.c_void_p
        checked("cublasSetMathMode", self.lib.cublasSetMathMode(self.handle, 2))  # CUBLAS_PEDANTIC_MATH
        checked("cublasSgemm", self.lib.cublasSgemm_v2(
            self.handle, 0, 0, cols, rows, depth, ctypes.byref(self.one), p(b), cols, p(a), depth,
            ctypes.byref(self.zero), p(c), cols))


class Cutensor:
    """cutensorPermute with a plan for each shape; planning is not timed."""

    def __init__(self, path):
        self.lib = ctypes.CDLL(path)
        self.handle = ctypes.c_void_p()
        checked("cutensorCreate", self.lib.cutensorCreate(ctypes.byref(self.handle)))
        self.lib.cutensorGetVersion.restype = ctypes.c_size_t
        self.version = self.lib.cutensorGetVersion()
        self.one = ctypes.c_float(1)

    def tensor(self, extents, strides):
        descriptor = ctypes.c_void_p()
        array = ctypes.c_int64 * 2
        checked("cutensorCreateTensorDescriptor", self.lib.cutensorCreateTensorDescriptor(
            self.handle, ctypes.byref(descriptor), ctypes.c_uint32(2), array(*extents), array(*strides), 0,
            ctypes.c_uint32(256)))
        return descriptor

    def plan(self, rows, cols):
        modes = (ctypes.c_int32 * 2)(0, 1)  # row and column of the input
        single = ctypes.c_void_p.in_dll(self.lib, "CUTENSOR_COMPUTE_DESC_32F")
        operation, preference, plan = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
        checked("cutensorCreatePermutation", self.lib.cutensorCreatePermutation(
            self.handle, ctypes.byref(operation), self.tensor((rows, cols), (cols, 1)), modes, 1,
            self.tensor((rows, cols), (1, rows)), modes, single))
        checked("cutensorCreatePlanPreference", self.lib.cutensorCreatePlanPreference(
            self.handle, ctypes.byref(preference), -1, 0))
        checked("cutensorCreatePlan", self.lib.cutensorCreatePlan(
            self.handle, ctypes.byref(plan), operation, preference, ctypes.c_uint64(0)))
        return plan

    def transpose(self, plan, source, target):
        p = ctypes.c_void_p
        checked("cutensorPermute", self.lib.cutensorPermute(
            self.handle, plan, ctypes.byref(self.one), p(source), p(target), p(0)))


def find_cutensor(named):
    """The loaded library, or None and why not."""
    candidates = [named] if named else []
    candidates += [str(path) for place in sys.path
                   for path in pathlib.Path(place).glob("cutensor/lib/libcutensor.so.2")]
    reasons = []
    for candidate in candidates + ["libcutensor.so.2"]:
        try:
            return Cutensor(candidate), ""
        except (OSError, RuntimeError, AttributeError) as reason:
            reasons.append(str(reason))
    return None, reasons[0]


class Sampler:
    def __init__(self):
        l2 = torch.cuda.get_device_properties(0).L2_cache_size
        self.flush = torch.empty(max(2 * l2, 256 << 20), dtype=torch.uint8, device="cuda")
        for _ in range(300):  # some 20 ms: clocks go up
            self.flush.fill_(1)

    def sample(self, calls, samples, before=None, after=None):
        """Seconds of each call, in turn. `before` and `after` see each sample's name and number."""
        seconds = {name: [] for name in calls}
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        for number in range(samples):
            for name, call in calls.items():
                if before:
                    before(name, number)
                self.flush.fill_(number)
                begin.record()
                result = call()
                end.record()
                end.synchronize()
                seconds[name].append(begin.elapsed_time(end) / 1e3)
                if after:
                    after(name, number, result)
                del result
        return seconds


def median_and_iqr(values):
    quartiles = statistics.quantiles(values, n=4)
    return statistics.median(values), quartiles[2] - quartiles[0]


class Report:
    def __init__(self):
        self.wrong = []

    def table(self, head, rows):
        print("| " + " | ".join(head) + " |")
        print("|" + "|".join(["---"] + ["--:"] * (len(head) - 1)) + "|")
        for row in rows:
            print("| " + " | ".join(row) + " |")
        print(flush=True)


def transposes(lib, cublas, cutensor, sampler, report, samples):
    rows_of_table = []
    shares = {}
    for kind, rows, cols in SHAPES:
        n = rows * cols
        source = torch.randn(n, device="cuda")
        matrix = source.view(rows, cols)
        target = torch.empty_like(source)
        a, b = source.data_ptr(), target.data_ptr()
        calls = {
            "memcpy": lambda: checked("cudaMemcpyAsync", lib.copy_by_memcpy(a, b, n)),
            "float4": lambda: checked("the copy", lib.copy_by_float4(a, b, n)),
            "open": lambda: checked("transpose/open", lib.open_transpose(a, b, rows, cols)),
            "cuBLAS": lambda: cublas.transpose(a, b, rows, cols),
            # What .contiguous() does, also for a single row, which it would return as it is.
            "PyTorch": lambda: matrix.t().clone(memory_format=torch.contiguous_format),
        }
        if cutensor:
            plan = cutensor.plan(rows, cols)
            calls["cuTENSOR"] = lambda: cutensor.transpose(plan, a, b)

        def before(name, number):
            if number in (0, samples - 1):
                target.fill_(float("nan"))
                torch.full_like(target, float("nan"))  # freed at once: what PyTorch allocates next

        def after(name, number, result):
            if number not in (0, samples - 1):
                return
            written = (result if result is not None else target).view(torch.int32)
            expected = source.view(torch.int32)
            if name not in ("memcpy", "float4"):
                written = written.view(cols, rows).t()
                expected = expected.view(rows, cols)
            if not torch.equal(written, expected):
                report.wrong.append(f"{name} at {rows} x {cols}")

        seconds = sampler.sample(calls, samples, before, after)
        rate, spread = {}, {}
        for name, values in seconds.items():
            median, iqr = median_and_iqr(values)
            rate[name] = 8 * n / median / 1e9
            spread[name] = 100 * iqr / median
        copy = max(rate["memcpy"], rate["float4"])
        rivals = [name for name in ("cuBLAS", "cuTENSOR", "PyTorch") if name in rate]
        best = max(rivals, key=rate.get)
        shares.setdefault(kind, []).append(rate["open"] / copy)

        def cell(name):
            return f"{rate[name]:.0f} ({spread[name]:.1f})" if name in rate else "-"

        rows_of_table.append([f"{rows} x {cols}", kind, cell("memcpy"), cell("float4"), f"**{cell('open')}**",
                              f"**{100 * rate['open'] / copy:.1f} %**", cell("cuBLAS"), cell("cuTENSOR"),
                              cell("PyTorch"), f"{rate['open'] / rate[best]:.2f} x {best}"])
        del source, matrix, target
    print("## Transpose, float32\n")
    print("GB/s, bytes read and bytes written, and in brackets the interquartile range in percent of the time. Share of")
    print("the copy: of the faster of the two copies of the same number of bytes in the same run.\n")
    report.table(["shape", "class", "memcpy", "float4 copy", "open", "share of the copy", "cuBLAS geam", "cuTENSOR",
                  "PyTorch", "open / best library"], rows_of_table)
    print("Share of the copy by class, lowest to highest: " + "; ".join(
        f"{kind} {100 * min(values):.1f} to {100 * max(values):.1f} %" for kind, values in shares.items()) + ".\n")


def misaligned_transposes(lib, report):
    """Both pointers one element past alignment, then one of them; guard words on both sides stay as they were."""
    count = 0
    for rows, cols in MISALIGNED:
        n = rows * cols
        for in_offset, out_offset in ((1, 1), (1, 0), (0, 1), (3, 2)):
            source = torch.randn(n + 8, device="cuda")
            target = torch.full((n + 8,), -1.0, device="cuda")
            checked("transpose/open", lib.open_transpose(source.data_ptr() + 4 * in_offset,
                                                         target.data_ptr() + 4 * out_offset, rows, cols))
            part = source[in_offset:in_offset + n].view(rows, cols)
            expected = torch.full((n + 8,), -1.0, device="cuda")
            expected[out_offset:out_offset + n] = part.t().reshape(-1)
            count += 1
            if not torch.equal(expected, target):
                report.wrong.append(f"open at {rows} x {cols}, bases {4 * in_offset} and {4 * out_offset} bytes off")
    print(f"Buffers 4, 8 and 12 bytes past alignment: {count} cases of {len(MISALIGNED)} shapes checked, "
          "guard words included.\n")


def reductions(lib, sampler, report, samples):
    rows_of_table = []
    for n, offset in SIZES:
        source = torch.rand(n + offset, device="cuda")[offset:] - 0.25
        if offset:  # the subtraction has made an aligned tensor
            base = torch.empty(n + offset, device="cuda")
            base[offset:] = source
            source = base[offset:]
        expected = source.sum(dtype=torch.float64).item()
        scratch = torch.full((n // 32 + 4096,), float("nan"), device="cuda")
        out = torch.empty(1, device="cuda")
        a, b = source.data_ptr(), out.data_ptr()
        size = ctypes.c_size_t()
        checked("cub::DeviceReduce::Sum", lib.cub_sum(None, ctypes.byref(size), a, b, n))
        workspace = torch.empty(size.value + 1, dtype=torch.uint8, device="cuda")
        calls = {
            "open": lambda: checked("reduction/open", lib.open_reduce(a, n, scratch.data_ptr(), b)),
            "CUB": lambda: checked("cub::DeviceReduce::Sum",
                                   lib.cub_sum(workspace.data_ptr(), ctypes.byref(size), a, b, n)),
            "PyTorch": lambda: torch.sum(source, dim=0, out=out[0]),
        }
        results = {name: set() for name in calls}

        def before(name, number):
            out.fill_(float("nan"))

        def after(name, number, result):
            value = out.item()
            results[name].add(value)
            # A tree of depth 40 over n positive and negative numbers of at most 0.75: far above what it may lose, far
            # below what a lost block of elements would cost.
            if not abs(value - expected) <= 1e-6 * n * 0.3125 + 1e-6:
                report.wrong.append(f"{name} at n = {n}: {value}, expected {expected}")

        count = samples if n > 2**24 else 10 * samples
        seconds = sampler.sample(calls, count, before, after)
        if len(results["open"]) != 1:
            report.wrong.append(f"open at n = {n}: {len(results['open'])} different results in {count} runs")
        time = {name: median_and_iqr(values) for name, values in seconds.items()}

        def cell(name):
            return f"{1e6 * time[name][0]:.2f} ({100 * time[name][1] / time[name][0]:.1f})"

        label = f"2^{n.bit_length() - 1}" if n & (n - 1) == 0 else str(n)
        rows_of_table.append([label + (", base + 4 bytes" if offset else ""), f"**{cell('open')}**", cell("CUB"),
                              cell("PyTorch"), f"{4 * n / time['open'][0] / 1e9:.0f}",
                              f"**{time['CUB'][0] / time['open'][0]:.3f}**", f"{len(results['open'])} in {count}"])
        del source, scratch, workspace
    print("## Reduction, float32\n")
    print("Microseconds of a whole call (all launches), and in brackets the interquartile range in percent. CUB is")
    print("`cub::DeviceReduce::Sum`, PyTorch `torch.sum`. Last column: different results in that many runs.\n")
    report.table(["n", "open", "CUB", "PyTorch", "open, GB/s read", "CUB's time / open's", "results"], rows_of_table)


def against_cub(lib, sampler, report, samples, which, source, outputs, bytes_moved, expected, label):
    """A row of a table: the open solution and CUB in turn, each output compared with `expected`."""
    n = source.numel()
    out = torch.empty(outputs, dtype=torch.int32, device="cuda")
    scratch = torch.full((n // 32 + 4096,), -1, dtype=torch.int32, device="cuda")
    a, b = source.data_ptr(), out.data_ptr()
    size = ctypes.c_size_t()
    cub = getattr(lib, f"cub_{which}")
    checked(f"CUB's {which}", cub(None, ctypes.byref(size), a, b, n))
    workspace = torch.empty(size.value + 1, dtype=torch.uint8, device="cuda")
    calls = {
        "open": (lambda: checked("scan/open", lib.open_scan(a, b, scratch.data_ptr(), n))) if which == "scan" else
                (lambda: checked("histogram/open", lib.open_histogram(a, b, n))),
        "CUB": lambda: checked(f"CUB's {which}", cub(workspace.data_ptr(), ctypes.byref(size), a, b, n)),
        "memcpy": lambda: checked("cudaMemcpyAsync", lib.copy_by_memcpy(a, copy.data_ptr(), n)),
    }
    copy = torch.empty_like(source)

    def before(name, number):
        out.fill_(-1)

    def after(name, number, result):
        if name != "memcpy" and number in (0, samples - 1) and not torch.equal(out, expected):
            report.wrong.append(f"{name} of {which} at {label}")

    seconds = sampler.sample(calls, samples, before, after)
    time = {name: median_and_iqr(values) for name, values in seconds.items()}
    cell = lambda name: f"{1e6 * time[name][0]:.2f} ({100 * time[name][1] / time[name][0]:.1f})"
    return [label, f"**{cell('open')}**", cell("CUB"), f"{bytes_moved / time['open'][0] / 1e9:.0f}",
            f"{bytes_moved / time['CUB'][0] / 1e9:.0f}", f"{8 * n / time['memcpy'][0] / 1e9:.0f}",
            f"**{time['CUB'][0] / time['open'][0]:.3f}**"]


HEAD = ["open, us", "CUB, us", "open, GB/s", "CUB, GB/s", "memcpy, GB/s", "CUB's time / open's"]


def scans(lib, sampler, report, samples):
    rows = []
    for n in SCANS:
        source = torch.randint(-2**31, 2**31, (n,), dtype=torch.int32, device="cuda")
        expected = torch.cumsum(source, 0, dtype=torch.int64).to(torch.int32)
        rows.append(against_cub(lib, sampler, report, samples, "scan", source, n, 8 * n, expected, f"n = {n}"))
    print("## Scan, inclusive, 32-bit sums\n")
    print("Microseconds of a whole call, its memset included, and in brackets the interquartile range in percent; bytes "
          "read and written. CUB is `cub::DeviceScan::InclusiveSum`.\n")
    report.table(["", *HEAD], rows)


def histograms(lib, sampler, report, samples):
    rows = []
    for n, skew in HISTOGRAMS:
        source = torch.randint(0, 256, (n,), dtype=torch.int32, device="cuda")
        source[torch.rand(n, device="cuda") < skew / 100] = 137
        expected = torch.bincount(source, minlength=256).to(torch.int32)
        rows.append(against_cub(lib, sampler, report, samples, "histogram", source, 256, 4 * n, expected, f"n = {n}, {skew} %"))
    print("## Histogram of 256 bins\n")
    print("As above; bytes read, and of `n` and the share of elements that are one and the same value. CUB is "
          "`cub::DeviceHistogram::HistogramEven` with 257 levels.\n")
    report.table(["of one value", *HEAD], rows)


def products(lib, cublas, sampler, report, samples):
    rows_of_table = []
    for rows, cols, depth in PRODUCTS:
        # As the course's inputs: every sum is exact, whatever the order of the additions.
        a = torch.randint(1, 16, (rows, depth), device="cuda").float() / 2
        b = torch.randint(1, 16, (depth, cols), device="cuda").float()
        c = torch.empty((rows, cols), device="cuda")
        expected = torch.matmul(a.double(), b.double()).float()
        pointers = (a.data_ptr(), b.data_ptr(), c.data_ptr())
        calls = {name: lambda stage=stage: checked(f"matmul/{STAGES[stage]}", lib.matmul(stage, *pointers, rows, cols, depth))
                 for stage, name in enumerate(STAGES)}
        calls["cuBLAS"] = lambda: cublas.product(*pointers, rows, cols, depth)

        def before(name, number):
            c.fill_(float("nan"))

        def after(name, number, result):
            if number in (0, samples - 1) and not torch.equal(c, expected):
                report.wrong.append(f"{name} at {rows} x {cols} x {depth}")

        seconds = sampler.sample(calls, samples, before, after)
        time = {name: median_and_iqr(values) for name, values in seconds.items()}
        flops = 2 * rows * cols * depth
        cells = [f"{flops / time[name][0] / 1e12:.2f} ({100 * time[name][1] / time[name][0]:.1f})" for name in calls]
        rows_of_table.append([f"{rows} x {cols} x {depth}", *cells,
                              f"**{time['cuBLAS'][0] / time['open'][0]:.3f}**"])
        del a, b, c, expected
    print("## Matrix product, float32\n")
    print("TFLOP/s, a multiplication and an addition for each product, and in brackets the interquartile range in percent. "
          "cuBLAS is `cublasSgemm` with `CUBLAS_PEDANTIC_MATH`: float32 throughout, without tensor cores.\n")
    report.table(["rows x cols x depth", *STAGES, "cuBLAS", "cuBLAS's time / open's"], rows_of_table)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--library", required=True, help="what run.sh has built from compare.cu")
    parser.add_argument("--cutensor", default="", help="libcutensor.so.2, if it is not where pip puts it")
    parser.add_argument("--samples", type=int, default=21)
    parser.add_argument("--only", nargs="*", default=["transpose", "reduction", "scan", "histogram", "matmul"])
    options = parser.parse_args()

    lib, cublas, report = library(options.library), Cublas(), Report()
    cutensor, why_not = find_cutensor(options.cutensor)
    driver = subprocess.run(["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"],
                            capture_output=True, text=True, check=True).stdout.split()[0]
    device = torch.cuda.get_device_properties(0)
    print("# The open stages' reference solutions against the libraries\n")
    print("Made by `grader/tests/hardware/compare/run.sh`, in one run; compare.py says how it measures.\n")
    print(f"- {datetime.date.today()}, {device.name}, driver {driver}, CUDA {torch.version.cuda}, "
          f"{device.L2_cache_size >> 20} MiB of L2")
    print(f"- PyTorch {torch.__version__}, cuBLAS {cublas.version}, " + (
        f"cuTENSOR {cutensor.version}" if cutensor else f"no cuTENSOR: {why_not}"))
    print(f"- {options.samples} samples of each (reductions up to 2^24: {10 * options.samples}), median")
    for path in SOLUTIONS:
        digest = hashlib.sha256((ROOT / path).read_bytes()).hexdigest()
        print(f"- `{path}` sha256 {digest[:16]}")
    print()

    sampler = Sampler()
    if "transpose" in options.only:
        transposes(lib, cublas, cutensor, sampler, report, options.samples)
        misaligned_transposes(lib, report)
    if "reduction" in options.only:
        reductions(lib, sampler, report, options.samples)
    if "scan" in options.only:
        scans(lib, sampler, report, options.samples)
    if "histogram" in options.only:
        histograms(lib, sampler, report, options.samples)
    if "matmul" in options.only:
        products(lib, cublas, sampler, report, options.samples)
    print("## Verified\n")
    print("Every output above was right." if not report.wrong else "Wrong:\n\n- " + "\n- ".join(report.wrong))
    return 1 if report.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
