#include "course/source_outline.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

#include "base/text.hpp"
#include "course/source_text.hpp"

namespace warpgrade {

namespace {

// The decorations of a head, as bits.
enum : unsigned { global_word = 1, device_word = 2, host_word = 4, constexpr_word = 8, memory_word = 16 };

unsigned decoration(std::string_view word) {
    if (word == "__global__") return global_word;
    if (word == "__device__") return device_word | memory_word;
    if (word == "__host__") return host_word;
    if (word == "constexpr") return constexpr_word;
    if (word == "__constant__" || word == "__managed__" || word == "__shared__") return memory_word;
    return 0;
}

// Text to tokens, and what the preprocessor's lines say.
class Lexer {
public:
    Lexer(Outline& outline, std::string_view source)
        : outline_(outline), source_(source), code_(without_comments(source)) {}

    void run() {
        bool is_line_start = true;
        while (at_ < code_.size()) {
            const char c = code_[at_];
            if (c == '\n') {
                is_line_start = true;
                step();
            } else if (std::isspace(static_cast<unsigned char>(c))) {
                step();
            } else if (c == '#' && is_line_start) {
                directive();
            } else {
                is_line_start = false;
                token();
            }
        }
    }
    std::map<std::string, unsigned, std::less<>> macros;  // without parameters: the decorations in them
    std::vector<int> directive_lines;

private:
    void step() {
        if (code_[at_] == '\n') {
            ++line_;
            line_begin_ = at_ + 1;
        }
        ++at_;
    }

    void token() {
        static constexpr std::array<std::string_view, 6> operators{"<<<", ">>>", "::", "->", "==", "<="};
        std::size_t length = 1;
        const bool is_word = warpgrade::is_word(code_[at_]);
        if (is_word)
            while (at_ + length < code_.size() && warpgrade::is_word(code_[at_ + length])) ++length;
        else
            for (const std::string_view op : operators)
                if (std::string_view(code_).substr(at_).starts_with(op)) {
                    length = op.size();
                    break;
                }
        if (!is_skipped())
            outline_.tokens.push_back(
                {code_.substr(at_, length), line_, static_cast<int>(at_ - line_begin_) + 1, is_word});
        at_ += length;
    }

    void directive() {
        const int line = line_;
        const std::size_t begin = at_;
        std::string text;
        while (at_ < code_.size() && (code_[at_] != '\n' || text.ends_with('\\'))) {
            if (text.ends_with('\\') && code_[at_] == '\n') text.back() = ' ';
            text += code_[at_];
            step();
        }
        std::vector<std::string_view> words;
        for (std::size_t i = 1; i < text.size();) {
            std::size_t length = 0;
            while (i + length < text.size() && warpgrade::is_word(text[i + length])) ++length;
            if (length != 0) words.push_back(std::string_view(text).substr(i, length));
            i += std::max<std::size_t>(length, 1);
        }
        if (words.empty()) return;
        directive_lines.push_back(line);
        condition(words, text);
        if (is_skipped()) return;
        if (words[0] == "define" && words.size() > 2) {
            const auto end = static_cast<std::size_t>(words[1].data() - text.data()) + words[1].size();
            if (text[end] == '(') return;
            unsigned all = 0;
            for (std::size_t i = 2; i < words.size(); ++i) {
                all |= decoration(words[i]);
                if (const auto known = macros.find(words[i]); known != macros.end()) all |= known->second;
            }
            macros[std::string(words[1])] = all;
        }
        if (words[0] == "include") {
            // A name in quotes is a literal, whose text the code no longer has.
            const std::string_view whole = source_.substr(begin, at_ - begin);
            const auto open = whole.find_first_of("<\""), close = whole.find_last_of(">\"");
            if (open != whole.npos && close > open) outline_.includes.emplace(whole.substr(open + 1, close - open - 1));
        }
    }

    void condition(const std::vector<std::string_view>& words, std::string_view text) {
        const std::string_view name = words[0];
        if (name == "if" || name == "ifdef" || name == "ifndef") {
            const bool asks_kit = words.size() > 1 && words.back() == "__WARPGRADE__";
            const bool is_left_out = (name == "ifndef" && asks_kit) ||
                                     (name == "if" && words.size() == 2 && words[1] == "0") ||
                                     (name == "if" && asks_kit && text.find('!') != text.npos);
            skipped_.push_back(is_left_out);
            depth_left_out_ += is_left_out ? 1 : 0;
        } else if (name == "elif" || name == "else") {
            // Where the first branch is left out, the second is what is compiled.
            if (skipped_.empty()) return;
            depth_left_out_ += skipped_.back() ? -1 : 1;
            skipped_.back() = !skipped_.back();
        } else if (name == "endif" && !skipped_.empty()) {
            depth_left_out_ -= skipped_.back() ? 1 : 0;
            skipped_.pop_back();
        }
    }
    bool is_skipped() const { return depth_left_out_ > 0; }

