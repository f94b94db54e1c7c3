#include "base/json_fields.hpp"

#include <stdexcept>

namespace warpgrade::json_fields_detail {

Json write(std::span<const JsonField> fields, const void* value, const void* usual) {
    Json json = Json::object();
    for (const JsonField& field : fields) field.write(field.name, field.member(value), field.member(usual), json);
    return json;
}

void read(std::span<const JsonField> fields, const Json& json, void* to) {
    std::size_t known = 0;
    for (const JsonField& field : fields) {
        const auto found = json.find(field.name);
        if (found == json.end()) continue;
        ++known;
        field.read(*found, const_cast<void*>(field.member(to)));
    }
    if (known != json.size()) throw std::runtime_error("a member that is not known");
}

}  // namespace warpgrade::json_fields_detail
