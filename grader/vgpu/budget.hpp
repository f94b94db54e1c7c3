// What a submission may take of the virtual GPU: over all launches of a case, and over all cases of a check.
//
// Theory of operation. Everything that a submission can ask for has a price in one unit, the time that a usual warp
// instruction takes this machine (some 12 ns): blocks that do nothing, launches that are refused, filled bytes, printed
// lines and faults as well. What is spent is counted and not timed, so that the same program ends at the same place on
// every machine and with any number of threads. A case has a budget of its own within that of the whole check: one
// case without an end leaves something for the others.
#pragma once

#include <algorithm>
#include <cstdint>

namespace warpgrade::vgpu {

// Of what takes more than its instructions tell. Measured, and rounded up.
namespace price {
inline constexpr std::uint64_t launch = 1500;        // and one for each site, segment and variable of the program
inline constexpr std::uint64_t block = 8, warp = 6;  // that has nothing to do
inline constexpr std::uint64_t fresh_bytes = 48;     // so many bytes of memory that was not there before cost one
inline constexpr std::uint64_t copied_bytes = 32;    // or that are copied or filled
inline constexpr std::uint64_t host_call = 30;       // what a launcher asks of the CUDA runtime
inline constexpr std::uint64_t printed_line = 100, unseen_line = 20;  // of a lane; the latter once enough was printed
inline constexpr std::uint64_t finding = 12;                          // of a lane, with a detail of its own
inline constexpr std::uint64_t spread_row = 4, scattered_row = 24;    // an access whose lanes are not side by side
inline constexpr std::uint64_t narrow_row = 4;                        // a store of less than a word by each lane
inline constexpr std::uint64_t tracked_touch = 3;                     // of a lane, where races are tracked
}  // namespace price

class Budget {
public:
    // `whole`: what this one is a part of; it has to outlive it.
    explicit Budget(std::uint64_t work, Budget* whole = nullptr) : given_(work), left_(work), whole_(whole) {}

    std::uint64_t given() const { return given_; }
    std::uint64_t left() const { return whole_ == nullptr ? left_ : std::min(left_, whole_->left()); }
    bool is_spent() const { return left() == 0; }
    std::uint64_t spent() const { return given_ - left_; }
    // More than is left leaves nothing.
    void spend(std::uint64_t work) {
        left_ -= std::min(left_, work);
        if (whole_ != nullptr) whole_->spend(work);
    }

private:
    std::uint64_t given_, left_;
    Budget* whole_;
};

}  // namespace warpgrade::vgpu
