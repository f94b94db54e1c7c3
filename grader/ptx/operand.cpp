#include "ptx/operand.hpp"

#include <fmt/format.h>

#include <utility>

#include "ptx/constant.hpp"

namespace warpgrade::ptx {

namespace {

constexpr int deepest_operand = 4;

class OperandParser {
public:
    OperandParser(Cursor& cursor, Scopes& scopes) : cursor_(cursor), scopes_(scopes) {}

    // `unknown` is set to the token of a bare name that may yet turn out to be a label.
    Operand parse(int depth, Token* unknown) {
        const Token token = cursor_.peek();
        if (depth > deepest_operand) {
            cursor_.fail(token, "operands nested too deeply");
            return {};
        }
        if (token.kind == Token::Kind::word) return name_or_pair(unknown);
        if (token.is('!') && cursor_.peek_next().kind == Token::Kind::word) {
            cursor_.take();
            Operand operand = name(nullptr);
            operand.negated = true;
            return operand;
        }
        if (token.is('{')) return list(Operand::Kind::vector, '{', '}', depth);
        if (token.is('(')) return list(Operand::Kind::tuple, '(', ')', depth);
        if (token.is('[')) return address(depth);
        if (starts_constant(cursor_)) return constant();
        cursor_.fail_expected("an operand");
        return {};
    }

private:
    Operand constant() {
        const Literal literal = parse_constant(cursor_);
        Operand operand;
        switch (literal.kind) {
            case Literal::Kind::integer: operand.kind = Operand::Kind::integer; break;
            case Literal::Kind::f32: operand.kind = Operand::Kind::f32; break;
            case Literal::Kind::f64: operand.kind = Operand::Kind::f64; break;
        }
        operand.bits = literal.bits;
        return operand;
    }

    // %r1, %tid.x, tile, tile+4. A dot belongs to the name only when nothing stands before it.
    Operand name(Token* unknown) {
        Token token = cursor_.take();
        if (token.text == "WARP_SZ") {
            Operand operand;
            operand.kind = Operand::Kind::integer;
            operand.bits = 32;
            return operand;
        }
        while (cursor_.peek().kind == Token::Kind::directive &&
               cursor_.peek().text.data() == token.text.data() + token.text.size()) {
            token.text = {token.text.data(), token.text.size() + cursor_.take().text.size()};
        }
        bool is_known = false;
        Operand operand = scopes_.resolve(token, token.text, is_known);
        if (operand.kind != Operand::Kind::symbol) return operand;
        const bool is_bare = !cursor_.peek().is('+') && !cursor_.peek().is('-');
        operand.offset = parse_offset(cursor_);
        if (is_known) return operand;
        if (unknown != nullptr && is_bare) {
            *unknown = token;
        } else {
            cursor_.symbol_references.push_back({token, cursor_.location_in_force});
        }
        return operand;
    }

    Operand name_or_pair(Token* unknown) {
        Operand first = name(unknown);
        if (!cursor_.peek().is('|')) return first;
        const Token bar = cursor_.take();
        Operand pair;
        pair.kind = Operand::Kind::pair;
        pair.elements.push_back(std::move(first));
        if (cursor_.peek().kind != Token::Kind::word) cursor_.fail_expected("a register after `|`");
        pair.elements.push_back(name(nullptr));
        for (const Operand& element : pair.elements) {
            if (element.kind == Operand::Kind::reg || element.kind == Operand::Kind::sink) continue;
            cursor_.fail(bar, "both sides of `|` must be registers or `_`");
        }
        return pair;
    }

    Operand list(Operand::Kind kind, char open, char close, int depth) {
        Operand operand;
        operand.kind = kind;
        cursor_.expect(open, "");
        if (cursor_.accept(close)) return operand;
        do {
            operand.elements.push_back(parse(depth + 1, nullptr));
        } while (cursor_.accept(','));
        cursor_.expect(close, "after the operands inside");
        return operand;
    }

    Operand address(int depth) {
        Operand operand;
        operand.kind = Operand::Kind::address;
        cursor_.expect('[', "");
        const Token base = cursor_.peek();
        operand.elements.push_back(parse(depth + 1, nullptr));
        Operand& first = operand.elements[0];
        if (first.kind == Operand::Kind::symbol) {
            operand.offset = std::exchange(first.offset, 0);
        } else if (first.kind == Operand::Kind::reg) {
            operand.offset = parse_offset(cursor_);
        } else if (first.kind != Operand::Kind::integer) {
            cursor_.fail(
                base, fmt::format("an address must start with a register, a name or a number, not {}", quoted(base)));
        }
        while (cursor_.accept(',')) operand.elements.push_back(parse(depth + 1, nullptr));
        cursor_.expect(']', "after the address");
        return operand;
    }

    Cursor& cursor_;
    Scopes& scopes_;
};

void parse_guard(Cursor& cursor, Scopes& scopes, Instruction& instruction) {
    instruction.guard_negated = cursor.accept('!');
    const Token token = cursor.peek();
    const std::string_view name = cursor.expect_word("a predicate register after `@`");
    bool is_known = false;
    const Operand operand = scopes.resolve(token, name, is_known);
    if (operand.kind != Operand::Kind::reg)
        cursor.fail(token, fmt::format("the predicate {} is not declared", quoted(token)));
    instruction.guard = operand.index;
}

}  // namespace

void parse_instruction(Cursor& cursor, Scopes& scopes, Function& function, int location) {
    Instruction instruction;
    instruction.ptx_line = cursor.peek().line;
    instruction.in_inline_asm = cursor.peek().in_inline_asm;
    instruction.behind_inline_asm = cursor.peek().behind_inline_asm;
    instruction.location = location;
    if (cursor.accept('@')) parse_guard(cursor, scopes, instruction);
    instruction.opcode = cursor.expect_word("an instruction");
    while (cursor.peek().kind == Token::Kind::directive)
        instruction.modifiers.emplace_back(cursor.take().text.substr(1));
    const int index = static_cast<int>(function.body.size());
    OperandParser operands(cursor, scopes);
    while (!cursor.at_end() && !cursor.peek().is(';')) {
        Token unknown;
        instruction.operands.push_back(operands.parse(0, &unknown));
        if (unknown.kind == Token::Kind::word) {
            scopes.wait_for_label(unknown, index, static_cast<int>(instruction.operands.size()) - 1);
        }
        if (cursor.peek().is(';')) break;
        if (!cursor.accept(',')) {
            cursor.fail_expected(fmt::format("`,` or `;` after an operand of `{}`", printable(full_name(instruction))));
        } else if (cursor.peek().is(';')) {
            cursor.fail_expected("an operand");
        }
    }
    if (!cursor.accept(';')) cursor.fail_expected(fmt::format("`;` after `{}`", printable(full_name(instruction))));
    if (!cursor.failed()) function.body.push_back(std::move(instruction));
}

}  // namespace warpgrade::ptx
