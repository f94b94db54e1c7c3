// Changes PTX so that most of it stays PTX: opcodes from the table, operands from elsewhere in the text, extreme
// numbers, lines moved about. A fifth of the changes is left to libFuzzer, which knows nothing of PTX.
#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "target.hpp"
#include "vgpu/ops/table.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

using namespace warpgrade;

constexpr const char* numbers[] = {"0",
                                   "1",
                                   "-1",
                                   "2",
                                   "3",
                                   "4",
                                   "-4",
                                   "7",
                                   "8",
                                   "-8",
                                   "15",
                                   "16",
                                   "31",
                                   "32",
                                   "33",
                                   "63",
                                   "64",
                                   "127",
                                   "128",
                                   "255",
                                   "256",
                                   "1023",
                                   "1024",
                                   "4095",
                                   "4096",
                                   "8188",
                                   "8192",
                                   "65535",
                                   "65536",
                                   "2147483647",
                                   "-2147483648",
                                   "2147483648",
                                   "4294967292",
                                   "4294967295",
                                   "4294967296",
                                   "1099511627776",
                                   "9223372036854775807",
                                   "-9223372036854775808",
                                   "9223372036854775808",
                                   "18446744073709551612",
                                   "18446744073709551615",
                                   "0x7EFFFFFFFFFFFC",
                                   "0f00000000",
                                   "0f3F800000",
                                   "0f7F800000",
                                   "0fFF800000",
                                   "0f7FC00000",
                                   "0f80000000",
                                   "0d7FF0000000000000",
                                   "0dFFF8000000000000"};

// What the opcode table has no row for: control, calls, directives' words.
constexpr const char* other_instructions[] = {
    "ret;",
    "exit;",
    "trap;",
    "brkpt;",
    "bar.sync 0;",
    "bar.sync %r1, %r2;",
    "barrier.sync 1, 32;",
    "bar.arrive 1, 64;",
    "bar.red.popc.u32 %r1, 0, %p1;",
    "bar.warp.sync 0xffffffff;",
    "bar.warp.sync %r1;",
    "barrier.cluster.arrive;",
    "barrier.cluster.wait;",
    "mapa.shared::cluster.u32 %r1, %r2, %r3;",
    "mapa.u64 %rd1, %rd2, %r1;",
    "getctarank.shared::cluster.u32 %r1, %r2;",
    "membar.gl;",
    "fence.sc.gpu;",
    "cp.async.commit_group;",
    "cp.async.wait_group 1;",
    "cp.async.wait_all;",
    "cp.async.ca.shared.global [%r1], [%rd1], 16;",
    "cp.async.cg.shared.global [%rd1], [%rd2], 16, %r1;",
    "mbarrier.init.shared.b64 [%r1], 1;",
    "mbarrier.arrive.shared.b64 %rd1, [%r1];",
    "mbarrier.test_wait.shared.b64 %p1, [%r1], %rd1;",
    "mbarrier.try_wait.parity.shared.b64 %p1, [%r1], 0;",
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], 16, [%r2];",
    "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], 64;",
    "shfl.sync.bfly.b32 %r1, %r2, 1, 31, -1;",
    "shfl.sync.idx.b32 %r1|%p1, %r2, %r3, 31, %r4;",
    "vote.sync.ballot.b32 %r1, %p1, -1;",
    "match.any.sync.b32 %r1, %r2, -1;",
    "redux.sync.add.s32 %r1, %r2, -1;",
    "activemask.b32 %r1;",
    "elect.sync %r1|%p1, -1;",
    "mov.u32 %r1, %tid.x;",
    "mov.u32 %r1, %laneid;",
    "mov.u64 %rd1, %clock64;",
    "mov.b64 %rd1, {%r1, %r2};",
    "mov.b64 {%r1, %r2}, %rd1;",
    "mov.u32 %r1, %dynamic_smem_size;",
    "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];",
    "ld.shared.u32 %r1, [%r2+-4];",
    "st.shared.v2.b64 [%rd1+-8], {%rd1, %rd2};",
    "ld.local.u32 %r1, [%rd1];",
    "st.local.b64 [%rd1+8], %rd2;",
    "ld.const.u32 %r1, [%rd1];",
    "ld.param.b64 %rd1, [param0+8];",
    "st.param.b64 [param0+0], %rd1;",
    "ld.volatile.global.u32 %r1, [%rd1];",
    "ld.acquire.gpu.global.u32 %r1, [%rd1];",
    "st.release.gpu.global.u32 [%rd1], %r1;",
    "atom.global.add.u32 %r1, [%rd1], 1;",
    "atom.shared.cas.b32 %r1, [%r2], %r3, %r4;",
    "red.global.add.f32 [%rd1], %f1;",
    "cvta.to.global.u64 %rd1, %rd2;",
    "cvta.shared.u64 %rd1, %rd2;",
    "cvta.local.u64 %rd1, %rd2;",
    "isspacep.shared %p1, %rd1;",
    "prefetch.global.L2 [%rd1];",
    "setp.lt.and.s32 %p1|%p2, %r1, %r2, !%p3;",
    "call.uni vprintf, (param0, param1);",
    "call (retval0), vprintf, (param0, param1);",
    "nanosleep.u32 100;",
    "{",
    "}",
    ".reg .b32 t;",
    ".reg .b64 u;",
    ".reg .pred q;",
    ".local .align 8 .b8 depot[64];",
    ".shared .align 16 .b8 tile[4096];",
    ".param .b64 param0;",
    ".param .align 8 .b8 param1[16];",
    ".loc 1 7 3;",
    ".pragma \"nounroll\";",
};

