// The commands, stages and files that texts of a course name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "course/assignment.hpp"

namespace warpgrade {

// What an instructor has taken out of the course: assignments and stages, "reduction", "transpose/padding", a line each
// (`- reduction`) in `left_out.md` of the folder of the assignments. Texts may go on naming them, and `release` leaves
// out the sections that do.
std::vector<std::string> left_out_of(const std::string& assignments_folder);
// The stage itself, or its assignment.
bool is_left_out(const std::vector<std::string>& left_out, std::string_view assignment, std::string_view stage);

// Looks for names in texts: `warpgrade VERB STAGE`, assignment/stage, assignments/NAME/FILE and solutions/NAME/FILE.
class NameCheck {
public:
    NameCheck(std::string root, const std::vector<Assignment>& course, const std::vector<std::string>& verbs);

    // Finds what the text of the file `path` names that is not there.
    void read(std::string_view text, const std::string& path);
    std::vector<Diagnostic> take_problems() { return std::move(problems_); }

private:
    struct Place {
        const std::string& path;
        int line = 0;
        int column = 0;
    };
    void read_line(std::string_view line, const Place& start);
    void check_command(std::string_view line, std::size_t at, const Place& start);
    void check_path(std::string_view word, const Place& place);
    void find_made(std::string_view text);
    bool is_stage(const std::string& word) const;
    void report(std::string code, const std::string& word, const std::string& what,
                const std::vector<std::string>& known, const Place& place);

    std::string root_;
    std::vector<std::string> assignments_;
    std::vector<std::string> stages_;  // "transpose/padding" and "padding"
    std::vector<std::string> verbs_;
    std::vector<std::string> left_out_;
    std::vector<std::string> made_;  // what the text that is read makes with `warpgrade new`
    std::vector<Diagnostic> problems_;
};

}  // namespace warpgrade
