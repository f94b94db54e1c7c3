#include "classroom/seed.hpp"

#include <charconv>
#include <filesystem>
#include <random>

#include "base/files.hpp"

namespace warpgrade::classroom {

namespace fs = std::filesystem;

std::string seed_path(const std::string& root) { return (fs::path(root) / "solutions" / "seed").string(); }

Result<std::uint64_t> course_seed(const std::string& root) {
    constexpr std::uint64_t most = (1ull << 48) - 1;
    const std::string path = seed_path(root);
    std::error_code error;
    if (!fs::is_directory(fs::path(root) / "solutions", error)) return std::uint64_t{0};
    if (!fs::exists(path, error)) {
        std::random_device device;
        const std::uint64_t seed = (std::uint64_t{device()} << 32 | device()) & most;
        if (auto status = replace_file(path, std::to_string(seed) + "\n", 0600); !status) return status.error();
        return seed;
    }
    // Of an older version, or of an editor: students may have an account here.
    fs::permissions(path, fs::perms::group_all | fs::perms::others_all, fs::perm_options::remove, error);
    const auto text = read_whole_file(path, 1024);
    if (!text) return text.error();
    std::uint64_t seed = 0;
    const auto [end, problem] = std::from_chars(text->data(), text->data() + text->size(), seed);
    const std::string_view rest(end, static_cast<std::size_t>(text->data() + text->size() - end));
    if (problem == std::errc() && seed <= most && rest.find_first_not_of(" \r\n") == std::string_view::npos)
        return seed;
    Diagnostic diagnostic{.blame = Blame::course,
                          .code = "bad_seed",
                          .title = "the course's seed is not a number below 2 to the power of 48",
                          .marks = {},
                          .facts = {},
                          .help = "write one number into the file, or remove it: a new one is drawn"};
    diagnostic.marks.push_back({path, 1, 0, 1, ""});
    return diagnostic;
}

}  // namespace warpgrade::classroom