    Outline& outline_;
    std::string_view source_;
    std::string code_;
    std::size_t at_ = 0, line_begin_ = 0;
    int line_ = 1;
    std::vector<bool> skipped_;          // of the conditions that are open, from the outermost on
    std::ptrdiff_t depth_left_out_ = 0;  // how many of them leave out what comes
};

// Reads declarations at namespace and class scope.
class Reader {
public:
    Reader(Outline& outline, const Lexer& lexer) : outline_(outline), lexer_(lexer), tokens_(outline.tokens) {}

    void run() {
        while (at_ < tokens_.size()) declaration();
        for (FunctionText& function : outline_.functions) merge_prototypes(function);
    }

private:
    struct Head {
        std::size_t begin = 0, end = 0;
        std::size_t bracket = 0,
                    equals = 0;  // the first `(` after a name and the first `=` outside of brackets; 0: none
        unsigned decorations = 0;
        bool is_class = false, is_namespace = false, is_enum = false;
    };

    std::string_view text(std::size_t i) const { return i < tokens_.size() ? tokens_[i].text : std::string_view(); }
    bool is_word(std::size_t i) const { return i < tokens_.size() && tokens_[i].is_word; }

    // Past the bracket that closes the one at `i`.
    std::size_t past(std::size_t i) const {
        const std::string_view open = text(i), close = open == "{" ? "}" : open == "(" ? ")" : "]";
        int depth = 0;
        for (; i < tokens_.size(); ++i) {
            if (text(i) == open) ++depth;
            if (text(i) == close && --depth == 0) return i + 1;
        }
        return tokens_.size();
    }
    // Past the `>` of template parameters that open at `i`.
    std::size_t past_angles(std::size_t i) const {
        int depth = 0;
        for (; i < tokens_.size(); ++i) {
            if (text(i) == "<") ++depth;
            if (text(i) == ">" && --depth == 0) return i + 1;
            if (text(i) == ">>>" && (depth -= 3) <= 0) return i + 1;
            if (text(i) == "(") i = past(i) - 1;
            if (text(i) == "{" || text(i) == ";") return i;
        }
        return tokens_.size();
    }

    static bool takes_brackets(std::string_view word) {
        static constexpr std::array<std::string_view, 10> words{
            "__launch_bounds__", "__attribute__", "__align__",     "alignas",          "decltype",
            "__declspec",        "noexcept",      "static_assert", "__cluster_dims__", "explicit"};
        return std::find(words.begin(), words.end(), word) != words.end();
    }

    void declaration() {
        if (text(at_) == "}") {
            if (!classes_.empty()) classes_.pop_back();
            ++at_;
            return;
        }
        if (text(at_) == ";") {
            ++at_;
            return;
        }
        if ((text(at_) == "public" || text(at_) == "private" || text(at_) == "protected") && text(at_ + 1) == ":") {
            at_ += 2;
            return;
        }
        Head head;
        head.begin = at_;
        for (; at_ < tokens_.size(); ++at_) {
            const std::string_view word = text(at_);
            if (word == ";" || word == "}") break;
            if (word == "{") {
                if (!opens_initialiser(head)) break;
                at_ = past(at_) - 1;
            } else if (word == "template" && text(at_ + 1) == "<") {
                at_ = past_angles(at_ + 1) - 1;
                head.begin = at_ + 1;
            } else if (word == "(") {
                const bool is_decoration = at_ > head.begin && takes_brackets(text(at_ - 1));
                if (head.bracket == 0 && !is_decoration && at_ > head.begin && head.equals == 0) head.bracket = at_;
                at_ = past(at_) - 1;
            } else if (word == "[") {
                at_ = past(at_) - 1;
            } else if (word == "=" && head.equals == 0 && text(at_ - 1) != "operator") {
                head.equals = at_;
            } else if (is_word(at_)) {
                note_word(head, word);
            }
        }
        head.end = at_;
        if (text(at_) == "{")
            body(head);
        else
            plain(head);
    }

    void note_word(Head& head, std::string_view word) const {
        head.decorations |= decoration(word);
        if (const auto macro = lexer_.macros.find(word); macro != lexer_.macros.end())
            head.decorations |= macro->second;
        if (head.bracket != 0) return;
        if (word == "struct" || word == "class" || word == "union") head.is_class = true;
        if (word == "enum") head.is_enum = true;
        if (word == "namespace") head.is_namespace = true;
    }

    // A brace that belongs to a variable (`int x{3}`, `= {1, 2}`) or to what a constructor initialises.
    bool opens_initialiser(const Head& head) const {
        if (head.is_class || head.is_namespace || head.is_enum || text(at_ - 1) == ")") return false;
        if (head.equals != 0) return true;
        if (head.bracket == 0) return at_ > head.begin && is_word(at_ - 1) && text(head.begin) != "extern";
        for (std::size_t i = past(head.bracket); i < at_; ++i)
            if (text(i) == ":") return is_word(at_ - 1) || text(at_ - 1) == ">";
        return false;
    }

