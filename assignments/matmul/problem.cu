// The plain product, and what usual mistakes leave. Every function gives element i of the output.

// The products number `first` to `last` - 1 of the element at row y, column x.
T sum_of(const T* a, const T* b, int y, int x, int cols, int depth, int first, int last) {
    T sum = 0;
    for (int p = first; p < last; ++p) sum += a[(u64)y * depth + p] * b[(u64)p * cols + x];
    return sum;
}

T reference(u64 i, const T* a, const T* b, T* c, int rows, int cols, int depth) {
    return sum_of(a, b, i / cols, i % cols, cols, depth, 0, depth);
}

T nothing_added(u64 i, const T* a, const T* b, T* c, int rows, int cols, int depth) { return 0; }

T last_product_only(u64 i, const T* a, const T* b, T* c, int rows, int cols, int depth) {
    return sum_of(a, b, i / cols, i % cols, cols, depth, depth > 0 ? depth - 1 : 0, depth);
}

T first_product_missing(u64 i, const T* a, const T* b, T* c, int rows, int cols, int depth) {
    return sum_of(a, b, i / cols, i % cols, cols, depth, 1, depth);
}

T rest_missing(u64 i, const T* a, const T* b, T* c, int rows, int cols, int depth, int tile) {
    return sum_of(a, b, i / cols, i % cols, cols, depth, 0, depth / tile * tile);
}

T first_tile_only(u64 i, const T* a, const T* b, T* c, int rows, int cols, int depth, int tile) {
    return sum_of(a, b, i / cols, i % cols, cols, depth, 0, depth < tile ? depth : tile);
}

T last_tile_only(u64 i, const T* a, const T* b, T* c, int rows, int cols, int depth, int tile) {
    return sum_of(a, b, i / cols, i % cols, cols, depth, depth > 0 ? (depth - 1) / tile * tile : 0, depth);
}

T a_stays(u64 i, const T* a, const T* b, T* c, int rows, int cols, int depth, int tile) {
    const int y = i / cols, x = i % cols;
    T sum = 0;
    for (int p = 0; p < depth; ++p) sum += a[(u64)y * depth + p % tile] * b[(u64)p * cols + x];
    return sum;
}

T b_stays(u64 i, const T* a, const T* b, T* c, int rows, int cols, int depth, int tile) {
    const int y = i / cols, x = i % cols;
    T sum = 0;
    for (int p = 0; p < depth; ++p) sum += a[(u64)y * depth + p] * b[(u64)(p % tile) * cols + x];
    return sum;
}

T a_turned(u64 i, const T* a, const T* b, T* c, int rows, int cols, int depth) {
    const int y = i / cols, x = i % cols;
    T sum = 0;
    for (int p = 0; p < depth; ++p) sum += a[(u64)p * rows + y] * b[(u64)p * cols + x];
    return sum;
}

T b_turned(u64 i, const T* a, const T* b, T* c, int rows, int cols, int depth) {
    const int y = i / cols, x = i % cols;
    T sum = 0;
    for (int p = 0; p < depth; ++p) sum += a[(u64)y * depth + p] * b[(u64)x * depth + p];
    return sum;
}

T stored_turned(u64 i, const T* a, const T* b, T* c, int rows, int cols, int depth) {
    return sum_of(a, b, i % rows, i / rows, cols, depth, 0, depth);
}

// Of a tile that is not whole, what has no counterpart is right.
T turned_in_tile(u64 i, const T* a, const T* b, T* c, int rows, int cols, int depth, int tile) {
    const int y = i / cols, x = i % cols;
    const int v = y / tile * tile + x % tile, u = x / tile * tile + y % tile;
    const bool is_inside = v < rows && u < cols;
    return sum_of(a, b, is_inside ? v : y, is_inside ? u : x, cols, depth, 0, depth);
}
