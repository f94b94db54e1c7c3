// `.entry` and `.func`: header, directives, body.
#pragma once

#include <string_view>
#include <unordered_set>

#include "ptx/cursor.hpp"
#include "ptx/module.hpp"

namespace warpgrade::ptx {

// `.extern .visible .weak .common` before a declaration.
struct Linkage {
    bool is_external = false;
    bool is_visible = false;
};
Linkage parse_linkage(Cursor& cursor);

// From behind `.entry` or `.func` to the `;` of a declaration or up to the `{` of a body. Sets is_declaration.
Function parse_function_header(Cursor& cursor, const Linkage& linkage, bool is_entry);

// `{ ... }`. `module_names`: variables and functions of the module that a nested variable must not be confused with.
void parse_function_body(Cursor& cursor, Function& function, const std::unordered_set<std::string_view>& module_names);

// `.file 1 "a.cu", 0, 0`, `.section .debug_str { ... }`, `.pragma "...";` behind the directive's own word.
void parse_file(Cursor& cursor, std::map<int, std::string>* files);
void skip_section(Cursor& cursor);
// True: it is "nounroll".
bool parse_pragma(Cursor& cursor);

}  // namespace warpgrade::ptx
