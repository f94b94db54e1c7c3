// A zip file for tests, member by member, with whatever name and kind.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace warpgrade::test {

class ZipBytes {
public:
    // `mode`: of Unix, 0100644 for a file, 0120777 for a symbolic link. `flags`: 0x800 says that the name is UTF-8.
    ZipBytes& add(const std::string& name, const std::string& text, std::uint32_t mode = 0100644,
                  std::uint16_t flags = 0) {
        const std::size_t offset = bytes_.size();
        std::string common;
        put(common, 20, 2);
        put(common, flags, 2);
        put(common, 0, 2);           // stored
        put(common, 0x21 << 16, 4);  // 1 January 1980
        put(common, crc32(text), 4);
        put(common, text.size(), 4);
        put(common, text.size(), 4);
        put(common, name.size(), 2);
        put(common, 0, 2);
        bytes_ += "PK\x03\x04" + common + name + text;
        directory_ += std::string("PK\x01\x02") + "\x14\x03" + common;
        put(directory_, 0, 2);  // no comment
        put(directory_, 0, 2);
        put(directory_, 0, 2);
        put(directory_, mode << 16, 4);
        put(directory_, offset, 4);
        directory_ += name;
        ++count_;
        return *this;
    }
    std::string finish() const {
        std::string end = "PK\x05\x06";
        put(end, 0, 4);
        put(end, count_, 2);
        put(end, count_, 2);
        put(end, directory_.size(), 4);
        put(end, bytes_.size(), 4);
        put(end, 0, 2);
        return bytes_ + directory_ + end;
    }

private:
    static void put(std::string& out, std::uint64_t value, int bytes) {
        for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i));
    }
    static std::uint32_t crc32(const std::string& text) {
        std::uint32_t crc = ~0u;
        for (const char c : text) {
            crc ^= static_cast<unsigned char>(c);
            for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
        }
        return ~crc;
    }

    std::string bytes_, directory_;
    std::uint32_t count_ = 0;
};

}  // namespace warpgrade::test