constexpr const char* modifiers[] = {
    "u8",  "s8",   "b8",       "u16",     "s16",     "b16",   "f16",   "f16x2", "bf16", "u32",
    "s32", "b32",  "f32",      "u64",     "s64",     "b64",   "f64",   "b128",  "pred", "v2",
    "v4",  "v8",   "global",   "shared",  "local",   "param", "const", "cta",   "gpu",  "sys",
    "nc",  "sync", "volatile", "relaxed", "acquire", "wide",  "hi",    "lo",    "rn",   "sat",
    "ftz", "x",    "all",      "any",     "popc",    "and",   "to",    "uni",   "cs",   "L1::no_allocate"};

using Random = std::minstd_rand;

std::size_t below(Random& random, std::size_t count) { return count == 0 ? 0 : random() % count; }

template <class List>
auto& any_of(Random& random, List& list) {
    return list[below(random, std::size(list))];
}

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%' || c == '.' || c == ':';
}

struct Token {
    std::size_t begin = 0, length = 0;
};

// Words; everything else stays between them.
std::vector<Token> words_in(const std::string& text) {
    std::vector<Token> words;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && is_word(text[end])) ++end;
        if (end > at) words.push_back({at, end - at});
        at = std::max(end, at + 1);
    }
    return words;
}

enum class WordKind { number, reg, dotted, name };
WordKind kind_of(const std::string& text, const Token& token) {
    const char first = text[token.begin];
    if (std::isdigit(static_cast<unsigned char>(first))) return WordKind::number;
    if (first == '%') return WordKind::reg;
    return text.find('.', token.begin) < token.begin + token.length ? WordKind::dotted : WordKind::name;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
        lines.push_back(text.substr(at, end - at));
        at = end;
    }
    if (!lines.empty() && !lines.back().ends_with('\n')) lines.back() += '\n';
    return lines;
}

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line;
    return text;
}

std::vector<std::string> registers_in(const std::string& text) {
    std::vector<std::string> names;
    for (const Token& token : words_in(text))
        if (kind_of(text, token) == WordKind::reg) names.push_back(text.substr(token.begin, token.length));
    return names;
}

std::string random_register(Random& random, const std::vector<std::string>& known) {
    static constexpr const char* stems[] = {"%r", "%rd", "%rs", "%f", "%fd", "%p"};
    if (!known.empty() && random() % 4 != 0) return any_of(random, known);
    return any_of(random, stems) + std::to_string(1 + random() % 8);
}

