#include "compile/advice.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/text.hpp"
#include "compile/include_scan.hpp"
#include "compile/place.hpp"
#include "compile/text_fault.hpp"

namespace warpgrade {
namespace {

// The runtime's names are macros here (include/cuda_runtime_api.h); a learner wrote, and should read, the plain ones.
void show_plain_names(std::string& message) {
    for (const std::string_view prefix : {"__warpgrade_no_", "__warpgrade_cuda"})
        for (std::size_t at; (at = message.find(prefix)) != std::string::npos;)
            message.erase(at, std::string_view("__warpgrade_").size() + (prefix.ends_with("no_") ? 3 : 0));
}

// How a template came to be instantiated and which overloads there are: lines of terms behind what is wrong.
void cut_trail(std::string& message) {
    for (const std::string_view trail : {"; detected during", "; At end of source", "; Note #"})
        if (const std::size_t at = message.find(trail); at != std::string::npos) message.erase(at);
}

// Of NVRTC's warnings, those of what makes a program fail when it runs.
constexpr std::string_view of_what_runs =
    "has no effect|pointless comparison|before its value is set|missing return|where \"==\" may|is unreachable|result "
    "of "
    "comparison|always";
// Of these, what nobody writes on purpose.
constexpr std::string_view of_slips = "has no effect|where \"==\" may|before its value is set";
// What the compiler says when it has lost the thread, and not of what a name or a type means.
constexpr std::string_view of_syntax =
    "expected a|no operator \"<<\"|no operator \">>\"|missing closing quote|comment unclosed|type name is not "
    "allowed|block-scope function|closing brace of template definition not found|function definition is not allowed|a "
    "function-definition is not allowed|unrecognized token|no storage class or type specifier";

bool is_lost_at(const CompilerMessage& message) {
    return message.severity == Severity::error && has_one_of(message.message, of_syntax);
}

// "n" of `identifier "n" is undefined`; "" of another message.
std::string undefined_name(const std::string& message) {
    const bool is_of_name = message.starts_with("identifier \"") && message.ends_with("is undefined");
    return is_of_name ? std::string(quoted(message, 0)) : "";
}

class Adviser {
public:
    Adviser(std::string_view source, const std::string& path) : text_(source), path_(path) {}

    void run(std::vector<CompilerMessage>& messages) {
        for (CompilerMessage& message : messages) {
            show_plain_names(message.message);
            cut_trail(message.message);
        }
        bring_home(messages);
        leave_out_noise(messages);
        lead_with_fault(messages);
        names_first(messages);
        std::vector<CompilerMessage> kept;
        for (CompilerMessage& message : messages) {
            if (is_over_ || (message.path == path_ && is_echo(message))) continue;
            if (auto fault = macro_of(message))
                message = std::move(*fault);
            else
                word(message);
            const std::size_t plain = message.message.find('\n'), words = message.message.find(words_of_compiler);
            // The same of two places of one line.
            if (plain != std::string::npos &&
                !told_
                     .emplace(message.line,
                              words == plain ? message.message.substr(0, plain) : message.message.substr(plain))
                     .second)
                continue;
            message.names_cause = message.names_cause ||
                                  (message.severity == Severity::warning && has_one_of(message.message, of_what_runs));
            message.is_slip = message.names_cause && has_one_of(message.message, of_slips);
            kept.push_back(std::move(message));
        }
        messages = std::move(kept);
    }

private:
    // The grader's lines stand behind the submission: a `;` that is missing at its end is missed there. What else is
    // said of them follows from the errors that the submission has itself.
    void bring_home(std::vector<CompilerMessage>& messages) const {
        const auto is_foreign = [](const CompilerMessage& m) { return m.path == appended_path; };
        if (lacks_semicolon_at_end())
            for (CompilerMessage& message : messages) {
                if (!is_foreign(message) || message.message != "expected a \";\"") continue;
                message.path = path_;
                end_with_semicolon(message, tokens().code[text_.end() - 1]);
            }
        const auto is_own_error = [&](const CompilerMessage& m) {
            return m.severity == Severity::error && m.path == path_ && m.line != 0;
        };
        if (std::ranges::any_of(messages, is_own_error)) std::erase_if(messages, is_foreign);
    }

