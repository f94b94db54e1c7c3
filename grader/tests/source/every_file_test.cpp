// Every .cu file of the project is read, whole and cut off, and compared with what other readers make of it.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>

#include "base/files.hpp"
#include "source/facts.hpp"
#include "support/catch.hpp"

using namespace warpgrade;
namespace fs = std::filesystem;

namespace {

using Files = std::map<std::string, std::string>;  // path from the root -> text

const Files& files() {
    static const Files all = [] {
        Files read;
        const fs::path root = WARPGRADE_SOURCE_DIR;
        for (const char* const folder : {"assignments", "solutions", "handouts", "grader/tests", "grader/lab"}) {
            if (!fs::is_directory(root / folder)) continue;
            for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder))
                if (entry.path().extension() == ".cu" && entry.is_regular_file())
                    if (const Result<std::string> text = read_whole_file(entry.path()))
                        read[fs::relative(entry.path(), root).string()] = *text;
        }
        return read;
    }();
    return all;
}

// "" where each byte belongs to one token, and the lines are counted.
std::string fault_of_tokens(std::string_view text) {
    const source::Tokens tokens = source::tokens_of(text);
    std::size_t at = 0;
    int line = 1;
    for (const source::Token& token : tokens.all) {
        if (token.at.offset != at || token.at.length == 0) return "a hole at byte " + std::to_string(at);
        if (token.at.line != line) return "another line at byte " + std::to_string(at);
        line += static_cast<int>(std::count(text.begin() + static_cast<std::ptrdiff_t>(at),
                                            text.begin() + static_cast<std::ptrdiff_t>(token.at.end()), '\n'));
        at = token.at.end();
    }
    return at == text.size() ? "" : "the end is missing";
}

// "" where every child lies in its parent, behind the child before it, and knows its parent.
std::string fault_of_tree(const source::Tree& tree) {
    for (source::NodeId id = 0; id < tree.nodes.size(); ++id) {
        source::TokenId at = tree[id].first;
        for (source::NodeId child = tree[id].child; child != source::no_node; child = tree[child].next) {
            const bool is_body_of_function = tree[id].kind == source::NodeKind::function;
            const bool is_inside =
                tree[child].first >= (is_body_of_function ? tree[id].first : at) && tree[child].last <= tree[id].last;
            if (tree[child].parent != id || child >= id ||
                (!is_inside && tree[child].kind != source::NodeKind::missing))
                return "node " + std::to_string(id) + ": " + std::string(text_of(tree, id).substr(0, 80));
            at = std::max(at, tree[child].last);
        }
    }
    return "";
}

bool is_balanced(const source::Tree& tree) {
    return std::none_of(tree.tokens.code.begin(), tree.tokens.code.end(), [](const source::CodeToken& token) {
        return (token.text == "{" || token.text == "}") && token.partner == source::no_token;
    });
}

// How many times __global__ stands before a function that is not found as a kernel.
std::ptrdiff_t missed_kernels(const std::string& text) {
    const source::Tree tree = source::parse(text);
    const source::Facts facts = source::facts_of(tree);
    if (!is_balanced(tree)) return 0;
    const auto end = tree.tokens.code.begin() + static_cast<std::ptrdiff_t>(tree.tokens.file_end);
    std::ptrdiff_t missed = std::count_if(tree.tokens.code.begin(), end,
                                          [](const source::CodeToken& token) { return token.text == "__global__"; });
    for (const std::vector<source::Function>* all : {&facts.functions, &facts.prototypes})
        for (const source::Function& function : *all)
            for (source::TokenId i = tree[function.node].first; i < tree[function.node].last; ++i) {
                if (tree.tokens.code[i].text == "{") break;
                missed -= tree.tokens.code[i].text == "__global__";
            }
    return missed;
}

double milliseconds(const std::function<void()>& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

TEST_CASE("every file: each byte belongs to one token, and the tree is well-formed") {
    REQUIRE(files().size() > 100);
    for (const auto& [path, text] : files()) {
        INFO(path);
        CHECK(fault_of_tokens(text).empty());
        CHECK(fault_of_tree(source::parse(text)) == "");
    }
}

TEST_CASE("every file: each __global__ belongs to a function") {
    for (const auto& [path, text] : files()) {
        INFO(path);
        CHECK(missed_kernels(text) == 0);
    }
}

TEST_CASE("every file: cut off at any byte, it is still read") {
    int number = 0;
    for (const auto& [path, text] : files()) {
        if (++number % 40 != 0) continue;
        INFO(path);
        for (std::size_t length = 0; length < text.size(); length += 37) {
            const std::string_view part = std::string_view(text).substr(0, length);
            const source::Tree tree = source::parse(part);
            const source::Facts facts = source::facts_of(tree);
            CHECK(fault_of_tokens(part) == "");
            CHECK(fault_of_tree(tree) == "");
            CHECK(facts.around_node.size() == tree.nodes.size());
        }
    }
}

// Members go with their class.
std::ptrdiff_t functions_of(const source::Tree& tree) {
    return std::ranges::count_if(source::facts_of(tree).functions,
                                 [](const source::Function& function) { return !function.is_member; });
}

TEST_CASE("every file: without one of its brackets or semicolons, the functions around it are found") {
    int number = 0, lost = 0, tried = 0;
    for (const auto& [path, text] : files()) {
        if (++number % 20 != 0) continue;
        const source::Tree whole = source::parse(text);
        const std::ptrdiff_t functions = functions_of(whole);
        for (source::TokenId i = 0; i < whole.tokens.file_end; ++i) {
            const source::CodeToken& token = whole.tokens.code[i];
            if (token.text.size() != 1 || std::string_view("(){}[];").find(token.text[0]) == std::string_view::npos)
                continue;
            std::string broken = text;
            broken[token.at.offset] = ' ';
            const source::Tree tree = source::parse(broken);
            ++tried;
            lost += functions_of(tree) < functions ? 1 : 0;
        }
    }
    INFO(lost << " of " << tried << " texts without one sign lose a function");
    CHECK(lost * 50 < tried);
}

TEST_CASE("every file: the time grows with the size of the text alone") {
    std::string all;
    for (const auto& [path, text] : files())
        if (path.starts_with("solutions/")) all += text + "\n";
    const auto read = [](const std::string& text) {
        return milliseconds([&] {
            const source::Tree tree = source::parse(text);
            CHECK(source::facts_of(tree).around_node.size() == tree.nodes.size());
        });
    };
    const double one = std::min(read(all), read(all));
    const std::string eight = all + all + all + all + all + all + all + all;
    CHECK(std::min(read(eight), read(eight)) < 8 * 5 * one + 50);
}