std::string random_operand(Random& random, const std::vector<std::string>& known) {
    switch (random() % 12) {
        case 0: return any_of(random, numbers);
        case 1: return "[" + random_register(random, known) + "]";
        case 2: return "[" + random_register(random, known) + "+" + any_of(random, numbers) + "]";
        case 3: return "{" + random_register(random, known) + ", " + random_register(random, known) + "}";
        case 4: return random_register(random, known) + "|" + random_register(random, known);
        case 5: return random() % 2 ? "_" : "!" + random_register(random, known);
        default: return random_register(random, known);
    }
}

const std::vector<const vgpu::OpEntry*>& rows() {
    static const std::vector<const vgpu::OpEntry*> all = vgpu::op_table().rows();
    return all;
}

// A row's signature is "s32=s32,s32": as many operands as it has types.
std::string random_instruction(Random& random, const std::vector<std::string>& known) {
    std::string line = random() % 8 == 0 ? "\t@" + random_register(random, known) + " " : "\t";
    if (random() % 3 == 0) return line + any_of(random, other_instructions) + "\n";
    const vgpu::OpEntry& row = *any_of(random, rows());
    line += row.key + " ";
    const bool is_typed = !row.signature.empty();
    std::size_t count = is_typed
                            ? 1 + static_cast<std::size_t>(std::count_if(row.signature.begin(), row.signature.end(),
                                                                         [](char c) { return c == ',' || c == '='; }))
                            : 1 + below(random, 4);
    if (random() % 16 == 0) count += random() % 2 ? 1 : count - 1;
    for (std::size_t i = 0; i < count; ++i) line += (i ? ", " : "") + random_operand(random, known);
    return line + ";\n";
}

void replace_word(Random& random, std::string& text) {
    const auto words = words_in(text);
    if (words.empty()) return;
    const Token& token = any_of(random, words);
    const WordKind kind = kind_of(text, token);
    if (kind == WordKind::number || random() % 16 == 0) {
        text.replace(token.begin, token.length, any_of(random, numbers));
        return;
    }
    // Another of its kind.
    for (int tries = 0; tries < 16; ++tries) {
        const Token& other = any_of(random, words);
        if (kind_of(text, other) != kind && random() % 32 != 0) continue;
        text.replace(token.begin, token.length, text.substr(other.begin, other.length));
        return;
    }
}

void replace_number(Random& random, std::string& text) {
    auto words = words_in(text);
    std::erase_if(words, [&](const Token& token) { return kind_of(text, token) != WordKind::number; });
    if (words.empty()) return;
    const Token& token = any_of(random, words);
    text.replace(token.begin, token.length, any_of(random, numbers));
}

void change_address(Random& random, std::string& text) {
    std::vector<std::size_t> ends;
    for (std::size_t at = text.find(']'); at != std::string::npos; at = text.find(']', at + 1)) ends.push_back(at);
    if (ends.empty()) return;
    text.insert(any_of(random, ends), std::string("+") + any_of(random, numbers));
}

void change_modifier(Random& random, std::string& text) {
    auto words = words_in(text);
    std::erase_if(words, [&](const Token& token) { return kind_of(text, token) != WordKind::dotted; });
    if (words.empty()) return;
    const Token& token = any_of(random, words);
    std::vector<std::size_t> dots;
    for (std::size_t i = 0; i < token.length; ++i)
        if (text[token.begin + i] == '.') dots.push_back(token.begin + i);
    const std::size_t dot = any_of(random, dots);
    const std::size_t end = std::min(text.find('.', dot + 1), token.begin + token.length);
    const std::string other = std::string(".") + any_of(random, modifiers);
    switch (random() % 4) {
        case 0: text.erase(dot, end - dot); break;
        case 1: text.insert(dot, other); break;
        default: text.replace(dot, end - dot, other); break;
    }
}

void change_operands(Random& random, std::string& line) {
    std::vector<std::size_t> commas;
    for (std::size_t i = 0; i < line.size(); ++i)
        if (line[i] == ',' || line[i] == ';') commas.push_back(i);
    if (commas.empty()) return;
    const auto known = registers_in(line);
    const std::size_t at = any_of(random, commas);
    switch (random() % 3) {
        case 0: line.insert(at, ", " + random_operand(random, known)); break;
        case 1: {  // the one before goes
            const std::size_t before = line.find_last_of(", \t", at - (at > 0 ? 1 : 0));
            if (before != std::string::npos && before < at) line.erase(before, at - before);
            break;
        }
        default: {
            const std::size_t before = line.find_last_of(" \t", at);
            if (before != std::string::npos && before + 1 < at)
                line.replace(before + 1, at - before - 1, random_operand(random, known));
        }
    }
}

