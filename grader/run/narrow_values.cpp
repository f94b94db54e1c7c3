#include "run/narrow_values.hpp"

#include <array>

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

// What a cvt makes of a float: the type that stands before `.f32`.
std::string_view made_of_float(const ptx::Instruction& instruction) {
    if (instruction.opcode != "cvt" || instruction.modifiers.size() < 2 || instruction.modifiers.back() != "f32")
        return {};
    const std::string& into = instruction.modifiers[instruction.modifiers.size() - 2];
    for (const NarrowType& type : narrow_types)
        if (type.modifier == into) return type.words;
    return {};
}

}  // namespace

std::optional<NarrowValue> narrow_value(std::string_view ptx, const std::string& path) {
    const auto module = ptx::parse(ptx);
    if (!module) return std::nullopt;
    for (const ptx::Function& function : module->functions) {
        std::vector<ptx::SourcePlace> places;
        for (const ptx::Instruction& instruction : function.body) {
            const std::string_view into = made_of_float(instruction);
            if (into.empty() || instruction.location < 0) continue;
            if (places.empty()) places = ptx::source_places(*module, function, path);
            const int line = places.at(static_cast<std::size_t>(instruction.location)).innermost.line;
            if (line != 0) return NarrowValue{line, std::string(into)};
        }
    }
    return std::nullopt;
}

}  // namespace warpgrade
