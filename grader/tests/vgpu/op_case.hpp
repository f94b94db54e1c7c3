// Text cases of single instructions (tests/golden/ops/*.txt) and the PTX that runs them.
//
// A case is an `op:` line and the `out:` lines after it. `in:` lines stand before; they hold for all cases that follow,
// until the register is set again or a line `---` forgets them all.
//
//     in: %r1 = 1 2147483647
//     in: %r2 = 1 1
//     op: add.s32 %r3, %r1, %r2;
//     out: %r3 = 2 0x80000000
//
// Values are lanes 0, 1, ...; the list is repeated over the 32 lanes. All lists of a case have one length, or are a
// single value. A register's name gives its type: %r 32 bits, %rd 64, %rs 16, %rb 8, %f f32, %fd f64, %p predicate (1
// or 0). A value is an integer, 0x bits, 0f/0d bits as in PTX, a decimal or hexadecimal floating-point number, inf,
// -inf, or nan, which as an expectation means any NaN. Halves take the bits, or a number with an h: 1.5h. Further lines
// of a case, between `op:` and `out:`:
//
//     lanes: 0xFFFF   runs with these lanes only; else with all, with the even ones, and guarded by a predicate
//     near: 1e-6      a real GPU may be this far off, of 1 or of the value: its .approx instructions are approximate
//     ptxas: no       not PTX that ptxas takes; the row is there because its family is
//
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace warpgrade::op_case {

struct Values {
    std::string name;                 // "%r1"
    std::vector<std::uint64_t> bits;  // of each lane in turn
    std::vector<bool> is_any_nan;
    std::uint64_t at(unsigned lane) const { return bits[lane % bits.size()]; }
};

struct OpCase {
    std::string file;  // "add.txt"
    int line = 0;
    std::string op;  // "add.s32 %r3, %r1, %r2;"
    std::vector<Values> inputs, outputs;
    std::uint32_t lanes = 0;  // 0 = the usual runs
    double near = 0;
    bool assembles = true;
    std::string where() const { return file + ":" + std::to_string(line) + ": " + op; }
    std::size_t columns() const {  // different lanes
        std::size_t count = 1;
        for (const Values& v : inputs) count = std::max(count, v.bits.size());
        return count;
    }
};

enum class Kind { pred, b8, b16, b32, b64, f32, f64 };
inline Kind kind_of(const std::string& name) {
    const std::string stem = name.substr(1, name.find_first_of("0123456789") - 1);
    static const std::map<std::string, Kind> kinds{{"p", Kind::pred}, {"rb", Kind::b8},  {"rs", Kind::b16},
                                                   {"r", Kind::b32},  {"rd", Kind::b64}, {"f", Kind::f32},
                                                   {"fd", Kind::f64}};
    const auto found = kinds.find(stem);
    if (found == kinds.end()) throw std::runtime_error("no register type is called %" + stem);
    return found->second;
}
inline unsigned bits_of(Kind kind) {
    switch (kind) {
        case Kind::pred: return 1;
        case Kind::b8: return 8;
        case Kind::b16: return 16;
        case Kind::b32:
        case Kind::f32: return 32;
        default: return 64;
    }
}

// Bits of an f16 that holds `value` exactly.
inline std::uint64_t half_bits(double value) {
    const std::uint64_t sign = std::signbit(value) ? 0x8000 : 0;
    if (std::isinf(value)) return sign | 0x7C00;
    const double magnitude = std::fabs(value);
    int exponent = 0;
    std::frexp(magnitude, &exponent);  // magnitude < 2^exponent
    const int scale = std::max(exponent - 11, -24);
    const double fraction = std::ldexp(magnitude, -scale);
    if (fraction != std::floor(fraction) || exponent > 16)
        throw std::runtime_error("not a half: " + std::to_string(value));
    const auto digits = static_cast<std::uint64_t>(fraction);
    return sign | (digits < 1024 ? digits : (static_cast<std::uint64_t>(scale + 25) << 10) + digits - 1024);
}

inline std::uint64_t parse_value(const std::string& word, Kind kind, bool& is_any_nan) {
    is_any_nan = false;
    const unsigned width = bits_of(kind);
    const std::uint64_t mask = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
    std::size_t used = 0;
    std::uint64_t bits = 0;
    if (word.size() > 2 && (word.starts_with("0f") || word.starts_with("0d"))) {
        bits = std::stoull(word.substr(2), &used, 16);
        used += 2;
    } else if (kind == Kind::b16 && word.back() == 'h') {
        bits = half_bits(std::stod(word, &used));
        ++used;
    } else if (kind == Kind::f32 || kind == Kind::f64) {
        if (word == "nan") {
            is_any_nan = true;
            return kind == Kind::f32 ? 0x7FFFFFFFu : 0x7FF8000000000000u;
        }
        // strtof, not a narrowed double: one rounding; and no exception for a subnormal.
        char* end = nullptr;
        if (kind == Kind::f32) {
            const float value = std::strtof(word.c_str(), &end);
            std::memcpy(&bits, &value, sizeof value);
        } else {
            const double value = std::strtod(word.c_str(), &end);
            std::memcpy(&bits, &value, sizeof value);
        }
        used = static_cast<std::size_t>(end - word.c_str());
    } else if (word[0] == '-') {
        bits = static_cast<std::uint64_t>(std::stoll(word, &used, 0));
        if (width < 64 && bits < ~std::uint64_t{0} - (mask >> 1)) throw std::runtime_error("too small: " + word);
        bits &= mask;
    } else {
        bits = std::stoull(word, &used, 0);
    }
    if (used != word.size()) throw std::runtime_error("not a value: " + word);
    if (bits > mask) throw std::runtime_error("too large: " + word);
    return bits;
}

inline Values parse_values(const std::string& text) {
    std::istringstream words(text);
    Values values;
    std::string equals, word;
    words >> values.name >> equals;
    if (equals != "=") throw std::runtime_error("expected `register = values`");
    const Kind kind = kind_of(values.name);
    while (words >> word) {
        bool is_any_nan = false;
        values.bits.push_back(parse_value(word, kind, is_any_nan));
        values.is_any_nan.push_back(is_any_nan);
    }
    if (values.bits.empty() || values.bits.size() > 32) throw std::runtime_error("expected 1 to 32 values");
    return values;
}

// Registers the text names, in order: "%r1", "%p2"; special registers have no number.
inline std::vector<std::string> registers_in(const std::string& text) {
    std::vector<std::string> names;
    for (std::size_t at = text.find('%'); at != std::string::npos; at = text.find('%', at + 1)) {
        std::size_t end = at + 1;
        while (end < text.size() && std::isalpha(static_cast<unsigned char>(text[end]))) ++end;
        const std::size_t digits = end;
        while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end]))) ++end;
        const std::string name = text.substr(at, end - at);
        if (end > digits && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    return names;
}

