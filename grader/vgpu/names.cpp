// Names as a learner wrote them.
#include <cxxabi.h>

#include <cstdlib>

#include "vgpu/code.hpp"

namespace warpgrade::vgpu {

std::string display_name(const std::string& mangled) {
    int status = 0;
    char* text = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
    if (text == nullptr) return mangled;
    std::string name = text;
    std::free(text);
    // "void f<32, 8>(float const*, int)" -> "f<32, 8>": cut at the parameter list, drop a return type.
    int depth = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (name[i] == '<') ++depth;
        if (name[i] == '>') --depth;
        if (name[i] == '(' && depth == 0 && name.compare(i, 21, "(anonymous namespace)") != 0) {
            name.resize(i);
            break;
        }
    }
    depth = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (name[i] == '<') ++depth;
        if (name[i] == '>') --depth;
        if (name[i] == ' ' && depth == 0 && name.compare(0, i, "(anonymous") != 0) return name.substr(i + 1);
    }
    return name;
}

std::string variable_name(const std::string& mangled) {
    int status = 0;
    char* text = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
    if (text == nullptr) return mangled;
    const std::string name = text;
    std::free(text);
    const std::size_t last = name.rfind("::");
    return last == std::string::npos ? name : name.substr(last + 2);
}

}  // namespace warpgrade::vgpu
