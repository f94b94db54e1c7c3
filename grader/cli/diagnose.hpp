// Diagnostics of the command line, which have no place in a source file.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.hpp"

namespace warpgrade::cli {

inline Diagnostic diagnose(Blame blame, std::string code, std::string title, std::string help,
                           std::vector<std::string> facts = {}) {
    Diagnostic diagnostic;
    diagnostic.blame = blame;
    diagnostic.code = std::move(code);
    diagnostic.title = std::move(title);
    diagnostic.help = std::move(help);
    diagnostic.facts = std::move(facts);
    return diagnostic;
}

inline Diagnostic usage(std::string code, std::string title, std::string help, std::vector<std::string> facts = {}) {
    return diagnose(Blame::usage, std::move(code), std::move(title), std::move(help), std::move(facts));
}

}  // namespace warpgrade::cli
