// The module level: version and target, files, variables, functions.
#include <fmt/format.h>

#include <deque>
#include <unordered_map>
#include <unordered_set>

#include "ptx/function.hpp"
#include "ptx/module.hpp"
#include "ptx/syntax_error.hpp"
#include "ptx/variable.hpp"

namespace warpgrade::ptx {

namespace {

// NVRTC's buffers end in a NUL.
std::string_view without_trailing_nuls(std::string_view text) {
    while (text.ends_with('\0')) text.remove_suffix(1);
    return text;
}

class ModuleParser {
public:
    explicit ModuleParser(std::string_view text) : text_(without_trailing_nuls(text)), cursor_(text_) {}

    Result<Module> parse() {
        version();
        while (!cursor_.at_end()) statement();
        if (!cursor_.failed() && module_.target.empty()) cursor_.fail_expected("`.target`");
        check_references();
        if (cursor_.failed()) return syntax_error(*cursor_.failure(), text_);
        return std::move(module_);
    }

private:
    void version() {
        if (!cursor_.accept_directive(".version")) {
            cursor_.fail_expected("`.version` at the start of PTX");
            return;
        }
        const Token number = cursor_.peek();
        if (number.kind != Token::Kind::number) cursor_.fail_expected("a version number");
        module_.version = cursor_.take().text;
    }

    void statement() {
        const Token token = cursor_.peek();
        if (token.kind != Token::Kind::directive) {
            cursor_.fail_expected("a directive");
        } else if (cursor_.accept_directive(".target")) {
            target();
        } else if (cursor_.accept_directive(".address_size")) {
            module_.address_size_bits = static_cast<int>(cursor_.expect_count("an address size", 64));
        } else if (cursor_.accept_directive(".file")) {
            parse_file(cursor_, &module_.files);
        } else if (cursor_.accept_directive(".section")) {
            skip_section(cursor_);
        } else if (cursor_.accept_directive(".pragma")) {
            parse_pragma(cursor_);
        } else if (cursor_.accept_directive(".alias")) {
            alias();
        } else {
            declaration();
        }
    }

    // .target sm_90a, debug
    void target() {
        module_.target = cursor_.expect_word("a target, such as `sm_80`");
        while (cursor_.accept(',')) cursor_.expect_word("a target option");
    }

    // .alias name, function;
    void alias() {
        const Token name = cursor_.peek();
        cursor_.expect_word("the name of an alias");
        cursor_.expect(',', "after the alias");
        const Token function = cursor_.peek();
        cursor_.expect_word("the name of a function");
        cursor_.expect(';', "after the alias");
        module_.aliases[std::string(name.text)] = function.text;
        names_.insert(name.text);
        cursor_.symbol_references.push_back({function, {}});
    }

    void declaration() {
        const Linkage linkage = parse_linkage(cursor_);
        skip_attribute(cursor_);
        const Token token = cursor_.take();
        if (token.is_directive(".entry") || token.is_directive(".func")) {
            function(linkage, token.text == ".entry");
            return;
        }
        const Space space = token.kind == Token::Kind::directive ? space_named(token.text) : Space::generic;
        if (space == Space::global || space == Space::constant || space == Space::shared || space == Space::local) {
            variables(space, linkage);
            return;
        }
        cursor_.fail(token, fmt::format("{} is not supported outside functions", quoted(token)));
    }

    void variables(Space space, const Linkage& linkage) {
        const Qualifiers qualifiers = parse_qualifiers(cursor_);
        do {
            const Token name = cursor_.peek();
            Variable variable = parse_declarator(cursor_, space, qualifiers);
            variable.is_external = linkage.is_external;
            add_variable(name, std::move(variable));
        } while (cursor_.accept(','));
        cursor_.expect(';', "after the variable");
    }

    void add_variable(const Token& name, Variable variable) {
        if (cursor_.failed()) return;
        if (names_.insert(name.text).second) {
            variable_index_.emplace(name.text, module_.variables.size());
            module_.variables.push_back(std::move(variable));
            return;
        }
        const auto earlier = variable_index_.find(name.text);
        const bool completes = earlier != variable_index_.end() && module_.variables[earlier->second].is_external;
        if (!completes && !(earlier != variable_index_.end() && variable.is_external)) {
            cursor_.fail(name, fmt::format("{} is declared twice", quoted(name)));
        } else if (!variable.is_external) {
            module_.variables[earlier->second] = std::move(variable);
        }
    }

    void function(const Linkage& linkage, bool is_entry) {
        Function parsed = parse_function_header(cursor_, linkage, is_entry);
        if (cursor_.failed()) return;
        const Token brace = cursor_.peek();
        const auto earlier = function_index_.find(parsed.name);
        const bool is_new = earlier == function_index_.end();
        const bool is_second_body =
            !is_new && !parsed.is_declaration && !module_.functions[earlier->second].is_declaration;
        if (is_second_body || (is_new && names_.contains(parsed.name))) {
            cursor_.fail(brace, fmt::format("`{}` is defined twice", printable(parsed.name)));
            return;
        }
        if (is_new) {
            // Names are views into the text; the header holds a copy, so the copy that stays is the key.
            function_names_.push_back(parsed.name);
            names_.insert(function_names_.back());
            function_index_.emplace(parsed.name, module_.functions.size());
        }
        if (!parsed.is_declaration) parse_function_body(cursor_, parsed, names_);
        if (is_new) {
            module_.functions.push_back(std::move(parsed));
        } else if (!parsed.is_declaration) {
            module_.functions[earlier->second] = std::move(parsed);
        }
    }

    void check_references() {
        if (cursor_.failed()) return;
        const std::vector<SymbolReference> references = std::move(cursor_.symbol_references);
        for (const SymbolReference& reference : references) {
            if (names_.contains(reference.at.text)) continue;
            cursor_.fail(reference.at, fmt::format("{} is not defined", quoted(reference.at)), reference.location);
            return;
        }
    }

    std::string_view text_;
    Cursor cursor_;
    Module module_;
    std::unordered_set<std::string_view> names_;  // of variables and functions
    std::deque<std::string> function_names_;
    std::unordered_map<std::string_view, std::size_t> variable_index_;
    std::unordered_map<std::string, std::size_t> function_index_;
};

}  // namespace

Result<Module> parse(std::string_view text) { return ModuleParser(text).parse(); }

}  // namespace warpgrade::ptx
