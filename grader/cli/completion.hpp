// Scripts by which bash, zsh and fish complete the command line, made from the verbs that the program has. Stages are
// not in them: the script asks `warpgrade completion stages`, so that a course may change.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"

namespace warpgrade::cli {

struct CompletedOption {
    std::string name;  // "--shape"
    std::string description;
    bool takes_value = false;
};

struct CompletedVerb {
    std::string name, description;
    std::vector<CompletedOption> options;
    bool takes_stage = false;
};

// `shell`: bash, zsh or fish. Error: usage.
Result<std::string> completion_script(const std::string& shell, const std::vector<CompletedVerb>& verbs);

}  // namespace warpgrade::cli
