// What a name that the compiler does not know could be: conditions of the rows for `identifier "n" is undefined`.
#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "base/near_names.hpp"
#include "base/text.hpp"
#include "compile/place.hpp"

namespace warpgrade {
namespace {

using source::TokenId;

// Misspelt ones get the right one offered.
const std::vector<std::string>& cuda_words() {
    static const auto pieces = split(
        "threadIdx blockIdx blockDim gridDim warpSize __syncthreads __syncwarp __shared__ __global__ __device__ "
        "__host__ "
        "__constant__ __shfl_down_sync __shfl_xor_sync __shfl_sync __shfl_up_sync __ballot_sync __any_sync __all_sync "
        "__activemask atomicAdd atomicMax atomicMin atomicCAS atomicExch __threadfence __ldg dim3 float2 float4 size_t "
        "nullptr printf assert cudaGetLastError cudaFuncSetAttribute cudaMemsetAsync cudaDeviceSynchronize "
        "__launch_bounds__ __restrict__ static_cast reinterpret_cast constexpr template typename extern static "
        "unsigned "
        "return continue sizeof while const float double struct void else bool true false for int if",
        ' ');
    static const std::vector<std::string> words(pieces.begin(), pieces.end());
    return words;
}

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

// The letters alone, so that thread_idx is threadIdx, and __sync_threads __syncthreads.
std::string bare(std::string_view text) {
    std::string out = lower(text);
    std::erase(out, '_');
    return out;
}

// The parts between underscores in one order: __shfl_sync_down has those of __shfl_down_sync.
std::vector<std::string_view> parts_of(std::string_view text) {
    std::vector<std::string_view> parts = split(text, '_');
    std::erase(parts, "");
    std::sort(parts.begin(), parts.end());
    return parts;
}

// "`a`, `b` and `c`"
std::string listed(const std::vector<std::string_view>& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? "`" : i + 1 == names.size() ? " and `" : ", `") + std::string(names[i]) + "`";
    return text;
}

// Names that the file has elsewhere. Of names of one or two letters every other is a neighbour.
std::vector<std::string> own_names(const SourceText& source, const std::string& but) {
    std::set<std::string> names;
    for (const source::CodeToken& token : source.tokens().code)
        if (token.kind == source::TokenKind::word && token.text.size() >= 3) names.emplace(token.text);
    names.erase(but);
    return {names.begin(), names.end()};
}

std::string near_name(const SourceText& source, const std::string& name) {
    const std::vector<std::string> own = own_names(source, name);
    // What differs in capital letters alone.
    for (const auto* words : {&own, &cuda_words()})
        for (const std::string& word : *words)
            if (word != name && lower(word) == lower(name)) return word;
    for (const NamedThing& thing : source.named())
        if (thing.name != name && lower(thing.name) == lower(name)) return std::string(thing.name);
    auto near = nearest_name(name, cuda_words());
    if (name.size() < 3) return "";
    if (const auto other = nearest_name(name, own);
        other && (!near || edit_distance(name, *other) <= edit_distance(name, *near)))
        near = other;
    if (near) return *near;
    for (const std::string& word : cuda_words())
        if (bare(word) == bare(name) || (parts_of(name).size() > 1 && parts_of(word) == parts_of(name))) return word;
    return "";
}

bool near(Place& p) {
    const std::string name = near_name(p.source, p.value("0"));
    return !name.empty() && p.finds("near", name);
}

bool near_cuda_word(Place& p) {
    auto word = nearest_name(p.name, cuda_words());
    for (const std::string& same : cuda_words())
        if (bare(same) == bare(p.name)) word = same;
    return word && *word != p.name && p.finds("near", *word);
}

// `for (int name ...)` above has a `;` for its body.
bool loop_cut_off(Place& p) {
    const source::Tree& tree = *p.source.facts().tree;
    for (const source::Loop& loop : p.source.facts().loops) {
        const bool is_empty = tree[loop.node].last > 0 && p.source.text(tree[loop.node].last - 1) == ";" &&
                              tree[loop.body].last <= tree[loop.body].first + 1;
        if (loop.variable == p.value("0") && is_empty && loop.line + 3 >= p.message.line &&
            last_line_of(tree, loop.node) < p.message.line)
            return p.finds("line", std::to_string(loop.line));
    }
    return false;
}

bool has_sync_form(Place& p) {
    const std::vector<std::string>& words = cuda_words();
    return p.value("0").starts_with("__") &&
           std::find(words.begin(), words.end(), p.value("0") + "_sync") != words.end();
}

bool has_header(Place& p) {
    struct Row {
        std::string_view names, header;
    };
    static constexpr std::array rows{
        Row{"assert", "cassert"}, Row{"cooperative_groups", "cooperative_groups.h"},
        Row{"half __half half2 __half2", "cuda_fp16.h"},
        Row{"uint8_t uint16_t uint32_t uint64_t int8_t int16_t int32_t int64_t uintptr_t intptr_t", "cstdint"}};
    const std::string name = p.message.message.starts_with("identifier") ? p.value("0") : p.name;
    if (name.starts_with("FLT_") || name.starts_with("DBL_")) return p.finds("header", "cfloat");
    if (name.starts_with("INT_") || name.starts_with("UINT_")) return p.finds("header", "climits");
    for (const Row& row : rows) {
        const auto names = split(row.names, ' ');
        if (std::find(names.begin(), names.end(), name) != names.end())
            return p.finds("header", std::string(row.header));
    }
    return false;
}

enum class Elsewhere { ended, later, in_another };

// Declared, and not to be seen from the line.
bool is_elsewhere(Place& p, Elsewhere where) {
    const source::Facts& facts = p.source.facts();
    const int line = p.message.line;
    const source::Function* const here = facts.function_at(line);
    const NamedThing* found = nullptr;
    for (const NamedThing& thing : p.source.named()) {
        if (thing.name != p.value("0")) continue;
        const bool is_local = thing.around >= 0;
        const source::Function* const around =
            is_local ? &facts.functions[static_cast<std::size_t>(thing.around)] : nullptr;
        const bool is_here = is_local && around == here;
        if (where == Elsewhere::ended   ? is_here && thing.line <= line && thing.scope_end <= line
            : where == Elsewhere::later ? (is_here || thing.is_global()) && thing.line > line && !found
                                        : is_local && !is_here && !(here && here->name == around->name))
            found = &thing;
    }
    if (!found) return false;
    p.finds("line", std::to_string(found->line));
    p.finds("end", std::to_string(found->scope_end));
    p.finds("head", found->head ? ", or write its head with a ; there first" : "");
    return p.finds("function",
                   found->around < 0 ? "" : std::string(facts.functions[static_cast<std::size_t>(found->around)].name));
}

bool is_only_kernel(Place& p) {
    std::set<std::string_view> kernels;
    for (const NamedThing& thing : p.source.named())
        if (thing.head && thing.head->side == source::Side::kernel) kernels.insert(thing.name);
    return kernels.size() == 1 && *kernels.begin() != p.value("0") && p.finds("kernel", std::string(*kernels.begin()));
}

bool is_template_parameter(Place& p) {
    for (TokenId i = 0; i + 1 < p.source.end(); ++i)
        if ((p.source.text(i) == "typename" || p.source.text(i) == "class") && p.source.text(i + 1) == p.value("0"))
            return true;
    return false;
}

// Numbers that the lines just above declare and the file never asks for.
bool has_unused_above(Place& p) {
    constexpr int most_lines = 12;
    std::vector<std::string_view> names;
    for (const NamedThing& thing : p.source.named())
        if (thing.line < p.message.line && thing.line + most_lines >= p.message.line && !thing.is_parameter &&
            !thing.head && p.source.uses_of(thing.name) == 1)
            names.push_back(thing.name);
    if (names.empty() || names.size() > 3) return false;
    p.finds("unused", listed(names) + (names.size() == 1 ? " is" : " are"));
    return p.finds("which", names.size() == 1 ? "it" : "one of them");
}

// block(32, 32); as a statement, and `block` between <<< and >>> further on.
bool is_for_launch(Place& p) {
    const source::Facts& facts = p.source.facts();
    const std::string before = p.value("before");
    if (before != ";" && before != "{" && before != "}") return false;
    return std::any_of(facts.launches.begin(), facts.launches.end(), [&](const source::Launch& launch) {
        const auto is = [&](source::NodeId node) {
            return node != source::no_node && text_of(*facts.tree, node) == p.value("0");
        };
        return is(launch.grid) || is(launch.block);
    });
}

bool is_constant_name(Place& p) {
    const std::string name = p.value("0");
    return name.size() > 2 && std::none_of(name.begin(), name.end(), [](unsigned char c) { return std::islower(c); });
}

bool has_parameters(Place& p) {
    constexpr std::size_t most = 6;
    const source::Function* const function = p.source.facts().function_at(p.message.line);
    std::vector<std::string_view> names;
    for (const source::Parameter& parameter : function ? function->parameters : std::vector<source::Parameter>())
        if (!parameter.name.empty()) names.push_back(parameter.name);
    if (names.empty() || names.size() > most) return false;
    p.finds("function", std::string(function->name));
    return p.finds("names", listed(names));
}

struct NameCondition {
    std::string_view name;
    PlaceCondition holds;
};
constexpr std::array name_conditions{
    NameCondition{"near", &near},
    NameCondition{"near_cuda_word", &near_cuda_word},
    NameCondition{"loop_cut_off", &loop_cut_off},
    NameCondition{"has_sync_form", &has_sync_form},
    NameCondition{"has_header", &has_header},
    NameCondition{"ended", [](Place& p) { return is_elsewhere(p, Elsewhere::ended); }},
    NameCondition{"later", [](Place& p) { return is_elsewhere(p, Elsewhere::later); }},
    NameCondition{"in_another", [](Place& p) { return is_elsewhere(p, Elsewhere::in_another); }},
    NameCondition{"is_only_kernel", &is_only_kernel},
    NameCondition{"is_template_parameter", &is_template_parameter},
    NameCondition{"has_unused_above", &has_unused_above},
    NameCondition{"is_for_launch", &is_for_launch},
    NameCondition{"is_constant_name", &is_constant_name},
    NameCondition{"has_parameters", &has_parameters}};

}  // namespace

PlaceCondition name_condition(std::string_view name) {
    const auto found = std::find_if(name_conditions.begin(), name_conditions.end(),
                                    [&](const NameCondition& row) { return row.name == name; });
    return found == name_conditions.end() ? nullptr : found->holds;
}

}  // namespace warpgrade
