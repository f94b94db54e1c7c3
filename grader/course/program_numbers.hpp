// What the rules of a stage that is a whole program can ask about: numbers of one run of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpgrade {

struct ProgramNumbers {
    double launches = 0;
    double streams = 0;
    double async_copies = 0;
    double timed_launches = 0, timed_copies = 0;
    double leaks = 0;
    double bytes_to_gpu = 0, bytes_to_host = 0;
    double overlap = 1;
};

struct ProgramNumber {
    std::string_view name;
    double ProgramNumbers::*value;
    std::string_view meaning;
};
const std::vector<ProgramNumber>& program_numbers();
const std::vector<std::string>& program_number_names();

}  // namespace warpgrade
