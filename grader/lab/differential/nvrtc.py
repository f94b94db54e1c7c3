"""CUDA C++ to PTX by NVRTC, in this process: for generated text only, which needs no walls around it."""
import ctypes
import functools
import glob
import os

HERE = os.path.dirname(os.path.abspath(__file__))
# As the kit compiles (compile/order.cpp), but without contraction: `mul` and `add` in PTX leave it to the driver whether
# they become one fma, `mul.rn` and `add.rn` do not.
OPTIONS = ["-default-device", "-rdc=true", "-lineinfo", "-std=c++17", "-diag-suppress=177", "-diag-suppress=550",
           "-fmad=false", "-w"]


@functools.lru_cache(1)
def library():
    named = os.environ.get("WARPGRADE_NVRTC")
    places = [named] if named else []
    for toolkit in ["/usr/local/cuda", *sorted(glob.glob("/usr/local/cuda-*"), reverse=True)]:
        places += sorted(glob.glob(f"{toolkit}/lib64/libnvrtc.so.1?") + glob.glob(f"{toolkit}/targets/*/lib/libnvrtc.so.1?"))
    for place in places + ["libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"]:
        try:
            return ctypes.CDLL(place)
        except OSError:
            continue
    raise SystemExit("no NVRTC here: set WARPGRADE_NVRTC to a libnvrtc.so")


def compile_text(source, arch="compute_90", more=()):
    """The PTX. Raises ValueError with NVRTC's log."""
    nvrtc, program, size = library(), ctypes.c_void_p(), ctypes.c_size_t()
    options = [o.encode() for o in [*OPTIONS, f"-arch={arch}", *more]]
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"unit.cu", 0, None, None)
    failed = nvrtc.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options))
    what = "ProgramLog" if failed else "PTX"
    getattr(nvrtc, f"nvrtcGet{what}Size")(program, ctypes.byref(size))
    text = ctypes.create_string_buffer(size.value)
    getattr(nvrtc, f"nvrtcGet{what}")(program, text)
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    if failed:
        raise ValueError(text.value.decode())
    return text.value.decode()
