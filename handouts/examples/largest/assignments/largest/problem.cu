// The plain program, and what usual mistakes leave. `best` is zero before; the calls run at once.

u64 word_of(u64 value, u64 place) { return value << 32 | (0xffffffffull - place); }

void reference(u64 i, const unsigned* in, u64* best, int n) { atomicMax(best, word_of(in[i], i)); }

void place_not_turned(u64 i, const unsigned* in, u64* best, int n) { atomicMax(best, (u64)in[i] << 32 | i); }

void rest_missing(u64 i, const unsigned* in, u64* best, int n, int block) {
    if (i < (u64)(n / block * block)) atomicMax(best, word_of(in[i], i));
}
