// Handler templates: a row gives a tiny function of one lane's values, these make it an instruction of a warp.
#pragma once

#include "vgpu/ops/lanes.hpp"
#include "vgpu/ops/table.hpp"

namespace warpgrade::vgpu::WARPGRADE_ISA {

template <class Op, class D, class A, bool Masked>
void unary_handler(Warp& w, const Inst& in) {
    const A* a = reg<A>(w, in.a);
    write_lanes<Masked, D>(w, in.d[0], [=](int i) { return static_cast<D>(Op::apply(a[i])); });
}

template <class Op, class D, class A, class B, bool Masked>
void binary_handler(Warp& w, const Inst& in) {
    const A* a = reg<A>(w, in.a);
    const B* b = reg<B>(w, in.b);
    write_lanes<Masked, D>(w, in.d[0], [=](int i) { return static_cast<D>(Op::apply(a[i], b[i])); });
}

template <class Op, class D, class A, class B, class C, bool Masked>
void ternary_handler(Warp& w, const Inst& in) {
    const A* a = reg<A>(w, in.a);
    const B* b = reg<B>(w, in.b);
    const C* c = reg<C>(w, in.c);
    write_lanes<Masked, D>(w, in.d[0], [=](int i) { return static_cast<D>(Op::apply(a[i], b[i], c[i])); });
}

template <class Op, class D, class A = D>
void unary(OpTable& t, const char* key, const char* signature) {
    t.add(key, signature, unary_handler<Op, D, A, false>, unary_handler<Op, D, A, true>);
}
template <class Op, class D, class A = D, class B = A>
void binary(OpTable& t, const char* key, const char* signature) {
    t.add(key, signature, binary_handler<Op, D, A, B, false>, binary_handler<Op, D, A, B, true>);
}
// What few programs use is compiled once, for warps with lanes that are off.
template <class Op, class D, class A = D>
void rare_unary(OpTable& t, const char* key, const char* signature) {
    t.add(key, signature, unary_handler<Op, D, A, true>, unary_handler<Op, D, A, true>);
}
template <class Op, class D, class A = D, class B = A>
void rare_binary(OpTable& t, const char* key, const char* signature) {
    t.add(key, signature, binary_handler<Op, D, A, B, true>, binary_handler<Op, D, A, B, true>);
}
template <class Op, class D, class A = D, class B = A, class C = D>
void ternary(OpTable& t, const char* key, const char* signature) {
    t.add(key, signature, ternary_handler<Op, D, A, B, C, false>, ternary_handler<Op, D, A, B, C, true>);
}

// A row's key or signature from its parts, without a string class (see lanes.hpp). Hundreds of rows are written so:
// inlined, that takes longer to compile than the handlers.
struct Text {
    char text[40] = {};
    [[gnu::noinline]] Text(const char* a, const char* b, const char* c, const char* d, const char* e = "") {
        std::size_t n = 0;
        for (const char* part : {a, b, c, d, e})
            for (; *part != 0 && n + 1 < sizeof text; ++part) text[n++] = *part;
    }
};

template <class T>
using Unsigned = std::make_unsigned_t<T>;

// One function for each chapter of the PTX manual's "Instructions".
void integer_arithmetic(OpTable& t);
void extended_precision(OpTable& t);
void floating_point(OpTable& t);
void half_precision(OpTable& t);
void comparison_and_selection(OpTable& t);
void logic_and_shift(OpTable& t);
void data_movement(OpTable& t);
void conversion(OpTable& t);
void loads_and_stores(OpTable& t);
void atomics(OpTable& t);
void asynchronous_copies(OpTable& t);
void parallel_synchronization(OpTable& t);
void matrix_movement(OpTable& t);
void video(OpTable& t);
void miscellaneous(OpTable& t);

}  // namespace warpgrade::vgpu::WARPGRADE_ISA
