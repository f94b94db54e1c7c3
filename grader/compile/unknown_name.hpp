// What a name that the compiler does not know could be: one that is misspelt, of another language, of a header,
// declared further down or where it cannot be seen from here. Internal to compile/.
#pragma once

#include <string>

#include "compile/source_view.hpp"

namespace warpgrade {

// To be put behind "identifier NAME is undefined": "; is it `threadIdx`?", or a line of its own.
std::string about_unknown_name(const SourceView& view, const std::string& name, int line, int column);
// "__gobal__" -> "__global__"; "" of what is near nothing.
std::string near_cuda_word(const std::string& name);
// "`threadIdx`'s header": <cassert> of assert; "" where none is known.
std::string header_of_name(const std::string& name);

}  // namespace warpgrade