    void end_with_semicolon(CompilerMessage& message, const source::CodeToken& last) const {
        message.line = last.at.line;
        message.column = last.at.column + static_cast<int>(last.at.length);
        message.message = "expected a `;` at the end of this line";
        if (last.text == "}" && (message.line == 0 || !text_.facts().function_at(last.at.line)))
            message.message += "\na struct or class ends with };";
    }

    // The text ends within a declaration: `int a = 1`, or behind the } of a struct. A function ends with its }.
    bool lacks_semicolon_at_end() const {
        const source::Tree& tree = *text_.facts().tree;
        const std::vector<source::NodeId> parts = children_of(tree, tree.root);
        const std::vector<int>& directives = tokens().directive_lines;
        if (parts.empty() || text_.end() == 0) return false;
        const source::CodeToken& last = tokens().code[text_.end() - 1];
        const source::NodeKind kind = tree[parts.back()].kind;
        if (last.text == ";" || (!directives.empty() && directives.back() > last.at.line)) return false;
        return last.text != "}" || kind == source::NodeKind::record || kind == source::NodeKind::enumeration;
    }

    void leave_out_noise(std::vector<CompilerMessage>& messages) {
        // nvcc takes it of the cases of a switch, with this warning, and of no goto.
        for (CompilerMessage& message : messages)
            if (message.message.starts_with("transfer of control bypasses initialization") &&
                text_.word_at(message.line, message.column) == "goto")
                message.severity = Severity::error;
        fails_ = std::ranges::any_of(messages, [](const auto& m) { return m.severity == Severity::error; });
        std::set<std::pair<int, std::string>> told;  // a line, and its message with the word it is about
        std::erase_if(messages, [&](const CompilerMessage& message) {
            const std::string& text = message.message;
            if (text.starts_with("parsing restarts here")) return true;
            // The operators that do not fit, one by one, when none fits.
            if (text.starts_with("built-in operator")) return true;
            // Of an error, it repeats what the message before says.
            if (message.severity == Severity::note) return true;
            // Of what does not compile, warnings are consequences mostly, and the others stay for the next time.
            if (fails_ && message.severity == Severity::warning) return true;
            return !told.emplace(message.line, text + std::string(text_.word_at(message.line, message.column))).second;
        });
    }
    // What the text shows by itself comes in place of all that the compiler met behind it.
    void lead_with_fault(std::vector<CompilerMessage>& messages) {
        if (std::ranges::none_of(messages, is_lost_at)) return;
        auto fault = pasted_text(tokens());
        const auto unclosed = std::ranges::find_if(
            messages, [](const CompilerMessage& m) { return m.message.find("comment unclosed") != std::string::npos; });
        if (!fault && unclosed != messages.end()) {
            messages = {*unclosed};
            return;
        }
        if (!fault) fault = unmatched_bracket(tokens());
        if (!fault) return;
        std::erase_if(messages, [&](const CompilerMessage& m) {
            return m.line >= fault->line || m.line == 0 || m.severity != Severity::error || is_lost_at(m);
        });
        messages.insert(messages.begin(), {Severity::error, path_, fault->line, fault->column, fault->message});
    }

