#include "cli/proof_view.hpp"

#include <fmt/format.h>

#include "cli/table.hpp"

namespace warpgrade::cli {
namespace {

std::string lines_text(const std::vector<int>& lines) {
    constexpr std::size_t most = 8;
    std::string text;
    for (std::size_t i = 0; i < lines.size() && i < most; ++i)
        if (lines[i] > 0) text += fmt::format("{}{}", text.empty() ? "" : ", ", lines[i]);
    return lines.size() > most ? text + ", ..." : text;
}

std::string claim_text(const proof::Claim& claim, const RenderStyle& style) {
    if (!claim.was_tried) return wrap_after("  ", "not proved here: " + claim.why_not, style.columns);
    Table table({{"obligation"}, {""}, {"what it says", false, true}, {"lines"}}, 2);
    for (const proof::Row& row : claim.rows)
        table.add({{std::string(proof::to_string(row.what))},
                   {row.is_proved ? "proved" : "open", row.is_proved ? Paint::green : Paint::yellow},
                   {std::string(proof::meaning(row.what))},
                   {lines_text(row.lines)}});
    std::string out = table.text(style);
    for (const proof::Row& row : claim.rows)
        if (!row.is_proved)
            out += wrap_after(fmt::format("  {}: ", proof::to_string(row.what)),
                              row.why + (row.line > 0 ? fmt::format(", line {}", row.line) : ""), style.columns);
    return out;
}

}  // namespace

std::string render_proof(const std::vector<ProvedType>& proved, const RenderStyle& style) {
    std::string out;
    for (const ProvedType& one : proved) {
        if (proved.size() > 1) out += fmt::format("\nelements of type {}\n", escape(one.type));
        out += "\n" + claim_text(one.claim, style);
    }
    const proof::Claim& claim = weakest(proved).claim;
    out += "\n" + wrap_after("", proof::line_of(claim), style.columns);
    if (claim.was_tried)
        out += wrap_after("", fmt::format("assumed: {}", fmt::join(claim.assumptions, "; ")), style.columns);
    return out;
}

}  // namespace warpgrade::cli
