#include "problem/description.hpp"

#include <algorithm>

namespace warpgrade {

int ProblemDescription::element_bytes(const DescribedBuffer& buffer, std::string_view type) const {
    const NamedType* named = type_named(buffer.type == "T" ? type : std::string_view(buffer.type));
    return named ? named->bytes : 4;
}

std::string ProblemDescription::element_type(const DescribedBuffer& buffer, std::string_view type) const {
    return buffer.type == "T" ? std::string(type) : buffer.type;
}

std::vector<std::size_t> ProblemDescription::outputs() const {
    std::vector<std::size_t> all;
    for (std::size_t b = 0; b < buffers.size(); ++b)
        if (buffers[b].role == BufferRole::out) all.push_back(b);
    return all;
}

ProblemDescription ProblemDescription::with_output(std::size_t b) const {
    ProblemDescription one = *this;
    for (DescribedBuffer& buffer : one.buffers)
        if (buffer.role == BufferRole::out) buffer.role = BufferRole::scratch;
    const auto place = one.buffers.begin() + static_cast<std::ptrdiff_t>(b);
    std::rotate(place, place + 1, one.buffers.end());
    DescribedBuffer& out = one.buffers.back();
    out.role = BufferRole::out;
    if (!out.card_check.empty()) one.card_check = out.card_check;
    std::erase_if(one.mistakes, [&](const DescribedMistake& mistake) {
        return !mistake.output.empty() && mistake.output != out.name;
    });
    return one;
}

}  // namespace warpgrade
