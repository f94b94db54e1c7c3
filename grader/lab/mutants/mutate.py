"""Programs with one to three slips: a text of CUDA C++, changed at the level of its tokens. The same number makes the
same program everywhere."""
import random
import re

TOKEN = re.compile(r"""(?P<space>\s+|//[^\n]*|/\*.*?\*/)
  |(?P<line>^[ \t]*\#(?:[^\n\\]|\\.|\\\n)*)
  |(?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
  |(?P<number>0[xX][0-9a-fA-F']+[uUlL]*|(?:\d[\d']*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[uUlLfF]*)
  |(?P<name>[A-Za-z_]\w*)
  |(?P<sign><<<|>>>|<<=|>>=|->|\+\+|--|&&|\|\||::|[-+*/%&|^=!<>]=|<<|>>|.)""", re.X | re.S | re.M)

SIGNS = [["+", "-", "*", "/", "%"], ["<", "<=", ">", ">=", "==", "!="], ["<<", ">>", "&", "|", "^"], ["&&", "||"],
         ["+=", "-=", "*=", "/=", "=", "|=", "^=", "<<=", ">>="], ["++", "--"], ["(", "[", "{"], [")", "]", "}"], [",", ";", "."]]
# Where one number may be meant for another, and what comparisons and indices have trouble with.
NUMBERS = ["0", "1", "2", "4", "8", "15", "16", "31", "32", "33", "64", "255", "256", "1024", "1025", "4096", "-1", "0u", "1u",
           "0x7fffffff", "0x80000000u", "0xffffffffu", "65536", "1ull << 40", "~0ull"]
VALUES = ["__int_as_float(0x7f800000)", "__int_as_float(0xff800000)", "__int_as_float(0x7fffffff)", "-0.0f", "1e-45f", "3.4e38f",
          "-1.0f", "0.5f", "(float)clock()", "1.0f / 3"]
CALLS = ["__syncthreads();", "__syncwarp();", "return;", "break;", "continue;", "__threadfence();", "__trap();", "__nanosleep(100);"]
MASKS = ["0xffffffff", "0x0000ffff", "0xffff0000", "0", "1u << (threadIdx.x % 32)", "~(1u << (threadIdx.x % 32))", "__activemask()",
         "threadIdx.x"]
BUILT_IN = ["threadIdx.x", "threadIdx.y", "blockIdx.x", "blockIdx.y", "blockDim.x", "blockDim.y", "gridDim.x", "warpSize"]


def tokens_of(text):
    """(kind, text) of all of it, blanks and comments too."""
    return [(m.lastgroup, m.group()) for m in TOKEN.finditer(text)]


def text_of(tokens):
    return "".join(text for _, text in tokens)


