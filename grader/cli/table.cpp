#include "cli/table.hpp"

#include <algorithm>

namespace warpgrade::cli {

std::string Table::text(const RenderStyle& style) const {
    std::vector<int> widths;
    bool has_headings = false;
    int total = indent_;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        int width = display_width(columns_[c].heading);
        has_headings |= width > 0;
        for (const auto& row : rows_)
            if (c < row.size()) width = std::max(width, display_width(row[c].text));
        widths.push_back(width);
        total += width + (c > 0 ? 2 : 0);
    }
    for (std::size_t c = 0; c < columns_.size() && total > style.columns; ++c) {
        if (!columns_[c].is_flexible) continue;
        const int kept = std::max(std::min(widths[c], 8), widths[c] - (total - style.columns));
        total -= widths[c] - kept;
        widths[c] = kept;
    }
    const auto line = [&](const auto& cell_at, std::size_t cells) {
        std::string out(static_cast<std::size_t>(indent_), ' ');
        std::size_t pending = 0;  // blanks are written only before more text
        for (std::size_t c = 0; c < cells; ++c) {
            const Cell cell = cell_at(c);
            // The last cell of a line may use all that is left of it.
            const bool is_last = c + 1 == columns_.size();
            const std::string text = columns_[c].is_flexible || is_last ? cut(cell.text, widths[c]) : cell.text;
            const auto missing = static_cast<std::size_t>(std::max(0, widths[c] - display_width(text)));
            if (columns_[c].is_right) pending += missing;
            if (!text.empty()) {
                out.append(pending, ' ');
                pending = 0;
                out += paint(text, cell.colour, style);
            }
            pending += (columns_[c].is_right ? 0 : missing) + 2;
        }
        return out + "\n";
    };
    std::string out;
    if (has_headings)
        out += line([&](std::size_t c) { return Cell{columns_[c].heading, Paint::dim}; }, columns_.size());
    for (const auto& row : rows_)
        out += line([&](std::size_t c) { return row[c]; }, std::min(row.size(), columns_.size()));
    return out;
}

}  // namespace warpgrade::cli
