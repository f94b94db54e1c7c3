#include "problem/case.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warpgrade {

std::int64_t BufferLayout::elements() const {
    std::int64_t count = 1;
    for (const std::int64_t extent : extents) count *= extent;
    return count;
}

void Case::put_last(std::size_t buffer) {
    const auto last = [&](auto& all) { std::rotate(all.begin() + buffer, all.begin() + buffer + 1, all.end()); };
    last(buffers);
    last(layout);
}

namespace {

// Of a whole program: its extents are the arguments.
bool is_run(const Shape& shape) { return shape.shape_class == "run"; }

}  // namespace

std::string to_string(const Shape& shape) {
    const char* const between = is_run(shape) ? " " : " x ";
    std::string text;
    for (const std::int64_t extent : shape.extents) text += (text.empty() ? "" : between) + std::to_string(extent);
    return text;
}

std::string describe_case(const Shape& shape) {
    std::string text = to_string(shape);
    if (!shape.type.empty() && shape.type != "float") text += " " + shape.type;
    if (!shape.contents.empty() && shape.contents != counting_contents)
        text += (text.empty() ? "" : ", ") + shape.contents;
    if (shape.base_offset_bytes != 0) text += fmt::format(", buffers {} bytes past alignment", shape.base_offset_bytes);
    if (!shape.previous.empty()) {
        Shape before;
        before.extents = shape.previous;
        text += ", after a call with " + to_string(before);
    }
    return text;
}

std::string shape_argument(const Shape& shape) {
    if (shape.contents != counting_contents && !shape.contents.empty()) return "";
    if (!shape.previous.empty() || shape.base_offset_bytes != 0 || is_run(shape)) return "";
    std::string text;
    for (const auto extent : shape.extents) text += (text.empty() ? "" : "x") + std::to_string(extent);
    return text;
}

}  // namespace warpgrade
