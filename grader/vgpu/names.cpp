// Names as a learner wrote them.
#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>

#include "vgpu/code.hpp"

namespace warpgrade::vgpu {

namespace {

// Each substitution may stand for all that came before it: a few of them make a short name gigabytes long.
constexpr std::size_t kLongestName = 1024;
constexpr std::ptrdiff_t kMostSubstitutions = 24;

}  // namespace

std::string demangled(const std::string& mangled) {
    // A variable of a function's own: behind the dot stands which function (ptx/scope.cpp).
    if (const auto dot = mangled.find('.'); dot != std::string::npos && dot > 0) return mangled.substr(0, dot);
    if (!mangled.starts_with("_Z")) return mangled;  // `c` is not the type that it would stand for
    if (mangled.size() > kLongestName ||
        std::count(mangled.begin(), mangled.end(), 'S') + std::count(mangled.begin(), mangled.end(), 'T') >
            kMostSubstitutions)
        return mangled;
    int status = 0;
    char* text = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
    if (text == nullptr) return mangled;
    std::string name = text;
    std::free(text);
    return name;
}

std::string display_name(const std::string& mangled) {
    std::string name = demangled(mangled);
    if (name == mangled) return name;
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
    // The compiler may take an array apart: "_ZZ3dotPKfE3sum_$_0" is what begins where `sum` begins.
    if (const auto part = mangled.rfind("_$_"); part != std::string::npos && part > 0) {
        const std::string whole = variable_name(mangled.substr(0, part)), which = mangled.substr(part + 3);
        return which == "0" ? whole : "part " + which + " of " + whole;
    }
    const std::string name = demangled(mangled);
    if (name == mangled) return name;
    const std::size_t last = name.rfind("::");
    return last == std::string::npos ? name : name.substr(last + 2);
}

}  // namespace warpgrade::vgpu
