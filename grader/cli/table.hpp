// Columns of text, aligned. Cells are escaped text; the widest column gives way where the table is too wide.
#pragma once

#include <string>
#include <vector>

#include "cli/text.hpp"

namespace warpgrade::cli {

struct Cell {
    std::string text;
    Paint colour = Paint::none;
};

struct Column {
    std::string heading;
    bool is_right = false;     // numbers
    bool is_flexible = false;  // cut with "..." where the table is too wide
};

class Table {
public:
    explicit Table(std::vector<Column> columns, int indent = 0) : columns_(std::move(columns)), indent_(indent) {}
    void add(std::vector<Cell> row) { rows_.push_back(std::move(row)); }
    bool is_empty() const { return rows_.empty(); }
    // Headings are left out where all are empty. Two blanks between columns, none at the end of a line.
    std::string text(const RenderStyle& style) const;

private:
    std::vector<Column> columns_;
    std::vector<std::vector<Cell>> rows_;
    int indent_;
};

}  // namespace warpgrade::cli
