#include "course/program_numbers.hpp"

namespace warpgrade {

const std::vector<ProgramNumber>& program_numbers() {
    static const std::vector<ProgramNumber> all{
        {"launches", &ProgramNumbers::launches, "kernels that were launched"},
        {"streams", &ProgramNumbers::streams, "streams with a launch, the default stream not counted"},
        {"async_copies", &ProgramNumbers::async_copies, "copies that the host did not wait for"},
        {"timed_launches", &ProgramNumbers::timed_launches,
         "launches between the events of cudaEventElapsedTime, over all its calls"},
        {"timed_copies", &ProgramNumbers::timed_copies, "copies between these events"},
        {"leaks", &ProgramNumbers::leaks, "allocations that are not freed at the end"},
        {"bytes_to_gpu", &ProgramNumbers::bytes_to_gpu, "copied from memory of the host to memory of the GPU"},
        {"bytes_to_host", &ProgramNumbers::bytes_to_host, "copied from memory of the GPU to memory of the host"},
        {"overlap", &ProgramNumbers::overlap,
         "modelled: the times of all copies and kernels together, over the time in which one of them runs at least; 1 "
         "where nothing overlaps"}};
    return all;
}

const std::vector<std::string>& program_number_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> found;
        for (const ProgramNumber& number : program_numbers()) found.emplace_back(number.name);
        return found;
    }();
    return names;
}

}  // namespace warpgrade
