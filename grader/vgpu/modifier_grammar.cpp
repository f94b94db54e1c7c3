// How PTX spells its instructions (manual, "Instructions", up to version 9.0, and what NVIDIA's assembler takes of it).
// Its order of modifiers is not looked at: the assembler does not either.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "vgpu/operand_forms.hpp"

namespace warpgrade::vgpu {

namespace {

struct Spelling {
    std::string_view opcode;
    std::string_view types;  // of one type after the other, with a dot between
    std::string_view words;  // one of each group; `?`: or none of it
};

// Names of several at once, in the table.
constexpr std::pair<std::string_view, std::string_view> kClasses[] = {
    {"whole", "u16 s16 u32 s32 u64 s64"},
    {"bytes", "u8 s8 u16 s16 u32 s32 u64 s64"},
    {"value", "b8 b16 b32 b64 b128 u8 s8 u16 s16 u32 s32 u64 s64 f16 f16x2 bf16 bf16x2 f32 f32x2 f64"},
    {"rounded", "rn|rz|rm|rp"},
    {"integral", "rni|rzi|rmi|rpi"},
    {"space", "global|shared|local|const|param"},
    {"scope", "cta|cluster|gpu|sys"},
    {"vector", "v2|v4|v8"},
    {"compared", "eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan"},
};

// Those of one opcode stand together.
constexpr Spelling kSpellings[] = {
    {"add", "u16 s16 u16x2 s16x2", ""},
    {"add", "u32 u64 s64", "cc?"},
    {"add", "s32", "cc|sat?"},
    {"add", "f16 f16x2", "rn? ftz? sat?"},
    {"add", "bf16 bf16x2", "rn?"},
    {"add", "f32", "rounded? ftz? sat?"},
    {"add", "f32x2", "rounded? ftz?"},
    {"add", "f64", "rounded?"},
    {"add", "f32.f16 bf16", "rounded? sat?"},
    {"sub", "u16 s16", ""},
    {"sub", "u32 u64 s64", "cc?"},
    {"sub", "s32", "cc|sat?"},
    {"sub", "f16 f16x2", "rn? ftz? sat?"},
    {"sub", "bf16 bf16x2", "rn?"},
    {"sub", "f32", "rounded? ftz? sat?"},
    {"sub", "f32x2", "rounded? ftz?"},
    {"sub", "f64", "rounded?"},
    {"sub", "f32.f16 bf16", "rounded? sat?"},
    {"mul", "u16 s16 u32 s32", "lo|hi|wide"},
    {"mul", "u64 s64", "lo|hi"},
    {"mul", "f16 f16x2", "rn? ftz? sat?"},
    {"mul", "bf16 bf16x2", "rn?"},
    {"mul", "f32", "rounded? ftz? sat?"},
    {"mul", "f32x2", "rounded? ftz?"},
    {"mul", "f64", "rounded?"},
    {"mad", "u16 s16 u32", "lo|hi|wide cc?"},
    {"mad", "s32", "lo|hi|wide cc|sat?"},
    {"mad", "u64 s64", "lo|hi cc?"},
    {"mad", "f32", "rounded? ftz? sat?"},
    {"mad", "f64", "rounded"},
    {"fma", "f16 f16x2", "rn ftz? sat|relu? oob?"},
    {"fma", "bf16 bf16x2", "rounded relu? oob?"},
    {"fma", "f32", "rounded ftz? sat?"},
    {"fma", "f32x2", "rounded ftz?"},
    {"fma", "f64", "rounded"},
    {"fma", "f32.f16 bf16", "rounded sat?"},
    {"div", "whole", ""},
    {"div", "f32", "approx|full|rounded ftz?"},
    {"div", "f64", "rounded"},
    {"rem", "whole", ""},
    {"min", "u16 s16 u32 u64 s64 f64 u16x2", ""},
    {"min", "s32 s16x2", "relu?"},
    {"min", "f16 f16x2 f32", "ftz? NaN? xorsign? abs?"},
    {"min", "bf16 bf16x2", "NaN? xorsign? abs?"},
    {"max", "u16 s16 u32 u64 s64 f64 u16x2", ""},
    {"max", "s32 s16x2", "relu?"},
    {"max", "f16 f16x2 f32", "ftz? NaN? xorsign? abs?"},
    {"max", "bf16 bf16x2", "NaN? xorsign? abs?"},
    {"abs", "s16 s32 s64 bf16 bf16x2 f64", ""},
    {"abs", "f16 f16x2 f32", "ftz?"},
    {"neg", "s16 s32 s64 bf16 bf16x2 f64", ""},
    {"neg", "f16 f16x2 f32", "ftz?"},
    {"sad", "whole", ""},
    {"mul24", "u32 s32", "lo|hi"},
    {"mad24", "u32", "lo|hi"},
    {"mad24", "s32", "lo|hi sat?"},
    {"addc", "whole", "cc?"},
    {"subc", "whole", "cc?"},
    {"madc", "whole", "lo|hi cc?"},
    {"and", "pred b16 b32 b64", ""},
    {"or", "pred b16 b32 b64", ""},
    {"xor", "pred b16 b32 b64", ""},
    {"not", "pred b16 b32 b64", ""},
    {"cnot", "b16 b32 b64", ""},
    {"shl", "b16 b32 b64", ""},
    {"shr", "b16 b32 b64 whole", ""},
    {"shf", "b32", "l|r clamp|wrap"},
    {"lop3", "b32", "and|or?"},
    {"prmt", "b32", "f4e|b4e|rc8|ecl|ecr|rc16?"},
    {"bfe", "u32 s32 u64 s64", ""},
    {"bfi", "b32 b64", ""},
    {"bfind", "u32 s32 u64 s64", "shiftamt?"},
    {"popc", "b32 b64", ""},
    {"clz", "b32 b64", ""},
    {"brev", "b32 b64", ""},
    {"fns", "b32", ""},
    {"bmsk", "b32", "clamp|wrap"},
    {"szext", "u32 s32", "clamp|wrap"},
    {"dp4a", "u32 s32.u32 s32", ""},
    {"dp2a", "u32 s32.u32 s32", "lo|hi"},
    {"sqrt", "f32", "approx|rounded ftz?"},
    {"sqrt", "f64", "rounded"},
    {"rcp", "f32", "approx|rounded ftz?"},
    {"rcp", "f64", "approx|rounded ftz?"},
    {"rsqrt", "f32 f64", "approx ftz?"},
    {"sin", "f32", "approx ftz?"},
    {"cos", "f32", "approx ftz?"},
    {"lg2", "f32", "approx ftz?"},
    {"ex2", "f32", "approx ftz?"},
    {"ex2", "f16 f16x2", "approx"},
    {"ex2", "bf16 bf16x2", "approx ftz"},
    {"tanh", "f16 f16x2 bf16 bf16x2 f32", "approx"},
    {"copysign", "f32 f64", ""},
    {"testp", "f32 f64", ""},
    {"selp", "b16 b32 b64 whole f32 f64", ""},
    {"slct", "b16 b32 b64 whole f32 f64.s32", ""},
    {"slct", "b16 b32 b64 whole f32 f64.f32", "ftz?"},
    {"mov", "pred b16 b32 b64 b128 whole f32 f64", "v2|v4?"},
    {"setp", "b16 b32 b64", "eq|ne and|or|xor?"},
    {"setp", "u16 u32 u64", "eq|ne|lt|le|gt|ge|lo|ls|hi|hs and|or|xor?"},
    {"setp", "s16 s32 s64", "eq|ne|lt|le|gt|ge and|or|xor?"},
    {"setp", "f16 f16x2 f32", "compared and|or|xor? ftz?"},
    {"setp", "bf16 bf16x2 f64", "compared and|or|xor?"},
    {"cvt", "bytes.bytes", "sat?"},
    {"cvt", "bytes.f16 f64", "integral sat?"},
    {"cvt", "bytes.bf16", "integral"},
    {"cvt", "bytes.f32", "integral ftz? sat?"},
    {"cvt", "f16 f64.bytes", "rounded sat?"},
    {"cvt", "bf16.bytes", "rounded"},
    {"cvt", "f32.bytes f64", "rounded ftz? sat?"},
    {"cvt", "f16.f64", "rounded sat?"},
    {"cvt", "f64.f16", "sat?"},
    {"cvt", "f16.f16", "integral? sat?"},
    {"cvt", "f64.f64", "integral? sat?"},
    {"cvt", "f32.f32", "integral? ftz? sat?"},
    {"cvt", "f32.f16", "ftz? sat?"},
    {"cvt", "f64.f32", "ftz? sat?"},
    {"cvt", "bf16.bf16", "integral?"},
    {"cvt", "f16.bf16", "rounded?"},
    {"cvt", "bf16 f64.f16 bf16", "rounded?"},
    {"cvt", "f32.bf16", "rounded? ftz?"},
    {"cvt", "bf16.f64", "rounded"},
    {"cvt", "f16 bf16.f32", "rounded ftz? sat? relu? satfinite?"},
    {"cvt", "f16x2 bf16x2.f32", "rn|rz|rs relu? satfinite?"},
    {"cvt", "tf32.f32", "rn|rz|rna relu? satfinite?"},
    {"ld", "value", "weak? space? ca|cg|cs|lu|cv? vector?"},
    {"ld", "value", "weak? global ca|cg|cs? nc vector?"},
    {"ld", "value", "relaxed|acquire scope space? vector?"},
    {"ld", "value", "volatile space? vector?"},
    {"ld", "value", "mmio relaxed sys global?"},
    {"ldu", "value", "global? v2|v4?"},
    {"st", "value", "weak? space? wb|cg|cs|wt? vector?"},
    {"st", "value", "relaxed|release scope space? vector?"},
    {"st", "value", "volatile space? vector?"},
    {"st", "value", "mmio relaxed sys global?"},
    {"st", "value", "async weak|release? mmio? scope? global? vector?"},
    {"atom", "value",
     "relaxed|acquire|release|acq_rel? scope? global|shared? noftz? vector? add|and|or|xor|min|max|inc|dec|exch|cas"},
    {"red", "value", "relaxed|release? scope? global|shared? noftz? vector? add|and|or|xor|min|max|inc|dec"},
    {"red", "value", "async relaxed|release? mmio? scope? global? add|and|or|xor|min|max|inc|dec"},
    {"cvta", "u32 u64", "to? space?"},
    {"isspacep", "", "space?"},
    {"mapa", "u32 u64", ""},
    {"getctarank", "u32 u64", ""},
    {"shfl", "b32", "sync up|down|bfly|idx"},
    {"vote", "pred", "sync all|any|uni"},
    {"vote", "b32", "sync ballot"},
    {"match", "b32 b64", "sync all|any"},
    {"redux", "u32 s32", "sync add|min|max"},
    {"redux", "b32", "sync and|or|xor"},
    {"redux", "f32", "sync min|max abs? NaN?"},
    {"activemask", "b32", ""},
    {"elect", "", "sync"},
    {"nanosleep", "u32", ""},
    {"bar", "", "cta? sync|arrive"},
    {"bar", "", "warp sync"},
    {"bar", "u32", "cta? red popc"},
    {"bar", "pred", "cta? red and|or"},
    {"barrier", "", "cta? sync|arrive aligned?"},
    {"barrier", "", "cluster arrive acquire|release|relaxed? aligned?"},
    {"barrier", "", "cluster wait acquire|release|relaxed? aligned?"},
    {"barrier", "u32", "cta? red popc aligned?"},
    {"barrier", "pred", "cta? red and|or aligned?"},
    {"membar", "", "cta|gl|sys"},
    {"membar", "", "proxy alias|async"},
    {"fence", "", "sc|acq_rel|acquire|release? scope"},
    {"fence", "", "mbarrier_init release cluster"},
    {"fence", "", "proxy alias|async global?"},
    {"fence", "", "proxy acquire|release|acq_rel scope"},
    {"mbarrier", "b64", "init|inval shared?"},
    {"mbarrier", "b64", "expect_tx|complete_tx relaxed? scope? shared?"},
    {"mbarrier", "b64", "arrive|arrive_drop expect_tx|noComplete? release|relaxed? scope? shared?"},
    {"mbarrier", "b64", "test_wait|try_wait parity? acquire|relaxed? scope? shared?"},
    {"mbarrier", "b64", "pending_count"},
    {"cp", "", "async ca|cg shared? global"},
    {"cp", "", "async commit_group|wait_group|wait_all"},
    {"cp", "b64", "async mbarrier arrive noinc? shared?"},
    {"cp", "", "async bulk global bulk_group? prefetch? L2? cp_mask? ignore_oob?"},
    {"cp", "", "async bulk bulk_group?"},
    {"cp", "", "async bulk commit_group"},
    {"cp", "", "async bulk wait_group read?"},
    {"prefetch", "", "const|param? tensormap"},
    {"prefetch", "", "global|local? L1|L2?"},
    {"prefetchu", "", "L1"},
    {"createpolicy", "b64", "range|fractional|cvt global? L2?"},
    {"discard", "", "global? L2"},
    {"ldmatrix", "b16", "sync aligned m8n8 x1|x2|x4 trans? shared?"},
    {"ldmatrix", "b8", "sync aligned m16n16|m8n16 x1|x2|x4 trans? shared?"},
    {"stmatrix", "b16", "sync aligned m8n8 x1|x2|x4 trans? shared?"},
    {"stmatrix", "b8", "sync aligned m16n8 x1|x2|x4 trans shared?"},
    {"movmatrix", "b16", "sync aligned m8n8 trans"},
    {"set", "value.value", "compared|lo|ls|hi|hs and|or|xor? ftz?"},
    {"bra", "", "uni?"},
    {"brx", "", "idx uni?"},
    {"call", "", "uni?"},
    {"ret", "", "uni?"},
    {"exit", "", ""},
    {"trap", "", ""},
    {"brkpt", "", ""},
    {"pmevent", "", "mask?"},
};

// The assembler takes these anywhere.
bool is_idle(std::string_view word) {
    static constexpr std::string_view words[] = {"finite", "infinite", "number", "notanumber", "normal", "subnormal"};
    return word.find("::") != std::string_view::npos ||
           std::find(std::begin(words), std::end(words), word) != std::end(words);
}

bool is_type(std::string_view word) {
    return ptx::type_named(word) != ptx::Type::none || word == "f32x2" || word == "u16x2" || word == "s16x2" ||
           word == "tf32";
}
// Narrow floats, which come with every architecture, packing and tensors.
bool is_beyond(std::string_view word) {
    return word == "pack" || word == "scaled" || word == "tensor" || word == "reduce" || word.starts_with("ue") ||
           word.starts_with("b8x") || (word.size() > 1 && word[0] == 'e' && word[1] >= '0' && word[1] <= '9');
}

bool is_among(std::string_view list, char separator, std::string_view word) {
    for (const std::string_view item : split(list, separator)) {
        const auto* known =
            std::find_if(std::begin(kClasses), std::end(kClasses), [&](const auto& one) { return one.first == item; });
        if (known == std::end(kClasses) ? item == word : is_among(known->second, separator, word)) return true;
    }
    return false;
}

bool has_types(const Spelling& row, const std::vector<std::string_view>& types) {
    const auto places = split(row.types, '.');
    if (places.size() != types.size()) return false;
    for (std::size_t i = 0; i < types.size(); ++i)
        if (!is_among(places[i], ' ', types[i])) return false;
    return true;
}

// `.rn`, `.rz` or `.rm`
std::string listed(std::string_view group) {
    std::vector<std::string_view> words;
    for (const std::string_view item : split(group, '|')) {
        const auto* known =
            std::find_if(std::begin(kClasses), std::end(kClasses), [&](const auto& one) { return one.first == item; });
        for (const std::string_view word : split(known == std::end(kClasses) ? item : known->second, '|'))
            words.push_back(word);
    }
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i)
        text += fmt::format("{}`.{}`", i == 0 ? "" : i + 1 < words.size() ? ", " : " or ", words[i]);
    return text;
}

struct WordProblem {
    std::string text;       // empty: the words fit
    std::size_t known = 0;  // so many of them do
};
WordProblem word_problem(const Spelling& row, const std::string& name, std::vector<std::string_view> words) {
    const std::size_t given = words.size();
    std::string_view missing;
    for (std::string_view group : split(row.words, ' ')) {
        const bool may_be_missing = group.ends_with('?');
        if (may_be_missing) group.remove_suffix(1);
        const auto found =
            std::find_if(words.begin(), words.end(), [&](std::string_view word) { return is_among(group, '|', word); });
        if (found != words.end())
            words.erase(found);
        else if (!may_be_missing && missing.empty())
            missing = group;
    }
    const std::size_t known = given - words.size();
    if (!words.empty()) return {fmt::format("`{}` takes no `.{}`", name, shown(words.front())), known};
    if (!missing.empty()) return {fmt::format("`{}` needs {}", name, listed(missing)), known};
    return {};
}

}  // namespace

std::string spelling_problem(const ptx::Instruction& in) {
    std::vector<std::string_view> types, words;
    for (const std::string& word : in.modifiers) {
        if (is_beyond(word)) return {};
        if (is_type(word))
            types.push_back(word);
        else if (!is_idle(word))
            words.push_back(word);
    }
    std::string name = in.opcode;
    for (const std::string_view type : types) name += "." + std::string(type);
    bool is_known = false;
    WordProblem nearest;
    for (const Spelling& row : kSpellings) {
        if (row.opcode != in.opcode) continue;
        is_known = true;
        if (!has_types(row, types)) continue;
        WordProblem problem = word_problem(row, shown(name), words);
        if (problem.text.empty()) return {};
        if (nearest.text.empty() || problem.known > nearest.known) nearest = std::move(problem);
    }
    if (!is_known || !nearest.text.empty()) return nearest.text;
    return types.empty() ? fmt::format("`{}` names no type", shown(ptx::full_name(in)))
                         : fmt::format("PTX has no `{}`", shown(name));
}

}  // namespace warpgrade::vgpu
