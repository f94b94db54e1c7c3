#include "cli/excerpt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/confined.hpp"
#include "base/text.hpp"
#include "compile/compiler.hpp"

namespace warpgrade::cli {
namespace {

struct Span {
    int first = 0;  // display columns
    int last = 0;   // one past
};

Span span_of(std::string_view raw, const ShownLine& shown, const ExcerptMark& mark) {
    const int end_of_line = static_cast<int>(raw.size());
    int first = mark.column - 1;
    int last = first + std::max(1, mark.length);
    if (mark.column <= 0) {
        const std::size_t start = raw.find_first_not_of(" \t");
        if (start == std::string_view::npos) return {0, 1};
        first = static_cast<int>(start);
    }
    if (mark.column <= 0 || mark.length <= 0) {
        last = first + 1;
        while (first < end_of_line && last < end_of_line && is_word(raw[static_cast<std::size_t>(first)]) &&
               is_word(raw[static_cast<std::size_t>(last)]))
            ++last;
    }
    first = std::min(first, end_of_line);
    last = std::min(last, end_of_line);
    const int from = shown.column_of_byte[static_cast<std::size_t>(first)];
    const int to = shown.column_of_byte[static_cast<std::size_t>(std::max(first, last))];
    return {from, std::max(from + 1, to)};
}

// One past what belongs to a mark: the subscripts behind an array's name, and the arguments behind a launch.
int end_of_expression(std::string_view raw, const ExcerptMark& mark) {
    const int begin = mark.column - 1 + std::max(1, mark.length);
    if (mark.column <= 0 || begin >= static_cast<int>(raw.size())) return begin;
    auto end = static_cast<std::size_t>(begin);
    const bool is_launch = raw.substr(end - std::min<std::size_t>(3, end)).starts_with("<<<");
    if (is_launch) {
        const std::size_t close = raw.rfind(')');
        return close == std::string_view::npos || close < end ? begin : static_cast<int>(close) + 1;
    }
    while (end < raw.size() && raw[end] == '[') {
        int open = 0;
        std::size_t at = end;
        for (; at < raw.size(); ++at) {
            open += (raw[at] == '[') - (raw[at] == ']');
            if (open == 0) break;
        }
        end = std::min(at + 1, raw.size());
    }
    return static_cast<int>(end);
}

// The part of the display line from column `from`, at most `room` wide, "..." where text is missing.
std::string window(const std::string& text, int from, int room) {
    if (from <= 0) return cut(text, room);
    std::size_t at = 0;
    int column = 0;
    while (at < text.size() && column < from + 3) {
        const Character character = character_at(text, at);
        column += character.is_valid ? character_width(character.code_point) : 1;
        at += character.bytes;
    }
    // A wide character across the edge leaves one column more.
    const std::string edge(static_cast<std::size_t>(3 + column - (from + 3)), '.');
    return edge + cut(std::string_view(text).substr(at), room - static_cast<int>(edge.size()));
}

std::string sign_rows(const Span& span, const ExcerptMark& mark, const std::string& edge, int room,
                      const RenderStyle& style) {
    const int signs = std::max(1, std::min(span.last, room) - span.first);
    std::string row =
        edge + blanks(span.first) + paint(std::string(static_cast<std::size_t>(signs), mark.sign), mark.colour, style);
    const std::string label = escape(mark.label);
    const int beside = room - span.first - signs - 1;
    if (label.empty()) return row + '\n';
    if (display_width(label) <= beside) return row + ' ' + paint(label, mark.colour, style) + '\n';
    row += '\n';
    const int indent = std::clamp(room - display_width(label), 0, std::min(span.first, std::max(0, room - 40)));
    for (const std::string& line : wrap(label, room - indent))
        row += edge + blanks(indent) + paint(line, mark.colour, style) + '\n';
    return row;
}

}  // namespace

std::vector<std::string> read_lines(const std::string& path) {
    if (!opens_files()) {
        const std::string* text = text_read_ahead(path);
        return text ? split_lines(*text) : std::vector<std::string>();
    }
    const auto text = read_submission(path);
    return text ? split_lines(*text) : std::vector<std::string>();
}

std::string excerpt(std::string_view raw_line, int line, int gutter, const std::vector<ExcerptMark>& marks,
                    const RenderStyle& style) {
    const int room = std::max(20, style.columns - gutter - 3);
    const ShownLine shown = show_source_line(raw_line);
    std::vector<Span> spans;
    int furthest = 0, expression = 0;
    for (const ExcerptMark& mark : marks) {
        spans.push_back(span_of(raw_line, shown, mark));
        furthest = std::max(furthest, spans.back().last);
        const int end = std::min(end_of_expression(raw_line, mark), static_cast<int>(raw_line.size()));
        if (end > 0) expression = std::max(expression, shown.column_of_byte[static_cast<std::size_t>(end)]);
    }
    int from = 0;
    const int width = display_width(shown.text);
    if (width > room && furthest > room - 3) from = std::max(0, std::min(furthest - room * 2 / 3, width - room));
    // What is marked is shown to its end, where there is room for both.
    if (width > room && expression > from + room - 3) from = std::min(expression - room + 3, width - room);
    for (const Span& span : spans) from = std::min(from, std::max(0, span.first - 3));

    // Marks too far apart for one window: the line once more for those that are further on.
    std::vector<ExcerptMark> near, far;
    for (std::size_t i = 0; i < marks.size(); ++i)
        (width > from + room && spans[i].first - from >= room - 3 ? far : near).push_back(marks[i]);
    if (!near.empty() && !far.empty())
        return excerpt(raw_line, line, gutter, near, style) + excerpt(raw_line, line, gutter, far, style);

    const std::string edge = paint(blanks(gutter) + " |", Paint::blue, style) + " ";
    std::string text = window(shown.text, from, room);
    std::string out =
        paint(fmt::format("{:>{}} |", line, gutter), Paint::blue, style) + (text.empty() ? "" : " ") + text + '\n';
    for (std::size_t i = 0; i < marks.size(); ++i)
        out +=
            sign_rows({std::min(spans[i].first - from, room - 1), spans[i].last - from}, marks[i], edge, room, style);
    return out;
}

}  // namespace warpgrade::cli
