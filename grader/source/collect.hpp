// One node to one fact. Internal to source/.
#pragma once

#include "source/facts.hpp"

namespace warpgrade::source {

// The decorations in a head, as bits; those that macros write count too.
enum Decoration : unsigned {
    global_word = 1,
    device_word = 2,
    host_word = 4,
    constexpr_word = 8,
    shared_word = 16,
    extern_word = 32,
    const_word = 64,
    template_word = 128,
};
class Decorations {
public:
    explicit Decorations(const Tree& tree);
    unsigned of(TokenId first, TokenId last) const;

private:
    const Tree& tree_;
    std::map<std::string_view, unsigned> macros_;
};

Function function_of(const Tree& tree, NodeId node, const Decorations& decorations);
Loop loop_of(const Tree& tree, NodeId node);
// For a `while`: gives it the variable that its body changes, if one statement does.
void add_step(const Tree& tree, Loop& loop, std::span<const Definition> definitions);
Guard guard_of(const Tree& tree, NodeId node);
// The name that an assignment, a `++` or a declarator gives a value; name "" where it is none.
Definition definition_of(const Tree& tree, NodeId node);
// A subscript that is not the base of another one, or `*p`; node no_node: it is none of its own.
Access access_of(const Tree& tree, NodeId node);
Call call_of(const Tree& tree, NodeId node);
// What a function of CUDA's does to the memory that its arguments point to, where no bracket shows it.
std::vector<Access> accesses_of(const Tree& tree, const Call& call);
bool is_barrier(const Call& call);
Launch launch_of(const Tree& tree, NodeId node);

}  // namespace warpgrade::source
