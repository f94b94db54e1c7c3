// Whether a loop that was stopped would have ended: no, once everything that its branches depend on comes round to what
// it was, without any of its lanes having left it in between. A counter that moves, however slowly, is no proof either
// way, nor is a loop that decides by memory in which it stores.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vgpu/code.hpp"

namespace warpgrade::vgpu {

struct SimtEntry;
struct Strand;
struct WarpState;

class LoopWatch {
public:
    // Watches the innermost loop that the strand is in. False if it is in none whose registers alone decide.
    bool begin(const Program& program, const WarpState& warp, const Strand& strand);
    bool is_on() const { return warp_ != nullptr; }
    // Asked before each segment of any strand: true once the loop has come round.
    bool has_come_round(const WarpState& warp, const Strand& strand);
    void end() { warp_ = nullptr; }

private:
    std::string state(std::uint32_t mask) const;
    void forget();

    const WarpState* warp_ = nullptr;
    int function_ = 0, segment_ = 0;
    std::uint32_t frame_ = 0;
    std::vector<std::size_t> loop_;        // its segments, in order
    std::vector<RegisterPlace> deciding_;  // what the branches of the loop depend on, and is written in it
    std::string known_;                    // their values, at some time before
    std::uint32_t lanes_ = 0;              // that were in the loop since
    std::uint64_t rounds_ = 0, next_note_ = 1;
};

}  // namespace warpgrade::vgpu
