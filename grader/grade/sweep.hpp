// The words of a sweep over block sizes (-DTHREADS=n): what keeps a build from being judged as one of its size.
#pragma once

#include <string>

#include "base/diagnostic.hpp"
#include "compile/compiler.hpp"
#include "run/cases.hpp"

namespace warpgrade {

// What keeps a swept build from being run. `variant`: "THREADS=64".
Diagnostic failed_variant(const CompileOutput& compiled, const std::string& variant, const std::string& path,
                          const std::string& source);

// A swept build has to launch blocks of the size that it was compiled for: makes a case that passed `wrong` if not.
void judge_block_size(CaseOutcome& outcome, int threads, const std::string& path, const std::string& source);

}  // namespace warpgrade
