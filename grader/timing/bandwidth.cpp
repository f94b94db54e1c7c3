#include "timing/bandwidth.hpp"

namespace warpgrade {

std::string Bandwidth::shape_text() const {
    std::string text = shape;
    std::erase(text, ' ');
    return text;
}

}  // namespace warpgrade