    void body(const Head& head) {
        if (head.bracket == 0 || head.is_namespace) {
            if (head.is_enum || (!head.is_class && !head.is_namespace && text(head.begin) != "extern")) {
                at_ = past(at_);
                return;
            }
            classes_.push_back(head.is_class);
            ++at_;
            return;
        }
        FunctionText function = function_of(head);
        const std::size_t end = past(at_);
        function.body_begin = at_ + 1;
        function.body_end = end - 1;
        function.last_line = end > 0 && end <= tokens_.size() ? tokens_[end - 1].line : function.line;
        function.has_conditions =
            std::any_of(lexer_.directive_lines.begin(), lexer_.directive_lines.end(),
                        [&](int line) { return line > function.line && line < function.last_line; });
        const std::size_t first = function.body_begin;
        outline_.functions.push_back(std::move(function));
        local_classes(first, end - 1);
        at_ = end;
    }

    // The methods of a struct inside of a function are functions like others.
    void local_classes(std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i + 2 < end; ++i) {
            if ((text(i) != "struct" && text(i) != "class") || !is_word(i + 1) || text(i + 2) != "{") continue;
            const std::size_t after = past(i + 2);
            classes_.push_back(true);
            for (at_ = i + 3; at_ + 1 < after;) declaration();
            classes_.pop_back();
            i = after - 1;
        }
    }

    FunctionText function_of(const Head& head) const {
        FunctionText function;
        std::size_t name = head.bracket - 1;
        for (std::size_t i = head.begin; i < head.bracket; ++i)
            if (text(i) == "operator") name = i;
        while (name > head.begin && !is_word(name)) --name;  // past the arguments of a specialised template
        function.name = text(name);
        function.line = tokens_[name].line;
        function.is_member = !classes_.empty() && classes_.back();
        function.is_constexpr = (head.decorations & constexpr_word) != 0;
        const bool device = (head.decorations & device_word) != 0, host = (head.decorations & host_word) != 0;
        function.side = (head.decorations & global_word) != 0 ? Side::kernel
                        : device && host                      ? Side::both
                        : device                              ? Side::device
                                                              : Side::host;
        return function;
    }

    // Ends in `;` or at the end: a prototype, a variable, something else.
    void plain(const Head& head) {
        if (at_ < tokens_.size() && text(at_) == ";") ++at_;
        const std::string_view first = text(head.begin);
        const bool is_variable_scope = classes_.empty() || !classes_.back();
        if (head.begin == head.end || first == "using" || first == "typedef" || first == "friend" || first == "return")
            return;
        if (head.bracket != 0) {
            if (is_word(head.bracket - 1)) prototypes_.push_back(function_of(head));
            return;
        }
        if (!is_variable_scope || head.is_class || head.is_enum || head.is_namespace) return;
        VariableText variable;
        for (std::size_t i = head.begin; i < head.end && text(i) != "=" && text(i) != "{" && text(i) != ","; ++i) {
            if (text(i) == "const" || text(i) == "constexpr") variable.is_constant = true;
            if (text(i) == "[") {
                variable.is_array = true;
                break;
            }
            if (is_word(i)) {
                variable.name = text(i);
                variable.line = tokens_[i].line;
            }
        }
        variable.is_on_device = (head.decorations & memory_word) != 0;
        if (!variable.name.empty()) outline_.variables.push_back(variable);
    }

    // `__device__ int f(int); int f(int a) { ... }` is a device function; with the words at the body alone it is both.
    void merge_prototypes(FunctionText& function) const {
        if (function.is_member) return;
        const auto same = [&](const FunctionText& other) { return other.name == function.name && !other.is_member; };
        if (std::count_if(outline_.functions.begin(), outline_.functions.end(), same) != 1) return;
        for (const FunctionText& prototype : prototypes_) {
            if (!same(prototype) || prototype.side == function.side) continue;
            if (function.side == Side::host)
                function.side = prototype.side;
            else if (function.side == Side::device)
                function.side = Side::both;
        }
    }

    Outline& outline_;
    const Lexer& lexer_;
    const std::vector<Token>& tokens_;
    std::size_t at_ = 0;
    std::vector<bool> classes_;  // open braces of classes (true) and namespaces
    std::vector<FunctionText> prototypes_;
};

}  // namespace

const FunctionText* Outline::at(int line) const {
    const FunctionText* found = nullptr;
    for (const FunctionText& function : functions) {
        if (line < function.line || line > function.last_line) continue;
        const bool is_inside = found && function.body_begin > found->body_begin && function.body_end <= found->body_end;
        if (found && !is_inside) return nullptr;
        found = &function;
    }
    return found;
}

Outline outline_of(std::string_view source) {
    Outline outline;
    Lexer lexer(outline, source);
    lexer.run();
    Reader(outline, lexer).run();
    return outline;
}

}  // namespace warpgrade