    // An unknown name is why its line is not understood, also where the compiler says so last.
    static void names_first(std::vector<CompilerMessage>& messages) {
        for (std::size_t i = 1; i < messages.size(); ++i) {
            if (undefined_name(messages[i].message).empty()) continue;
            std::size_t to = i;
            while (to > 0 && messages[to - 1].line == messages[i].line &&
                   messages[to - 1].severity == Severity::error && messages[to - 1].column > messages[i].column)
                --to;
            std::rotate(messages.begin() + static_cast<std::ptrdiff_t>(to),
                        messages.begin() + static_cast<std::ptrdiff_t>(i),
                        messages.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        }
    }

    // After `std::vector<int> v` come complaints about `int`, `v` and the bracket: all the same mistake.
    bool is_echo(const CompilerMessage& message) {
        const std::string& text = message.message;
        const std::string name = undefined_name(text);
        if (!name.empty()) return swallowed_.contains(name) || explained_.contains(message.line);
        const bool is_lost = is_lost_at(message);
        if (is_lost && broken_.contains(message.line)) lost_.insert(message.line);
        if (broken_.contains(message.line) || explained_.contains(message.line)) return true;
        // Of one line the first error is told, with others that say the same of another word.
        const auto first = kinds_.find(message.line);
        if (first != kinds_.end() && first->second != kind_of(text)) return true;
        if (is_about_swallowed(message)) return true;
        const bool is_at_end = is_lost || text_.text(text_.token_at(message.line, message.column)) == "}";
        return message.severity == Severity::error && is_at_end &&
               std::ranges::any_of(lost_, [&](int line) { return text_.is_same_part(line, message.line); });
    }

    static std::string kind_of(const std::string& text) { return text.substr(0, text.find('"')); }

    // Of an array, or a function, whose declaration was not understood.
    bool is_about_swallowed(const CompilerMessage& message) const {
        const std::string& text = message.message;
        if (text.find("must have pointer-to-object type") != std::string::npos ||
            text.find("modifiable lvalue") != std::string::npos)
            return swallowed_.contains(text_.word_at(message.line, message.column));
        if (text.find("arguments in function call") == std::string::npos &&
            text.find("is incompatible with parameter") == std::string::npos)
            return false;
        const auto is_swallowed = [&](const auto& call, std::string_view name) {
            return call.line == message.line && swallowed_.contains(name);
        };
        const source::Facts& facts = text_.facts();
        return std::ranges::any_of(facts.calls,
                                   [&](const source::Call& call) { return is_swallowed(call, call.name); }) ||
               std::ranges::any_of(facts.launches,
                                   [&](const source::Launch& launch) { return is_swallowed(launch, launch.kernel); });
    }

    // A macro that stands for more than a value is one mistake, wherever it shows.
    std::optional<CompilerMessage> macro_of(const CompilerMessage& message) {
        const bool can_be = message.severity == Severity::error
                                ? is_lost_at(message)
                                : message.message.find("has no effect") != std::string::npos;
        if (!can_be || message.path != path_) return {};
        const auto fault = macro_with_more(tokens(), message.line);
        if (!fault) return {};
        is_over_ = true;
        return CompilerMessage{
            fails_ ? Severity::error : Severity::warning, path_, fault->line, fault->column, fault->message, !fails_};
    }

    void word(CompilerMessage& message) {
        const int line = message.line;
        const bool is_lost = is_lost_at(message);
        const std::string name = undefined_name(message.message);
        if (message.message.find("unrecognized token") != std::string::npos) explained_.insert(line);
        const bool is_header = has_one_of(message.message, "cannot open source file|could not open source file");
        const std::string said =
            is_header ? header_advice(std::string(quoted(message.message, 0))) : in_plain_words(message, text_);
        const bool leads = said.find(words_of_compiler) != said.npos;
        if (!leads && !said.starts_with(message.message)) {
            message.message = said;
            explained_.insert(line);
            return;
        }
        if (message.path != path_) return;
        if (is_lost) lost_.insert(line);
        if (is_lost || !name.empty()) broken_.insert(line);
        if (!name.empty()) swallowed_.insert(name);  // told once, wherever else it stands
        // An array that is none is one mistake, wherever it is used.
        if (message.message.find("must have pointer-to-object type") != std::string::npos)
            if (const auto array = text_.word_at(line, message.column); !array.empty()) swallowed_.emplace(array);
        if (message.severity == Severity::error) {
            kinds_.emplace(line, kind_of(message.message));
            for (const NamedThing& thing : text_.named())
                // A head that was not understood has no parameters either.
                if (thing.line == line && thing.name != name && (!thing.is_parameter || broken_.contains(line)))
                    swallowed_.emplace(thing.name);
            swallow_declared(line, name);
        }
        if (is_lost && place_semicolon(message)) return;
        if (message.message.find('\n') != std::string::npos) return;  // a fault of the text's
        if (leads) {
            message.message = said;
            return;
        }
        const std::string plain = said.substr(message.message.size());
        explain_device_code(message);
        message.message += plain;
    }

    // Of a line that nobody understands: `int s` of `fro (int s = 1; ...)`, `b` of `int a = 1 2, b = 3`.
    void swallow_declared(int line, const std::string& but) {
        const auto& code = tokens().code;
        for (source::TokenId i = text_.token_at(line, 1) + 1; i < text_.end() && code[i].at.line == line; ++i) {
            const std::string before = "|" + std::string(code[i - 1].text) + "|";
            const bool is_behind_type =
                code[i - 1].kind == source::TokenKind::word && code[i - 1].at.line == line &&
                std::string_view("|return|else|case|goto|new|").find(before) == std::string::npos;
            if (code[i].kind == source::TokenKind::word && code[i].text != but &&
                (is_behind_type || (before == "|,|" && text_.text(i + 1) == "=")))
                swallowed_.emplace(code[i].text);
        }
    }

    // NVRTC reports a missing `;` where the next token stands, which is usually a line too late.
    bool place_semicolon(CompilerMessage& message) {
        source::TokenId first = text_.token_at(message.line, message.column);
        if (message.column == 0 || first == text_.end()) return false;
        const auto& code = tokens().code;
        // What it took for words of a declaration stands in front.
        while (first > 0 && code[first - 1].at.line == message.line && code[first - 1].kind == source::TokenKind::word)
            --first;
        if (first == 0) return false;
        const source::CodeToken& last = code[first - 1];
        const bool is_missing = message.message == "expected a \";\"" ||
                                (message.message == "expected an expression" && last.text == "return");
        const std::vector<int>& directives = tokens().directive_lines;
        const auto between = std::upper_bound(directives.begin(), directives.end(), last.at.line);
        const bool is_behind_directive = between != directives.end() && *between < message.line;
        if (!is_missing || last.at.line == message.line || is_behind_directive || last.text == ";" || last.text == "{")
            return false;
        for (const NamedThing& thing : text_.named())
            if (thing.line == message.line) swallowed_.emplace(thing.name);
        end_with_semicolon(message, last);
        broken_.insert(message.line);
        return true;
    }

    // In a launcher, "device code" would be read as a mistake of the compiler's.
    static void explain_device_code(CompilerMessage& message) {
        for (const char* words : {"device code", "a __device__ variable", "for a __device__"})
            if (message.severity == Severity::error && message.message.find(words) != std::string::npos) {
                message.message += "; the grader compiles the whole submission, the launcher too, as device code";
                return;
            }
    }

    const source::Tokens& tokens() const { return text_.tokens(); }

    const SourceText text_;
    const std::string& path_;
    bool fails_ = false;       // it does not compile
    bool is_over_ = false;     // nothing behind is more than a consequence
    std::set<int> explained_;  // lines of which all is said
    std::set<int> broken_;     // lines that were not understood, of which unknown names are still to be told
    std::set<int> lost_;       // where the compiler has lost the thread
    std::set<std::pair<int, std::string>> told_;
    std::map<int, std::string> kinds_;              // of the first error of a line
    std::set<std::string, std::less<>> swallowed_;  // names that a line would have declared that was not understood
};

}  // namespace

void advise(std::vector<CompilerMessage>& messages, std::string_view source, const std::string& path) {
    Adviser(source, path).run(messages);
}

int line_of_main(std::string_view source) {
    const source::Tokens tokens = source::tokens_of(source);
    int braces = 0, conditionals = 0;
    source::TokenId code = 0;
    for (const source::Token& token : tokens.all) {
        const std::string_view text = source.substr(token.at.offset, token.at.length);
        if (token.kind == source::TokenKind::directive) {
            const std::string_view name = trimmed(text.substr(1));
            conditionals += (name.starts_with("if") ? 1 : 0) - (name.starts_with("endif") ? 1 : 0);
        }
        if (code >= tokens.file_end || tokens.code[code].at.offset != token.at.offset) continue;
        braces += (text == "{") - (text == "}");
        ++code;
        const bool is_called = code < tokens.file_end && tokens.code[code].text == "(";
        if (text == "main" && is_called && braces == 0 && conditionals == 0) return token.at.line;
    }
    return 0;
}

CompilerMessage main_message(const std::string& path, int line) {
    return {Severity::error, path, line, 0,
            "a submission has no main(): the grader calls the launcher; remove main, or put it between "
            "#ifndef __WARPGRADE__ and #endif"};
}

}  // namespace warpgrade
