#include "base/build_id.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <cstring>
#include <string_view>

#include "base/files.hpp"
#include "base/sha256.hpp"

namespace warpgrade {

namespace {

// The notes of one segment: a header, a name and a description, each padded to 4 bytes.
std::string id_in(std::string_view notes) {
    const auto padded = [](std::size_t bytes) { return (bytes + 3) / 4 * 4; };
    while (notes.size() > sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) note;
        std::memcpy(&note, notes.data(), sizeof note);
        const std::size_t name = sizeof note, bytes = name + padded(note.n_namesz);
        const std::size_t end = bytes + padded(note.n_descsz);
        if (end > notes.size()) break;
        if (note.n_type == NT_GNU_BUILD_ID && notes.substr(name, note.n_namesz) == std::string_view("GNU", 4)) {
            std::string id;
            for (const char byte : notes.substr(bytes, note.n_descsz))
                id += fmt::format("{:02x}", static_cast<unsigned char>(byte));
            return id;
        }
        notes.remove_prefix(end);
    }
    return {};
}

// The first object is the program itself.
int look_at_first(dl_phdr_info* object, std::size_t, void* found) {
    for (int i = 0; i < object->dlpi_phnum; ++i) {
        const ElfW(Phdr)& segment = object->dlpi_phdr[i];
        if (segment.p_type != PT_NOTE) continue;
        const auto* const at = reinterpret_cast<const char*>(object->dlpi_addr + segment.p_vaddr);
        std::string id = id_in({at, segment.p_memsz});
        if (!id.empty()) *static_cast<std::string*>(found) = std::move(id);
    }
    return 1;
}

}  // namespace

std::string build_id() {
    static const std::string known = [] {
        std::string id;
        dl_iterate_phdr(look_at_first, &id);
        if (!id.empty()) return id;
        const auto bytes = read_whole_file("/proc/self/exe");
        return sha256_hex(bytes ? *bytes : "");
    }();
    return known;
}

}  // namespace warpgrade
