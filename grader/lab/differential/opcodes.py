"""Single PTX instructions as statements of inline assembly, from the cases of grader/tests/golden/ops: an opcode that has
a case there is in the random kernels, too."""
import glob
import os
import re

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../.."))
# By the stem of a register's name (tests/vgpu/op_case.hpp): the type of the pool, and the letter of the constraint.
STEMS = {"r": ("u32", "r"), "rd": ("u64", "l"), "rs": ("u16", "h"), "f": ("f32", "f"), "fd": ("f64", "d")}
# What names lanes needs all of them: statements.py has these. Halves have bits of their own (NaN).
COLLECTIVE = re.compile(r"^(shfl|vote|match|redux|movmatrix|activemask|elect|bar|barrier)\b")
# What the PTX manual leaves open, or ptxas 13.0 takes otherwise than the manual has it (all seen on an H200):
FIELD = re.compile(r"^bf[ei]\.")  # position and length are 0 to 255; where they add up to more, the sign is another bit
NTH = re.compile(r"^fns\.")  # the place to start from is 0 to 31; the card takes the number -2^31 for none
SET = re.compile(r"^set\.\w+\.[us]32\.")  # all ones, but ptxas takes it for 1 in what it makes of a comparison with it
# What ptxas makes of a constant, of one register twice and of the least of 16 bits: their operands and results hide from it.
HIDDEN = re.compile(r"^(lop3|slct|mad\.hi|mul\.hi)\.")
LEAST = re.compile(r"^(abs|neg)\.s16")
ONE_NAN = re.compile(r"^(abs|neg|min|max)\.")  # a NaN may come through with its bits and a new sign, or as the one NaN
REGISTER = re.compile(r"%(rd|rs|rb|fd|r|f|p)(\d+)")


class Opcode:
    def __init__(self, text):
        self.text = text
        self.name = text.split()[0]
        registers = list(dict.fromkeys(REGISTER.findall(text)))
        self.outputs, self.inputs = [], []
        statements = [part.strip() for part in text.split(";") if part.strip()]
        for statement in statements:
            operands = statement.split(None, 1)[1] if " " in statement else ""
            first = operands.split("}")[0] if operands.startswith("{") else operands.split(",")[0]
            for register in REGISTER.findall(first):
                if register not in self.outputs:
                    self.outputs.append(register)
        self.inputs = [register for register in registers if register not in self.outputs]
        self.is_usable = all(stem != "rb" for stem, _ in registers) and bool(self.outputs) and "@" not in text \
            and not re.search(r"%(?!rd\d|rs\d|fd\d|r\d|f\d|p\d)", text) and not COLLECTIVE.match(self.name)

    def kinds(self):
        """Of the outputs, then of the inputs, as types of the pool; a predicate is a u32 there."""
        kind = lambda register: "u32" if register[0] == "p" else STEMS[register[0]][0]
        return [kind(r) for r in self.outputs], [kind(r) for r in self.inputs]

    def half_format(self):
        """'f16' or 'bf16' if a result is one, alone or packed, else None."""
        part = self.name.split(".")
        kinds = [p for p in part if p in ("f16", "bf16", "f16x2", "bf16x2")]
        if not kinds or (part[0] == "cvt" and part[-2] not in kinds) or part[0] == "setp":
            return None
        return kinds[0].replace("x2", "")

    def has_any_nan(self):
        """Whether the manual leaves open what a NaN's bits become."""
        return bool(ONE_NAN.match(self.name) or self.half_format())

    def statement(self, outputs, inputs):
        """C++: `outputs` are names of variables, `inputs` expressions, of the types that kinds() tells."""
        if FIELD.match(self.name):
            inputs = [*inputs[:-2], *(f"({value} & 127u)" for value in inputs[-2:])]
        if NTH.match(self.name):
            inputs[1:] = [f"({inputs[1]} & 31u)", f"({inputs[2]} | 1u)"]
        if HIDDEN.match(self.name):
            inputs = [f"({value} * blockDim.z)" if register[0] == "r" else value for register, value in zip(self.inputs, inputs)]
        text, before, after, constraints_out, constraints_in = self.text.rstrip("; ") + ";", "", "", [], []
        number, halves = 0, []
        for register, target in zip(self.outputs, outputs):
            name = "%" + register[0] + register[1]
            if register[0] == "p":
                before += f".reg .pred q{register[1]}; "
                after += f" selp.u32 %{number}, 1, 0, q{register[1]};"
                text = re.sub(re.escape(name) + r"\b", f"q{register[1]}", text)
                constraints_out.append(f'"=r"({target})')
            elif register[0] == "rs":
                # By way of all 32 bits: what ptxas keeps in the upper half of a register behind "=h" can be anything.
                before += f".reg .b16 h{register[1]}; "
                after += f" mov.b32 %{number}, {{h{register[1]}, h{register[1]}}};"
                text = re.sub(re.escape(name) + r"\b", f"h{register[1]}", text)
                constraints_out.append(f'"=r"(h{register[1]})')
                halves.append((target, f"h{register[1]}"))
            else:
                text = re.sub(re.escape(name) + r"\b", f"@{number}", text)
                constraints_out.append(f'"=&{STEMS[register[0]][1]}"({target})'.replace("&", "&" if ";" in self.text.rstrip("; ") else ""))
            number += 1
        for register, value in zip(self.inputs, inputs):
            name = "%" + register[0] + register[1]
            if register[0] == "p":
                before += f".reg .pred q{register[1]}; setp.ne.u32 q{register[1]}, %{number}, 0; "
                text = re.sub(re.escape(name) + r"\b", f"q{register[1]}", text)
                constraints_in.append(f'"r"({value} & 1u)')
            else:
                text = re.sub(re.escape(name) + r"\b", f"@{number}", text)
                constraints_in.append(f'"{STEMS[register[0]][1]}"({value})')
            number += 1
        text = text.replace("@", "%")
        line = f'asm("{{{before}{text}{after}}}" : {", ".join(constraints_out)} : {", ".join(constraints_in)});'
        if halves:
            line = "{ " + "".join(f"unsigned {half}; " for _, half in halves) + line + \
                "".join(f" {target} = (unsigned short){f'({half} * blockDim.z)' if LEAST.match(self.name) else half};" for target, half in halves) + " }"
        if SET.match(self.name):
            line += f" {outputs[0]} *= blockDim.z;"
        return line


def read_opcodes(folder=os.path.join(ROOT, "grader/tests/golden/ops")):
    """Those that assemble and that are exactly specified, in a fixed order."""
    texts = {}
    for path in sorted(glob.glob(os.path.join(folder, "*.txt"))):
        op, is_good = None, True
        with open(path, encoding="utf-8") as file:
            for line in list(file) + ["op: end"]:
                key, _, rest = line.partition(":")
                if key == "op":
                    if op and is_good:
                        texts.setdefault(op, None)
                    elif op:
                        texts[op] = "left out"
                    op, is_good = rest.strip(), "approx" not in rest
                elif key == "near" or (key == "ptxas" and "no" in rest):
                    is_good = False
    opcodes = [Opcode(text) for text, mark in texts.items() if mark is None]
    return [opcode for opcode in opcodes if opcode.is_usable]
