#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cli/check_view.hpp"
#include "cli/text.hpp"

namespace warpgrade::cli {
namespace {

int rank(Severity severity) {
    if (severity == Severity::error) return 0;
    return severity == Severity::warning ? 1 : 2;
}

}  // namespace

Diagnostic compiler_diagnostic(const CompilerMessage& message) {
    Diagnostic diagnostic;
    diagnostic.blame = Blame::learner;
    diagnostic.code = "compile";
    diagnostic.severity = message.severity == Severity::note ? Severity::advice : message.severity;
    diagnostic.names_cause = message.names_cause;
    const auto lines = split_lines(message.message);
    diagnostic.title = lines.front();
    for (std::size_t i = 1; i < lines.size(); ++i)
        if (!lines[i].empty()) diagnostic.facts.push_back(lines[i]);
    diagnostic.marks.push_back({message.path, message.line, message.column, 0, ""});
    return diagnostic;
}

std::vector<Diagnostic> all_findings(const StageResult& result) {
    std::vector<Diagnostic> all = result.findings;
    for (const CompilerMessage& message : result.compiler_messages) {
        const bool is_known = std::any_of(all.begin(), all.end(), [&](const Diagnostic& d) {
            return !d.marks.empty() && d.marks.front().line == message.line && d.title == message.message;
        });
        if (!is_known) all.push_back(compiler_diagnostic(message));
    }
    const bool fails =
        std::any_of(all.begin(), all.end(), [](const Diagnostic& d) { return d.severity == Severity::error; });
    // What does not compile has not run: there is nothing yet that a warning could be the cause of.
    const auto place = [&](const Diagnostic& d) {
        return fails && result.compiles && d.names_cause ? -1 : rank(d.severity);
    };
    std::stable_sort(all.begin(), all.end(),
                     [&](const Diagnostic& a, const Diagnostic& b) { return place(a) < place(b); });
    return all;
}

std::string render_findings(const std::vector<Diagnostic>& findings, std::size_t full, const RenderStyle& style) {
    std::string out;
    for (std::size_t i = 0; i < std::min(full, findings.size()); ++i)
        out += (i > 0 ? "\n" : "") + render(findings[i], "", style);
    if (findings.size() <= full) return out;

    std::vector<std::string> codes;  // in order of appearance
    std::map<std::string, std::vector<int>> lines;
    for (std::size_t i = full; i < findings.size(); ++i) {
        const Diagnostic& finding = findings[i];
        const std::string code = finding.code.empty() ? std::string(to_string(finding.severity)) : finding.code;
        if (!lines.contains(code)) codes.push_back(code);
        auto& of_code = lines[code];
        const int line = finding.marks.empty() ? 0 : finding.marks.front().line;
        if (line > 0 && std::find(of_code.begin(), of_code.end(), line) == of_code.end()) of_code.push_back(line);
    }
    std::string more;
    for (const std::string& code : codes) {
        more += (more.empty() ? "" : "; ") + escape(code);
        const auto& of_code = lines[code];
        for (std::size_t i = 0; i < std::min<std::size_t>(5, of_code.size()); ++i)
            more += fmt::format("{} {}", i == 0 ? (of_code.size() > 1 ? " lines" : " line") : ",", of_code[i]);
        if (of_code.size() > 5) more += ", ...";
    }
    return out + "\n" + wrap_after(fmt::format("{} more: ", findings.size() - full), more, style.columns);
}

}  // namespace warpgrade::cli
