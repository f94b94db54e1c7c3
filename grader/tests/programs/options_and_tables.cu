// Options by getopt-like parsing, function pointers on both sides, enum class, switch, bit fields.
// arguments: --op max -n 500 --verbose
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
enum class Op : uint8_t { sum, max, count };
struct Options {
    Op op = Op::sum;
    int n = 100;
    unsigned verbose : 1, level : 3;
};
using Combine = int (*)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ int larger(int a, int b) { return a > b ? a : b; }
__device__ Combine table[] = {add, larger};
__global__ void fold(const int *v, int n, int which, int *out) {
    int acc = v[0];
    for (int i = 1; i < n; i++) acc = table[which](acc, v[i]);
    *out = acc;
}
static std::optional<Options> parse(int argc, char **argv) {
    Options o{};
    o.n = 100;
    static const std::unordered_map<std::string, Op> names{{"sum", Op::sum}, {"max", Op::max}, {"count", Op::count}};
    for (int i = 1; i < argc; i++) {
        std::string_view word = argv[i];
        if (word == "--op" && i + 1 < argc) {
            auto found = names.find(argv[++i]);
            if (found == names.end()) return std::nullopt;
            o.op = found->second;
        } else if (!strcmp(argv[i], "-n") && i + 1 < argc) {
            o.n = atoi(argv[++i]);
        } else if (word.substr(0, 2) == "--") {
            o.verbose = word.substr(2) == "verbose";
            o.level = 9;
        } else {
            return std::nullopt;
        }
    }
    return o;
}
int main(int argc, char *argv[]) {
    auto options = parse(argc, argv);
    if (!options) {
        fprintf(stderr, "usage: %s [--op sum|max|count] [-n N]\n", argv[0]);
        return EXIT_FAILURE;
    }
    int *v, *out;
    cudaMallocManaged(&v, options->n * sizeof(int));
    cudaMallocManaged(&out, sizeof(int));
    for (int i = 0; i < options->n; i++) v[i] = (i * 7919) % 1009;
    fold<<<1, 1>>>(v, options->n, static_cast<int>(options->op), out);
    cudaDeviceSynchronize();
    std::function<void(const char *)> say = [&](const char *what) { printf("%s of %d: %d (level %u)\n", what, options->n, *out, options->level); };
    switch (options->op) {
        case Op::sum: say("sum"); break;
        case Op::max: say("max"); break;
        default: say("other");
    }
    if (options->verbose) puts("done");
    cudaFree(v);
    cudaFree(out);
}