inline void finish(std::vector<OpCase>& cases) {
    if (cases.empty()) return;
    const OpCase& c = cases.back();
    if (c.outputs.empty()) throw std::runtime_error("no `out:` for " + c.where());
    for (const auto* list : {&c.inputs, &c.outputs}) {
        for (const Values& v : *list) {
            if (v.bits.size() != 1 && c.lanes == 0 && v.bits.size() != c.columns())
                throw std::runtime_error("lists of different lengths at " + c.where());
        }
    }
}

inline std::vector<OpCase> read_file(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::vector<OpCase> cases;
    std::map<std::string, Values> inputs;
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        const std::size_t first = line.find_first_not_of(" \t");
        if (first == std::string::npos || line[first] == '#') continue;
        const std::size_t colon = line.find(':');
        const std::string key = line.substr(first, colon == std::string::npos ? colon : colon - first);
        const std::string rest = colon == std::string::npos ? "" : line.substr(line.find_first_not_of(' ', colon + 1));
        try {
            if (key == "---") {
                inputs.clear();
            } else if (key == "in") {
                Values values = parse_values(rest);
                inputs[values.name] = std::move(values);
            } else if (key == "op") {
                finish(cases);
                OpCase c;
                c.file = path.filename();
                c.line = number;
                c.op = rest;
                for (const std::string& name : registers_in(rest)) {
                    if (const auto known = inputs.find(name); known != inputs.end()) c.inputs.push_back(known->second);
                }
                cases.push_back(std::move(c));
            } else if (cases.empty()) {
                throw std::runtime_error("expected `in:` or `op:`");
            } else if (key == "out") {
                cases.back().outputs.push_back(parse_values(rest));
            } else if (key == "lanes") {
                cases.back().lanes = static_cast<std::uint32_t>(std::stoul(rest, nullptr, 0));
            } else if (key == "near") {
                cases.back().near = std::stod(rest);
            } else if (key == "ptxas" && rest == "no") {
                cases.back().assembles = false;
            } else {
                throw std::runtime_error("unknown line `" + line + "`");
            }
        } catch (const std::exception& reason) {
            throw std::runtime_error(path.filename().string() + ":" + std::to_string(number) + ": " + reason.what());
        }
    }
    finish(cases);
    return cases;
}

