// PTX manual: "Comparison and Selection Instructions". Ordered comparisons are false with a NaN; the ...u forms true.
#include "vgpu/ops/handlers.hpp"

namespace warpgrade::vgpu::WARPGRADE_ISA {
namespace {

template <class T>
bool is_nan(T v) {
    if constexpr (std::is_floating_point_v<T>) return v != v;
    return false;
}
struct Eq {
    static constexpr const char* name = "eq";
    template <class T>
    static bool apply(T a, T b) {
        return a == b;
    }
};
struct Ne {  // false with a NaN: PTX's ne is ordered
    static constexpr const char* name = "ne";
    template <class T>
    static bool apply(T a, T b) {
        if constexpr (std::is_floating_point_v<T>) return (a < b) | (a > b);
        return a != b;
    }
};
struct Lt {
    static constexpr const char* name = "lt";
    template <class T>
    static bool apply(T a, T b) {
        return a < b;
    }
};
struct Le {
    static constexpr const char* name = "le";
    template <class T>
    static bool apply(T a, T b) {
        return a <= b;
    }
};
struct Gt {
    static constexpr const char* name = "gt";
    template <class T>
    static bool apply(T a, T b) {
        return a > b;
    }
};
struct Ge {
    static constexpr const char* name = "ge";
    template <class T>
    static bool apply(T a, T b) {
        return a >= b;
    }
};
template <class Ordered>
struct OrNan {
    template <class T>
    static bool apply(T a, T b) {
        return Ordered::apply(a, b) | is_nan(a) | is_nan(b);
    }
};
struct BothNumbers {
    template <class T>
    static bool apply(T a, T b) {
        return !(is_nan(a) | is_nan(b));
    }
};
struct AnyNan {
    template <class T>
    static bool apply(T a, T b) {
        return is_nan(a) | is_nan(b);
    }
};

// The lanes where it holds. Kept out of line for what is rare, so that each comparison is compiled a few times only.
template <class Op, class T>
[[gnu::noinline]] u32 lanes_that_compare(const Warp& w, const Inst& in) {
    const T* a = reg<T>(w, in.a);
    const T* b = reg<T>(w, in.b);
    return lanes_where([=](int i) { return Op::apply(a[i], b[i]); });
}

// d[0] = p, d[1] = q (0 = none: reference 0 is never a register).
template <class Op, class T, bool Masked>
void setp(Warp& w, const Inst& in) {
    const T* a = reg<T>(w, in.a);
    const T* b = reg<T>(w, in.b);
    const u32 compared = lanes_where([=](int i) { return Op::apply(a[i], b[i]); });
    write_pred<Masked>(w, in.d[0], compared);
    if (in.d[1] != 0) write_pred<Masked>(w, in.d[1], ~compared);
}
struct And {
    static u32 apply(u32 a, u32 b) { return a & b; }
};
struct Or {
    static u32 apply(u32 a, u32 b) { return a | b; }
};
struct Xor {
    static u32 apply(u32 a, u32 b) { return a ^ b; }
};
// With a third predicate. write_pred keeps what lanes that are off had, also where none is.
template <class Op, class T, class Combination>
void setp_combined(Warp& w, const Inst& in) {
    const u32 compared = lanes_that_compare<Op, T>(w, in);
    const u32 other = pred(w, in.c);
    write_pred<true>(w, in.d[0], Combination::apply(compared, other));
    if (in.d[1] != 0) write_pred<true>(w, in.d[1], Combination::apply(~compared, other));
}
// set: an all-ones integer or 1.0f.
template <class Op, class D, class T>
void set(Warp& w, const Inst& in) {
    const u32 compared = lanes_that_compare<Op, T>(w, in);
    const D holds = std::is_floating_point_v<D> ? D{1} : static_cast<D>(~u32{0});
    write_lanes<true, D>(w, in.d[0], [=](int i) { return (compared >> i & 1) != 0 ? holds : D{0}; });
}

// The rows are many (comparison x type x combination); the key is put together once, at start.
class Key {
public:
    Key& operator<<(const char* text) {
        while (*text != 0 && length_ < sizeof(text_) - 1) text_[length_++] = *text++;
        text_[length_] = 0;
        return *this;
    }
    const char* text() const { return text_; }

private:
    char text_[48] = {};
    std::size_t length_ = 0;
};

struct Comparison {
    Handler full, masked;
    Handler and_third, or_third, xor_third;
    Handler set_integer, set_float;
};
void add_comparison(OpTable& t, const char* op, const char* type, const Comparison& c) {
    const auto add_setp = [&](const char* combination, Handler full, Handler masked) {
        Key key, signature;
        key << "setp." << op << combination << "." << type;
        signature << "p=" << type << "," << type << (*combination != 0 ? ",p" : "");
        t.add(key.text(), signature.text(), full, masked);
    };
    const auto add_set = [&](const char* to, Handler either) {
        Key key, signature;
        key << "set." << op << "." << to << "." << type;
        signature << to << "=" << type << "," << type;
        t.add(key.text(), signature.text(), either, either);
    };
    add_setp("", c.full, c.masked);
    add_setp(".and", c.and_third, c.and_third);
    add_setp(".or", c.or_third, c.or_third);
    add_setp(".xor", c.xor_third, c.xor_third);
    add_set("u32", c.set_integer);
    add_set("s32", c.set_integer);
    add_set("f32", c.set_float);
}
template <class Op, class T>
void compare_rows(OpTable& t, const char* op, const char* type) {
    add_comparison(t, op, type,
                   {setp<Op, T, false>, setp<Op, T, true>, setp_combined<Op, T, And>, setp_combined<Op, T, Or>,
                    setp_combined<Op, T, Xor>, set<Op, u32, T>, set<Op, f32, T>});
}
template <class T>
void equality_rows(OpTable& t, const char* type) {
    compare_rows<Eq, T>(t, "eq", type);
    compare_rows<Ne, T>(t, "ne", type);
}
template <class T>
void order_rows(OpTable& t, const char* type) {
    equality_rows<T>(t, type);
    compare_rows<Lt, T>(t, "lt", type);
    compare_rows<Le, T>(t, "le", type);
    compare_rows<Gt, T>(t, "gt", type);
    compare_rows<Ge, T>(t, "ge", type);
}
template <class T>
void unsigned_rows(OpTable& t, const char* type) {
    order_rows<T>(t, type);
    compare_rows<Lt, T>(t, "lo", type);
    compare_rows<Le, T>(t, "ls", type);
    compare_rows<Gt, T>(t, "hi", type);
    compare_rows<Ge, T>(t, "hs", type);
}
template <class T>
void float_rows(OpTable& t, const char* type) {
    order_rows<T>(t, type);
    compare_rows<OrNan<Eq>, T>(t, "equ", type);
    compare_rows<OrNan<Ne>, T>(t, "neu", type);
    compare_rows<OrNan<Lt>, T>(t, "ltu", type);
    compare_rows<OrNan<Le>, T>(t, "leu", type);
    compare_rows<OrNan<Gt>, T>(t, "gtu", type);
    compare_rows<OrNan<Ge>, T>(t, "geu", type);
    compare_rows<BothNumbers, T>(t, "num", type);
    compare_rows<AnyNan, T>(t, "nan", type);
}

template <class T, bool Masked>
void selp(Warp& w, const Inst& in) {
    const T* a = reg<T>(w, in.a);
    const T* b = reg<T>(w, in.b);
    const u32 p = pred(w, in.c);
    write_lanes<Masked, T>(w, in.d[0], [=](int i) { return choose(((p >> i) & 1) != 0, a[i], b[i]); });
}
template <class T>
void selp_row(OpTable& t, const char* key, const char* signature) {
    t.add(key, signature, selp<T, false>, selp<T, true>);
}
template <class C>
struct SelectBySign {
    template <class T>
    static T apply(T a, T b, C c) {
        return c >= 0 ? a : b;
    }
};

}  // namespace

void comparison_and_selection(OpTable& t) {
    equality_rows<u16>(t, "b16");
    equality_rows<u32>(t, "b32");
    equality_rows<u64>(t, "b64");
    unsigned_rows<u16>(t, "u16");
    unsigned_rows<u32>(t, "u32");
    unsigned_rows<u64>(t, "u64");
    order_rows<s16>(t, "s16");
    order_rows<s32>(t, "s32");
    order_rows<s64>(t, "s64");
    float_rows<f32>(t, "f32");
    float_rows<f64>(t, "f64");
    selp_row<u16>(t, "selp.b16", "b16=b16,b16,p");
    selp_row<u16>(t, "selp.u16", "u16=u16,u16,p");
    selp_row<u16>(t, "selp.s16", "s16=s16,s16,p");
    selp_row<u32>(t, "selp.b32", "b32=b32,b32,p");
    selp_row<u32>(t, "selp.u32", "u32=u32,u32,p");
    selp_row<u32>(t, "selp.s32", "s32=s32,s32,p");
    selp_row<u32>(t, "selp.f32", "f32=f32,f32,p");
    selp_row<u64>(t, "selp.b64", "b64=b64,b64,p");
    selp_row<u64>(t, "selp.u64", "u64=u64,u64,p");
    selp_row<u64>(t, "selp.s64", "s64=s64,s64,p");
    selp_row<u64>(t, "selp.f64", "f64=f64,f64,p");
    ternary<SelectBySign<s32>, u32, u32, u32, s32>(t, "slct.b32.s32", "b32=b32,b32,s32");
    ternary<SelectBySign<s32>, u32, u32, u32, s32>(t, "slct.u32.s32", "u32=u32,u32,s32");
    ternary<SelectBySign<s32>, u32, u32, u32, s32>(t, "slct.s32.s32", "s32=s32,s32,s32");
    ternary<SelectBySign<s32>, u32, u32, u32, s32>(t, "slct.f32.s32", "f32=f32,f32,s32");
    ternary<SelectBySign<f32>, u32, u32, u32, f32>(t, "slct.f32.f32", "f32=f32,f32,f32");
}

}  // namespace warpgrade::vgpu::WARPGRADE_ISA
