// Conditions of the rows in messages.rows, by name.
#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "base/near_names.hpp"
#include "base/text.hpp"
#include "compile/place.hpp"

namespace warpgrade {
namespace {

using source::NodeId;
using source::NodeKind;
using source::TokenId;

bool holds_token(const Place& p, NodeId node) {
    const source::Tree& tree = *p.source.facts().tree;
    return node != source::no_node && tree[node].first <= p.token && p.token < tree[node].last;
}

// Between <<< and >>>.
bool in_chevrons(Place& p) {
    const std::string line = p.value("line");
    const std::size_t open = line.find("<<<"), close = line.find(">>>");
    const auto at = static_cast<std::size_t>(std::max(p.message.column, 1)) - 1;
    return open <= at && (close == line.npos || at <= close);
}

// The call, or the launch, whose arguments hold the place, and the one function of that name.
struct CallAt {
    std::vector<NodeId> arguments;
    const source::Function* function = nullptr;
};
CallAt call_at(const Place& p) {
    const source::Tree& tree = *p.source.facts().tree;
    CallAt found;
    std::string_view name;
    TokenId length = source::no_token;
    const auto look_at = [&](const auto& call, std::string_view called) {
        const source::Node& node = tree[call.node];
        if (!holds_token(p, call.node) || p.token < tree[node.child].last || node.last - node.first >= length) return;
        length = node.last - node.first;
        name = called;
        found.arguments = call.arguments;
    };
    for (const source::Call& call : p.source.facts().calls) look_at(call, call.name);
    for (const source::Launch& launch : p.source.facts().launches) look_at(launch, launch.kernel);
    for (const NamedThing& thing : p.source.named()) {
        if (!thing.head || thing.name != name) continue;
        if (found.function && parameters_of(p.source, *found.function) != parameters_of(p.source, *thing.head))
            return {};
        found.function = thing.head;
    }
    return found;
}

bool called(Place& p) {
    const CallAt call = call_at(p);
    if (!call.function) return false;
    p.finds("called", std::string(call.function->name));
    p.finds("called_line", std::to_string(call.function->line));
    p.finds("wanted", std::to_string(call.function->parameters.size()));
    p.finds("given", std::to_string(call.arguments.size()));
    return p.finds("parameters", parameters_of(p.source, *call.function));
}

// Another argument of the call, which may be stored to, stands where none is stored to.
bool exchanged(Place& p) {
    const CallAt call = call_at(p);
    for (std::size_t i = 0; call.function && i < std::min(call.arguments.size(), call.function->parameters.size());
         ++i) {
        const source::Parameter& parameter = call.function->parameters[i];
        const std::string_view argument = text_of(*p.source.facts().tree, call.arguments[i]);
        const NamedThing* const declared = p.source.meaning(argument, p.message.line);
        if (declared && declared->is_pointer && !declared->is_const && parameter.is_const && parameter.pointers > 0)
            return p.finds("other", std::string(argument));
    }
    return false;
}

// "const float *", "const int *": no pointer among the parameters is of such elements, so no two have changed places.
bool other_elements(Place& p) {
    const auto element = [](std::string_view type) {
        if (!type.ends_with(" *") || type.find('*') + 1 != type.size()) return std::string_view();
        type.remove_suffix(2);
        return type.starts_with("const ") ? type.substr(6) : type;
    };
    const std::string given = p.value("0"), wanted = p.value("1");
    const std::string_view has = element(given), takes = element(wanted);
    const CallAt call = call_at(p);
    if (has.empty() || takes.empty() || has == takes || !call.function || p.source.text(p.token) != p.name)
        return false;
    for (const source::Parameter& parameter : call.function->parameters)
        if (parameter.pointers > 0 &&
            text_of(*p.source.facts().tree, parameter.node).find(has) != std::string_view::npos)
            return false;
    p.finds("has", std::string(has));
    return p.finds("takes", std::string(takes));
}

// "float (*)[32]"
bool rows_of_array(Place& p) {
    const std::string given = p.value("0");
    const std::size_t at = given.find(" (*)[");
    return at != given.npos && p.finds("element", given.substr(0, at)) && p.finds("extents", given.substr(at + 4));
}

bool foreign_character(Place& p) {
    const std::string line = p.value("line");
    const auto begin = std::ranges::find_if(line, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
    if (begin == line.end()) return false;
    const auto end = std::find_if(begin + 1, line.end(), [](char c) { return (c & 0xC0) != 0x80; });
    const std::string character(begin, end);
    return p.finds("character", character == "\xc2\xa0" ? "no-break space" : character);
}

// In a text of templates, a variable of the line is a float.
bool float_of_template(Place& p) {
    for (const NamedThing& thing : p.source.named())
        if (!thing.is_parameter && !thing.head && thing.type.find("float") != thing.type.npos &&
            p.value("line").find(thing.name) != std::string::npos &&
            p.source.is_same_part(thing.line, p.message.line)) {
            p.finds("other", std::string(thing.name));
            p.finds("type", std::string(thing.type));
            return p.finds("declared", std::to_string(thing.line));
        }
    return false;
}

// The first of the line that no . follows.
bool built_in_alone(Place& p) {
    for (TokenId i = p.source.token_at(p.message.line, 1);
         i < p.source.end() && p.source.tokens().code[i].at.line == p.message.line; ++i) {
        const std::string_view word = p.source.text(i);
        const bool is_built_in = word == "threadIdx" || word == "blockIdx" || word == "blockDim" || word == "gridDim";
        if (is_built_in && p.source.text(i + 1) != ".") return p.finds("built_in", std::string(word));
    }
    return false;
}

bool not_three_parts(Place& p) {
    const auto& code = p.source.tokens().code;
    const TokenId open = p.open_bracket();
    return std::count_if(code.begin() + open, code.begin() + closing(p.source.tokens(), open),
                         [](const source::CodeToken& token) { return token.text == ";"; }) != 2;
}

bool in_condition(Place& p) {
    const source::Facts& facts = p.source.facts();
    const source::Tree& tree = *facts.tree;
    return p.name == "assert" ||
           std::ranges::any_of(facts.guards,
                               [&](const source::Guard& guard) {
                                   return tree[guard.node].kind == NodeKind::if_statement &&
                                          holds_token(p, guard.condition);
                               }) ||
           std::ranges::any_of(facts.loops, [&](const source::Loop& loop) {
               return tree[loop.node].kind == NodeKind::while_statement && holds_token(p, loop.condition);
           });
}

// float* tile[32][32]; where the line has a `tile` with all of its indices.
bool array_of_pointers(Place& p) {
    for (const NamedThing& thing : p.source.named())
        if (thing.is_pointer && thing.extents > 0 &&
            p.value("line").find(std::string(thing.name) + "[") != std::string::npos) {
            p.finds("other", std::string(thing.name));
            return p.finds("other_line", std::to_string(thing.line));
        }
    return false;
}

// What a name that the compiler does not know could be.

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
    std::ranges::sort(parts);
    return parts;
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

// "cudaDeviceSyncronize" is none of the calls that there are, and near to one that a launcher may make.
bool near_runtime_name(Place& p) {
    static const std::vector<std::string> known{
        "cudaDeviceSynchronize", "cudaGetLastError",     "cudaPeekAtLastError",  "cudaGetErrorString", "cudaMemset",
        "cudaMemsetAsync",       "cudaFuncSetAttribute", "cudaGetSymbolAddress", "cudaSuccess",        "cudaError_t"};
    constexpr int most_edits = 2;
    const auto name = nearest_name(p.value("0"), known);
    return name && edit_distance(p.value("0"), *name) <= most_edits && p.finds("near", *name);
}

// What <vector>, <iostream> ... bring into std.
bool of_host_library(Place& p) {
    constexpr std::string_view names =
        "|vector|string|cout|cerr|endl|cin|unique_ptr|shared_ptr|make_unique|map|chrono|thread|function|random_device|"
        "mt19937|sort|accumulate|iota|ifstream|ofstream|to_string|runtime_error|exception|unordered_map|set|list|"
        "stringstream|default_random_engine|uniform_real_distribution|mutex|future|async|reduce|transform|generate|"
        "this_thread|string_view|";
    const std::string name = p.value("unknown");
    const bool is_of_std = !p.message.message.starts_with("identifier") || p.value("next") == "<" || name == "cout" ||
                           name == "cerr" || name == "endl";
    return is_of_std && names.find("|" + name + "|") != names.npos;
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

// The first word of a line, behind one that ends without a sign that may end it.
bool after_open_line(Place& p) {
    if (p.token == 0 || p.token >= p.source.end()) return false;
    const source::CodeToken& before = p.source.tokens().code[p.token - 1];
    if (before.at.line >= p.message.line || before.text == ";" || before.text == "{" || before.text == "}")
        return false;
    return p.finds("above", std::to_string(before.at.line));
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

bool is_constant_name(Place& p) {
    const std::string name = p.value("0");
    return name.size() > 2 && std::ranges::none_of(name, [](unsigned char c) { return std::islower(c); });
}

struct Condition {
    std::string_view name;
    PlaceCondition holds;
};
constexpr std::array conditions{
    Condition{"in_chevrons", &in_chevrons},
    Condition{"called", &called},
    Condition{"fewer", [](Place& p) { return std::stoi(p.value("given")) < std::stoi(p.value("wanted")); }},
    Condition{"exchanged", &exchanged},
    Condition{"other_elements", &other_elements},
    Condition{"rows_of_array", &rows_of_array},
    Condition{"foreign_character", &foreign_character},
    Condition{"of_local", [](Place& p) { return p.meaning && !p.meaning->is_global(); }},
    Condition{"of_global", [](Place& p) { return p.meaning && p.meaning->is_global(); }},
    Condition{"const", [](Place& p) { return p.meaning && p.meaning->is_const; }},
    Condition{"parameter", [](Place& p) { return p.meaning && p.meaning->is_parameter; }},
    Condition{"template", [](Place& p) { return p.source.uses_of("template") != 0; }},
    Condition{"float_of_template", &float_of_template},
    Condition{"built_in_alone", &built_in_alone},
    Condition{"not_three_parts", &not_three_parts},
    Condition{"in_condition", &in_condition},
    Condition{"array_of_pointers", &array_of_pointers},
    Condition{"is_word",
              [](Place& p) {
                  return p.token < p.source.end() && p.source.tokens().code[p.token].kind != source::TokenKind::sign &&
                         p.source.tokens().code[p.token].kind != source::TokenKind::text;
              }},
    Condition{"is_address_before",
              [](Place& p) { return p.source.meaning(p.value("before"), p.message.line) != nullptr; }},
    Condition{"near", &near},
    Condition{"near_cuda_word", &near_cuda_word},
    Condition{"near_runtime_name", &near_runtime_name},
    Condition{"of_host_library", &of_host_library},
    Condition{"loop_cut_off", &loop_cut_off},
    Condition{"after_open_line", &after_open_line},
    Condition{"ended", [](Place& p) { return is_elsewhere(p, Elsewhere::ended); }},
    Condition{"later", [](Place& p) { return is_elsewhere(p, Elsewhere::later); }},
    Condition{"in_another", [](Place& p) { return is_elsewhere(p, Elsewhere::in_another); }},
    Condition{"has_unused_above", &has_unused_above},
    Condition{"is_constant_name", &is_constant_name}};

}  // namespace

PlaceCondition place_condition(std::string_view name) {
    const auto found = std::ranges::find_if(conditions, [&](const Condition& row) { return row.name == name; });
    return found == conditions.end() ? nullptr : found->holds;
}

}  // namespace warpgrade
