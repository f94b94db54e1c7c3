// What is proved of a submission, and what not and why: data for texts, results and reports.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::proof {

enum class Obligation : std::uint8_t { launch, width, barriers, bounds, races, once, covered, values };
inline constexpr std::size_t obligations = 8;
std::string_view to_string(Obligation obligation);  // "launch", of results
std::string_view meaning(Obligation obligation);    // "every launch is within the limits of CUDA"

struct Row {
    Obligation what = Obligation::launch;
    bool is_proved = false;
    std::string why;           // it is not
    int line = 0;              // of the source, where that is; 0: not known
    std::vector<int> lines{};  // that it speaks of, ascending
};

// A shape, and threads at it, at which isl does not find a row to hold. Something to run, not a fault: what is not
// known here may rule it out.
struct Witness {
    Obligation what = Obligation::launch;
    int line = 0;
    std::size_t launch = 0;  // of the launcher's, from 0
    std::vector<std::int64_t> shape;
    struct Thread {
        std::array<std::int64_t, 3> block{}, thread{};
    };
    std::vector<Thread> threads{};  // one; of a race, or of an element that is written twice, both
    std::array<std::int64_t, 3> grid{}, block{};
};

struct Claim {
    bool was_tried = false;                         // false: `why_not`, and there are no rows
    std::string why_not;                            // "isl (libisl.so.23) is not installed"
    std::vector<Row> rows;                          // one for each obligation, in their order
    std::vector<std::string> assumptions;           // that the claim rests on
    std::vector<std::vector<std::int64_t>> shapes;  // one of each way through the launcher that is spoken of
    std::vector<Witness> witnesses{};               // of rows that are open, the smallest one first
    double seconds = 0;
    std::uint64_t sets = 0;  // that isl was asked about
    bool is_whole() const;   // every obligation is proved
};

// Without what differs from run to run: the time.
nlohmann::ordered_json json_of(const Claim& claim);
// "proved for every shape with ...: in bounds, no race", and what is not proved first; one line without its end.
std::string line_of(const Claim& claim);

}  // namespace warpgrade::proof
