// PTX manual: "Floating-Point Instructions". IEEE 754 round-to-nearest-even, subnormals kept, no contraction (the build
// says -ffp-contract=off). The approximate forms (.approx, .full) give the correctly rounded result here. A NaN that
// comes out of f32 arithmetic is 0x7fffffff, whatever went in.
#include "vgpu/ops/handlers.hpp"

namespace warpgrade::vgpu::WARPGRADE_ISA {
namespace {

struct Add {
    template <class T>
    static T apply(T a, T b) {
        return a + b;
    }
};
struct Sub {
    template <class T>
    static T apply(T a, T b) {
        return a - b;
    }
};
struct Mul {
    template <class T>
    static T apply(T a, T b) {
        return a * b;
    }
};
struct Div {
    template <class T>
    static T apply(T a, T b) {
        return a / b;
    }
};
struct Fma {
    static f32 apply(f32 a, f32 b, f32 c) { return __builtin_fmaf(a, b, c); }
    static f64 apply(f64 a, f64 b, f64 c) { return __builtin_fma(a, b, c); }
};
struct Abs {
    static f32 apply(f32 a) { return __builtin_fabsf(a); }
    static f64 apply(f64 a) { return __builtin_fabs(a); }
};
struct Neg {
    template <class T>
    static T apply(T a) {
        return -a;
    }
};
// A NaN loses against a number; -0 is less than +0.
struct Min {
    template <class T>
    static T apply(T a, T b) {
        if (a != a) return b;
        if (b != b) return a;
        if (a == b) return __builtin_signbit(a) ? a : b;
        return a < b ? a : b;
    }
};
struct Max {
    template <class T>
    static T apply(T a, T b) {
        if (a != a) return b;
        if (b != b) return a;
        if (a == b) return __builtin_signbit(a) ? b : a;
        return a < b ? b : a;
    }
};
template <class Pick>
struct OrNan {
    static f32 apply(f32 a, f32 b) { return a != a || b != b ? __builtin_nanf("") : Pick::apply(a, b); }
};
// Of f32 there is one NaN.
template <class Op>
struct OneNan {
    template <class... V>
    static f32 apply(V... v) {
        const f32 r = Op::apply(v...);
        return r == r ? r : __builtin_bit_cast(f32, 0x7FFFFFFFu);
    }
};
struct Saturated {
    static f32 apply(f32 a) { return a > 0.0f ? (a < 1.0f ? a : 1.0f) : 0.0f; }
};
template <class Op>
struct Sat {
    static f32 apply(f32 a, f32 b) { return Saturated::apply(Op::apply(a, b)); }
    static f32 apply(f32 a, f32 b, f32 c) { return Saturated::apply(Op::apply(a, b, c)); }
};
struct Reciprocal {
    template <class T>
    static T apply(T a) {
        return T{1} / a;
    }
};
struct Sqrt {
    static f32 apply(f32 a) { return __builtin_sqrtf(a); }
    static f64 apply(f64 a) { return __builtin_sqrt(a); }
};
struct ReciprocalSqrt {
    static f32 apply(f32 a) { return static_cast<f32>(1.0 / __builtin_sqrt(static_cast<f64>(a))); }
    static f64 apply(f64 a) { return 1.0 / __builtin_sqrt(a); }
};
struct Exp2 {
    static f32 apply(f32 a) { return static_cast<f32>(__builtin_exp2(static_cast<f64>(a))); }
};
struct Log2 {
    static f32 apply(f32 a) { return static_cast<f32>(__builtin_log2(static_cast<f64>(a))); }
};
struct Sin {
    static f32 apply(f32 a) { return static_cast<f32>(__builtin_sin(static_cast<f64>(a))); }
};
struct Cos {
    static f32 apply(f32 a) { return static_cast<f32>(__builtin_cos(static_cast<f64>(a))); }
};
struct Tanh {
    static f32 apply(f32 a) { return static_cast<f32>(__builtin_tanh(static_cast<f64>(a))); }
};
struct CopySign {
    static f32 apply(f32 a, f32 b) { return __builtin_copysignf(b, a); }
    static f64 apply(f64 a, f64 b) { return __builtin_copysign(b, a); }
};

enum class Class { finite, infinite, number, notanumber, normal, subnormal };
template <class T, Class Wanted, bool Masked>
void testp(Warp& w, const Inst& in) {
    const T* a = reg<T>(w, in.a);
    const T smallest = sizeof(T) == 4 ? T(1.17549435082228750797e-38) : T(2.2250738585072014e-308);
    const T infinity = static_cast<T>(__builtin_inf());
    write_pred<Masked>(w, in.d[0], lanes_where([=](int i) {
                           const T v = a[i] < 0 ? -a[i] : a[i];
                           switch (Wanted) {
                               case Class::finite: return v < infinity;
                               case Class::infinite: return v == infinity;
                               case Class::number: return v == v;
                               case Class::notanumber: return v != v;
                               case Class::normal:
                                   return (v >= smallest && v < infinity) || v == 0;  // zero counts as normal
                               case Class::subnormal: return v > 0 && v < smallest;
                           }
                           return false;
                       }));
}
template <class T, Class Wanted>
void testp_row(OpTable& t, const char* key, const char* signature) {
    t.add(key, signature, testp<T, Wanted, false>, testp<T, Wanted, true>);
}

// .ftz: subnormals are zero, before and after.
template <class Op>
struct Flushed {
    static f32 flush(f32 a) { return __builtin_fabsf(a) < 0x1p-126f ? __builtin_copysignf(0.0f, a) : a; }
    static f32 apply(f32 a) { return flush(Op::apply(flush(a))); }
    static f32 apply(f32 a, f32 b) { return flush(Op::apply(flush(a), flush(b))); }
    static f32 apply(f32 a, f32 b, f32 c) { return flush(Op::apply(flush(a), flush(b), flush(c))); }
};
template <class Op>
void flushed(OpTable& t, const char* key) {
    unary<OneNan<Flushed<Op>>, f32>(t, key, "f32=f32");
}
template <class Op>
void flushed_pair(OpTable& t, const char* key) {
    binary<OneNan<Flushed<Op>>, f32>(t, key, "f32=f32,f32");
}

// .rz, .rm, .rp: another rounding than to nearest.
template <class Op, class T, int Mode, bool Masked>
void directed_one(Warp& w, const Inst& in) {
    const RoundingMode mode(Mode);
    unary_handler<Op, T, T, Masked>(w, in);
}
template <class Op, class T, int Mode, bool Masked>
void directed_two(Warp& w, const Inst& in) {
    const RoundingMode mode(Mode);
    binary_handler<Op, T, T, T, Masked>(w, in);
}
template <class Op, class T, int Mode, bool Masked>
void directed_three(Warp& w, const Inst& in) {
    const RoundingMode mode(Mode);
    ternary_handler<Op, T, T, T, T, Masked>(w, in);
}
template <class Op, class T>
using OneNanOfF32 = std::conditional_t<sizeof(T) == 4, OneNan<Op>, Op>;
template <class T, int Mode>
void directed(OpTable& t, const char* mode, const char* type) {
    const auto row = [&](const char* opcode, const char* operands, Handler full, Handler masked) {
        const Text key(opcode, ".", mode, ".", type),
            signature(type, "=", type, operands[0] > '1' ? "," : "", operands[0] > '1' ? type : "");
        const Text three(signature.text, ",", type, "", "");
        t.add(key.text, operands[0] == '3' ? three.text : signature.text, full, masked);
    };
    row("add", "2", directed_two<OneNanOfF32<Add, T>, T, Mode, false>,
        directed_two<OneNanOfF32<Add, T>, T, Mode, true>);
    row("sub", "2", directed_two<OneNanOfF32<Sub, T>, T, Mode, false>,
        directed_two<OneNanOfF32<Sub, T>, T, Mode, true>);
    row("mul", "2", directed_two<OneNanOfF32<Mul, T>, T, Mode, false>,
        directed_two<OneNanOfF32<Mul, T>, T, Mode, true>);
    row("div", "2", directed_two<OneNanOfF32<Div, T>, T, Mode, false>,
        directed_two<OneNanOfF32<Div, T>, T, Mode, true>);
    row("fma", "3", directed_three<OneNanOfF32<Fma, T>, T, Mode, false>,
        directed_three<OneNanOfF32<Fma, T>, T, Mode, true>);
    row("rcp", "1", directed_one<OneNanOfF32<Reciprocal, T>, T, Mode, false>,
        directed_one<OneNanOfF32<Reciprocal, T>, T, Mode, true>);
    row("sqrt", "1", directed_one<OneNanOfF32<Sqrt, T>, T, Mode, false>,
        directed_one<OneNanOfF32<Sqrt, T>, T, Mode, true>);
}

// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 give the upper word of the result; the lower one is zero.
template <class Op>
struct UpperWord {
    static f64 flush(f64 a) { return __builtin_fabs(a) < 0x1p-1022 ? __builtin_copysign(0.0, a) : a; }
    static f64 apply(f64 a) {
        const f64 r = flush(Op::apply(flush(a)));
        return r == r ? __builtin_bit_cast(f64, __builtin_bit_cast(u64, r) & ~u64{0xFFFFFFFF}) : r;
    }
};

}  // namespace

void floating_point(OpTable& t) {
    binary<OneNan<Add>, f32>(t, "add.f32", "f32=f32,f32");
    binary<Add, f64>(t, "add.f64", "f64=f64,f64");
    binary<Sat<Add>, f32>(t, "add.sat.f32", "f32=f32,f32");
    binary<OneNan<Sub>, f32>(t, "sub.f32", "f32=f32,f32");
    binary<Sub, f64>(t, "sub.f64", "f64=f64,f64");
    binary<Sat<Sub>, f32>(t, "sub.sat.f32", "f32=f32,f32");
    binary<OneNan<Mul>, f32>(t, "mul.f32", "f32=f32,f32");
    binary<Mul, f64>(t, "mul.f64", "f64=f64,f64");
    binary<Sat<Mul>, f32>(t, "mul.sat.f32", "f32=f32,f32");
    ternary<OneNan<Fma>, f32>(t, "fma.f32", "f32=f32,f32,f32");
    ternary<Fma, f64>(t, "fma.f64", "f64=f64,f64,f64");
    ternary<Sat<Fma>, f32>(t, "fma.sat.f32", "f32=f32,f32,f32");
    ternary<OneNan<Fma>, f32>(t, "mad.f32", "f32=f32,f32,f32");
    ternary<Fma, f64>(t, "mad.f64", "f64=f64,f64,f64");
    binary<OneNan<Div>, f32>(t, "div.f32", "f32=f32,f32");
    binary<Div, f64>(t, "div.f64", "f64=f64,f64");
    unary<Abs, f32>(t, "abs.f32", "f32=f32");
    unary<Abs, f64>(t, "abs.f64", "f64=f64");
    unary<Neg, f32>(t, "neg.f32", "f32=f32");
    unary<Neg, f64>(t, "neg.f64", "f64=f64");
    binary<OneNan<Min>, f32>(t, "min.f32", "f32=f32,f32");
    binary<Min, f64>(t, "min.f64", "f64=f64,f64");
    binary<OneNan<OrNan<Min>>, f32>(t, "min.NaN.f32", "f32=f32,f32");
    binary<OneNan<Max>, f32>(t, "max.f32", "f32=f32,f32");
    binary<Max, f64>(t, "max.f64", "f64=f64,f64");
    binary<OneNan<OrNan<Max>>, f32>(t, "max.NaN.f32", "f32=f32,f32");
    unary<OneNan<Reciprocal>, f32>(t, "rcp.f32", "f32=f32");
    unary<Reciprocal, f64>(t, "rcp.f64", "f64=f64");
    unary<OneNan<Sqrt>, f32>(t, "sqrt.f32", "f32=f32");
    unary<Sqrt, f64>(t, "sqrt.f64", "f64=f64");
    unary<OneNan<ReciprocalSqrt>, f32>(t, "rsqrt.f32", "f32=f32");
    unary<ReciprocalSqrt, f64>(t, "rsqrt.f64", "f64=f64");
    unary<OneNan<Exp2>, f32>(t, "ex2.f32", "f32=f32");
    unary<OneNan<Log2>, f32>(t, "lg2.f32", "f32=f32");
    unary<OneNan<Sin>, f32>(t, "sin.f32", "f32=f32");
    unary<OneNan<Cos>, f32>(t, "cos.f32", "f32=f32");
    unary<OneNan<Tanh>, f32>(t, "tanh.f32", "f32=f32");
    flushed<Reciprocal>(t, "rcp.ftz.f32");
    flushed<Sqrt>(t, "sqrt.ftz.f32");
    flushed<ReciprocalSqrt>(t, "rsqrt.ftz.f32");
    flushed<Exp2>(t, "ex2.ftz.f32");
    flushed<Log2>(t, "lg2.ftz.f32");
    flushed<Sin>(t, "sin.ftz.f32");
    flushed<Cos>(t, "cos.ftz.f32");
    flushed_pair<Add>(t, "add.ftz.f32");
    flushed_pair<Sub>(t, "sub.ftz.f32");
    flushed_pair<Mul>(t, "mul.ftz.f32");
    flushed_pair<Div>(t, "div.ftz.f32");
    ternary<OneNan<Flushed<Fma>>, f32>(t, "fma.ftz.f32", "f32=f32,f32,f32");
    unary<UpperWord<Reciprocal>, f64>(t, "rcp.ftz.f64", "f64=f64");
    unary<UpperWord<ReciprocalSqrt>, f64>(t, "rsqrt.ftz.f64", "f64=f64");
    directed<f32, FE_TOWARDZERO>(t, "rz", "f32");
    directed<f32, FE_DOWNWARD>(t, "rm", "f32");
    directed<f32, FE_UPWARD>(t, "rp", "f32");
    directed<f64, FE_TOWARDZERO>(t, "rz", "f64");
    directed<f64, FE_DOWNWARD>(t, "rm", "f64");
    directed<f64, FE_UPWARD>(t, "rp", "f64");
    binary<CopySign, f32>(t, "copysign.f32", "f32=f32,f32");
    binary<CopySign, f64>(t, "copysign.f64", "f64=f64,f64");
    testp_row<f32, Class::finite>(t, "testp.finite.f32", "p=f32");
    testp_row<f32, Class::infinite>(t, "testp.infinite.f32", "p=f32");
    testp_row<f32, Class::number>(t, "testp.number.f32", "p=f32");
    testp_row<f32, Class::notanumber>(t, "testp.notanumber.f32", "p=f32");
    testp_row<f32, Class::normal>(t, "testp.normal.f32", "p=f32");
    testp_row<f32, Class::subnormal>(t, "testp.subnormal.f32", "p=f32");
    testp_row<f64, Class::finite>(t, "testp.finite.f64", "p=f64");
    testp_row<f64, Class::infinite>(t, "testp.infinite.f64", "p=f64");
    testp_row<f64, Class::number>(t, "testp.number.f64", "p=f64");
    testp_row<f64, Class::notanumber>(t, "testp.notanumber.f64", "p=f64");
    testp_row<f64, Class::normal>(t, "testp.normal.f64", "p=f64");
    testp_row<f64, Class::subnormal>(t, "testp.subnormal.f64", "p=f64");
}

}  // namespace warpgrade::vgpu::WARPGRADE_ISA
