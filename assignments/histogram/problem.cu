// The input, the plain histogram, and what usual mistakes leave. `counts` is zero before; the calls run at once.

// Of a hundred elements, `skew` have one value, which the seed decides; the others are spread evenly.
unsigned skewed(u64 i, u64 seed, long long n, long long skew) {
    const u64 word = hash_of(seed, i);
    const bool is_hot = (long long)((word >> 32) % 100) < skew;
    return (is_hot ? (unsigned)hash_of(seed, ~0ull) : (unsigned)word) & 255u;
}

void reference(u64 i, const unsigned* in, unsigned* counts, int n) { atomicAdd(&counts[in[i]], 1u); }

void counts_padding(u64 i, const unsigned* in, unsigned* counts, int n, int block) {
    atomicAdd(&counts[in[i]], 1u);
    if (i == 0) atomicAdd(&counts[0], (unsigned)((block - n % block) % block));
}

void rest_missing(u64 i, const unsigned* in, unsigned* counts, int n, int block) {
    if (i < (u64)(n / block * block)) atomicAdd(&counts[in[i]], 1u);
}

void first_only(u64 i, const unsigned* in, unsigned* counts, int n, int first) {
    if (i < (u64)first) atomicAdd(&counts[in[i]], 1u);
}

void once_a_warp(u64 i, const unsigned* in, unsigned* counts, int n) {
    for (u64 before = i / 32 * 32; before < i; ++before)
        if (in[before] == in[i]) return;
    atomicAdd(&counts[in[i]], 1u);
}

void doubled(u64 i, const unsigned* in, unsigned* counts, int n) { atomicAdd(&counts[in[i]], 2u); }
