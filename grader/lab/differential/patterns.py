"""Ways in which threads hand values to each other, each with the edges that order it. With all edges it is clean by the
PTX memory model; without one of them it has a race.

A pattern is C++ with places {NAME} for its edges; each edge has forms that order and forms that do not. Names in the text:
t (of the thread in its block), lane, b (block), T, G (threads of a block, blocks), v (a value), r (what is read), k (an
odd constant), d (an array in global memory, G * T words), c (32 words of __device__, zero at the start), S (shared
words, 2 * T); N is the number of the phase, for names of its own.
"""

BLOCK = (["__syncthreads();", "__syncthreads();", 'asm volatile("barrier.sync 0;" ::: "memory");',
          "if (__syncthreads_or(0)) r += 1;"],
         ["", "", "__syncwarp();", "__threadfence_block();", "__threadfence();"])
WARP = (["__syncwarp();", "__syncthreads();"], ["", "__threadfence_block();", "r += __shfl_xor_sync(0xffffffffu, v, 1);"])
FENCE_BLOCK = (["__threadfence_block();", "__threadfence();"], [""])
FENCE_GRID = (["__threadfence();", "__threadfence_system();", 'asm volatile("fence.acq_rel.gpu;" ::: "memory");'],
              ["", "__threadfence_block();", 'asm volatile("fence.acq_rel.cta;" ::: "memory");'])
SET_FLAG = (["atomicExch({f}, 1u);", "atomicAdd({f}, 1u);", "atomicCAS({f}, 0u, 1u);"], ["atomicExch_block({f}, 1u);"])
GET_FLAG = (["atomicAdd({f}, 0u)", "atomicCAS({f}, 1u, 1u)", "*(volatile unsigned*)({f})"], ["atomicAdd_block({f}, 0u)"])


def flag(forms, place):
    return tuple([text.replace("{f}", place) for text in group] for group in forms)


