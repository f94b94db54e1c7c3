// Sets of whole numbers with parameters, by isl (the Integer Set Library, libisl.so.23), opened at run time: without it
// nothing is proved, and nothing else changes.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace warpgrade::proof {

// unknown: the budget was spent, or isl refused the text.
enum class Emptiness : std::uint8_t { empty, not_empty, unknown };

class Sets {
public:
    using Clock = std::chrono::steady_clock;
    // Loads the library, once for the process; true: it is there. A process that may open no file asks before.
    static bool are_available();
    // Null: the library is not there.
    static std::unique_ptr<Sets> open(Clock::time_point deadline);
    virtual ~Sets() = default;

    // Of one set in isl's notation: "[n] -> { [i] : 0 <= i < n }".
    virtual Emptiness emptiness(const std::string& set) = 0;
    // Of the set without all the others.
    virtual Emptiness emptiness_without(const std::string& set, const std::vector<std::string>& others) = 0;
    virtual bool is_time_over() const = 0;
    virtual std::uint64_t asked() const = 0;  // sets, so far
};

}  // namespace warpgrade::proof
