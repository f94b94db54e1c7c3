// PTX manual: "Half Precision Floating-Point Instructions", and the conversions of cvt from and to f16 and bf16.
#include "vgpu/ops/half.hpp"

#include "vgpu/ops/handlers.hpp"

namespace warpgrade::vgpu::WARPGRADE_ISA {
namespace {

struct F16 {
    static f32 load(u16 v) { return half::to_float(v); }
    static u16 store(f64 v) { return half::from_double(v); }
};
struct BF16 {
    static f32 load(u16 v) { return half::bfloat_to_float(v); }
    static u16 store(f64 v) { return half::bfloat_from_double(v); }
};
struct Add {
    static f64 apply(f64 a, f64 b) { return a + b; }
};
struct Sub {
    static f64 apply(f64 a, f64 b) { return a - b; }
};
struct Mul {
    static f64 apply(f64 a, f64 b) { return a * b; }
};
struct Fma {
    static f64 apply(f64 a, f64 b, f64 c) { return a * b + c; }
};
struct Min {
    static f64 apply(f64 a, f64 b) { return a != a ? b : b != b ? a : (b < a || (a == b && __builtin_signbit(b))) ? b : a; }
};
struct Max {
    static f64 apply(f64 a, f64 b) { return a != a ? b : b != b ? a : (a < b || (a == b && __builtin_signbit(a))) ? b : a; }
};

template <class H, class Op>
struct Scalar {
    static u16 apply(u16 a) { return H::store(Op::apply(H::load(a))); }
    static u16 apply(u16 a, u16 b) { return H::store(Op::apply(H::load(a), H::load(b))); }
    static u16 apply(u16 a, u16 b, u16 c) { return H::store(Op::apply(H::load(a), H::load(b), H::load(c))); }
};
// Two halves in 32 bits.
template <class One>
struct Packed {
    template <class... V>
    static u32 apply(V... v) {
        const u32 low = One::apply(static_cast<u16>(v)...);
        const u32 high = One::apply(static_cast<u16>(v >> 16)...);
        return high << 16 | low;
    }
};
struct Neg {
    static u16 apply(u16 a) { return static_cast<u16>(a ^ 0x8000); }
};
struct Abs {
    static u16 apply(u16 a) { return static_cast<u16>(a & 0x7FFF); }
};
template <class H>
struct ToF32 {
    static f32 apply(u16 a) { return H::load(a); }
};
template <class H>
struct ToF64 {
    static f64 apply(u16 a) { return H::load(a); }
};
template <class H>
struct FromFloat {
    template <class F>
    static u16 apply(F a) { return H::store(a); }
};
template <class H>
struct PackTwo {  // cvt.rn.f16x2.f32 d, a, b: a goes to the upper half
    static u32 apply(f32 a, f32 b) { return static_cast<u32>(H::store(a)) << 16 | H::store(b); }
};
template <class Op>
bool compare(f32 a, f32 b) { return Op::apply(a, b); }
struct Eq { static bool apply(f32 a, f32 b) { return a == b; } };
struct Ne { static bool apply(f32 a, f32 b) { return a < b || a > b; } };
struct Lt { static bool apply(f32 a, f32 b) { return a < b; } };
struct Le { static bool apply(f32 a, f32 b) { return a <= b; } };
struct Gt { static bool apply(f32 a, f32 b) { return a > b; } };
struct Ge { static bool apply(f32 a, f32 b) { return a >= b; } };
struct Num { static bool apply(f32 a, f32 b) { return a == a && b == b; } };
// The forms that hold with a NaN too.
template <class Op>
struct OrNan { static bool apply(f32 a, f32 b) { return !Num::apply(a, b) || Op::apply(a, b); } };
struct Nan { static bool apply(f32 a, f32 b) { return !Num::apply(a, b); } };

// .sat: to [0, 1], a NaN to 0. .relu: to 0 and above.
template <class Op>
struct Saturated {
    template <class... V>
    static f64 apply(V... v) {
        const f64 r = Op::apply(v...);
        return r > 0 ? (r < 1 ? r : 1.0) : 0.0;
    }
};
template <class Op>
struct Relu {
    static f64 apply(f64 a, f64 b, f64 c) {
        const f64 r = Op::apply(a, b, c);
        return r <= 0 ? 0.0 : r;
    }
};
template <class Op>
struct NanOr {
    static f64 apply(f64 a, f64 b) { return a != a || b != b ? __builtin_nan("") : Op::apply(a, b); }
};
// set: 1.0 or 0 for each half; as u32, all ones or none.
template <class Op>
struct SetOne {
    static u16 apply(u16 a, u16 b) { return compare<Op>(F16::load(a), F16::load(b)) ? 0x3C00 : 0; }
};
template <class Op>
struct SetMask {
    static u16 apply(u16 a, u16 b) { return compare<Op>(F16::load(a), F16::load(b)) ? 0xFFFF : 0; }
};
struct Tanh {
    static f64 apply(f64 a) { return std::tanh(a); }
};
struct Exp2 {
    static f64 apply(f64 a) { return std::exp2(a); }
};

template <class H, class Op, bool Masked>
void setp_half(Warp& w, const Inst& in) {
    const u16* a = reg<u16>(w, in.a);
    const u16* b = reg<u16>(w, in.b);
    const u32 value = lanes_where([=](int i) { return compare<Op>(H::load(a[i]), H::load(b[i])); });
    write_pred<Masked>(w, in.d[0], value);
    if (in.d[1] != 0) write_pred<Masked>(w, in.d[1], ~value);
}
template <class H, class Op>
void setp_row(OpTable& t, const char* key, const char* signature) {
    t.add(key, signature, setp_half<H, Op, false>, setp_half<H, Op, true>);
}

template <class Op>
void comparison_rows(OpTable& t, const char* setp, const char* set, const char* set_two, const char* mask_two) {
    setp_row<F16, Op>(t, setp, "p=f16,f16");
    binary<SetOne<Op>, u16>(t, set, "f16=f16,f16");
    binary<Packed<SetOne<Op>>, u32>(t, set_two, "f16x2=f16x2,f16x2");
    binary<Packed<SetMask<Op>>, u32>(t, mask_two, "u32=f16x2,f16x2");
}
template <class Op>
void saturated_rows(OpTable& t, const char* one, const char* two) {
    binary<Scalar<F16, Saturated<Op>>, u16>(t, one, "f16=f16,f16");
    binary<Packed<Scalar<F16, Saturated<Op>>>, u32>(t, two, "f16x2=f16x2,f16x2");
}

}  // namespace

void half_precision(OpTable& t) {
    binary<Scalar<F16, Add>, u16>(t, "add.f16", "f16=f16,f16");
    binary<Scalar<F16, Sub>, u16>(t, "sub.f16", "f16=f16,f16");
    binary<Scalar<F16, Mul>, u16>(t, "mul.f16", "f16=f16,f16");
    ternary<Scalar<F16, Fma>, u16>(t, "fma.f16", "f16=f16,f16,f16");
    binary<Scalar<F16, Min>, u16>(t, "min.f16", "f16=f16,f16");
    binary<Scalar<F16, Max>, u16>(t, "max.f16", "f16=f16,f16");
    unary<Neg, u16>(t, "neg.f16", "f16=f16");
    unary<Abs, u16>(t, "abs.f16", "f16=f16");
    binary<Packed<Scalar<F16, Add>>, u32>(t, "add.f16x2", "f16x2=f16x2,f16x2");
    binary<Packed<Scalar<F16, Sub>>, u32>(t, "sub.f16x2", "f16x2=f16x2,f16x2");
    binary<Packed<Scalar<F16, Mul>>, u32>(t, "mul.f16x2", "f16x2=f16x2,f16x2");
    ternary<Packed<Scalar<F16, Fma>>, u32>(t, "fma.f16x2", "f16x2=f16x2,f16x2,f16x2");
    binary<Packed<Scalar<F16, Min>>, u32>(t, "min.f16x2", "f16x2=f16x2,f16x2");
    binary<Packed<Scalar<F16, Max>>, u32>(t, "max.f16x2", "f16x2=f16x2,f16x2");
    unary<Packed<Neg>, u32>(t, "neg.f16x2", "f16x2=f16x2");
    unary<Packed<Abs>, u32>(t, "abs.f16x2", "f16x2=f16x2");
    binary<Scalar<BF16, Add>, u16>(t, "add.bf16", "bf16=bf16,bf16");
    binary<Scalar<BF16, Sub>, u16>(t, "sub.bf16", "bf16=bf16,bf16");
    binary<Scalar<BF16, Mul>, u16>(t, "mul.bf16", "bf16=bf16,bf16");
    ternary<Scalar<BF16, Fma>, u16>(t, "fma.bf16", "bf16=bf16,bf16,bf16");
    ternary<Packed<Scalar<BF16, Fma>>, u32>(t, "fma.bf16x2", "bf16x2=bf16x2,bf16x2,bf16x2");
    binary<Packed<Scalar<BF16, Add>>, u32>(t, "add.bf16x2", "bf16x2=bf16x2,bf16x2");
    binary<Scalar<BF16, Min>, u16>(t, "min.bf16", "bf16=bf16,bf16");
    binary<Scalar<BF16, Max>, u16>(t, "max.bf16", "bf16=bf16,bf16");
    binary<Packed<Scalar<BF16, Min>>, u32>(t, "min.bf16x2", "bf16x2=bf16x2,bf16x2");
    binary<Packed<Scalar<BF16, Max>>, u32>(t, "max.bf16x2", "bf16x2=bf16x2,bf16x2");
    binary<Scalar<BF16, NanOr<Min>>, u16>(t, "min.NaN.bf16", "bf16=bf16,bf16");
    binary<Scalar<BF16, NanOr<Max>>, u16>(t, "max.NaN.bf16", "bf16=bf16,bf16");
    binary<Packed<Scalar<BF16, NanOr<Min>>>, u32>(t, "min.NaN.bf16x2", "bf16x2=bf16x2,bf16x2");
    binary<Packed<Scalar<BF16, NanOr<Max>>>, u32>(t, "max.NaN.bf16x2", "bf16x2=bf16x2,bf16x2");
    unary<Neg, u16>(t, "neg.bf16", "bf16=bf16");
    unary<ToF32<F16>, f32, u16>(t, "cvt.f32.f16", "f32=f16");
    unary<ToF64<F16>, f64, u16>(t, "cvt.f64.f16", "f64=f16");
    unary<ToF32<BF16>, f32, u16>(t, "cvt.f32.bf16", "f32=bf16");
    unary<FromFloat<F16>, u16, f32>(t, "cvt.f16.f32", "f16=f32");
    unary<FromFloat<F16>, u16, f64>(t, "cvt.f16.f64", "f16=f64");
    unary<FromFloat<BF16>, u16, f32>(t, "cvt.bf16.f32", "bf16=f32");
    binary<PackTwo<F16>, u32, f32>(t, "cvt.f16x2.f32", "f16x2=f32,f32");
    binary<PackTwo<BF16>, u32, f32>(t, "cvt.bf16x2.f32", "bf16x2=f32,f32");
    comparison_rows<Eq>(t, "setp.eq.f16", "set.eq.f16.f16", "set.eq.f16x2.f16x2", "set.eq.u32.f16x2");
    comparison_rows<Ne>(t, "setp.ne.f16", "set.ne.f16.f16", "set.ne.f16x2.f16x2", "set.ne.u32.f16x2");
    comparison_rows<Lt>(t, "setp.lt.f16", "set.lt.f16.f16", "set.lt.f16x2.f16x2", "set.lt.u32.f16x2");
    comparison_rows<Le>(t, "setp.le.f16", "set.le.f16.f16", "set.le.f16x2.f16x2", "set.le.u32.f16x2");
    comparison_rows<Gt>(t, "setp.gt.f16", "set.gt.f16.f16", "set.gt.f16x2.f16x2", "set.gt.u32.f16x2");
    comparison_rows<Ge>(t, "setp.ge.f16", "set.ge.f16.f16", "set.ge.f16x2.f16x2", "set.ge.u32.f16x2");
    comparison_rows<OrNan<Eq>>(t, "setp.equ.f16", "set.equ.f16.f16", "set.equ.f16x2.f16x2", "set.equ.u32.f16x2");
    comparison_rows<OrNan<Ne>>(t, "setp.neu.f16", "set.neu.f16.f16", "set.neu.f16x2.f16x2", "set.neu.u32.f16x2");
    comparison_rows<OrNan<Lt>>(t, "setp.ltu.f16", "set.ltu.f16.f16", "set.ltu.f16x2.f16x2", "set.ltu.u32.f16x2");
    comparison_rows<OrNan<Le>>(t, "setp.leu.f16", "set.leu.f16.f16", "set.leu.f16x2.f16x2", "set.leu.u32.f16x2");
    comparison_rows<OrNan<Gt>>(t, "setp.gtu.f16", "set.gtu.f16.f16", "set.gtu.f16x2.f16x2", "set.gtu.u32.f16x2");
    comparison_rows<OrNan<Ge>>(t, "setp.geu.f16", "set.geu.f16.f16", "set.geu.f16x2.f16x2", "set.geu.u32.f16x2");
    comparison_rows<Num>(t, "setp.num.f16", "set.num.f16.f16", "set.num.f16x2.f16x2", "set.num.u32.f16x2");
    comparison_rows<Nan>(t, "setp.nan.f16", "set.nan.f16.f16", "set.nan.f16x2.f16x2", "set.nan.u32.f16x2");
    saturated_rows<Add>(t, "add.sat.f16", "add.sat.f16x2");
    saturated_rows<Sub>(t, "sub.sat.f16", "sub.sat.f16x2");
    saturated_rows<Mul>(t, "mul.sat.f16", "mul.sat.f16x2");
    ternary<Scalar<F16, Saturated<Fma>>, u16>(t, "fma.sat.f16", "f16=f16,f16,f16");
    ternary<Packed<Scalar<F16, Saturated<Fma>>>, u32>(t, "fma.sat.f16x2", "f16x2=f16x2,f16x2,f16x2");
    ternary<Scalar<F16, Relu<Fma>>, u16>(t, "fma.relu.f16", "f16=f16,f16,f16");
    ternary<Packed<Scalar<F16, Relu<Fma>>>, u32>(t, "fma.relu.f16x2", "f16x2=f16x2,f16x2,f16x2");
    binary<Scalar<F16, NanOr<Min>>, u16>(t, "min.NaN.f16", "f16=f16,f16");
    binary<Packed<Scalar<F16, NanOr<Min>>>, u32>(t, "min.NaN.f16x2", "f16x2=f16x2,f16x2");
    binary<Scalar<F16, NanOr<Max>>, u16>(t, "max.NaN.f16", "f16=f16,f16");
    binary<Packed<Scalar<F16, NanOr<Max>>>, u32>(t, "max.NaN.f16x2", "f16x2=f16x2,f16x2");
    unary<Scalar<F16, Tanh>, u16>(t, "tanh.f16", "f16=f16");
    unary<Packed<Scalar<F16, Tanh>>, u32>(t, "tanh.f16x2", "f16x2=f16x2");
    unary<Scalar<F16, Exp2>, u16>(t, "ex2.f16", "f16=f16");
    unary<Packed<Scalar<F16, Exp2>>, u32>(t, "ex2.f16x2", "f16x2=f16x2");
}

}  // namespace warpgrade::vgpu::WARPGRADE_ISA
