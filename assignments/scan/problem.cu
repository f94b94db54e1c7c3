// The plain scan, whether one element is right, and what usual mistakes leave.

void reference(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    unsigned sum = 0;
    for (int i = 0; i < n; ++i) out[i] = sum += in[i];
}

bool holds(u64 i, const unsigned* in, const unsigned* out, const unsigned* scratch, int n) {
    return out[i] == (i == 0 ? 0u : out[i - 1]) + in[i];
}

void exclusive(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    unsigned sum = 0;
    for (int i = 0; i < n; ++i) {
        out[i] = sum;
        sum += in[i];
    }
}

void backwards(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    unsigned sum = 0;
    for (int i = n - 1; i >= 0; --i) out[i] = sum += in[i];
}

// A window of `width` elements.
void pairs(const unsigned* in, unsigned* out, unsigned* scratch, int n, int width) {
    unsigned sum = 0;
    for (int i = 0; i < n; ++i) {
        sum += in[i];
        if (i >= width) sum -= in[i - width];
        out[i] = sum;
    }
}

void blocks_apart(const unsigned* in, unsigned* out, unsigned* scratch, int n, int block) {
    unsigned sum = 0;
    for (int i = 0; i < n; ++i) {
        if (i % block == 0) sum = 0;
        out[i] = sum += in[i];
    }
}

void one_block_before(const unsigned* in, unsigned* out, unsigned* scratch, int n, int block) {
    unsigned sum = 0, before = 0;
    for (int i = 0; i < n; ++i) {
        if (i % block == 0) {
            before = sum;
            sum = 0;
        }
        sum += in[i];
        out[i] = before + sum;
    }
}

void own_block_too(const unsigned* in, unsigned* out, unsigned* scratch, int n, int block) {
    unsigned sum = 0;
    for (int first = 0; first < n; first += block) {
        const int end = n - first < block ? n : first + block;
        unsigned own = 0;
        for (int i = first; i < end; ++i) own += in[i];
        for (int i = first; i < end; ++i) {
            sum += in[i];
            out[i] = sum + own;
        }
    }
}

void added_twice(const unsigned* in, unsigned* out, unsigned* scratch, int n, int block) {
    unsigned sum = 0, before = 0;
    for (int i = 0; i < n; ++i) {
        if (i % block == 0) before = sum;
        sum += in[i];
        out[i] = sum + before;
    }
}

void before_alone(const unsigned* in, unsigned* out, unsigned* scratch, int n, int block) {
    unsigned sum = 0, before = 0;
    for (int i = 0; i < n; ++i) {
        if (i % block == 0) before = sum;
        sum += in[i];
        out[i] = i < block ? sum : before;
    }
}

void own_stretch_too(const unsigned* in, unsigned* out, unsigned* scratch, int n, int block) {
    unsigned sum = 0, own = 0;
    for (int i = 0; i < n; ++i) {
        if (i % block == 0) {
            own = 0;
            for (int j = i; j < n && j < i + block; ++j) own += in[j];
        }
        sum += in[i];
        out[i] = i < block ? sum : sum + own;
    }
}

void one_block_early(const unsigned* in, unsigned* out, unsigned* scratch, int n, int block) {
    unsigned before = 0;
    for (int first = 0; first < n; first += block) {
        const int end = n - first < block ? n : first + block;
        unsigned own = 0, sum = 0;
        for (int i = first; i < end; ++i) own += in[i];
        for (int i = first; i < end; ++i) {
            sum += in[i];
            out[i] = end == n ? sum : before + own + sum;
        }
        before += own;
    }
}
