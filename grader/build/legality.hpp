// What nvcc refuses and NVRTC takes. NVRTC compiles a submission as device code throughout, so it sees nothing wrong in
// a launcher that calls a __device__ function, or in a kernel that calls a host function.
//
// Theory of operation. Sides are read off the text (source/facts). Who calls whom is read off the PTX of the
// compilation without optimisation, where every call of the source is a call or a frame of inlined code with its line:
// so overloads, methods and templates are as the compiler resolved them. What of the standard library is the host's is
// marked in the kit's headers, and NVRTC warns of each use (compile/include/cstddef). In a program the host's own
// functions and variables are marked too (compile/sides.hpp), and its PTX may be of the optimised compilation. What
// leaves no call in the PTX (constant expressions, launches in kernels, functions of CUDA's own, headers that nvcc
// wants) is read off the text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compile/compiler.hpp"
#include "source/facts.hpp"

namespace warpgrade {

// Errors in order of lines, one a line at most. `ptx`: of the text of `facts` without optimisation, the file named
// `path` in it; `uses`: CompileOutput's.
std::vector<CompilerMessage> illegal_places(const source::Facts& facts, std::string_view ptx, const std::string& path,
                                            const std::vector<HostUse>& uses, bool is_program = false);

}  // namespace warpgrade
