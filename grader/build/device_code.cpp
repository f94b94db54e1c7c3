#include "build/device_code.hpp"

#include <fmt/format.h>

#include "source/questions.hpp"

namespace warpgrade {

const source::Function* function_at(const source::Facts& facts, int line) {
    const source::Function* found = nullptr;
    for (const source::Function& function : facts.functions) {
        if (line < function.line || line > function.last_line) continue;
        if (found && (*facts.tree)[function.node].first >= (*facts.tree)[found->node].last) return nullptr;
        found = &function;
    }
    return found;
}

bool is_in_device_lambda(const source::Tree& tree, source::NodeId node) {
    for (; node != source::no_node; node = tree[node].parent) {
        if (tree[node].kind != source::NodeKind::lambda) continue;
        const source::NodeId body = source::child_of(tree, node);
        for (source::TokenId i = tree[node].first; i < tree[body].first; ++i)
            if (tree.tokens.code[i].text == "__device__") return true;
    }
    return false;
}

std::string who(const source::Function& function) {
    switch (function.side) {
        case source::Side::kernel: return fmt::format("the kernel `{}`", function.name);
        case source::Side::device: return fmt::format("the __device__ function `{}`", function.name);
        case source::Side::both: return fmt::format("`{}`, which is __host__ __device__,", function.name);
        case source::Side::host: break;
    }
    return fmt::format("`{}`, which runs on the host,", function.name);
}

}  // namespace warpgrade
