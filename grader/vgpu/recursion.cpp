#include "vgpu/recursion.hpp"

#include <cstdint>
#include <vector>

namespace warpgrade::vgpu {

bool has_recursion(const Program& program) {
    enum class State : std::uint8_t { unseen, open, done };
    std::vector<State> states(program.functions.size(), State::unseen);
    struct Place {
        std::size_t function, call;
    };
    for (std::size_t first = 0; first < states.size(); ++first) {
        std::vector<Place> way;
        const auto enter = [&](std::size_t f) {
            states[f] = State::open;
            way.push_back({f, 0});
        };
        if (states[first] == State::unseen) enter(first);
        while (!way.empty()) {
            Place& at = way.back();
            const std::vector<CallSite>& calls = program.functions[at.function].calls;
            if (at.call == calls.size()) {
                states[at.function] = State::done;
                way.pop_back();
                continue;
            }
            const CallSite& call = calls[at.call++];
            if (call.is_indirect) return true;
            if (call.function < 0) continue;
            const auto callee = static_cast<std::size_t>(call.function);
            if (states[callee] == State::open) return true;
            if (states[callee] == State::unseen) enter(callee);
        }
    }
    return false;
}

}  // namespace warpgrade::vgpu
