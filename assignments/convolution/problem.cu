// The plain convolution, and what usual mistakes leave. Every function gives element i of the output.

const int reach = 2;  // of the weights, in elements to each side

// The element at row y, column x; 0 outside of the matrix.
T at(const T* in, int y, int x, int rows, int cols) {
    return y < 0 || x < 0 || y >= rows || x >= cols ? T(0) : in[(u64)y * cols + x];
}

T reference(u64 i, const T* in, const T* weights, T* out, int rows, int cols) {
    const int y = i / cols, x = i % cols;
    T sum = 0;
    for (int r = 0; r < 5; ++r)
        for (int c = 0; c < 5; ++c) sum += weights[r * 5 + c] * at(in, y + r - reach, x + c - reach, rows, cols);
    return sum;
}

// A neighbour counts only if it is in the same tile of 8 rows and 32 columns, or at most `halo` elements outside of it.
T with_halo(u64 i, const T* in, const T* weights, int rows, int cols, int halo) {
    const int y = i / cols, x = i % cols;
    const int top = y / 8 * 8, left = x / 32 * 32;
    T sum = 0;
    for (int r = 0; r < 5; ++r)
        for (int c = 0; c < 5; ++c) {
            const int v = y + r - reach, u = x + c - reach;
            if (v < top - halo || v >= top + 8 + halo || u < left - halo || u >= left + 32 + halo) continue;
            sum += weights[r * 5 + c] * at(in, v, u, rows, cols);
        }
    return sum;
}

T tiles_apart(u64 i, const T* in, const T* weights, T* out, int rows, int cols) {
    return with_halo(i, in, weights, rows, cols, 0);
}

T halo_of_one(u64 i, const T* in, const T* weights, T* out, int rows, int cols) {
    return with_halo(i, in, weights, rows, cols, 1);
}

T flipped(u64 i, const T* in, const T* weights, T* out, int rows, int cols) {
    const int y = i / cols, x = i % cols;
    T sum = 0;
    for (int r = 0; r < 5; ++r)
        for (int c = 0; c < 5; ++c) sum += weights[r * 5 + c] * at(in, y + reach - r, x + reach - c, rows, cols);
    return sum;
}

T transposed(u64 i, const T* in, const T* weights, T* out, int rows, int cols) {
    const int y = i / cols, x = i % cols;
    T sum = 0;
    for (int r = 0; r < 5; ++r)
        for (int c = 0; c < 5; ++c) sum += weights[c * 5 + r] * at(in, y + r - reach, x + c - reach, rows, cols);
    return sum;
}

T off_centre(u64 i, const T* in, const T* weights, T* out, int rows, int cols) {
    const int y = i / cols, x = i % cols;
    T sum = 0;
    for (int r = 0; r < 5; ++r)
        for (int c = 0; c < 5; ++c) sum += weights[r * 5 + c] * at(in, y + r, x + c, rows, cols);
    return sum;
}

T three_by_three(u64 i, const T* in, const T* weights, T* out, int rows, int cols) {
    const int y = i / cols, x = i % cols;
    T sum = 0;
    for (int r = 1; r < 4; ++r)
        for (int c = 1; c < 4; ++c) sum += weights[r * 5 + c] * at(in, y + r - reach, x + c - reach, rows, cols);
    return sum;
}

T wraps_around(u64 i, const T* in, const T* weights, T* out, int rows, int cols) {
    const long long n = (long long)rows * cols;
    T sum = 0;
    for (int r = 0; r < 5; ++r)
        for (int c = 0; c < 5; ++c) {
            const long long j = (long long)i + (long long)(r - reach) * cols + c - reach;
            if (j >= 0 && j < n) sum += weights[r * 5 + c] * in[j];
        }
    return sum;
}

T clamped(u64 i, const T* in, const T* weights, T* out, int rows, int cols) {
    const int y = i / cols, x = i % cols;
    const auto within = [](int v, int size) { return v < 0 ? 0 : v >= size ? size - 1 : v; };
    T sum = 0;
    for (int r = 0; r < 5; ++r)
        for (int c = 0; c < 5; ++c)
            sum += weights[r * 5 + c] * in[(u64)within(y + r - reach, rows) * cols + within(x + c - reach, cols)];
    return sum;
}
