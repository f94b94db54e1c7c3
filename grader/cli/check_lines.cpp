#include <fmt/format.h>

#include <algorithm>

#include "cli/check_formats.hpp"
#include "cli/course.hpp"
#include "cli/text.hpp"

namespace warpgrade::cli {
namespace {

// Writes the lines of one stage. Text of the submission's passes through `escape`, which leaves one line of it.
class LineWriter {
public:
    explicit LineWriter(const StageResult& result) : result_(result), source_(split_lines(result.source)) {}

    void add(const SourceMark& mark, std::string_view severity, const std::string& code, const std::string& text) {
        out_ += fmt::format("{}:{}:{}: {}", escape(mark.path.empty() ? result_.source_path : mark.path),
                            std::max(1, mark.line), column_of(mark), severity);
        if (!code.empty()) out_ += "[" + escape(code) + "]";
        out_ += ": " + escape(text) + "\n";
    }

    void add(std::string_view severity, const std::string& code, const std::string& text, int line = 0) {
        add({result_.source_path, line, 0, 1, ""}, severity, code, text);
    }

    void add(const Diagnostic& finding) {
        const std::string_view severity =
            finding.severity == Severity::advice ? to_string(Severity::note) : to_string(finding.severity);
        const SourceMark place = finding.marks.empty() ? SourceMark{} : finding.marks.front();
        std::string text = finding.title;
        if (!place.label.empty()) text += ": " + place.label;
        if (!finding.help.empty()) text += "; try: " + finding.help;
        add(place, severity, finding.code, text);
        for (std::size_t i = 1; i < finding.marks.size(); ++i)
            if (const SourceMark& other = finding.marks[i]; !other.label.empty())
                add(other, to_string(Severity::note), finding.code, other.label);
    }

    int line_with(std::string_view word) const {
        const auto found = std::find_if(source_.begin(), source_.end(),
                                        [&](const std::string& line) { return line.find(word) != std::string::npos; });
        return found == source_.end() ? 0 : 1 + static_cast<int>(found - source_.begin());
    }

    std::string text() && { return std::move(out_); }

private:
    // Where it is not known: that of the line's first token, which the pretty format underlines too.
    int column_of(const SourceMark& mark) const {
        if (mark.column > 0) return mark.column;
        const bool is_ours = mark.path.empty() || mark.path == result_.source_path;
        if (!is_ours || mark.line < 1 || mark.line > std::ssize(source_)) return 1;
        const std::size_t token = source_[static_cast<std::size_t>(mark.line - 1)].find_first_not_of(" \t");
        return token == std::string::npos ? 1 : static_cast<int>(token) + 1;
    }

    const StageResult& result_;
    std::vector<std::string> source_;
    std::string out_;
};

void add_failures(const StageResult& result, LineWriter& out) {
    for (const Failure& failure : failures_of(result)) {
        const std::size_t others = failure.shapes.size() - 1;
        out.add("error", std::string(to_string(failure.first->verdict)),
                fmt::format("{}, on {}{}", failure.first->detail, failure.shapes.front(),
                            others == 0 ? "" : " and " + counted(others, "other shape", "other shapes")));
    }
}

// Rules that could not be measured are a consequence: the reason is said once, and not where an error says it.
void add_rules(const StageResult& result, const std::vector<Diagnostic>& findings, bool names_error, LineWriter& out) {
    if (result.technique.empty()) return;
    const TechniqueResult& first = result.technique.front();
    if (!first.is_measured) {
        if (!names_error) out.add("warning", "technique", first.says);
        return;
    }
    for (const TechniqueResult& rule : result.technique) {
        if (rule.ok || is_said(findings, rule)) continue;
        out.add("warning", "technique",
                fmt::format("the rule {} does not hold{}{}", rule.rule,
                            rule.has_value ? fmt::format(": the value is {}", number(rule.value)) : "",
                            rule.says.empty() ? "" : "; " + rule.says));
    }
}

}  // namespace

std::string message_lines(const StageResult& result, const Assignment&, const Stage& stage, const CheckView& view) {
    LineWriter out(result);
    if (result.is_untouched_stub && stage.is_graded && result.compiles) {
        out.add("note", "not_attempted", with_command("not attempted yet. " + stage.first_step, view.command),
                out.line_with("TODO 1"));
        return std::move(out).text();
    }
    const std::vector<Diagnostic> findings = all_findings(result);
    for (Diagnostic finding : findings) {
        finding.help = with_command(finding.help, view.command);
        out.add(finding);
    }
    const bool names_error = std::any_of(findings.begin(), findings.end(),
                                         [](const Diagnostic& finding) { return finding.severity == Severity::error; });
    if (!names_error) add_failures(result, out);
    if (result.compiles) add_rules(result, findings, names_error, out);
    if (result.score.state == ScoreState::internal_error)
        out.add("error", std::string(to_string(result.score.state)),
                result.score.why.empty() ? "the kit failed; no points were taken" : result.score.why);
    if (result.score.state == ScoreState::impossible)
        out.add("warning", std::string(to_string(result.score.state)), result.score.why);
    return std::move(out).text();
}

}  // namespace warpgrade::cli
