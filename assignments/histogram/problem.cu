// The input, the plain histogram, and what usual mistakes leave. `counts` is zero before; the calls run at once.

// Of a hundred elements, `skew` have one value, which the seed decides; the others are spread evenly.
unsigned skewed(u64 i, u64 seed, long long n, long long skew) {
    const u64 word = hash_of(seed, i);
    const bool is_hot = (long long)((word >> 32) % 100) < skew;
    return (is_hot ? (unsigned)hash_of(seed, ~0ull) : (unsigned)word) & 255u;
}

void reference(u64 i, const unsigned* in, unsigned* counts, int n) { atomicAdd(&counts[in[i]], 1u); }

void nothing_counted(u64 i, const unsigned* in, unsigned* counts, int n) { atomicAdd(&counts[in[i]], 0u); }

void counts_padding(u64 i, const unsigned* in, unsigned* counts, int n, int block) {
    atomicAdd(&counts[in[i]], 1u);
    if (i == 0) atomicAdd(&counts[0], (unsigned)((block - n % block) % block));
}

void last_missing(u64 i, const unsigned* in, unsigned* counts, int n, int last) {
    if (n <= last || i + last < n) atomicAdd(&counts[in[i]], 1u);
}

void rest_missing(u64 i, const unsigned* in, unsigned* counts, int n, int block) {
    if (n < block || i < (u64)(n / block * block)) atomicAdd(&counts[in[i]], 1u);
}

void first_only(u64 i, const unsigned* in, unsigned* counts, int n, int first) {
    if (i < (u64)first) atomicAdd(&counts[in[i]], 1u);
}

void once_a_warp(u64 i, const unsigned* in, unsigned* counts, int n) {
    for (u64 before = i / 32 * 32; before < i; ++before)
        if (in[before] == in[i]) return;
    atomicAdd(&counts[in[i]], 1u);
}

// Of the lanes of a warp that have the value of element i: how many, and whether i is the first of them.
unsigned equal_lanes(u64 i, const unsigned* in, int n, bool* is_first) {
    unsigned equal = 0;
    *is_first = true;
    for (u64 lane = i / 32 * 32; lane < i / 32 * 32 + 32 && lane < (u64)n; ++lane) {
        if (in[lane] != in[i]) continue;
        ++equal;
        if (lane < i) *is_first = false;
    }
    return equal;
}

void all_lanes_add(u64 i, const unsigned* in, unsigned* counts, int n) {
    bool is_first = false;
    atomicAdd(&counts[in[i]], equal_lanes(i, in, n, &is_first));
}

void whole_warp_added(u64 i, const unsigned* in, unsigned* counts, int n) {
    bool is_first = false;
    equal_lanes(i, in, n, &is_first);
    const u64 left = (u64)n - i / 32 * 32;
    if (is_first) atomicAdd(&counts[in[i]], (unsigned)(left < 32 ? left : 32));
}

void first_lane_only(u64 i, const unsigned* in, unsigned* counts, int n) {
    if (in[i] == in[i / 32 * 32]) atomicAdd(&counts[in[i]], 1u);
}

void values_added(u64 i, const unsigned* in, unsigned* counts, int n) { atomicAdd(&counts[in[i]], in[i]); }

void places_counted(u64 i, const unsigned* in, unsigned* counts, int n) { atomicAdd(&counts[i & 255], 1u); }

void too_few_bins(u64 i, const unsigned* in, unsigned* counts, int n, int bins) {
    atomicAdd(&counts[in[i] % (unsigned)bins], 1u);
}

void doubled(u64 i, const unsigned* in, unsigned* counts, int n) { atomicAdd(&counts[in[i]], 2u); }

void multiplied(u64 i, const unsigned* in, unsigned* counts, int n, int times) {
    atomicAdd(&counts[in[i]], (unsigned)times);
}

// Some are filled: where none is, nothing tells one bin from another.
void bins_left_out(u64 i, const unsigned* in, unsigned* counts, int n, int bins) {
    if (in[i] < (unsigned)bins) atomicAdd(&counts[in[i]], 1u);
    if (i != 0) return;
    int first = 0;
    while (first < n && in[first] >= (unsigned)bins) ++first;
    if (first == n) atomicAdd(&counts[0], 1u);
}

void first_block_repeated(u64 i, const unsigned* in, unsigned* counts, int n, int block) {
    if (i < (u64)block) atomicAdd(&counts[in[i]], (unsigned)((n - 1) / block + 1));
}

void lane_bits_added(u64 i, const unsigned* in, unsigned* counts, int n) { atomicAdd(&counts[in[i]], 1u << (i % 32)); }
