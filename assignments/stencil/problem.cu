// The plain stencil, and what usual mistakes leave. Every function gives element i of the output.

// The element at row y, column x; 0 outside of the matrix.
T at(const T* in, int y, int x, int rows, int cols) {
    return y < 0 || x < 0 || y >= rows || x >= cols ? T(0) : in[(u64)y * cols + x];
}

T reference(u64 i, const T* in, T* out, int rows, int cols) {
    const int y = i / cols, x = i % cols;
    return at(in, y - 1, x, rows, cols) + at(in, y + 1, x, rows, cols) + at(in, y, x - 1, rows, cols) +
           at(in, y, x + 1, rows, cols) - T(4) * in[i];
}

// No halo: a neighbour counts only if it is in the same tile of `high` rows and `wide` columns.
T inside_of_tiles(u64 i, const T* in, int rows, int cols, int high, int wide) {
    const int y = i / cols, x = i % cols;
    T sum = T(-4) * in[i];
    if (y % high != 0) sum += at(in, y - 1, x, rows, cols);
    if (y % high != high - 1) sum += at(in, y + 1, x, rows, cols);
    if (x % wide != 0) sum += at(in, y, x - 1, rows, cols);
    if (x % wide != wide - 1) sum += at(in, y, x + 1, rows, cols);
    return sum;
}

T tiles_apart(u64 i, const T* in, T* out, int rows, int cols) { return inside_of_tiles(i, in, rows, cols, 8, 32); }

T strips_apart(u64 i, const T* in, T* out, int rows, int cols, int wide) {
    const int y = i / cols, x = i % cols;
    T sum = at(in, y - 1, x, rows, cols) + at(in, y + 1, x, rows, cols) - T(4) * in[i];
    if (x % wide != 0) sum += at(in, y, x - 1, rows, cols);
    if (x % wide != wide - 1) sum += at(in, y, x + 1, rows, cols);
    return sum;
}

T wraps_around(u64 i, const T* in, T* out, int rows, int cols) {
    const long long n = (long long)rows * cols, here = (long long)i;
    T sum = T(-4) * in[i];
    if (here - cols >= 0) sum += in[here - cols];
    if (here + cols < n) sum += in[here + cols];
    if (here - 1 >= 0) sum += in[here - 1];
    if (here + 1 < n) sum += in[here + 1];
    return sum;
}

T clamped(u64 i, const T* in, T* out, int rows, int cols) {
    const int y = i / cols, x = i % cols;
    const int above = y > 0 ? y - 1 : 0, below = y < rows - 1 ? y + 1 : y;
    const int left = x > 0 ? x - 1 : 0, right = x < cols - 1 ? x + 1 : x;
    return at(in, above, x, rows, cols) + at(in, below, x, rows, cols) + at(in, y, left, rows, cols) +
           at(in, y, right, rows, cols) - T(4) * in[i];
}

T without_centre(u64 i, const T* in, T* out, int rows, int cols) {
    return reference(i, in, out, rows, cols) + T(4) * in[i];
}

// `which`: 1 those beside, 2 those above and below, 3 all four. On a square that is stored_turned, too: neither is told.
T neighbours_turned(u64 i, const T* in, T* out, int rows, int cols, int which) {
    if (rows == cols) return reference(i, in, out, rows, cols);
    const int y = i / cols, x = i % cols;
    T sum = T(-4) * in[i];
    sum += (which & 1) != 0 ? at(in, x - 1, y, rows, cols) + at(in, x + 1, y, rows, cols)
                            : at(in, y, x - 1, rows, cols) + at(in, y, x + 1, rows, cols);
    sum += (which & 2) != 0 ? at(in, x, y - 1, rows, cols) + at(in, x, y + 1, rows, cols)
                            : at(in, y - 1, x, rows, cols) + at(in, y + 1, x, rows, cols);
    return sum;
}

// `which`: 1 the element in the middle is read where it is stored, 2 it is right.
T stored_turned(u64 i, const T* in, T* out, int rows, int cols, int which) {
    if (rows == cols) return reference(i, in, out, rows, cols);
    const int x = i / rows, y = i % rows;
    const u64 here = (u64)y * cols + x;
    return reference(here, in, out, rows, cols) + (which == 1 ? T(4) * in[here] - T(4) * in[i] : T(0));
}

T rows_for_cols(u64 i, const T* in, T* out, int rows, int cols) {
    const int y = i / cols, x = i % cols;
    T sum = at(in, y, x - 1, rows, cols) + at(in, y, x + 1, rows, cols) - T(4) * in[i];
    if (y > 0 && i >= (u64)rows) sum += in[i - rows];
    if (y < rows - 1 && i + rows < (u64)rows * cols) sum += in[i + rows];
    return sum;
}

T sign_turned(u64 i, const T* in, T* out, int rows, int cols) { return -reference(i, in, out, rows, cols); }

T diagonal(u64 i, const T* in, T* out, int rows, int cols) {
    const int y = i / cols, x = i % cols;
    return at(in, y - 1, x - 1, rows, cols) + at(in, y - 1, x + 1, rows, cols) + at(in, y + 1, x - 1, rows, cols) +
           at(in, y + 1, x + 1, rows, cols) - T(4) * in[i];
}
