#include "cli/check_options.hpp"

#include <utility>

#include "cli/diagnose.hpp"

namespace warpgrade::cli {

void take_page_word(CheckOptions& options) {
    if (!options.page.empty() && !options.page.ends_with(".html"))
        options.words.insert(options.words.begin(), std::exchange(options.page, ""));
}

Status check_fits(const CheckOptions& options) {
    if (auto status = check_choices(options, check_format_names()); !status) return status.error();
    if (options.is_watching && !check_format(options.format).can_watch)
        return usage("watch_is_text", "--watch does not go with --format " + options.format,
                     "leave one of the two out, or `--format line`");
    if (options.is_watching && !options.report.empty())
        return usage("watch_has_no_report", "--watch does not go with --report", "leave one of the two out");
    if (!options.out.empty() && !check_format(options.format).is_document)
        return usage("out_is_for_documents", "--out does not go with --format " + options.format,
                     "a format that is one document, as `--format junit`");
    if (options.is_watching && !options.page.empty())
        return usage("page_is_served", "--watch serves its page and writes no file", "leave the file's name out");
    if (!options.page.empty() && options.words.size() != 1)
        return usage("one_page", "one file holds the page of one stage", "leave the file's name out");
    return Nothing{};
}

Result<std::vector<Target>> find_what_there_is(const Course& course, const CheckOptions& options, Lost& lost) {
    if (options.words.empty()) return find_targets(course, {}, options.stage);
    std::vector<Target> all;
    for (const std::string& word : options.words) {
        auto found = find_targets(course, {word}, options.stage);
        if (found)
            all.insert(all.end(), found->begin(), found->end());
        else
            lost.emplace_back(word, found.error());
    }
    return all;
}

}  // namespace warpgrade::cli
