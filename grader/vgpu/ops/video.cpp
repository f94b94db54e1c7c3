// PTX manual: "Video Instructions". Of these NVRTC emits only the four bytes' absolute differences (__vabsdiffu4, __vsadu4).
#include "vgpu/ops/handlers.hpp"

namespace warpgrade::vgpu::WARPGRADE_ISA {
namespace {

template <class E, bool Sums>
struct AbsoluteDifference4 {
    static u32 apply(u32 a, u32 b, u32 c) {
        u32 result = Sums ? c : 0;
        for (int k = 0; k < 32; k += 8) {
            const s32 x = static_cast<E>(a >> k), y = static_cast<E>(b >> k);
            const u32 difference = static_cast<u32>(x < y ? y - x : x - y);
            result = Sums ? result + difference : result | (difference & 0xFF) << k;
        }
        return result;
    }
};

}  // namespace

void video(OpTable& t) {
    ternary<AbsoluteDifference4<u8, false>, u32>(t, "vabsdiff4.u32.u32.u32", "u32=u32,u32,u32");
    ternary<AbsoluteDifference4<s8, false>, u32>(t, "vabsdiff4.u32.s32.s32", "u32=u32,u32,u32");
    ternary<AbsoluteDifference4<u8, true>, u32>(t, "vabsdiff4.u32.u32.u32.add", "u32=u32,u32,u32");
    ternary<AbsoluteDifference4<s8, true>, u32>(t, "vabsdiff4.u32.s32.s32.add", "u32=u32,u32,u32");
}

}  // namespace warpgrade::vgpu::WARPGRADE_ISA
