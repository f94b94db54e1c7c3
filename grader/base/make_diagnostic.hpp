// A diagnostic of the parts that most of them have.
#pragma once

#include "base/diagnostic.hpp"

namespace warpgrade {

inline Diagnostic make_diagnostic(Blame blame, Severity severity, std::string code, std::string title,
                                  std::vector<SourceMark> marks = {}, std::vector<std::string> facts = {},
                                  std::string help = {}) {
    Diagnostic made;
    made.blame = blame;
    made.severity = severity;
    made.code = std::move(code);
    made.title = std::move(title);
    made.marks = std::move(marks);
    made.facts = std::move(facts);
    made.help = std::move(help);
    return made;
}

inline Diagnostic make_error(Blame blame, std::string code, std::string title, std::vector<SourceMark> marks = {},
                             std::vector<std::string> facts = {}, std::string help = {}) {
    return make_diagnostic(blame, Severity::error, std::move(code), std::move(title), std::move(marks),
                           std::move(facts), std::move(help));
}

}  // namespace warpgrade
