#include "base/processor.hpp"

#ifdef __x86_64__
#include <cpuid.h>
#endif

namespace warpgrade {

#ifdef __x86_64__
namespace {

bool system_saves_wide_registers() {
    unsigned low = 0, high = 0;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (low & 6u) == 6u;  // XMM and YMM
}

}  // namespace

// Bits: Intel's Software Developer's Manual, volume 2, CPUID, leaves 1 and 7; OSXSAVE says that xgetbv may be asked.
bool has_avx2() {
    constexpr unsigned fma = 1u << 12, osxsave = 1u << 27, avx = 1u << 28;  // leaf 1, ecx
    constexpr unsigned bmi1 = 1u << 3, avx2 = 1u << 5, bmi2 = 1u << 8;      // leaf 7, ebx
    constexpr unsigned of_leaf_1 = fma | osxsave | avx, of_leaf_7 = bmi1 | avx2 | bmi2;
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & of_leaf_1) != of_leaf_1 || !system_saves_wide_registers())
        return false;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & of_leaf_7) == of_leaf_7;
}
#else
bool has_avx2() { return false; }
#endif

}  // namespace warpgrade
