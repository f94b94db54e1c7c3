// The statements between the braces of a function.
#include <fmt/format.h>

#include <limits>
#include <tuple>

#include "ptx/constant.hpp"
#include "ptx/function.hpp"
#include "ptx/operand.hpp"
#include "ptx/scope.hpp"
#include "ptx/variable.hpp"

namespace warpgrade::ptx {

namespace {

class BodyParser {
public:
    BodyParser(Cursor& cursor, Function& function, const std::unordered_set<std::string_view>& module_names)
        : cursor_(cursor), function_(function), scopes_(cursor, function, module_names) {}

    void parse() {
        cursor_.location_in_force = {};
        open();
        for (const auto* parameters : {&function_.returns, &function_.parameters}) {
            for (const Variable& parameter : *parameters) declare_parameter(parameter);
        }
        while (scopes_.depth() > 0 && !cursor_.at_end()) statement();
        if (scopes_.depth() > 0 && !cursor_.failed()) {
            const SymbolReference& brace = scopes_.innermost_brace();
            cursor_.fail(brace.at, "a `{` that is never closed", brace.location);
        }
        cursor_.location_in_force = {};
    }

private:
    void open() {
        const Token brace = cursor_.peek();
        if (cursor_.expect('{', "before the body")) scopes_.open(brace);
    }

    // Braces pair up inside asm() or outside it. Where they do not, the one from asm() is the stray one: the compiler's
    // own are balanced. Said here, since the text after a wrong pair makes no sense.
    void close() {
        const Token brace = cursor_.take();
        const SymbolReference opening = scopes_.innermost_brace();
        if (brace.in_inline_asm && !opening.at.in_inline_asm) {
            cursor_.fail(brace, "a `}` without its `{`");
        } else if (opening.at.in_inline_asm && !brace.in_inline_asm) {
            cursor_.fail(opening.at, "a `{` that is never closed", opening.location);
        } else {
            scopes_.close();
        }
    }

    void declare_parameter(const Variable& parameter) {
        if (parameter.space == Space::reg) {
            const Token name{Token::Kind::word, parameter.name, function_.ptx_line, false};
            scopes_.declare_registers(name, parameter.type, 1, -1);
        } else {
            scopes_.declare_parameter(parameter);
        }
    }

    void statement() {
        const Token token = cursor_.peek();
        if (token.is('}')) return close();
        if (token.is('{')) return open();
        if (cursor_.accept(';')) return;
        if (token.kind == Token::Kind::directive) return directive();
        if (token.kind == Token::Kind::word && cursor_.peek_next().is(':')) return label();
        if (token.kind == Token::Kind::word || token.is('@')) {
            return parse_instruction(cursor_, scopes_, function_, location_);
        }
        cursor_.fail_expected("an instruction, a label or a directive");
    }

    void directive() {
        const Linkage linkage = parse_linkage(cursor_);
        const Token token = cursor_.take();
        const Space space = token.kind == Token::Kind::directive ? space_named(token.text) : Space::generic;
        if (space == Space::reg) return registers();
        if (space == Space::shared || space == Space::local || space == Space::param) {
            return variables(space, linkage.is_external);
        }
        if (space == Space::global || space == Space::constant) {
            if (!linkage.is_external && !linkage.is_visible) return variables(space, false);
            cursor_.fail(token, fmt::format("{} inside a function goes without .extern, .visible, .weak and .common",
                                            quoted(token)));
            return;
        }
        if (token.text == ".loc") return source_line(!token.in_inline_asm);
        if (token.text == ".pragma") return pragma();
        if (token.text == ".file") return parse_file(cursor_, nullptr);
        if (token.text == ".section") return skip_section(cursor_);
        cursor_.fail(token, fmt::format("{} is not supported inside a function", quoted(token)));
    }

    void pragma() {
        if (parse_pragma(cursor_)) function_.nounroll.push_back(static_cast<int>(function_.body.size()));
    }

    // .reg .b32 %r<13>, %x;
    void registers() {
        const Qualifiers qualifiers = parse_qualifiers(cursor_);
        do {
            const Token name = cursor_.peek();
            if (cursor_.expect_word("the name of a register").empty()) return;
            std::int64_t count = -1;
            if (cursor_.accept('<')) {
                count = static_cast<std::int64_t>(
                    cursor_.expect_count("the number of registers", std::numeric_limits<std::int64_t>::max()));
                cursor_.expect('>', "after the number of registers");
            }
            scopes_.declare_registers(name, qualifiers.type, qualifiers.vector_size, count);
        } while (cursor_.accept(','));
        cursor_.expect(';', "after the registers");
    }

