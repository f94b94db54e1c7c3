#include "explain/narrow_values.hpp"

#include <array>

#include "explain/say.hpp"
#include "ptx/module.hpp"

namespace warpgrade {

namespace {

struct NarrowType {
    std::string_view modifier, words;
};
constexpr std::array narrow_types{NarrowType{"f16", "half precision, which keeps 11 bits of each value"},
                                  NarrowType{"f16x2", "half precision, which keeps 11 bits of each value"},
                                  NarrowType{"bf16", "bfloat16, which keeps 8 bits of each value"},
                                  NarrowType{"bf16x2", "bfloat16, which keeps 8 bits of each value"},
                                  NarrowType{"tf32", "TF32, which keeps 11 bits of each value"},
                                  NarrowType{"s32", "whole numbers"},
                                  NarrowType{"u32", "whole numbers"},
                                  NarrowType{"s64", "whole numbers"},
                                  NarrowType{"u64", "whole numbers"}};

// What a cvt makes of an element that is narrower: the type that stands before that of the element, the last one.
std::string made_narrower(const ptx::Instruction& instruction, bool are_whole) {
    if (instruction.opcode != "cvt" || instruction.modifiers.size() < 2) return {};
    const std::string& into = instruction.modifiers[instruction.modifiers.size() - 2];
    const std::string& from = instruction.modifiers.back();
    if (are_whole) return into == "f32" && from.find_first_of("su") == 0 ? say("float_keeps_bits_value") : "";
    if (from != "f32") return {};
    for (const NarrowType& type : narrow_types)
        if (type.modifier == into) return std::string(type.words);
    return {};
}

}  // namespace

std::optional<NarrowValue> narrow_value(std::string_view ptx, const std::string& path, bool are_whole) {
    const auto module = ptx::parse(ptx);
    if (!module) return std::nullopt;
    for (const ptx::Function& function : module->functions) {
        std::vector<ptx::SourcePlace> places;
        for (const ptx::Instruction& instruction : function.body) {
            std::string into = made_narrower(instruction, are_whole);
            if (into.empty() || instruction.location < 0) continue;
            if (places.empty()) places = ptx::source_places(*module, function, path);
            const int line = places.at(static_cast<std::size_t>(instruction.location)).innermost.line;
            if (line != 0) return NarrowValue{line, std::move(into)};
        }
    }
    return std::nullopt;
}

}  // namespace warpgrade
