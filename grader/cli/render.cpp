#include "cli/render.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cli/excerpt.hpp"
#include "cli/text.hpp"

namespace warpgrade {
namespace {

using cli::Paint;

Paint colour_of(Severity severity) {
    if (severity == Severity::error) return Paint::red;
    return severity == Severity::warning ? Paint::yellow : Paint::cyan;
}

std::string heading(const Diagnostic& diagnostic, const RenderStyle& style) {
    std::string label(to_string(diagnostic.severity));
    if (!diagnostic.code.empty()) label += "[" + escape(diagnostic.code) + "]";
    const std::string text = label + ": " + escape(diagnostic.title);
    const bool fits = cli::display_width(text) <= style.columns;
    const auto lines = cli::wrap(text, fits ? style.columns : style.columns - 2);
    std::string out;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (i == 0 && lines[0].starts_with(label))
            out += cli::paint(label, colour_of(diagnostic.severity), style) +
                   cli::paint(lines[0].substr(label.size()), Paint::bold, style);
        else
            out += cli::paint("  " + lines[i], Paint::bold, style);
        out += '\n';
    }
    return out;
}

// Marks of one path, in the order given; marks of one line share its excerpt.
class Places {
public:
    Places(const Diagnostic& diagnostic, const std::string& source, int gutter, const RenderStyle& style)
        : diagnostic_(diagnostic), gutter_(gutter), style_(style) {
        if (!diagnostic.marks.empty() && !source.empty())
            lines_[diagnostic.marks.front().path] = cli::split_lines(source);
    }

    std::string text() {
        std::string out;
        std::string path;
        int last_line = 0;
        for (std::size_t i = 0; i < diagnostic_.marks.size(); ++i) {
            const SourceMark& mark = diagnostic_.marks[i];
            if (i > 0 && mark.path == path && is_shown_already(i)) continue;
            if (i == 0 || mark.path != path)
                out += arrow(mark);
            else if (mark.line != last_line + 1)
                out += cli::paint(std::string(static_cast<std::size_t>(gutter_), '.'), Paint::blue, style_) + "\n";
            path = mark.path;
            last_line = mark.line;
            out += excerpt_from(i);
        }
        return out;
    }

private:
    bool is_shown_already(std::size_t index) const {
        const SourceMark& mark = diagnostic_.marks[index];
        for (std::size_t i = 0; i < index; ++i)
            if (diagnostic_.marks[i].path == mark.path && diagnostic_.marks[i].line == mark.line) return true;
        return false;
    }

    std::string arrow(const SourceMark& mark) const {
        std::string place = escape(mark.path);
        if (mark.line > 0) place += fmt::format(":{}", mark.line);
        if (mark.line > 0 && mark.column > 0) place += fmt::format(":{}", mark.column);
        return std::string(static_cast<std::size_t>(gutter_), ' ') + cli::paint("-->", Paint::blue, style_) + " " +
               place + "\n";
    }

    const std::vector<std::string>& lines_of(const std::string& path) {
        const auto found = lines_.find(path);
        return found != lines_.end() ? found->second : lines_[path] = cli::read_lines(path);
    }

    std::string excerpt_from(std::size_t first) {
        const SourceMark& place = diagnostic_.marks[first];
        const auto& lines = lines_of(place.path);
        if (place.line < 1 || place.line > static_cast<int>(lines.size())) return "";
        std::vector<cli::ExcerptMark> marks;
        for (std::size_t i = first; i < diagnostic_.marks.size(); ++i) {
            const SourceMark& mark = diagnostic_.marks[i];
            if (mark.path != place.path || mark.line != place.line) continue;
            marks.push_back({mark.column, mark.length, mark.label, i == 0 ? '^' : '-',
                             i == 0 ? colour_of(diagnostic_.severity) : Paint::blue});
        }
        return cli::excerpt(lines[static_cast<std::size_t>(place.line - 1)], place.line, gutter_, marks, style_);
    }

    const Diagnostic& diagnostic_;
    int gutter_;
    const RenderStyle& style_;
    std::map<std::string, std::vector<std::string>> lines_;
};

}  // namespace

std::string render(const Diagnostic& diagnostic, const std::string& source, const RenderStyle& style) {
    int gutter = 2;
    for (const SourceMark& mark : diagnostic.marks)
        gutter = std::max(gutter, static_cast<int>(std::to_string(mark.line).size()));
    std::string out = heading(diagnostic, style);
    out += Places(diagnostic, source, gutter, style).text();
    const std::string indent(static_cast<std::size_t>(gutter + 1), ' ');
    for (const std::string& fact : diagnostic.facts)
        out += cli::wrap_after(indent + "= ", escape_lines(fact), style.columns);
    if (!diagnostic.help.empty())
        out += cli::wrap_after(indent + "= try: ", escape_lines(diagnostic.help), style.columns);
    return out;
}

}  // namespace warpgrade
