#include "cli/own_program.hpp"

#include <filesystem>

namespace warpgrade::cli {

OwnProgram::OwnProgram(const std::string& path, const std::vector<std::string>& arguments) {
    assignment.name = "program";
    stage.assignment = assignment.name;
    stage.id = std::filesystem::path(path).stem().string();
    stage.file = std::filesystem::path(path).filename().string();
    stage.host = HostCode::runtime;
    stage.runs.emplace_back().arguments = arguments;
}

}  // namespace warpgrade::cli
