#include "run/row_length.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "course/source_text.hpp"
#include "run/index_text.hpp"

namespace warpgrade {

namespace {

// What the row is multiplied by in `row * cols + column`, or `cols * row + column`: is it this name, and no other?
bool goes_on_by(const std::string& index, const std::string& name, const std::string& other) {
    if (index.size() > 300 || index.find('+') == index.npos) return false;
    const auto is_factor = [&](const std::string& word) {
        return std::regex_search(
            index, std::regex(R"re(\*\s*)re" + word + R"re(\b(?!\s*[(\[])|\b)re" + word + R"re(\s*\*)re"));
    };
    return is_factor(name) && !is_factor(other);
}

bool is_plain_name(const std::string& name) { return !name.empty() && std::all_of(name.begin(), name.end(), is_word); }

}  // namespace

std::string advice_on_row_length(const Scene& scene) {
    const BufferLayout* layout = scene.layout();
    if (layout == nullptr || layout->extent_names.size() != 2 || layout->extents.size() != 2) return {};
    const std::string &high = layout->extent_names[0], &wide = layout->extent_names[1];
    if (layout->extents[0] == layout->extents[1] || !is_plain_name(high) || !is_plain_name(wide)) return {};
    const int line = scene.finding.place.line;
    const std::string code = without_comments(scene.source);
    const auto told = [&](int at) {
        return fmt::format("a row of `{}` has {} elements, and line {} goes on by {} for each row: multiply by {}",
                           layout->name, wide, at, high, wide);
    };
    // height = gridDim.y * TILE
    static const std::regex pitch(R"re(\*\s*([A-Za-z_]\w*)\s*\+)re");
    for (const std::string_view subscript : subscripts_of(line_of(code, line), name_in_line(scene))) {
        const std::string text(subscript);
        std::smatch match;
        if (text.size() > 300 || !std::regex_search(text, match, pitch)) continue;
        const int set = line_that_sets(scene.source, line, match[1].str());
        if (set != 0 && line_of(code, set).find("gridDim") != std::string_view::npos)
            return fmt::format(
                "line {} makes `{}` of all blocks together, which reach past the matrix: a row of `{}` has {} elements",
                set, match[1].str(), layout->name, wide);
    }
    for (const std::string_view subscript : subscripts_of(line_of(code, line), layout->name))
        if (goes_on_by(std::string(subscript), high, wide)) return told(line);
    for (const int at : lines_of_index(scene.source, line, layout->name)) {
        const std::string text(line_of(code, at));
        const std::size_t equals = text.find('=');
        if (equals != text.npos && goes_on_by(text.substr(equals), high, wide)) return told(at);
    }
    return {};
}

}  // namespace warpgrade
