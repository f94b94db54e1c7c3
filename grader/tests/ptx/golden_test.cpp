// grader/tests/golden/parse/*.ptx: what each parses to, or why it does not, stands beside it in *.txt.
// WARPGRADE_BLESS=1 rewrites the expectations.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "ptx/dump.hpp"
#include "ptx/module.hpp"
#include "support/catch.hpp"
#include "support/sample.hpp"

namespace {

using namespace warpgrade;
namespace fs = std::filesystem;

std::string read(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

std::vector<fs::path> cases() {
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(WARPGRADE_SOURCE_DIR "/grader/tests/golden/parse")) {
        if (entry.path().extension() == ".ptx") paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    return paths;
}

std::string_view name(Blame blame) {
    switch (blame) {
        case Blame::learner: return "learner";
        case Blame::usage: return "usage";
        case Blame::course: return "course";
        case Blame::host: return "host";
        case Blame::kit: return "kit";
    }
    return "unknown";
}

std::string describe(const Diagnostic& diagnostic) {
    std::string text = fmt::format("{} {} {}\n", name(diagnostic.blame), diagnostic.code, diagnostic.title);
    for (const SourceMark& mark : diagnostic.marks)
        text += fmt::format("at {}:{}:{}\n", mark.path, mark.line, mark.column);
    for (const std::string& fact : diagnostic.facts) text += fmt::format("fact {}\n", fact);
    return text + fmt::format("help {}\n", diagnostic.help);
}

std::string outcome(std::string_view text) {
    const auto module = ptx::parse(text);
    return module.ok() ? ptx::dump(*module) : describe(module.error());
}

// Small and the same on every machine; the quality of the numbers does not matter.
class Random {
public:
    std::size_t below(std::size_t limit) {
        state_ = state_ * 6364136223846793005U + 1442695040888963407U;
        return static_cast<std::size_t>(state_ >> 33) % limit;
    }

private:
    std::uint64_t state_ = 42;
};

}  // namespace

TEST_CASE("every golden PTX parses to the expectation beside it") {
    const bool bless = std::getenv("WARPGRADE_BLESS") != nullptr;
    REQUIRE(cases().size() >= 20);
    for (const fs::path& path : cases()) {
        const std::string actual = outcome(read(path));
        const fs::path expectation = fs::path(path).replace_extension(".txt");
        if (bless) std::ofstream(expectation, std::ios::binary) << actual;
        INFO(path.filename().string());
        CHECK(actual == read(expectation));
        CHECK(path.filename().string().starts_with("bad_") == !ptx::parse(read(path)).ok());
    }
}

TEST_CASE("every golden expectation has its PTX") {
    for (const auto& entry : fs::directory_iterator(WARPGRADE_SOURCE_DIR "/grader/tests/golden/parse")) {
        INFO(entry.path().filename().string());
        CHECK(fs::exists(fs::path(entry.path()).replace_extension(".ptx")));
    }
}

TEST_CASE("text cut at any byte parses or is an error with a place") {
    const test::Part part = test::part_of(1, "where text is cut");
    for (const fs::path& path : cases()) {
        const std::string text = read(path);
        for (std::size_t length = part.which; length < text.size(); length += part.parts) {
            // A buffer of its own, so that a read past the cut is a read past the end.
            const std::vector<char> prefix(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(length));
            const auto module = ptx::parse({prefix.data(), prefix.size()});
            if (module.ok()) continue;
            if (module.error().code == "ptx_syntax" && module.error().facts.at(0).starts_with("PTX line ")) continue;
            FAIL_CHECK(path.filename().string() << " cut at " << length);
        }
    }
}

TEST_CASE("text with damaged bytes parses or is an error") {
    constexpr std::string_view replacements = "{}()[]<>,;:.%@!\"/*+-09afx_$\n\\ \x01\xff";
    const test::Part part = test::part_of(1, "damaged texts");
    Random random;
    for (const fs::path& path : cases()) {
        const std::string text = read(path);
        for (std::size_t round = 0; round < 1500 / part.parts; ++round) {
            std::string damaged = text;
            for (std::size_t edits = 1 + random.below(3); edits > 0 && !damaged.empty(); --edits) {
                const std::size_t at = random.below(damaged.size());
                const char with = replacements[random.below(replacements.size())];
                if (random.below(3) == 0) {
                    damaged.erase(at, 1 + random.below(8));
                } else if (random.below(2) == 0) {
                    damaged.insert(at, 1, with);
                } else {
                    damaged[at] = with;
                }
            }
            const auto module = ptx::parse(damaged);
            if (module.ok()) {
                CHECK_FALSE(ptx::dump(*module).empty());
            } else {
                CHECK(module.error().code == "ptx_syntax");
            }
        }
    }
}