    void variables(Space space, bool is_external) {
        const Qualifiers qualifiers = parse_qualifiers(cursor_);
        do {
            const Token name = cursor_.peek();
            Variable variable = parse_declarator(cursor_, space, qualifiers);
            variable.is_external = is_external;
            variable.location = location_;
            scopes_.declare_variable(name, std::move(variable));
        } while (cursor_.accept(','));
        cursor_.expect(';', "after the variable");
    }

    void label() {
        const Token name = cursor_.take();
        cursor_.take();
        if (cursor_.accept_directive(".branchtargets")) return branch_targets(name);
        if (cursor_.accept_directive(".calltargets")) return call_targets(name);
        if (cursor_.accept_directive(".callprototype")) return call_prototype(name);
        scopes_.declare_label(name, false);
    }

    void branch_targets(const Token& name) {
        std::vector<int>& table = function_.branch_tables[scopes_.declare_label(name, true)];
        do {
            const Token target = cursor_.peek();
            if (cursor_.expect_word("a label").empty()) return;
            table.push_back(-1);
            scopes_.wait_for_label(target, table, table.size() - 1);
        } while (cursor_.accept(','));
        cursor_.expect(';', "after the branch targets");
    }

    void call_targets(const Token& name) {
        std::vector<std::string>& targets = function_.call_targets[scopes_.declare_label(name, true)];
        do {
            const Token target = cursor_.peek();
            targets.emplace_back(cursor_.expect_word("the name of a function"));
            cursor_.symbol_references.push_back({target, cursor_.location_in_force});
        } while (cursor_.accept(','));
        cursor_.expect(';', "after the call targets");
    }

    // name: .callprototype (.param .b32 _) _ (.param .b64 _, .param .b64 _);
    void call_prototype(const Token& name) {
        CallPrototype& prototype = function_.call_prototypes[scopes_.declare_label(name, true)];
        if (cursor_.peek().is('(')) prototype.returns = parse_parameters(cursor_);
        cursor_.expect_word("`_` in a call prototype");
        if (cursor_.peek().is('(')) prototype.parameters = parse_parameters(cursor_);
        while (cursor_.peek().kind == Token::Kind::directive) {  // .noreturn, .abi_preserve 8
            cursor_.take();
            if (cursor_.peek().kind == Token::Kind::number) cursor_.take();
        }
        cursor_.expect(';', "after the call prototype");
    }

    int number(std::string_view what) {
        return static_cast<int>(cursor_.expect_count(what, std::numeric_limits<int>::max()));
    }

    // .loc 2 4121 1, function_name $L__info_string0, inlined_at 1 17 5
    // What an asm() says of lines does not count: it stands where the compiler says that it does.
    void source_line(bool counts) {
        Location location = place();
        while (cursor_.accept(',')) {
            const std::string_view word = cursor_.expect_word("`function_name` or `inlined_at`");
            if (word == "inlined_at") {
                const Location caller = place();
                if (counts) location.inlined_at = frame_at(caller);
            } else {
                cursor_.expect_word("the label of a function's name");
                parse_offset(cursor_);
            }
        }
        if (!counts) return;
        location_ = index_of(location);
        latest_frame_[{location.file, location.line, location.column}] = location_;
        cursor_.location_in_force = outermost_[static_cast<std::size_t>(location_)];
    }

    Location place() {
        Location location;
        location.file = number("the number of a file");
        location.line = number("a line number");
        if (cursor_.peek().kind == Token::Kind::number) location.column = number("a column number");
        return location;
    }

    // An inlined_at names a frame by its place alone; the frame's own `.loc`, if there is one, came before it and says
    // where that frame was inlined in turn.
    int frame_at(const Location& caller) {
        const auto found = latest_frame_.find({caller.file, caller.line, caller.column});
        return found != latest_frame_.end() ? found->second : index_of(caller);
    }

    int index_of(const Location& location) {
        const auto key = std::tuple(location.file, location.line, location.column, location.inlined_at);
        const auto [found, is_new] = location_index_.emplace(key, static_cast<int>(function_.locations.size()));
        if (is_new) {
            const auto caller = static_cast<std::size_t>(location.inlined_at);
            const bool is_inlined = location.inlined_at >= 0 && function_.locations[caller].line != 0;
            function_.locations.push_back(location);
            outermost_.push_back(is_inlined ? outermost_[caller] : location);
        }
        return found->second;
    }

    Cursor& cursor_;
    Function& function_;
    Scopes scopes_;
    int location_ = -1;
    std::vector<Location> outermost_;  // of the frames around each location
    std::map<std::tuple<int, int, int, int>, int> location_index_;
    std::map<std::tuple<int, int, int>, int> latest_frame_;
};

}  // namespace

void parse_function_body(Cursor& cursor, Function& function, const std::unordered_set<std::string_view>& module_names) {
    BodyParser(cursor, function, module_names).parse();
}

}  // namespace warpgrade::ptx
