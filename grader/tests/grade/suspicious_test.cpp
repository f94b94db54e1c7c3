#include "grade/suspicious.hpp"

#include <algorithm>
#include <string>

#include "support/catch.hpp"

using namespace warpgrade;

namespace {

// The first warning of a function with this body; "" none.
std::string warned(const std::string& body, const std::string& before = "") {
    const auto found = suspicious_places(before + "void f(int n, int m, float* a) {\n" + body + "\n}\n", "stage.cu");
    return found.empty() ? "" : found.front().message;
}
bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("an expression that C++ reads in another way is told") {
    CHECK(mentions(warned("if (0 <= n < m) a[n] = 1;"), "`0 <= n` is 0 or 1"));
    CHECK(mentions(warned("if (n > m > 2) a[n] = 1;"), "`n > m` is 0 or 1"));
    CHECK(mentions(warned("if (m == 0 || n = 0) return;"), "sets `n`"));
    CHECK(mentions(warned("if (n & m < 3) a[n] = 1;"), "`&` joins bits"));
    CHECK(mentions(warned("if ((n | m) < 3 && n & 1 == 0) a[n] = 1;"), "`&` joins bits"));
    CHECK(mentions(warned("a[n % (2 ^ m)] = 1;"), "is no power"));
    CHECK(mentions(warned("a[1 / 2 * n] = 1;"), "`1 / 2` is 0"));
    CHECK(mentions(warned("int b = ceil(n / m);"), "rounded down before ceil"));
    CHECK(mentions(warned("while (n < m); { n++; }"), "all that the `while` repeats"));
    CHECK(mentions(warned("for (int i = 0; i < n; ++i); { m++; }"), "all that the `for` repeats"));
    CHECK(mentions(warned("k<<<block, grid_for(n, m)>>>(a);"), "stands in the grid's place"));
    CHECK(mentions(warned("int b = n / SIDE;", "#define SIDE 16 + 16\n"), "`SIDE` is put in as `16 + 16`"));
    CHECK(mentions(warned("int b = UP(n, m);", "#define UP(x, y) x + y - 1 / y\n"), "the division comes first"));
    CHECK(mentions(warned("int b = AT(n + 1, m);", "#define AT(r, c) r * 8 + c\n"), "`n + 1` is put into"));
    CHECK(mentions(warned("extern __shared__ float* tile;\ntile[n] = 1;"), "`tile` is a pointer here"));
    CHECK(mentions(warned("if (n < 0 && n >= m) return;"), "`n < 0 && n >= m` is never true"));
    CHECK(mentions(warned("if ((n < 0 and n >= m) || (m < 0)) return;"), "is never true"));
    CHECK(mentions(warned("if (n >= 0 || n < m) a[n] = 1;"), "always holds"));
}

TEST_CASE("a sum that begins with no value is told, where the compiler sees none of it") {
    CHECK(mentions(warned("float sum;\nfor (int i = 0; i < n; ++i) sum += a[i];\na[0] = sum;", "__device__ "),
                   "begins with no value"));
    CHECK(mentions(warned("float sum;\nwhile (n-- > 0) sum = sum + a[n];\na[0] = sum;", "__device__ "),
                   "begins with no value"));
    CHECK(warned("float sum = 0;\nfor (int i = 0; i < n; ++i) sum += a[i];\na[0] = sum;", "__device__ ").empty());
    CHECK_FALSE(mentions(warned("float sum;\nfor (int i = 0; i < n; ++i) sum = a[i];\na[0] = sum;", "__device__ "),
                         "begins with no value"));
    CHECK(warned("float sum;\nif (n) sum = 0; for (int i = 0; i < n; ++i) sum += a[i];\na[0] = sum;", "__device__ ")
              .empty());
}

TEST_CASE("what means what it says is let be") {
    for (const char* body : {"if (n < m && m < 9) a[n] = 1;",
                             "if (n < m and m < 9) a[n] = 1;",
                             "if (n < 3 or m < 9) a[n] = 1;",
                             "#define AT(r, c) a[(r) * 8 + (c)]\nint b = n * AT(n, m);",
                             "if (n >= 0 && n < m) a[n] = 1;",
                             "if (n < 0 || n >= m) return;",
                             "if (n < 0 && m >= n) return;",
                             "if (n >= 0 && m > 3 || n < m) a[n] = 1;",
                             "if (n < m & m < 9) a[n] = 1;",
                             "if ((n & 1) == 0) a[n] = 1;",
                             "if (n & m) a[n] = 1;",
                             "if (static_cast<int>(a[0]) < m && g<3>(n) < m) a[n] = 1;",
                             "if (int b = n) a[b] = 1;",
                             "while ((n = m)) m--;",
                             "if (n == 0 || m == 0) return;",
                             "if (n <= m || n >= 3) return;",
                             "a[n ^ m] = 1;",
                             "a[n * 1 / 2] = 1;",
                             "a[n] = 1.0f / 2;",
                             "a[n] = 1 / 2.0f;",
                             "int b = ceil(n / 2.0f);",
                             "int b = ceil(a[0] / m);",
                             "for (int i = 0; i < n; ++i);",
                             "do { n++; } while (n < m);",
                             "k<<<grid_for(n, m), block>>>(a);",
                             "k<<<blocks, threads>>>(a);",
                             "k<<<n, m>>>(a);",
                             "if (n != m && !(n < m)) a[n] = 1;",
                             "if (n < m ? m < 3 : m < 4) a[n] = 1;",
                             "if (n << 2 < m) a[n] = 1;",
                             "if (a[n < m] < 3) a[n] = 1;",
                             "if (&a[n] < a) a[n] = 1;"}) {
        INFO(body);
        CHECK(warned(body) == "");
    }
    CHECK(warned("int b = n / SIDE;", "#define SIDE (16 + 16)\n") == "");
    CHECK(warned("int b = SIDE + n;", "#define SIDE 16 + 16\n") == "");
    CHECK(warned("int b = n / SIDE;", "#define SIDE -1\n") == "");
    CHECK(warned("int b = AT(n + 1, m);", "#define AT(r, c) ((r) * 8 + (c))\n") == "");
    CHECK(warned("int b = AT(n, m);", "#define AT(r, c) r * 8 + c\n") == "");
    CHECK(warned("extern __shared__ float tile[];\ntile[n] = 1;") == "");
}

TEST_CASE("long and deep expressions are read") {
    for (const char* piece :
         {"(", "n < ", "ceil(n / ", "if (", "n & ", "SIDE(", "extern __shared__ ", "f(n, ", "int n = ("}) {
        std::string body;
        while (body.size() < 60'000) body += piece;
        INFO(piece);
        CHECK(suspicious_places("#define SIDE(x) x + x\nvoid f(int n) {\n" + body + ";\n}\n", "stage.cu").size() <
              30'000);
    }
}

namespace {

// The first warning of a kernel with this body; "" none.
std::string of_kernel(const std::string& body) {
    const auto found = suspicious_places(
        "__global__ void f(const float* in, int n, float* a, int tid) {\n" + body + "\n}\n", "stage.cu");
    return found.empty() ? "" : found.front().message;
}

}  // namespace

TEST_CASE("variables that hide one another, or go nowhere, are told") {
    CHECK(mentions(of_kernel("int x = 0;\nif (n) { int x = tid; }\na[x] = 1;"), "`x` is a new variable"));
    CHECK(mentions(of_kernel("const int x = tid;\nfor (int x = 0; x < n; ++x) a[x] = 1;"), "hides the `x` of line 2"));
    CHECK(mentions(of_kernel("float v = in[tid], w = in[tid + 1];\na[tid] = v + v;"), "`w` gets an element here"));
    CHECK(mentions(of_kernel("a[tid] = in[0];\na[tid] = in[1];"), "stores over what line 2"));
    CHECK(mentions(of_kernel("__shared__ float t[8];\nt[tid] = 1;\na[tid] = 2;"), "`t` is stored to here, and read"));
    CHECK(of_kernel("__shared__ float t[8];\nt[tid] = 1;\na[tid] = t[n];").empty());
    CHECK(of_kernel("__shared__ float t[8];\nt[tid] += 1;\nf(t);").empty());
    for (const char* body :
         {"for (int i = 0; i < n; ++i) a[i] = 1;\nfor (int i = 0; i < n; ++i) a[i] = 2;",
          "for (int i = 0; i < n; ++i) { for (int i = 0; i < 2; ++i) a[i] = 1; a[i] = 2; }",
          "int x = 1;\na[x] = 2;\n{ int x = 3; a[x] = 4; }", "float v = in[tid];\nfloat w = v;\na[tid] = w;",
          "a[tid] = in[0];\na[tid] = a[tid] + in[1];", "a[tid] = in[0];\n__syncthreads();\na[tid] = in[1];",
          "if (n) a[tid] = in[0]; else a[tid] = in[1];", "a[tid] = in[0];\na[tid + 1] = in[1];",
          "int k = 3;\na[tid] = 1;"}) {
        INFO(body);
        CHECK(of_kernel(body).empty());
    }
}

TEST_CASE("what a variable had before is missed where it is added to, and lost where a loop stores over it") {
    CHECK(mentions(of_kernel("float sum;\nfor (int i = 0; i < n; ++i) sum += in[i];\na[0] = sum;"),
                   "holds anything before"));
    CHECK(mentions(of_kernel("float sum = in[0];\nfor (int i = tid; i < n; i += 8) sum += in[i];\na[tid] = sum;"),
                   "every thread begins with in[0]"));
    CHECK(of_kernel("float sum = in[0];\nfor (int i = 1; i < n; ++i) sum += in[i];\na[0] = sum;").empty());
    CHECK(mentions(of_kernel("int k;\nk++;\na[k] = 1;"), "holds anything before"));
    CHECK(mentions(of_kernel("float sum = 0;\nfor (int i = 0; i < n; ++i) sum = in[i];\na[0] = sum;"),
                   "stores over what `sum` had"));
    CHECK(mentions(of_kernel("__shared__ float p[8];\np[tid] = 0;\nfor (int i = tid; i < n; i += 8)\np[tid] = in[i];\n"
                             "a[tid] = p[tid];"),
                   "stores over what `p[tid]` had"));
    for (const char* body :
         {"for (int i = tid; i < n; i += 8) a[i] = in[i];", "for (int i = 0; i < n; ++i) a[tid + i] = in[i];",
          "for (int i = 0; i < n; ++i) { a[tid] = in[i]; tid += 8; }", "for (int i = 0; i < n; ++i) a[tid] = in[tid];",
          "for (int i = 0; i < n; ++i) if (i == m) a[tid] = in[i];"})
        CHECK(of_kernel(body).empty());
    for (const char* body :
         {"float sum;\nsum = 0;\nsum += in[0];\na[0] = sum;", "float sum;\nset(&sum);\nsum += in[0];\na[0] = sum;",
          "float v = 0;\nfor (int i = 0; i < n; ++i) { v = in[i]; a[i] = v; }",
          "float v = 0;\nfor (int i = 0; i < n; ++i) if (in[i] > 0) v = in[i];\na[0] = v;",
          "for (int i = 0; i < n; ++i) { float v; v = in[i]; }"}) {
        INFO(body);
        CHECK(of_kernel(body).empty());
    }
}

TEST_CASE("a loop over the input that does not go on by the threads of the grid is told") {
    const std::string start = "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; ";
    CHECK(mentions(of_kernel(start + "i += blockDim.x) a[i] = 1;"), "as wide as one block"));
    CHECK(mentions(of_kernel(start + "i += gridDim.x) a[i] = 1;"), "is the number of blocks"));
    CHECK(mentions(of_kernel("for (int i = threadIdx.x; i < n; i += gridDim.x * blockDim.x) a[i] = 1;"),
                   "each block begins with the same elements"));
    CHECK(mentions(of_kernel("const int by = 256;\nint i = blockIdx.x * 256 + threadIdx.x;\nwhile (i < n) i += 256;"),
                   "as wide as one block"));
    CHECK(mentions(of_kernel("int i = blockIdx.x * gridDim.x + threadIdx.x;\na[i] = 1;"), "no place where a block"));
    for (const char* body :
         {"for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) a[i] = 1;",
          "const int by = gridDim.x * 256;\nfor (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += by) a[i] = 1;",
          "for (int i = threadIdx.x; i < n; i += blockDim.x) a[i] = 1;",
          "int end = n;\nfor (int i = blockIdx.x * 1024 + threadIdx.x; i < end; i += 256) a[i] = 1;",
          "for (int i = blockIdx.x * 1024 + threadIdx.x; i < n; i += 256) a[i] = 1;",
          "int b = blockIdx.y * gridDim.x + blockIdx.x;\na[b] = 1;",
          "for (int i = blockIdx.x; i < n; i += gridDim.x) a[i] = 1;"}) {
        INFO(body);
        CHECK(of_kernel(body).empty());
    }
}

TEST_CASE("a step of a scan that stores over an element's own sum is told") {
    const std::string loop = "for (int s = 1; s < n; s *= 2) { float b = tid >= s ? a[tid - s] : 0; __syncthreads(); ";
    CHECK(mentions(of_kernel(loop + "a[tid] = b; __syncthreads(); }"), "in place of the element's own sum"));
    CHECK(of_kernel(loop + "a[tid] += b; __syncthreads(); }").empty());
    CHECK(of_kernel(loop + "a[tid] = a[tid] + b; __syncthreads(); }").empty());
}

TEST_CASE("a step of a tree that takes in another thread's element is told") {
    const std::string loop = "for (int s = 1; s < 256; s *= 2) ";
    CHECK(mentions(of_kernel(loop + "if (tid % s == 0) a[tid] += a[tid + s];"), "lets in tid + s as well"));
    CHECK(mentions(of_kernel(loop + "{ if (tid % s == 0) { a[tid] = a[tid] + a[tid + s]; } }"), "lets in tid + s"));
    CHECK(
        mentions(of_kernel(loop + "{ int i = s * tid; if (i < n) a[i] += a[i + s]; }"), "the `i` of the next thread"));
    CHECK(mentions(of_kernel(loop + "v += __shfl_down_sync(~0u, s, v);"), "is the value that is passed on"));
    CHECK(mentions(of_kernel(loop + "{ float b = __shfl_up_sync(~0u, v, s); if (tid > s) v += b; }"), "leaves out"));
    const std::string add = "{ if (tid % (2 * s) == 0) a[tid] += a[tid + s]; __syncthreads(); }";
    CHECK(mentions(of_kernel("for (int s = 1; s < n; s++) " + add), "`s` grows by 1"));
    CHECK(mentions(of_kernel("for (int s = 1; s < n; s += 1) " + add), "`s` grows by 1"));
    CHECK(mentions(of_kernel("for (int s = 128; s > 0; --s) " + add), "`s` shrinks by 1"));
    CHECK(of_kernel("for (int s = 1; s < n; s *= 2) " + add).empty());
    CHECK(mentions(of_kernel("for (int s = 16; s > 0; s--) v += __shfl_down_sync(~0u, v, s);"), "`s` shrinks by 1"));
    CHECK(of_kernel("for (int s = 1; s < n; s++) a[tid] += a[tid + s];").empty());
    CHECK(of_kernel("for (int s = 1; s < n; s <<= 1) " + add + " for (int k = 0; k < n; k++) a[k] = 0;").empty());
    CHECK(mentions(of_kernel("if (tid == __ffs(n)) a[tid] = 1;"), "counts the lanes of a mask from 1"));
    CHECK(of_kernel("if (tid == __ffs(n) - 1) a[tid] = 1;").empty());
    CHECK(of_kernel("if (n == 0 && __ffs(n) == 0) a[tid] = 1;").empty());
    for (const char* body : {"if (tid % (2 * s) == 0) a[tid] += a[tid + s];", "if (tid < s) a[tid] += a[tid + s];",
                             "{ int i = 2 * s * tid; if (i < n) a[i] += a[i + s]; }",
                             "v += __shfl_down_sync(~0u, v, s);", "if (tid % s == 0) a[tid] += a[tid + 2 * s];",
                             "{ float b = __shfl_up_sync(~0u, v, s); if (tid >= s) v += b; }"}) {
        INFO(body);
        CHECK(of_kernel(loop + body).empty());
    }
}

TEST_CASE("a row and a column of two numberings, and a product of two places, are told") {
    const auto of_two = [](const std::string& body) {
        const auto found = suspicious_places(
            "__global__ void f(const float* in, float* out, int rows, int cols) {\n" + body + "\n}\n", "stage.cu");
        return found.empty() ? "" : found.front().message;
    };
    CHECK(mentions(of_two("int i = blockIdx.x; int r = i / rows; int c = i % cols; out[i] = in[c * cols + r];"),
                   "`i / rows` and `i % cols` do not go together"));
    CHECK(of_two("int i = blockIdx.x; int r = i / cols; int c = i % cols; out[c * rows + r] = in[i];").empty());
    CHECK(of_two("int i = blockIdx.x; int z = i / rows / cols, y = i / cols % rows, x = i % cols; out[i] = z + y + x;")
              .empty());
    CHECK(mentions(of_two("int x = threadIdx.x * blockIdx.x + blockDim.x; out[x] = in[x];"),
                   "threadIdx.x * blockIdx.x is the same for many"));
    CHECK(of_two("int x = threadIdx.x + blockIdx.x * blockDim.x; out[x] = in[x];").empty());
    CHECK(mentions(of_two("for (int r = blockIdx.y * blockDim.y + threadIdx.y; r < rows; r += gridDim.y) out[r] = 0;"),
                   "gridDim.y * blockDim.y"));
}

namespace {

// The first warning of a kernel with this body, and of functions before it; "" none.
std::string of_calls(const std::string& before, const std::string& body) {
    const auto found = suspicious_places(
        before + "__global__ void f(const float* in, float* out, int rows, int cols, int x, int y) {\n" + body +
            "\n}\n",
        "stage.cu");
    return found.empty() ? "" : found.front().message;
}

}  // namespace

TEST_CASE("arguments that stand in each other's place are told by their names, their types and other calls") {
    const std::string at =
        "__device__ float at(const float* in, int rows, int cols, int y, int x) { return in[y * cols + x]; }\n";
    CHECK(mentions(of_calls(at, "out[y * cols + x] = at(in, cols, rows, y, x);"),
                   "`at` takes `rows` before `cols`: `cols` and `rows` stand in each other's place\n"
                   "write at(in, rows, cols, y, x)"));
    CHECK(mentions(of_calls(at, "out[y * cols + x] = at(in, rows, cols, x, y - 1);"),
                   "write at(in, rows, cols, y - 1, x)"));
    const std::string index = "__device__ int index(int row, int col, int width) { return row * width + col; }\n";
    CHECK(mentions(of_calls(index, "int row = y, col = x; out[index(col, row, rows)] = in[index(col, row, cols)];"),
                   "write index(row, col, cols)"));
    const std::string store = "__device__ void store(float* out, int index, float value) { out[index] = value; }\n";
    CHECK(mentions(of_calls(store, "store(out, in[x], y);"), "write store(out, y, in[x])"));
    CHECK(mentions(of_calls(store, "const float v = in[x]; store(out, v, x);"), "write store(out, x, v)"));
    const std::string of_three = "__device__ int of(int a, int b) { return a - b; }\n";
    CHECK(mentions(of_calls(of_three, "out[of(x, 1)] = of(x, 1) + of(1, x);"), "write of(x, 1)"));
    for (const char* body :
         {"out[y * cols + x] = at(in, rows, cols, y - 1, x);", "out[x * rows + y] = at(out, cols, rows, x, y);",
          "out[x] = at(in, rows, cols, x - y, y - x);", "out[x] = at(in, 1, 2, y, x) + at(in, 2, 1, y, x);"}) {
        INFO(body);
        CHECK(of_calls(at, body).empty());
    }
    CHECK(of_calls(index, "int row = y, col = x; out[index(col, row, rows)] = in[index(row, col, cols)];").empty());
    CHECK(of_calls(store, "store(out, x, in[y]);").empty());
    CHECK(of_calls(of_three, "out[x] = of(x, y) + of(y, x);").empty());
}
