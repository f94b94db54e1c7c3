// In place of libFuzzer: runs each file named, or each one below a folder named, once. What CI does with seeds and
// crashes.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "target.hpp"

namespace {

namespace fs = std::filesystem;

std::size_t replay(const fs::path& path) {
    if (fs::is_directory(path)) {
        std::size_t count = 0;
        for (const auto& entry : fs::directory_iterator(path)) count += replay(entry.path());
        return count;
    }
    std::ifstream file(path, std::ios::binary);
    if (!file) throw fs::filesystem_error("cannot read", path, std::make_error_code(std::errc::io_error));
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    std::cerr << path.string() << std::endl;  // the last one printed is the one that crashed
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    return 1;
}

}  // namespace

int main(int count, char** arguments) {
    std::size_t inputs = 0;
    for (int i = 1; i < count; ++i)
        if (fs::exists(arguments[i])) inputs += replay(arguments[i]);
    std::cerr << inputs << " inputs\n";
    return inputs == 0 ? 1 : 0;
}