inline std::vector<OpCase> read_folder(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".txt") paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    std::vector<OpCase> cases;
    for (const auto& path : paths) {
        for (OpCase& c : read_file(path)) cases.push_back(std::move(c));
    }
    return cases;
}

inline const char* kHeader = ".version 8.0\n.target sm_90\n.address_size 64\n";
inline constexpr unsigned kRegisterBytes = 32 * 8;  // of one register's lanes in memory

inline std::string declarations(const OpCase& c) {
    std::string text;
    static const std::map<Kind, std::string> types{{Kind::pred, ".pred"}, {Kind::b8, ".b8"},   {Kind::b16, ".b16"},
                                                   {Kind::b32, ".b32"},   {Kind::b64, ".b64"}, {Kind::f32, ".f32"},
                                                   {Kind::f64, ".f64"}};
    for (const std::string& name : registers_in(c.op))
        text += "    .reg " + types.at(kind_of(name)) + " " + name + ";\n";
    return text + "    .reg .b64 %lanes, %from, %to;\n    .reg .b32 %lane, %word, %mask;\n    .reg .pred %go;\n";
}
inline std::string load(const std::string& space, const std::string& name, const std::string& address) {
    if (kind_of(name) == Kind::pred)
        return "    ld." + space + ".u32 %word, [" + address + "];\n    setp.ne.u32 " + name + ", %word, 0;\n";
    return "    ld." + space + ".b" + std::to_string(bits_of(kind_of(name))) + " " + name + ", [" + address + "];\n";
}
inline std::string store(const std::string& name, const std::string& address) {
    if (kind_of(name) == Kind::pred)
        return "    selp.u32 %word, 1, 0, " + name + ";\n    st.global.u32 [" + address + "], %word;\n";
    return "    st.global.b" + std::to_string(bits_of(kind_of(name))) + " [" + address + "], " + name + ";\n";
}
inline std::string store_outputs(const OpCase& c) {
    std::string text;
    for (std::size_t k = 0; k < c.outputs.size(); ++k)
        text += store(c.outputs[k].name, "%to+" + std::to_string(k * kRegisterBytes));
    return text;
}

// Values from memory, lane by lane; the registers written hold what `to` holds before. Lanes not in `mask` go round the
// instruction, by a branch or by a guard. Parameters: from, to, mask.
inline std::string kernel_from_memory(const OpCase& c, const std::string& name, bool is_guarded) {
    std::string text =
        ".visible .entry " + name + "(.param .u64 p_from, .param .u64 p_to, .param .u32 p_mask)\n{\n" +
        declarations(c) +
        "    ld.param.u64 %from, [p_from];\n    ld.param.u64 %to, [p_to];\n    ld.param.u32 %mask, [p_mask];\n"
        "    mov.u32 %lane, %tid.x;\n    mul.wide.u32 %lanes, %lane, 8;\n"
        "    add.s64 %from, %from, %lanes;\n    add.s64 %to, %to, %lanes;\n";
    for (std::size_t k = 0; k < c.outputs.size(); ++k)
        text += load("global", c.outputs[k].name, "%to+" + std::to_string(k * kRegisterBytes));
    for (std::size_t k = 0; k < c.inputs.size(); ++k)
        text += load("global", c.inputs[k].name, "%from+" + std::to_string(k * kRegisterBytes));
    text += "    shr.u32 %word, %mask, %lane;\n    and.b32 %word, %word, 1;\n    setp.ne.u32 %go, %word, 0;\n";
    text += is_guarded ? "    @%go " + c.op + "\n" : "    @!%go bra $done;\n    " + c.op + "\n$done:\n";
    return text + store_outputs(c) + "    ret;\n}\n";
}

