// PTX manual: "Extended-Precision Integer Arithmetic Instructions". The carry flag CC.CF is a predicate that lowering
// keeps for each function: in.d[1].
//
// A card subtracts by adding the complement, so that after sub.cc the flag says that nothing was borrowed. The manual
// calls the flag a borrow and leaves open what addc makes of it; CUDA's own division of 128 bits asks with addc.
#include "vgpu/ops/handlers.hpp"

namespace warpgrade::vgpu::WARPGRADE_ISA {
namespace {

// The low and the high half of a product, as the addend of c.
struct Low {
    template <class T>
    static Unsigned<T> apply(T a, T b) {
        return static_cast<Unsigned<T>>(a) * static_cast<Unsigned<T>>(b);
    }
};
struct High {
    template <class T>
    static Unsigned<T> apply(T a, T b) {
        using Wide = std::conditional_t<sizeof(T) == 4, std::conditional_t<std::is_signed_v<T>, s64, u64>,
                                        std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>>;
        return static_cast<Unsigned<T>>((static_cast<Wide>(a) * static_cast<Wide>(b)) >> (8 * sizeof(T)));
    }
};

enum class Flag { reads, writes, reads_and_writes };

// d = f(i) + carry; what does not fit goes to the flag. f gives two numbers to add, or to subtract.
template <class U, Flag F, bool Subtracts, bool Masked, class Pair>
void with_carry(Warp& w, const Inst& in, Pair&& f) {
    const u32 before = F == Flag::writes ? 0 : pred(w, in.d[1]);
    alignas(64) U result[32];
    u32 after = 0;
    for (int i = 0; i < 32; ++i) {
        const auto [x, y] = f(i);
        const U carry = ((before >> i) & 1) != (Subtracts && F != Flag::writes ? 1 : 0);
        const U step = Subtracts ? static_cast<U>(x - y) : static_cast<U>(x + y);
        result[i] = Subtracts ? static_cast<U>(step - carry) : static_cast<U>(step + carry);
        const bool is_over = Subtracts ? x < y || step < carry : step < x || result[i] < step;
        after |= static_cast<u32>(is_over != Subtracts) << i;
    }
    write_lanes<Masked, U>(w, in.d[0], [&](int i) { return result[i]; });
    if (F != Flag::reads) write_pred<Masked>(w, in.d[1], after);
}

template <class U>
struct Two {
    U x, y;
};

template <class U, Flag F, bool Subtracts, bool Masked>
void sum(Warp& w, const Inst& in) {
    const U* a = reg<U>(w, in.a);
    const U* b = reg<U>(w, in.b);
    with_carry<U, F, Subtracts, Masked>(w, in, [=](int i) { return Two<U>{a[i], b[i]}; });
}
template <class Half, class T, Flag F, bool Masked>
void product(Warp& w, const Inst& in) {
    using U = Unsigned<T>;
    const T* a = reg<T>(w, in.a);
    const T* b = reg<T>(w, in.b);
    const U* c = reg<U>(w, in.c);
    with_carry<U, F, false, Masked>(w, in, [=](int i) { return Two<U>{Half::apply(a[i], b[i]), c[i]}; });
}

template <class U, Flag F, bool Subtracts>
void sum_row(OpTable& t, const char* as_signed, const char* as_unsigned) {
    t.add(as_signed, "", sum<U, F, Subtracts, false>, sum<U, F, Subtracts, true>);
    t.add(as_unsigned, "", sum<U, F, Subtracts, false>, sum<U, F, Subtracts, true>);
}
template <class Half, class S, Flag F>
void product_row(OpTable& t, const char* as_signed, const char* as_unsigned) {
    t.add(as_signed, "", product<Half, S, F, false>, product<Half, S, F, true>);
    t.add(as_unsigned, "", product<Half, Unsigned<S>, F, false>, product<Half, Unsigned<S>, F, true>);
}

}  // namespace

void extended_precision(OpTable& t) {
    sum_row<u32, Flag::writes, false>(t, "add.cc.s32", "add.cc.u32");
    sum_row<u64, Flag::writes, false>(t, "add.cc.s64", "add.cc.u64");
    sum_row<u32, Flag::reads, false>(t, "addc.s32", "addc.u32");
    sum_row<u64, Flag::reads, false>(t, "addc.s64", "addc.u64");
    sum_row<u32, Flag::reads_and_writes, false>(t, "addc.cc.s32", "addc.cc.u32");
    sum_row<u64, Flag::reads_and_writes, false>(t, "addc.cc.s64", "addc.cc.u64");
    sum_row<u32, Flag::writes, true>(t, "sub.cc.s32", "sub.cc.u32");
    sum_row<u64, Flag::writes, true>(t, "sub.cc.s64", "sub.cc.u64");
    sum_row<u32, Flag::reads, true>(t, "subc.s32", "subc.u32");
    sum_row<u64, Flag::reads, true>(t, "subc.s64", "subc.u64");
    sum_row<u32, Flag::reads_and_writes, true>(t, "subc.cc.s32", "subc.cc.u32");
    sum_row<u64, Flag::reads_and_writes, true>(t, "subc.cc.s64", "subc.cc.u64");
    product_row<Low, s32, Flag::writes>(t, "mad.lo.cc.s32", "mad.lo.cc.u32");
    product_row<Low, s64, Flag::writes>(t, "mad.lo.cc.s64", "mad.lo.cc.u64");
    product_row<High, s32, Flag::writes>(t, "mad.hi.cc.s32", "mad.hi.cc.u32");
    product_row<High, s64, Flag::writes>(t, "mad.hi.cc.s64", "mad.hi.cc.u64");
    product_row<Low, s32, Flag::reads>(t, "madc.lo.s32", "madc.lo.u32");
    product_row<Low, s64, Flag::reads>(t, "madc.lo.s64", "madc.lo.u64");
    product_row<High, s32, Flag::reads>(t, "madc.hi.s32", "madc.hi.u32");
    product_row<High, s64, Flag::reads>(t, "madc.hi.s64", "madc.hi.u64");
    product_row<Low, s32, Flag::reads_and_writes>(t, "madc.lo.cc.s32", "madc.lo.cc.u32");
    product_row<Low, s64, Flag::reads_and_writes>(t, "madc.lo.cc.s64", "madc.lo.cc.u64");
    product_row<High, s32, Flag::reads_and_writes>(t, "madc.hi.cc.s32", "madc.hi.cc.u32");
    product_row<High, s64, Flag::reads_and_writes>(t, "madc.hi.cc.s64", "madc.hi.cc.u64");
}

}  // namespace warpgrade::vgpu::WARPGRADE_ISA
