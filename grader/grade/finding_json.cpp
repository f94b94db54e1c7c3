#include "grade/finding_json.hpp"

namespace warpgrade {

nlohmann::ordered_json finding_json(const Diagnostic& finding) {
    nlohmann::ordered_json json{{"kind", finding.code},
                                {"severity", to_string(finding.severity)},
                                {"line", finding.marks.empty() ? 0 : finding.marks.front().line}};
    if (finding.marks.size() > 1) json["other_line"] = finding.marks[1].line;
    json["message"] = finding.title;
    json["help"] = finding.help;
    json["facts"] = finding.facts;
    if (finding.shapes_with_change != 0)
        json["tried"] = {{"line", finding.mend_line}, {"shapes_right", finding.shapes_with_change}};
    if (!finding.marks.empty()) {
        json["column"] = finding.marks.front().column;
        json["label"] = finding.marks.front().label;
    }
    return json;
}

}  // namespace warpgrade
