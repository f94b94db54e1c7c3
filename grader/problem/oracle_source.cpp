#include "problem/oracle_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "problem/contents.hpp"

namespace warpgrade {

namespace {

// One line: no comments and no directives in it. wg_mix and the float of it are Pattern's (problem/pattern.hpp),
// wg_whole is SumInput's, and tests hold them together.
constexpr const char* prelude = R"cuda(
typedef unsigned long long u64;
inline u64 hash_of(u64 a, u64 b) {
    u64 x = a + 0x9E3779B97F4A7C15ull * (b + 1);
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ x >> 27) * 0x94D049BB133111EBull;
    return x ^ x >> 31;
}
inline unsigned wg_mix(u64 index, u64 seed) {
    const unsigned mask = (1u << 27) - 1;
    unsigned x = ((unsigned)index & mask) ^ ((unsigned)hash_of(seed, 1) & mask) ^ ((unsigned)(index >> 27) * 0x1F35B7u & mask);
    x = (x * (0x5A3C9E5u & mask)) & mask;
    x ^= x >> 13;
    x = (x * (0x2E6B1D3u & mask)) & mask;
    x ^= x >> 14;
    return x ^ ((unsigned)hash_of(seed, 2) & mask);
}
inline float wg_float(u64 i, u64 seed) {
    const unsigned x = wg_mix(i, seed);
    return __uint_as_float(x >> 26 << 31 | (126u + (x >> 23 & 7u)) << 23 | (x & 0x7FFFFFu));
}
inline unsigned wg_whole(u64 i, u64 seed, u64 n) {
    const u64 most = 1ull << 24, hash = hash_of(seed, i);
    if (n * 15 <= most) return 1 + hash % 15;
    const u64 largest = most / n;
    return largest > 1 ? 1 + hash % largest : hash % ((n + most / 2 - 1) / (most / 2)) == 0;
}
inline double wg_double(u64 i, u64 seed) {
    const u64 x = wg_mix(i, seed);
    const u64 low = (x * 0x9E3779B1u >> 3 & 0x1FFFFFFFu) | 1u;
    return __longlong_as_double((long long)((x >> 26) << 63 | (1022u + (x >> 23 & 7u)) << 52 | (x & 0x7FFFFFu) << 29 | low));
}
template <class E> struct wg_contents {
    static E pattern(u64 i, u64 seed) { return (E)wg_mix(i, seed); }
    static E number(u64 value) { return (E)value; }
};
template <> struct wg_contents<float> {
    static float pattern(u64 i, u64 seed) { return wg_float(i, seed); }
    static float number(u64 value) { return (float)value; }
};
template <> struct wg_contents<double> {
    static double pattern(u64 i, u64 seed) { return wg_double(i, seed); }
    static double number(u64 value) { return (double)value; }
};
template <> struct wg_contents<float4> {
    static float4 pattern(u64 i, u64 seed) {
        return make_float4(wg_float(4 * i, seed), wg_float(4 * i + 1, seed), wg_float(4 * i + 2, seed), wg_float(4 * i + 3, seed));
    }
    static float4 number(u64 value) { return make_float4((float)value, (float)value, (float)value, (float)value); }
};
template <class E> bool wg_bits(const E& a, const E& b) {
    const unsigned char* x = (const unsigned char*)&a;
    const unsigned char* y = (const unsigned char*)&b;
    bool same = true;
    for (int i = 0; i < (int)sizeof(E); ++i) same = same && x[i] == y[i];
    return same;
}
template <class E> bool wg_exact(E a, E b) { return a == b || (a != a && b != b); }
inline long long wg_place(float a) { const int b = __float_as_int(a); return b < 0 ? -(long long)(b & 0x7FFFFFFF) : b; }
inline long long wg_place(double a) { const long long b = __double_as_longlong(a); return b < 0 ? -(b & 0x7FFFFFFFFFFFFFFFll) : b; }
template <class E> long long wg_place(E a) { return (long long)a; }
template <class E> bool wg_ulps(E a, E b, long long most) {
    if (a != a || b != b) return a != a && b != b;
    const long long d = wg_place(a) - wg_place(b);
    return d <= most && -d <= most;
}
inline double wg_unit(float) { return 1.0 / (1 << 24); }
inline double wg_unit(double) { return 1.0 / (1ull << 53); }
template <class E> double wg_unit(E) { return 0; }
template <class E> bool wg_close(E found, E expected, double bound) {
    if (found == expected || (found != found && expected != expected)) return true;
    const double d = (double)found - (double)expected;
    return d <= bound && -d <= bound;
}
struct wg_report { u64 wrong, first_wrong_complement, changed, fingerprint, sum; };
inline u64 wg_over_warp(u64 value) {
    for (int lanes = 16; lanes > 0; lanes /= 2) value += __shfl_xor_sync(0xFFFFFFFFu, value, lanes);
    return value;
}
template <class E> u64 wg_word(const E& a) {
    const unsigned char* x = (const unsigned char*)&a;
    u64 word = 0;
    for (int i = 0; i < (int)sizeof(E); ++i) word = word * 257 + x[i];
    return word;
}
)cuda";

