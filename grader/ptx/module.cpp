#include "ptx/module.hpp"

#include <algorithm>
#include <array>

namespace warpgrade::ptx {

namespace {

struct TypeRow {
    Type type;
    std::string_view name;
    int bytes;
};

constexpr std::array type_rows = {
    TypeRow{Type::none, "none", 0},     TypeRow{Type::pred, "pred", 0},   TypeRow{Type::b8, "b8", 1},
    TypeRow{Type::b16, "b16", 2},       TypeRow{Type::b32, "b32", 4},     TypeRow{Type::b64, "b64", 8},
    TypeRow{Type::b128, "b128", 16},    TypeRow{Type::u8, "u8", 1},       TypeRow{Type::u16, "u16", 2},
    TypeRow{Type::u32, "u32", 4},       TypeRow{Type::u64, "u64", 8},     TypeRow{Type::s8, "s8", 1},
    TypeRow{Type::s16, "s16", 2},       TypeRow{Type::s32, "s32", 4},     TypeRow{Type::s64, "s64", 8},
    TypeRow{Type::f16, "f16", 2},       TypeRow{Type::f16x2, "f16x2", 4}, TypeRow{Type::bf16, "bf16", 2},
    TypeRow{Type::bf16x2, "bf16x2", 4}, TypeRow{Type::f32, "f32", 4},     TypeRow{Type::f64, "f64", 8},
};

constexpr bool rows_are_in_order() {
    for (std::size_t i = 0; i < type_rows.size(); ++i) {
        if (static_cast<std::size_t>(type_rows[i].type) != i) return false;
    }
    return true;
}
static_assert(rows_are_in_order(), "type_rows is indexed by Type");

bool ends_with_path(std::string_view path, std::string_view tail) {
    return path.ends_with(tail) && (path.size() == tail.size() || path[path.size() - tail.size() - 1] == '/');
}

// Files are compared as written; only when none is written that way does one path that ends in the other count.
bool is_source_file(const Module& module, int file, std::string_view source_file) {
    const auto found = module.files.find(file);
    if (found == module.files.end() || source_file.empty()) return false;
    if (found->second == source_file) return true;
    for (const auto& [number, path] : module.files) {
        if (path == source_file) return false;
    }
    return ends_with_path(found->second, source_file) || ends_with_path(source_file, found->second);
}

}  // namespace

int size_bytes(Type type) { return type_rows[static_cast<std::size_t>(type)].bytes; }

std::string_view name(Type type) { return type_rows[static_cast<std::size_t>(type)].name; }

Type type_named(std::string_view word) {
    for (const TypeRow& row : type_rows) {
        if (row.type != Type::none && row.name == word) return row.type;
    }
    return Type::none;
}

std::string_view name(Space space) {
    switch (space) {
        case Space::generic: return "generic";
        case Space::reg: return "reg";
        case Space::sreg: return "sreg";
        case Space::constant: return "const";
        case Space::global: return "global";
        case Space::local: return "local";
        case Space::param: return "param";
        case Space::shared: return "shared";
    }
    return "generic";
}

std::string full_name(const Instruction& instruction) {
    std::string full = instruction.opcode;
    for (const std::string& modifier : instruction.modifiers) full.append(1, '.').append(modifier);
    return full;
}

bool has_word(const Instruction& instruction, std::string_view modifier) {
    return std::find(instruction.modifiers.begin(), instruction.modifiers.end(), modifier) !=
           instruction.modifiers.end();
}

Type last_type(const Instruction& instruction) {
    for (auto word = instruction.modifiers.rbegin(); word != instruction.modifiers.rend(); ++word)
        if (const Type type = type_named(*word); type != Type::none) return type;
    return Type::none;
}

const Function* Module::find(std::string_view wanted) const {
    const auto alias = aliases.find(wanted);
    if (alias != aliases.end()) wanted = alias->second;
    for (const Function& function : functions) {
        if (function.name == wanted) return &function;
    }
    return nullptr;
}

SourcePlace source_place(const Module& module, const Function& function, int location, std::string_view source_file) {
    SourcePlace place;
    const int known = static_cast<int>(function.locations.size());
    for (int index = location, hops = 0; index >= 0 && index < known && hops < known; ++hops) {
        const Location& frame = function.locations[static_cast<std::size_t>(index)];
        if (frame.line > 0 && is_source_file(module, frame.file, source_file)) {
            if (place.innermost.line == 0) place.innermost = frame;
            place.outermost = frame;
        }
        index = frame.inlined_at;
    }
    return place;
}

std::vector<SourcePlace> source_places(const Module& module, const Function& function, std::string_view source_file) {
    std::map<int, bool> is_source;
    for (const auto& [file, path] : module.files) is_source[file] = is_source_file(module, file, source_file);
    std::vector<SourcePlace> places;
    places.reserve(function.locations.size());
    for (const Location& frame : function.locations) {
        const bool is_inlined = frame.inlined_at >= 0 && frame.inlined_at < std::ssize(places);
        SourcePlace place = is_inlined ? places[static_cast<std::size_t>(frame.inlined_at)] : SourcePlace{};
        const auto known = is_source.find(frame.file);
        if (frame.line > 0 && known != is_source.end() && known->second) {
            place.innermost = frame;
            if (place.outermost.line == 0) place.outermost = frame;
        }
        places.push_back(place);
    }
    return places;
}

}  // namespace warpgrade::ptx