// Values from parameters, the same for all lanes: what the virtual GPU computes once a launch. Parameters: to, values.
inline std::string kernel_from_parameters(const OpCase& c, const std::string& name) {
    std::string text = ".visible .entry " + name + "(.param .u64 p_to";
    for (std::size_t k = 0; k < c.inputs.size(); ++k) text += ", .param .b64 p_" + std::to_string(k);
    text += ")\n{\n" + declarations(c) +
            "    ld.param.u64 %to, [p_to];\n    mov.u32 %lane, %tid.x;\n    mul.wide.u32 %lanes, %lane, 8;\n    "
            "add.s64 %to, %to, %lanes;\n";
    for (std::size_t k = 0; k < c.inputs.size(); ++k) {
        // A predicate is set by one instruction from one value, or it would not be computed early.
        std::string one = load("param", c.inputs[k].name, "p_" + std::to_string(k));
        for (std::size_t at = one.find("%word"); at != std::string::npos; at = one.find("%word", at + 1))
            one.insert(at + 5, std::to_string(k));
        if (kind_of(c.inputs[k].name) == Kind::pred) text += "    .reg .b32 %word" + std::to_string(k) + ";\n";
        text += one;
    }
    return text + "    " + c.op + "\n" + store_outputs(c) + "    ret;\n}\n";
}

// What lanes hold that the instruction must not touch.
inline std::uint64_t old_value(const Values& output, unsigned lane) {
    const unsigned width = bits_of(kind_of(output.name));
    if (width == 1) return lane % 3 == 0 ? 1 : 0;
    return (0xA5A5A5A5A5A5A500u + lane) & (width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1);
}

inline bool is_nan_bits(std::uint64_t bits, Kind kind) {
    if (kind == Kind::f32) return (bits & 0x7FFFFFFFu) > 0x7F800000u;
    return kind == Kind::f64 && (bits & 0x7FFFFFFFFFFFFFFFu) > 0x7FF0000000000000u;
}

inline double value_of_half(std::uint64_t bits) {
    const int exponent = static_cast<int>(bits >> 10 & 31), fraction = static_cast<int>(bits & 1023);
    const double magnitude = exponent == 31  ? (fraction ? NAN : INFINITY)
                             : exponent == 0 ? std::ldexp(fraction, -24)
                                             : std::ldexp(1024 + fraction, exponent - 25);
    return bits & 0x8000 ? -magnitude : magnitude;
}

// tolerance: 0 = bit for bit. What a register of 16 or 32 bits without a type holds is then one or two f16.
inline bool agrees(const Values& output, unsigned lane, std::uint64_t bits, double tolerance) {
    const Kind kind = kind_of(output.name);
    const std::uint64_t wanted = output.at(lane);
    if (output.is_any_nan[lane % output.is_any_nan.size()]) return is_nan_bits(bits, kind);
    if (bits == wanted || tolerance == 0) return bits == wanted;
    const auto is_near = [=](double a, double b) {
        return std::fabs(a - b) <= tolerance * std::max(1.0, std::fabs(b));
    };
    if (kind == Kind::b16 || kind == Kind::b32) {
        for (int shift = 0; shift < (kind == Kind::b16 ? 16 : 32); shift += 16) {
            const std::uint64_t half = bits >> shift & 0xFFFF, wanted_half = wanted >> shift & 0xFFFF;
            if (half != wanted_half && !is_near(value_of_half(half), value_of_half(wanted_half))) return false;
        }
        return true;
    }
    double a = 0, b = 0;
    if (kind == Kind::f32) {
        float x = 0, y = 0;
        std::memcpy(&x, &bits, 4);
        std::memcpy(&y, &wanted, 4);
        a = x;
        b = y;
    } else {
        std::memcpy(&a, &bits, 8);
        std::memcpy(&b, &wanted, 8);
    }
    return is_near(a, b);
}

}  // namespace warpgrade::op_case