std::string on_one_line(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

constexpr const char* walk =
    "for (u64 wg_i = (u64)blockIdx.x * blockDim.x + threadIdx.x; wg_i < wg_count; wg_i += (u64)gridDim.x * "
    "blockDim.x) ";

class Writer {
public:
    Writer(const ProblemDescription& problem, const std::string& type) : problem_(problem), type_(type) {
        for (const LauncherParameter& parameter : problem.launcher.parameters) {
            const std::string element = parameter.type == "T"             ? "T"
                                        : parameter.type == "std::size_t" ? "unsigned long"
                                                                          : parameter.type;
            parameters_ += fmt::format(", {}{}{} {}", parameter.is_const ? "const " : "", element,
                                       parameter.is_pointer ? "*" : "", "wg_p_" + parameter.name);
            arguments_ += (arguments_.empty() ? "" : ", ") + ("wg_p_" + parameter.name);
        }
        for (const auto& name : problem.extents) add_extent(name);
        for (const auto& [name, value] : problem.numbers) add_extent(name);
    }

    std::string kernels() {
        const std::string out = element_of(problem_.output());
        std::string text;
        for (std::size_t b = 0; b < problem_.buffers.size(); ++b) {
            const DescribedBuffer& buffer = problem_.buffers[b];
            if (buffer.contents.empty()) continue;
            std::set<std::string> all{buffer.contents};
            for (const auto& [variant, contents] : buffer.variants) all.insert(contents);
            for (const std::string& contents : all)
                if (const KnownContents* known = contents_named(contents); !known || known->is_on_card)
                    text += fill(b, contents);
            if (buffer.role == BufferRole::in) text += changed(b);
        }
        if (problem_.reference == ReferenceForm::moves) text += moved();
        if (problem_.reference == ReferenceForm::sum)
            text += sum();
        else
            text += run_kernel(reference_kernel, reference(), problem_.reference, false);
        for (std::size_t m = 0; m < problem_.mistakes.size(); ++m)
            text += run_kernel(mistake_kernel(m), problem_.mistakes[m].name, problem_.mistakes[m].form,
                               !problem_.mistakes[m].tries.empty());
        text += fmt::format(
            "extern \"C\" __global__ void {}(const {}* wg_found, const {}* wg_expected, unsigned char* wg_flags, u64 "
            "wg_count, "
            "u64 wg_terms{}) {{ {} wg_flags[wg_i] = !({}); }}\n",
            compare_kernel, out, out, parameters_, walk, same("wg_found[wg_i]", "wg_expected[wg_i]"));
        text += fmt::format(
            "extern \"C\" __global__ void {}(unsigned char* wg_to, u64 wg_count) {{ {} wg_to[wg_i] = 0; }}\n",
            clear_kernel, walk);
        return text + card_check(out);
    }
    std::string card_check() const { return card_check(element_of(problem_.output())); }

private:
    void add_extent(const std::string& name) {
        extents_ += ", long long wg_p_" + name;
        extent_arguments_ += ", wg_p_" + name;
    }
    std::string element_of(const DescribedBuffer& buffer) const { return buffer.type; }

    std::string element(const DescribedBuffer& buffer, const std::string& contents, const std::string& index) const {
        const std::string maker = fmt::format("wg_contents<{}>", element_of(buffer));
        if (contents == "pattern") return fmt::format("{}::pattern({}, wg_seed)", maker, index);
        if (contents == "small") return fmt::format("{}::number(1 + hash_of(wg_seed, {}) % 15)", maker, index);
        if (contents == "halves")
            return fmt::format("({}(1 + hash_of(wg_seed, {}) % 15) / 2)", element_of(buffer), index);
        if (contents == "bytes") return fmt::format("{}::number(hash_of(wg_seed, {}) & 255)", maker, index);
        if (contents == "sparse") return fmt::format("{}::number(hash_of(wg_seed, {}) % 64 == 0)", maker, index);
        if (contents == "zeros") return maker + "::number(0)";
        if (contents == "ones") return maker + "::number(1)";
        if (contents == "whole")
            return fmt::format("{}::number(wg_whole({}, wg_seed, (u64)wg_p_{}))", maker, index, buffer.extents[0]);
        if (contents == "index") return fmt::format("{}::number({})", maker, index);
        std::string sources;
        for (const std::size_t b : buffer.after) sources += ", wg_p_" + problem_.buffers[b].name;
        return fmt::format("{}({}, wg_seed{}{})", contents, index, sources, extent_arguments_);
    }
    // What contents are made from: other inputs, and the extents.
    std::string sources(const DescribedBuffer& buffer) const {
        std::string text;
        for (const std::size_t b : buffer.after)
            text += fmt::format(", const {}* wg_p_{}", element_of(problem_.buffers[b]), problem_.buffers[b].name);
        return text + extents_;
    }
    std::string fill(std::size_t b, const std::string& contents) const {
        const DescribedBuffer& buffer = problem_.buffers[b];
        return fmt::format(
            "extern \"C\" __global__ void {}({}* wg_to, u64 wg_first, u64 wg_count, u64 wg_seed{}) {{ {} "
            "wg_to[wg_i] = {}; }}\n",
            fill_kernel(b, contents), element_of(buffer), sources(buffer), walk,
            element(buffer, contents, "(wg_first + wg_i)"));
    }
    std::string changed(std::size_t b) const {
        const DescribedBuffer& buffer = problem_.buffers[b];
        return fmt::format(
            "extern \"C\" __global__ void {}(const {}* wg_in, u64 wg_count, wg_report* wg_to, u64 wg_is_first, u64 "
            "wg_seed{}) {{ u64 wg_changed = 0, wg_print = 0; {} {{ wg_changed += !wg_bits(wg_in[wg_i], {}); wg_print "
            "+= "
            "wg_word(wg_in[wg_i]) * (2 * wg_i + 1); }} wg_changed = wg_over_warp(wg_changed); wg_print = "
            "wg_over_warp(wg_print); if (threadIdx.x % 32 != 0) return; if (wg_changed != 0) "
            "atomicAdd(&wg_to->changed, wg_changed); if (wg_is_first) atomicAdd(&wg_to->fingerprint, wg_print); }}\n",
            changed_kernel(b), element_of(buffer), sources(buffer), walk, element(buffer, buffer.contents, "wg_i"));
    }
    std::string reference() const {
        if (problem_.reference == ReferenceForm::moves) return "wg_moved";
        return problem_.output().reference.empty() ? "reference" : problem_.output().reference;
    }
    // Which element of the input is element i of the output.
    std::string moved() const {
        const DescribedBuffer &in = problem_.input(), &output = problem_.output();
        std::string places, index;
        for (std::size_t axis = output.extents.size(); axis-- > 0;)
            places += axis == 0 ? "const u64 wg_x0 = wg_i; "
                                : fmt::format("const u64 wg_x{0} = wg_i % (u64)wg_p_{1}; wg_i /= (u64)wg_p_{1}; ", axis,
                                              output.extents[axis]);
        for (std::size_t i = 0; i < in.extents.size(); ++i)
            index = i == 0 ? fmt::format("wg_x{}", problem_.moves[i])
                           : fmt::format("({}) * (u64)wg_p_{} + wg_x{}", index, in.extents[i], problem_.moves[i]);
        return fmt::format("inline {0} wg_moved(u64 wg_i{1}) {{ {2} return wg_p_{3}[{4}]; }}\n", element_of(output),
                           parameters_, places, in.name, index);
    }
    std::string sum() const {
        const DescribedBuffer& in = problem_.input();
        return fmt::format(
            "extern \"C\" __global__ void {}(wg_report* wg_to, u64 wg_count, u64 wg_seed{}) {{ u64 wg_all = 0; {} "
            "wg_all += (u64)({}); wg_all = wg_over_warp(wg_all); if (threadIdx.x % 32 == 0) atomicAdd(&wg_to->sum, "
            "wg_all); }}\n",
            sum_kernel, extents_, walk, element(in, in.contents, "wg_i"));
    }
    std::string run_kernel(const std::string& kernel, const std::string& function, ReferenceForm form,
                           bool has_try) const {
        const std::string last = has_try ? ", wg_try" : "";
        std::string body;
        switch (form) {
            case ReferenceForm::sum: break;
            case ReferenceForm::moves:
            case ReferenceForm::gather:
                body = fmt::format("{} wg_to[wg_i] = {}(wg_first + wg_i, {}{});", walk, function, arguments_, last);
                break;
            case ReferenceForm::scatter:
                body = fmt::format("{} {}(wg_first + wg_i, {}{});", walk, function, arguments_, last);
                break;
            case ReferenceForm::sequential:
                body = fmt::format("if (blockIdx.x == 0 && threadIdx.x == 0) {}({}{});", function, arguments_, last);
                break;
        }
        return fmt::format("extern \"C\" __global__ void {}({}* wg_to, u64 wg_first, u64 wg_count{}{}) {{ {} }}\n",
                           kernel, element_of(problem_.output()), parameters_, has_try ? ", int wg_try" : "", body);
    }
    std::string same(const std::string& found, const std::string& expected) const {
        const OutputComparison& compare = problem_.compare;
        switch (compare.kind) {
            case OutputComparison::Kind::bits: return fmt::format("wg_bits({}, {})", found, expected);
            case OutputComparison::Kind::rounding:  // of whole numbers
            case OutputComparison::Kind::exact: return fmt::format("wg_exact({}, {})", found, expected);
            case OutputComparison::Kind::ulps:
                return fmt::format("wg_ulps({}, {}, {}ll)", found, expected, compare.ulps);
            case OutputComparison::Kind::summation:
                return fmt::format("wg_close({0}, {1}, (double)(wg_terms + 4) * wg_unit({0}) * {2}(wg_i, {3}))", found,
                                   expected, compare.function, arguments_);
            case OutputComparison::Kind::function:
                return fmt::format("{}({}, {}, wg_i, {})", compare.function, found, expected, arguments_);
        }
        return "false";
    }
    std::string card_check(const std::string& out) const {
        std::string output;
        for (const LauncherParameter& parameter : problem_.launcher.parameters)
            if (parameter.name == problem_.output().name) output = "wg_p_" + parameter.name;
        std::string right, before = arguments_;
        switch (problem_.reference) {
            case ReferenceForm::sequential: right = fmt::format("{}(wg_i, {})", problem_.card_check, arguments_); break;
            case ReferenceForm::scatter: right = same(output + "[wg_i]", "wg_expected[wg_i]"); break;
            case ReferenceForm::sum: right = same(output + "[wg_i]", fmt::format("(({})wg_to->sum)", out)); break;
            case ReferenceForm::moves:
            case ReferenceForm::gather:
                // Of an output that is read, what it held before is in wg_expected.
                if (problem_.output().is_updated())
                    before.replace(before.find(output), output.size(), fmt::format("(({}*)wg_expected)", out));
                right = same(output + "[wg_i]", fmt::format("(({}){}(wg_i, {}))", out, reference(), before));
                break;
        }
        return fmt::format(
            "extern \"C\" __global__ void {}(const {}* wg_expected, u64 wg_count, wg_report* wg_to, u64 wg_terms{}) {{ "
            "u64 "
            "wg_wrong = 0, wg_at = 0; {} if (!({})) {{ ++wg_wrong; if (wg_at < ~wg_i) wg_at = ~wg_i; }} if (wg_at != "
            "0) "
            "atomicMax(&wg_to->first_wrong_complement, wg_at); wg_wrong = wg_over_warp(wg_wrong); if (threadIdx.x % 32 "
            "== 0 && wg_wrong != 0) atomicAdd(&wg_to->wrong, wg_wrong); }}\n",
            card_kernel(problem_), out, parameters_, walk, right);
    }

    const ProblemDescription& problem_;
    std::string type_;
    std::string parameters_, arguments_, extents_, extent_arguments_;
};

}  // namespace

std::string fill_kernel(std::size_t buffer, const std::string& contents) {
    return fmt::format("wg_fill_{}_{}", buffer, contents);
}
std::string changed_kernel(std::size_t buffer) { return fmt::format("wg_changed_{}", buffer); }
std::string mistake_kernel(std::size_t mistake) { return fmt::format("wg_mistake_{}", mistake); }

std::string card_kernel(const ProblemDescription& problem) { return "wg_card_check_" + problem.output().name; }

std::string card_check_source(const ProblemDescription& problem) { return Writer(problem, "float").card_check(); }

OracleSource oracle_source(const ProblemDescription& problem, const std::string& type) {
    OracleSource text;
    text.source = on_one_line(fmt::format("typedef {} T; {}", type, prelude)) + problem.cuda;
    text.appended = Writer(problem, type).kernels();
    return text;
}

}  // namespace warpgrade
