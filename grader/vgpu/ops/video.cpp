// PTX manual: "Video Instructions". Of these NVRTC emits only absolute differences (__vabsdiffu4, __vsadu4, __vsadu2).
#include "vgpu/ops/handlers.hpp"

namespace warpgrade::vgpu::WARPGRADE_ISA {
namespace {

// Of four bytes, or of two of 16 bits; with .add their sum and c.
template <class E, bool Sums>
struct AbsoluteDifference {
    static u32 apply(u32 a, u32 b, u32 c) {
        constexpr int bits = 8 * sizeof(E);
        u32 result = Sums ? c : 0;
        for (int k = 0; k < 32; k += bits) {
            const s32 x = static_cast<E>(a >> k), y = static_cast<E>(b >> k);
            const u32 difference = static_cast<u32>(x < y ? y - x : x - y);
            result = Sums ? result + difference : result | (difference & ((1u << bits) - 1)) << k;
        }
        return result;
    }
};

}  // namespace

void video(OpTable& t) {
    const char* signature = "u32=u32,u32,u32";
    ternary<AbsoluteDifference<u8, false>, u32>(t, "vabsdiff4.u32.u32.u32", signature);
    ternary<AbsoluteDifference<s8, false>, u32>(t, "vabsdiff4.u32.s32.s32", signature);
    ternary<AbsoluteDifference<u8, true>, u32>(t, "vabsdiff4.u32.u32.u32.add", signature);
    ternary<AbsoluteDifference<s8, true>, u32>(t, "vabsdiff4.u32.s32.s32.add", signature);
    ternary<AbsoluteDifference<u16, false>, u32>(t, "vabsdiff2.u32.u32.u32", signature);
    ternary<AbsoluteDifference<s16, false>, u32>(t, "vabsdiff2.u32.s32.s32", signature);
    ternary<AbsoluteDifference<u16, true>, u32>(t, "vabsdiff2.u32.u32.u32.add", signature);
    ternary<AbsoluteDifference<s16, true>, u32>(t, "vabsdiff2.u32.s32.s32.add", signature);
}

}  // namespace warpgrade::vgpu::WARPGRADE_ISA
