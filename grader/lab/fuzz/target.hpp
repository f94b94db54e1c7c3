// One fuzz target a file: it defines the function below, which is given any bytes and must come back. Whatever the code
// under test answers is right, so long as it answers: a crash, a sanitizer's report, an exception, a hang or much
// memory is the finding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace warpgrade::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

}  // namespace warpgrade::fuzz