class Mutation:
    def __init__(self, text, seed):
        self.random = random.Random(seed)
        self.tokens = tokens_of(text)
        self.done = []

    def places(self, *kinds):
        return [i for i, (kind, _) in enumerate(self.tokens) if kind in kinds]

    def pick(self, *kinds):
        places = self.places(*kinds)
        return self.random.choice(places) if places else None

    def other(self, choices, than):
        return self.random.choice([c for c in choices if c != than] or [than])

    def statements(self):
        """Half-open ranges of tokens that end with ; or are a block in braces, inside of functions."""
        found, opened, start, depth = [], [], None, 0
        for i, (kind, text) in enumerate(self.tokens):
            if kind in ("space", "line"):
                continue
            if start is None:
                start = i
            depth += (text in "([") - (text in ")]")
            if text == "{":
                opened.append(start)
                start = None
            elif text == "}":
                if opened:
                    first = opened.pop()
                    if opened:
                        found.append((first, i + 1))
                start = None
            elif text == ";" and depth <= 0:
                if opened:
                    found.append((start, i + 1))
                start = None
        return found

    # Each of these changes one thing and says what, or gives None.
    def delete(self):
        i = self.pick("number", "name", "sign")
        return i is not None and (f"without {self.tokens.pop(i)[1]}")

    def double(self):
        i = self.pick("number", "name", "sign")
        if i is None:
            return None
        self.tokens.insert(i, self.tokens[i])
        self.tokens.insert(i + 1, ("space", " "))
        return f"twice {self.tokens[i][1]}"

    def exchange(self):
        places = self.places("number", "name", "sign")
        if len(places) < 4:
            return None
        at = self.random.randrange(len(places) - 3)
        i, j = places[at], places[at + self.random.choice([1, 2, 2, 3])]
        self.tokens[i], self.tokens[j] = self.tokens[j], self.tokens[i]
        return f"{self.tokens[j][1]} and {self.tokens[i][1]} exchanged"

    def sign(self):
        i = self.pick("sign")
        group = next((g for g in SIGNS if i is not None and self.tokens[i][1] in g), None)
        if group is None:
            return None
        before = self.tokens[i][1]
        self.tokens[i] = ("sign", self.other(group, before))
        return f"{before} to {self.tokens[i][1]}"

    def number(self):
        i = self.pick("number")
        if i is None:
            return None
        before = self.tokens[i][1]
        near = []
        if before.isdigit():
            near = [str(int(before) + 1), str(max(0, int(before) - 1)), str(int(before) * 2), str(int(before) // 2)]
        choices = VALUES if before.endswith("f") or "." in before else NUMBERS + 3 * near
        if before.startswith("0xffff"):
            choices = MASKS
        self.tokens[i] = ("number", self.other(choices, before))
        return f"{before} to {self.tokens[i][1]}"

    def name(self):
        """Another name of the same text, one that stands near more often; or one of CUDA's."""
        i = self.pick("name")
        if i is None:
            return None
        before = self.tokens[i][1]
        near = [t for k, t in self.tokens[max(0, i - 150):i + 60] if k == "name" and t != before]
        names = near + [t for k, t in self.tokens if k == "name" and t != before][:40]
        choices = BUILT_IN if self.random.random() < 0.15 or not names else names
        self.tokens[i] = ("name", self.random.choice(choices))
        return f"{before} to {self.tokens[i][1]}"

    def value(self):
        """What is stored or added becomes a special value."""
        places = [i for i in self.places("sign") if self.tokens[i][1] in ("=", "+=")]
        if not places:
            return None
        i = self.random.choice(places)
        end = next((j for j in range(i, len(self.tokens)) if self.tokens[j][1] in (";", ")", "}")), None)
        if end is None:
            return None
        value = self.random.choice(VALUES)
        self.tokens[i + 1:end] = [("space", " "), ("number", value)]
        return f"stores {value}"

    def condition(self):
        places = [i for i in self.places("name") if self.tokens[i][1] in ("if", "while", "for")]
        if not places:
            return None
        i = self.random.choice(places)
        open_ = next((j for j in range(i, min(i + 6, len(self.tokens))) if self.tokens[j][1] == "("), None)
        if open_ is None:
            return None
        if self.tokens[i][1] == "for":
            open_ = next((j for j in range(open_, len(self.tokens)) if self.tokens[j][1] == ";"), open_)
        close, depth = open_ + 1, 1
        while close < len(self.tokens):
            text = self.tokens[close][1]
            depth += (text == "(") - (text == ")")
            if depth == 0 or (self.tokens[i][1] == "for" and text == ";"):
                break
            close += 1
        inside = text_of(self.tokens[open_ + 1:close]).strip()
        new = self.random.choice(["true", "false", f"!({inside})", f"({inside}) && threadIdx.x % 2 == 0", "threadIdx.x < 16",
                                  "blockIdx.x == 0"])
        self.tokens[open_ + 1:close] = [("number", new)]
        return f"{inside[:40]} to {new[:40]}"

    def statement(self):
        ranges = self.statements()
        if not ranges:
            return None
        first, last = self.random.choice(ranges)
        part = self.tokens[first:last]
        what = self.random.choice(["without", "without", "twice", "moved", "exchanged", "call before", "call before"])
        if what == "without":
            self.tokens[first:last] = [("sign", ";")]
        elif what == "twice":
            self.tokens[last:last] = [("space", " "), *part]
        elif what == "call before":
            call = self.random.choice(CALLS)
            self.tokens[first:first] = [("name", call), ("space", " ")]
            return f"{call} before {text_of(part)[:30]}"
        else:
            others = [r for r in ranges if r[0] >= last or r[1] <= first]
            if not others:
                return None
            begin, end = self.random.choice(others)
            if what == "moved":
                del self.tokens[first:last]
                at = begin if begin < first else begin - (last - first)
                self.tokens[at:at] = [*part, ("space", " ")]
            else:
                a, b = sorted([(first, last), (begin, end)])
                self.tokens[a[0]:b[1]] = self.tokens[b[0]:b[1]] + self.tokens[a[1]:b[0]] + self.tokens[a[0]:a[1]]
        return f"{what} {text_of(part)[:40]}"

    def index(self):
        """What stands in one pair of [ ] stands in another one as well."""
        inside = []
        for i in self.places("sign"):
            if self.tokens[i][1] == "[":
                depth, j = 1, i + 1
                while j < len(self.tokens) and depth:
                    depth += (self.tokens[j][1] == "[") - (self.tokens[j][1] == "]")
                    j += 1
                inside.append((i + 1, j - 1))
        if len(inside) < 2:
            return None
        to, source = self.random.sample(inside, 2)
        part = self.tokens[source[0]:source[1]]
        before = text_of(self.tokens[to[0]:to[1]])
        self.tokens[to[0]:to[1]] = part
        return f"[{before[:30]}] to [{text_of(part)[:30]}]"

    def run(self):
        kinds = [self.delete, self.double, self.exchange, self.sign, self.number, self.name, self.value, self.condition,
                 self.statement, self.index]
        # Most slips of tokens do not compile; those that do have more to say.
        weights = [2, 1, 2, 5, 6, 5, 3, 4, 6, 3]
        for _ in range(self.random.choice([1, 1, 2, 3])):
            for _ in range(20):
                said = self.random.choices(kinds, weights)[0]()
                if said:
                    self.done.append(" ".join(said.split()))
                    break
        return text_of(self.tokens), "; ".join(self.done)


def mutant(text, seed):
    """The text with its slips, and what they are."""
    return Mutation(text, seed).run()
