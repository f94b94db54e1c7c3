// Starts the Python package reports/ in the course's virtual environment: the only way from here to figures and pages.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace warpgrade::classroom {

class ReportMaker {
public:
    // Error: host: there is no .venv with what reports need; says the command that makes it.
    static Result<ReportMaker> open(const std::string& root);

    // `reports ARGUMENTS...` (grader/launch/isolated.py), never with the caller's folder where Python looks for
    // modules; returns what it printed. Error: its own message (usage, for exit code 2), or a defect.
    Result<std::string> run(const std::vector<std::string>& arguments) const;

    // Of the package's own files: a report made by other ones is out of date.
    const std::string& digest() const { return digest_; }

private:
    explicit ReportMaker(std::string root);
    std::string root_, digest_;
};

struct ReportOf {
    std::string file_name;  // of results/<file_name>.json
    std::string name;       // in the report's title; may be empty
};

// The reports of a graded class, several at a time: <out>/reports/<student>/ and <out>/class.html. A report whose
// result has not changed since is left as it is. `progress` hears of each one that is made. Returns what went wrong,
// one line each: a report that cannot be made is no reason to have no marks.
std::vector<std::string> make_class_reports(const ReportMaker& maker, const std::filesystem::path& out,
                                            const std::vector<ReportOf>& students, int workers,
                                            const std::function<void(std::size_t done, std::size_t all)>& progress);

}  // namespace warpgrade::classroom