SHARED = {
    "exchange": ("S[t] = v;\n{A}\nr += S[(t + 32 + k) % T];", {"A": BLOCK}),
    "warp_exchange": ("S[t] = v;\n{A}\nr += S[t ^ {X}];", {"A": WARP}),
    "overwritten": ("S[t] = v;\n__syncthreads();\nr += S[(t + 33) % T];\n{A}\nS[t] = v + 1;", {"A": BLOCK}),
    "tree": ("S[t] = v;\n{A}\nfor (unsigned h = T / 2; h > 0; h /= 2) {\n    if (t < h) S[t] += S[t + h];\n    {B}\n}\nr += S[0];",
             {"A": BLOCK, "B": BLOCK}),
    "two_buffers": ("for (int i = 0; i < 5; ++i) {\n    S[{A} * T + t] = v + i;\n    __syncthreads();\n    r += S[{A} * T + (t + 32 + k) % T];\n}",
                    {"A": (["(i & 1)", "(i + 1) % 2"], ["0", "(i >> 1 & 1)"])}),
    "broadcast": ("if (t == k) S[0] = v;\n{A}\nr += S[0];\n{B}\nif (t == T - 1) S[0] = v * 3;\n{C}\nr ^= S[0];",
                  {"A": BLOCK, "B": BLOCK, "C": BLOCK}),
    "counter": ("if (t == 0) S[0] = 0;\n{A}\natomicAdd(&S[0], v);\n{B}\nr += S[0];", {"A": BLOCK, "B": BLOCK}),
    "bytes": ("((unsigned char*)S)[t] = v;\nr += ((unsigned char*)S)[{A}];", {"A": (["t"], ["(t + 1) % T", "(t + 40) % T"])}),
    "flag": ("if (t == 0) S[1] = 0;\n__syncthreads();\nif (t == 0) {\n    S[0] = v;\n    {A}\n    {F}\n}\n"
             "if (t == 32) {\n    while ({Q} == 0) {\n    }\n    {B}\n    r += S[0];\n}\n__syncthreads();",
             {"A": FENCE_BLOCK, "B": FENCE_BLOCK, "F": (["atomicExch(&S[1], 1u);", "*(volatile unsigned*)&S[1] = 1;"], []),
              "Q": (["atomicAdd(&S[1], 0u)", "*(volatile unsigned*)&S[1]"], [])}),
    "lock": ("if (t == 0) S[0] = S[1] = 0;\n__syncthreads();\nif (lane == 0) {\n    while ({L}) {\n    }\n    {A}\n    S[1] += v;\n    {B}\n"
             "    {U}\n}\n__syncthreads();\nr += S[1];",
             {"A": FENCE_BLOCK, "B": FENCE_BLOCK, "L": (["atomicCAS(&S[0], 0u, 1u) != 0", "atomicExch(&S[0], 1u) != 0"], ["false"]),
              "U": (["atomicExch(&S[0], 0u);"], [])}),
    "named_barrier": ("if (t < 64) {\n    S[t] = v;\n    {A}\n    r += S[t ^ 32];\n}\n__syncthreads();",
                      {"A": (['asm volatile("barrier.sync 1, 64;" ::: "memory");'], ["", "__syncwarp();"])}),
    "arrive": ("if (t < 32) {\n    S[t] = v;\n    {A}\n} else if (t < 64) {\n    {B}\n    r += S[t - 32];\n}\n__syncthreads();",
               {"AB": ((['asm volatile("barrier.arrive 2, 64;" ::: "memory");', 'asm volatile("barrier.sync 2, 64;" ::: "memory");'],
                        ['asm volatile("barrier.sync 3, 32;" ::: "memory");', ""]))}),
    "halves": ("S[t] = v;\n__syncwarp(lane < 16 ? 0xffffu : 0xffff0000u);\nr += S[t ^ {A}];", {"A": (["1", "8", "15"], ["16", "17"])}),
    "async_copy": ('asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\\n\\tcp.async.commit_group;" :: "r"((unsigned)__cvta_generic_to_shared(&S[t])), '
                   '"l"(in + b * T + t) : "memory");\n{W}\n{A}\nr += S[(t + 32 + k) % T];',
                   {"W": (['asm volatile("cp.async.wait_group 0;" ::: "memory");', 'asm volatile("cp.async.wait_all;" ::: "memory");'],
                          ["", 'asm volatile("cp.async.wait_group 1;" ::: "memory");']), "A": BLOCK}),
}
GLOBAL = {
    "through_global": ("d[b * T + t] = v;\n{A}\nr += d[b * T + (t + 32 + k) % T];", {"A": BLOCK}),
    "warp_through_global": ("d[b * T + t] = v;\n{A}\nr += d[b * T + (t ^ {X})];", {"A": WARP}),
    "last_block": ("if (t == 0) d[b] = v;\n__shared__ bool is_last_N;\nif (t == 0) {\n    {A}\n    is_last_N = {T} == G - 1;\n}\n__syncthreads();\n"
                   "if (is_last_N) {\n    {B}\n    for (unsigned i = 0; i < G; ++i) r += d[i];\n}",
                   {"A": FENCE_GRID, "B": FENCE_GRID, "T": (["atomicAdd(&c[0], 1u)", "atomicInc(&c[0], 1000u)"], ["atomicAdd_block(&c[b], 1u) + G - 1"])}),
    "hand_off": ("if (b == 0) {\n    d[t] = v;\n    {S}\n    if (t == 0) {\n        {A}\n        {F}\n    }\n}\nif (b == 1) {\n    if (t == 0) {\n"
                 "        while ({Q} == 0) {\n        }\n        {B}\n    }\n    {R}\n    r += d[(t + 33) % T];\n}",
                 {"S": BLOCK, "R": BLOCK, "A": FENCE_GRID, "B": FENCE_GRID, "F": flag(SET_FLAG, "&c[0]"), "Q": flag(GET_FLAG, "&c[0]")}),
    "release_acquire": ('if (b == 0 && t == 0) {\n    d[0] = v;\n    asm volatile("st.{A}.u32 [%0], 1;" :: "l"(&c[0]) : "memory");\n}\n'
                        'if (b == 1 && t == 0) {\n    unsigned seen = 0;\n    do {\n        asm volatile("ld.{B}.u32 %0, [%1];" : "=r"(seen) : "l"(&c[0]) : "memory");\n'
                        '    } while (seen == 0);\n    r += d[0];\n}',
                        {"A": (["release.gpu.global", "release.sys.global"], ["relaxed.gpu.global", "release.cta.global", "volatile.global"]),
                         "B": (["acquire.gpu.global", "acquire.sys.global"], ["relaxed.gpu.global", "acquire.cta.global", "volatile.global"])}),
    "lock_grid": ("if (t == 0) {\n    while ({L}) {\n    }\n    {A}\n    d[0] += v;\n    {B}\n    atomicExch(&c[0], 0u);\n}",
                  {"A": FENCE_GRID, "B": FENCE_GRID, "L": (["atomicCAS(&c[0], 0u, 1u) != 0", "atomicExch(&c[0], 1u) != 0"],
                                                           ["false", "atomicCAS_block(&c[0], 0u, 1u) != 0"])}),
    "own_words": ("if (t == k) d[{A}] = v + b;", {"A": (["b", "G - 1 - b", "b * T"], ["0", "b / 2", "T - 1"])}),
    "atomic_read": ("atomicAdd(&c[0], v);\nr += {A};", {"A": (["atomicAdd(&c[0], 0u)", "atomicMax(&c[0], 0u)"], ["c[0]"])}),
    "atomic_store": ("if (t == 0) {A};\nif (t == 40) atomicAdd(&c[0], v);", {"A": (["atomicExch(&c[0], b)", "atomicAnd(&c[0], b)"], ["c[0] = b"])}),
    "block_atomic": ("{A}(&c[{X} & 1], v);", {"A": (["atomicAdd", "atomicMax", "atomicXor"], ["atomicAdd_block", "atomicMax_block"])}),
    "own_block_atomic": ("atomicAdd_block(&c[{A}], v);", {"A": (["b", "b + 4"], ["0", "b >> 1"])}),
    "cleared": ("if (t == 0) c[b] = v;\n{A}\natomicAdd(&c[b], 1u);\n{B}\nif (t == T - 1) r += c[b];", {"A": BLOCK, "B": BLOCK}),
    "grid_barrier": ("d[b * T + t] = v;\n{S}\nif (t == 0) {\n    {A}\n    atomicAdd(&c[0], 1u);\n    while (atomicAdd(&c[0], 0u) < G) {\n    }\n    {B}\n}\n{R}\n"
                     "r += d[(b + 1) % G * T + (t + 33) % T];", {"S": BLOCK, "R": BLOCK, "A": FENCE_GRID, "B": FENCE_GRID}),
    "chain": ("if (t == 0) {\n    if (b == 0) {\n        d[0] = v;\n        {A}\n        atomicExch(&c[0], 1u);\n    }\n    if (b == 1) {\n"
              "        while (atomicAdd(&c[0], 0u) == 0) {\n        }\n        {B}\n        atomicExch(&c[1], 1u);\n    }\n"
              "    if (b == 2) {\n        while (atomicAdd(&c[1], 0u) == 0) {\n        }\n        {C}\n        r += d[0];\n    }\n}",
              {"A": FENCE_GRID, "B": FENCE_GRID, "C": FENCE_GRID}),
    "neighbours": ("d[b * T + t] = v;\nif ({A}) r += d[b * T + t];", {"A": (["true", "t > 3"], [])}),
    "cleared_by_last": ("__shared__ unsigned ticket_N;\natomicAdd(&c[0], v);\n{S}\nif (t == 0) {\n    {A}\n    ticket_N = atomicAdd(&c[1], 1u);\n}\n__syncthreads();\n"
                        "if (ticket_N == G - 1 && t == 0) {\n    {B}\n    r += c[0];\n    c[0] = 0;\n}", {"S": BLOCK, "A": FENCE_GRID, "B": FENCE_GRID}),
}
