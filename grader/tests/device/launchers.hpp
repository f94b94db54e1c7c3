// The launchers of tests/data/launchers.cu.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "support/data_text.hpp"

namespace launchers {

using namespace warpgrade;
using namespace warpgrade::vgpu;

using test::read_text;

inline const std::string& ptx_text() {
    static const std::string text = read_text("launchers.ptx");
    return text;
}

inline int line_named(const std::string& name) { return test::line_named(name, "launchers.cu"); }

template <class T>
std::vector<std::byte> bytes_of(T value) {
    std::vector<std::byte> bytes(sizeof(T));
    std::memcpy(bytes.data(), &value, sizeof(T));
    return bytes;
}
template <class... A>
std::vector<std::vector<std::byte>> arguments(A... values) {
    return {bytes_of(values)...};
}

}  // namespace launchers
