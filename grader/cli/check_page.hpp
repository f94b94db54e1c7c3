// `check --page`: the page of each stage that was checked, in a file, or served while `--watch` runs.
#pragma once

#include <memory>
#include <string>

#include "base/result.hpp"
#include "cli/live_page.hpp"
#include "cli/page_server.hpp"

namespace warpgrade::cli {

class CheckPage {
public:
    // `file`: of the page; "": ASSIGNMENT_STAGE.html, in the folder `report`, which links to it, or here.
    // Served: nothing is written here. Error: host (page_server.hpp).
    static Result<CheckPage> open(std::string file, std::string report, bool is_served);

    // After each check. Returns lines for the terminal. Error: those of explain_to_page.
    Result<std::string> make(const Course& course, const Machine& machine, const SharedOptions& options,
                             const Target& target);
    // Where it can be seen: lines for the terminal; "" where it is a file.
    std::string where() const;

private:
    std::string file_of(const Target& target) const;

    std::string file_, report_;
    std::unique_ptr<PageServer> server_;  // null: a file
};

}  // namespace warpgrade::cli
