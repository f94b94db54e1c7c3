// PTX manual: "Half Precision Floating-Point Instructions", and the conversions of cvt from and to f16 and bf16.
#include "vgpu/ops/half.hpp"

#include "vgpu/ops/handlers.hpp"

namespace warpgrade::vgpu::WARPGRADE_ISA {
namespace {

using half::BF16;
using half::F16;
struct Add {
    static f64 apply(f64 a, f64 b) { return a + b; }
};
struct Sub {
    static f64 apply(f64 a, f64 b) { return a - b; }
};
struct Mul {
    static f64 apply(f64 a, f64 b) { return a * b; }
};
// The product is exact. What a sum loses beside a much larger term is kept in its last bit, or it would be rounded
// twice.
struct Fma {
    static f64 apply(f64 a, f64 b, f64 c) {
        const f64 product = a * b, sum = product + c;
        const f64 rest = sum - product, lost = (product - (sum - rest)) + (c - rest);
        const u64 bits = __builtin_bit_cast(u64, sum);
        const bool is_odd = (bits & 1) != 0, is_finite = sum - sum == 0;
        if (is_odd || !is_finite || lost == 0) return sum;
        const bool is_beyond = (lost < 0) == (sum > 0);
        return __builtin_bit_cast(f64, is_beyond ? bits - 1 : bits + 1);
    }
};
struct Min {
    static f64 apply(f64 a, f64 b) {
        return a != a ? b : b != b ? a : (b < a || (a == b && __builtin_signbit(b))) ? b : a;
    }
};
struct Max {
    static f64 apply(f64 a, f64 b) {
        return a != a ? b : b != b ? a : (a < b || (a == b && __builtin_signbit(a))) ? b : a;
    }
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
    static u16 apply(F a) {
        return H::store(a);
    }
};
// .relu: what is below 0 becomes +0; a NaN stays one.
template <class H>
struct ReluFrom {
    static u16 apply(f32 a) { return a <= 0 ? 0 : H::store(a); }
};
template <class From>
struct PackTwo {  // cvt.rn.f16x2.f32 d, a, b: a goes to the upper half
    static u32 apply(f32 a, f32 b) { return static_cast<u32>(From::apply(a)) << 16 | From::apply(b); }
};
template <class To, class From>
struct Across {
    static u16 apply(u16 a) { return To::store(From::load(a)); }
};
template <class Op>
bool compare(f32 a, f32 b) {
    return Op::apply(a, b);
}
struct Eq {
    static bool apply(f32 a, f32 b) { return a == b; }
};
struct Ne {
    static bool apply(f32 a, f32 b) { return a < b || a > b; }
};
struct Lt {
    static bool apply(f32 a, f32 b) { return a < b; }
};
struct Le {
    static bool apply(f32 a, f32 b) { return a <= b; }
};
struct Gt {
    static bool apply(f32 a, f32 b) { return a > b; }
};
struct Ge {
    static bool apply(f32 a, f32 b) { return a >= b; }
};
struct Num {
    static bool apply(f32 a, f32 b) { return a == a && b == b; }
};
// The forms that hold with a NaN too.
template <class Op>
struct OrNan {
    static bool apply(f32 a, f32 b) { return !Num::apply(a, b) || Op::apply(a, b); }
};
struct Nan {
    static bool apply(f32 a, f32 b) { return !Num::apply(a, b); }
};

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
template <class H, class Op>
struct SetOne {
    static u16 apply(u16 a, u16 b) { return compare<Op>(H::load(a), H::load(b)) ? H::one : 0; }
};
template <class H, class Op>
struct SetMask {
    static u16 apply(u16 a, u16 b) { return compare<Op>(H::load(a), H::load(b)) ? 0xFFFF : 0; }
};
struct Tanh {
    static f64 apply(f64 a) { return std::tanh(a); }
};
struct Exp2 {
    static f64 apply(f64 a) { return std::exp2(a); }
};
// Subnormals are zero, before and after.
struct FlushedExp2 {
    static u16 flush(u16 a) { return (a & 0x7F80) == 0 ? static_cast<u16>(a & 0x8000) : a; }
    static u16 apply(u16 a) { return flush(Scalar<BF16, Exp2>::apply(flush(a))); }
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

// A row for one, and one for two in 32 bits: "add", "f16" -> add.f16 and add.f16x2.
template <class One>
void unary_rows(OpTable& t, const char* opcode, const char* type) {
    const Text two(type, "x2", "", "");
    unary<One, u16>(t, Text(opcode, ".", type, "").text, Text(type, "=", type, "").text);
    unary<Packed<One>, u32>(t, Text(opcode, ".", two.text, "").text, Text(two.text, "=", two.text, "").text);
}
template <class One>
void binary_rows(OpTable& t, const char* opcode, const char* type) {
    const Text two(type, "x2", "", "");
    binary<One, u16>(t, Text(opcode, ".", type, "").text, Text(type, "=", type, ",", type).text);
    binary<Packed<One>, u32>(t, Text(opcode, ".", two.text, "").text,
                             Text(two.text, "=", two.text, ",", two.text).text);
}
template <class One>
void ternary_rows(OpTable& t, const char* opcode, const char* type) {
    const Text two(type, "x2", "", ""), pair(type, ",", type, ""), pairs(two.text, ",", two.text, "");
    ternary<One, u16>(t, Text(opcode, ".", type, "").text, Text(type, "=", pair.text, ",", type).text);
    ternary<Packed<One>, u32>(t, Text(opcode, ".", two.text, "").text,
                              Text(two.text, "=", pairs.text, ",", two.text).text);
}

template <class H, class Op>
void comparison_rows(OpTable& t, const char* comparison, const char* type) {
    const Text set("set.", comparison, ".", ""), two(type, "x2", "", "");
    setp_row<H, Op>(t, Text("setp.", comparison, ".", type).text, Text("p=", type, ",", type).text);
    rare_binary<SetOne<H, Op>, u16>(t, Text(set.text, type, ".", type).text, Text(type, "=", type, ",", type).text);
    rare_binary<Packed<SetOne<H, Op>>, u32>(t, Text(set.text, two.text, ".", two.text).text,
                                            Text(two.text, "=", two.text, ",", two.text).text);
    rare_binary<Packed<SetMask<H, Op>>, u32>(t, Text(set.text, "u32.", two.text, "").text,
                                             Text("u32=", two.text, ",", two.text).text);
}

// What f16 and bf16 have in common.
template <class H>
void rows(OpTable& t, const char* type) {
    binary_rows<Scalar<H, Add>>(t, "add", type);
    binary_rows<Scalar<H, Sub>>(t, "sub", type);
    binary_rows<Scalar<H, Mul>>(t, "mul", type);
    ternary_rows<Scalar<H, Fma>>(t, "fma", type);
    ternary_rows<Scalar<H, Relu<Fma>>>(t, "fma.relu", type);
    binary_rows<Scalar<H, Min>>(t, "min", type);
    binary_rows<Scalar<H, Max>>(t, "max", type);
    binary_rows<Scalar<H, NanOr<Min>>>(t, "min.NaN", type);
    binary_rows<Scalar<H, NanOr<Max>>>(t, "max.NaN", type);
    unary_rows<Neg>(t, "neg", type);
    unary_rows<Abs>(t, "abs", type);
    unary_rows<Scalar<H, Tanh>>(t, "tanh", type);
    comparison_rows<H, Eq>(t, "eq", type);
    comparison_rows<H, Ne>(t, "ne", type);
    comparison_rows<H, Lt>(t, "lt", type);
    comparison_rows<H, Le>(t, "le", type);
    comparison_rows<H, Gt>(t, "gt", type);
    comparison_rows<H, Ge>(t, "ge", type);
    comparison_rows<H, OrNan<Eq>>(t, "equ", type);
    comparison_rows<H, OrNan<Ne>>(t, "neu", type);
    comparison_rows<H, OrNan<Lt>>(t, "ltu", type);
    comparison_rows<H, OrNan<Le>>(t, "leu", type);
    comparison_rows<H, OrNan<Gt>>(t, "gtu", type);
    comparison_rows<H, OrNan<Ge>>(t, "geu", type);
    comparison_rows<H, Num>(t, "num", type);
    comparison_rows<H, Nan>(t, "nan", type);
    unary<ToF32<H>, f32, u16>(t, Text("cvt.f32.", type, "", "").text, Text("f32=", type, "", "").text);
    unary<ToF64<H>, f64, u16>(t, Text("cvt.f64.", type, "", "").text, Text("f64=", type, "", "").text);
    unary<FromFloat<H>, u16, f32>(t, Text("cvt.", type, ".f32", "").text, Text(type, "=f32", "", "").text);
    unary<FromFloat<H>, u16, f64>(t, Text("cvt.", type, ".f64", "").text, Text(type, "=f64", "", "").text);
    rare_unary<ReluFrom<H>, u16, f32>(t, Text("cvt.relu.", type, ".f32", "").text, Text(type, "=f32", "", "").text);
    binary<PackTwo<FromFloat<H>>, u32, f32>(t, Text("cvt.", type, "x2.f32", "").text,
                                            Text(type, "x2=f32,f32", "", "").text);
    rare_binary<PackTwo<ReluFrom<H>>, u32, f32>(t, Text("cvt.relu.", type, "x2.f32", "").text,
                                                Text(type, "x2=f32,f32", "", "").text);
    rare_binary<PackTwo<half::FromDirected<half::Towards::zero, H>>, u32, f32>(
        t, Text("cvt.rz.", type, "x2.f32", "").text, Text(type, "x2=f32,f32", "", "").text);
}

}  // namespace

void half_precision(OpTable& t) {
    rows<F16>(t, "f16");
    rows<BF16>(t, "bf16");
    binary_rows<Scalar<F16, Saturated<Add>>>(t, "add.sat", "f16");
    binary_rows<Scalar<F16, Saturated<Sub>>>(t, "sub.sat", "f16");
    binary_rows<Scalar<F16, Saturated<Mul>>>(t, "mul.sat", "f16");
    ternary_rows<Scalar<F16, Saturated<Fma>>>(t, "fma.sat", "f16");
    unary_rows<Scalar<F16, Exp2>>(t, "ex2", "f16");
    unary_rows<FlushedExp2>(t, "ex2.ftz", "bf16");
    unary<Across<F16, BF16>, u16>(t, "cvt.f16.bf16", "f16=bf16");
    unary<Across<BF16, F16>, u16>(t, "cvt.bf16.f16", "bf16=f16");
}

}  // namespace warpgrade::vgpu::WARPGRADE_ISA