void change_opcode(Random& random, std::string& line) {
    auto words = words_in(line);
    std::erase_if(words, [&](const Token& token) { return kind_of(line, token) != WordKind::dotted; });
    if (!words.empty()) line.replace(words[0].begin, words[0].length, any_of(random, rows())->key);
}

void change_line(Random& random, std::string& text) {
    auto lines = lines_of(text);
    if (lines.empty()) return;
    const std::size_t at = below(random, lines.size());
    const auto place = lines.begin() + static_cast<std::ptrdiff_t>(at);
    const std::size_t other = below(random, lines.size());
    switch (random() % 10) {
        case 0: lines.erase(place); break;
        case 1: lines.insert(place, std::string(lines[other])); break;
        case 2: std::swap(lines[at], lines[other]); break;
        case 3: {  // several lines from elsewhere
            const std::size_t count = std::min<std::size_t>(1 + random() % 8, lines.size() - other);
            const std::vector<std::string> taken(lines.begin() + static_cast<std::ptrdiff_t>(other),
                                                 lines.begin() + static_cast<std::ptrdiff_t>(other + count));
            lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), taken.begin(), taken.end());
            break;
        }
        case 4: change_operands(random, lines[at]); break;
        case 5: change_opcode(random, lines[at]); break;
        case 6:
            lines[at].insert(
                0, "@" + std::string(random() % 2 ? "!" : "") + random_register(random, registers_in(text)) + " ");
            break;
        default: lines.insert(place, random_instruction(random, registers_in(text))); break;
    }
    text = joined(lines);
}

void change_launch(Random& random, std::string& text) {
    static constexpr int extremes[] = {0, 1, 2, 3, 4, 5, 7, 31, 32, 33, 64, 96, 1024, 16384};
    std::string line = "//launch";
    for (int i = 0; i < 7; ++i) line += " " + std::to_string(any_of(random, extremes));
    if (text.starts_with("//launch ")) text.erase(0, std::min(text.find('\n'), text.size() - 1) + 1);
    text = line + "\n" + text;
}

std::size_t give_back(const std::string& text, std::uint8_t* data, std::size_t most) {
    const std::size_t size = std::min(text.size(), most);
    std::memcpy(data, text.data(), size);
    return size;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
    Random random(seed);
    random.discard(4);
    if (random() % 5 == 0) return LLVMFuzzerMutate(data, size, most);
    std::string text(fuzz::text_of(data, size));
    for (std::size_t left = 1 + below(random, 4); left > 0; --left) {
        switch (random() % 10) {
            case 0:
            case 1: replace_word(random, text); break;
            case 2: replace_number(random, text); break;
            case 3: change_address(random, text); break;
            case 4: change_modifier(random, text); break;
            case 5:
                if (random() % 4 == 0) change_launch(random, text);
                break;
            default: change_line(random, text); break;
        }
    }
    return give_back(text, data, most);
}

// Lines of one text among those of another.
extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* data1, std::size_t size1,
                                                 const std::uint8_t* data2, std::size_t size2, std::uint8_t* out,
                                                 std::size_t most, unsigned seed) {
    Random random(seed);
    random.discard(4);
    auto lines = lines_of(std::string(fuzz::text_of(data1, size1)));
    const auto others = lines_of(std::string(fuzz::text_of(data2, size2)));
    if (others.empty()) return give_back(joined(lines), out, most);
    const std::size_t first = below(random, others.size());
    const std::size_t count = std::min<std::size_t>(1 + below(random, 40), others.size() - first);
    const auto begin = others.begin() + static_cast<std::ptrdiff_t>(first);
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(below(random, lines.size() + 1)), begin,
                 begin + static_cast<std::ptrdiff_t>(count));
    return give_back(joined(lines), out, most);
}
