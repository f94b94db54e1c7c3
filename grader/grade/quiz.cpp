#include "grade/quiz.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <set>
#include <sstream>

namespace warpgrade {

namespace {

constexpr std::uint32_t all_lanes = 0xFFFFFFFF;
constexpr std::uint32_t banks = 32, bank_bytes = 4;
constexpr int asked_lane = 5;  // not the first, so that the answer is not 0

bool is_asked_about(const vgpu::Access& access) {
    const bool is_known = access.space == ptx::Space::global || access.space == ptx::Space::shared;
    const bool moves = access.kind == vgpu::AccessKind::read || access.kind == vgpu::AccessKind::write;
    return is_known && moves && access.mask != 0 && access.line > 0;
}

int lane_to_ask(std::uint32_t mask) { return (mask >> asked_lane & 1) != 0 ? asked_lane : 31 - std::countl_zero(mask); }

// threadIdx of a lane of the first warp.
std::string thread_of(int lane, const vgpu::Dim3& block) {
    const auto at = static_cast<std::uint32_t>(lane);
    return fmt::format("({}, {}, {})", at % block.x, at / block.x % block.y, at / block.x / block.y);
}

class Questions {
public:
    Questions(const StageResult& explained, std::vector<vgpu::BufferSpec> buffers)
        : result_(explained), buffers_(std::move(buffers)) {}

    std::vector<QuizQuestion> all() {
        if (result_.launches.empty() || result_.trace.empty()) return {};
        about_launch(result_.launches.front());
        for (const vgpu::Access& access : result_.trace)
            if (is_asked_about(access)) about(access);
        return std::move(questions_);
    }

private:
    void about_launch(const LaunchInfo& launch) {
        const std::string start =
            fmt::format("{} is launched first on shape {}. ", launch.kernel, to_string(result_.counters_shape));
        ask({"blocks", launch.line, start + "How many blocks does that grid have?", launch.grid.count(), "blocks", {}});
        ask({"warps",
             launch.line,
             start + "How many warps does a block have?",
             (launch.block.count() + 31) / 32,
             "warps",
             {}});
    }

    void about(const vgpu::Access& access) {
        const bool is_global = access.space == ptx::Space::global, is_read = access.kind == vgpu::AccessKind::read;
        const std::string verb = is_read ? "reads" : "writes", kind = is_read ? "load" : "store";
        const std::string name = access.buffer.empty() ? "shared memory" : "`" + access.buffer + "`";
        const std::string key = fmt::format("{}:{}:{}", access.line, is_global ? "global" : "shared", kind);
        const std::string who =
            fmt::format("Line {} {} {}, and the first warp of block (0, 0, 0) gets there. ", access.line, verb, name);
        if (is_global)
            ask({"sectors:" + key, access.line, who + "How many sectors of 32 bytes does its request touch?",
                 access.units, "sectors", access});
        else
            ask({"wavefronts:" + key, access.line, who + "How many wavefronts does its request take?", access.units,
                 "wavefronts", access});
        if (access.mask != all_lanes)
            ask({"lanes:" + key, access.line, who + "How many of its 32 lanes take part?",
                 static_cast<std::uint64_t>(std::popcount(access.mask)), "lanes", access});
        about_lane(access, key, verb, name, is_global);
    }

    void about_lane(const vgpu::Access& access, const std::string& key, const std::string& verb,
                    const std::string& name, bool is_global) {
        const int lane = lane_to_ask(access.mask);
        const std::uint64_t address = access.addresses[static_cast<std::size_t>(lane)];
        const std::string thread = thread_of(lane, result_.launches.front().block);
        if (is_global) {
            const auto buffer = std::find_if(buffers_.begin(), buffers_.end(),
                                             [&](const vgpu::BufferSpec& spec) { return spec.name == access.buffer; });
            const std::uint64_t size =
                buffer == buffers_.end() ? bank_bytes : static_cast<std::uint64_t>(buffer->element_bytes);
            ask({"element:" + key, access.line,
                 fmt::format(
                     "Line {} {} {}. At which index, counted from 0, does thread {} of block (0, 0, 0) do that first?",
                     access.line, verb, name, thread),
                 address / size, "index", access});
        } else if (access.width_bytes == bank_bytes) {
            ask({"bank:" + key, access.line,
                 fmt::format("Line {} {} {}. In which of the 32 banks is the word of thread {} of block (0, 0, 0)?",
                             access.line, verb, name, thread),
                 address / bank_bytes % banks, "bank", access});
        }
    }

    void ask(QuizQuestion question) {
        if (asked_.insert(question.id).second) questions_.push_back(std::move(question));
    }

    const StageResult& result_;
    std::vector<vgpu::BufferSpec> buffers_;
    std::set<std::string> asked_;
    std::vector<QuizQuestion> questions_;
};

}  // namespace

std::vector<QuizQuestion> quiz_questions(const StageResult& explained) { return Questions(explained, {}).all(); }

std::vector<QuizQuestion> quiz_questions(const StageResult& explained, const Problem& problem) {
    if (explained.counters_shape.extents.empty()) return {};  // nothing has run
    return Questions(explained, problem.buffers(explained.counters_shape)).all();
}

std::optional<QuizQuestion> quiz_limit_question(const StageResult& explained) {
    if (!explained.bandwidth || explained.bandwidth->limiter_line <= 0) return std::nullopt;
    const Bandwidth& b = *explained.bandwidth;
    return QuizQuestion{
        "limit",
        0,
        fmt::format("On shape {} of an {}, one line is what keeps this kernel from being faster, by the "
                    "time model. Which line? (No points: it is a model.)",
                    b.shape, b.modelled_gpu),
        static_cast<std::uint64_t>(b.limiter_line),
        "line",
        {}};
}

namespace {

constexpr std::string_view line_start = "// quiz ";

// Where the last line with answers begins, and where it ends; npos: there is none.
std::pair<std::size_t, std::size_t> quiz_line_in(const std::string& source) {
    auto at = source.rfind(line_start);
    while (at != std::string::npos && at > 0 && source[at - 1] != '\n') at = source.rfind(line_start, at - 1);
    if (at == std::string::npos) return {at, at};
    return {at, std::min(source.find_first_of("\r\n", at), source.size())};
}

template <class Number>
bool read_number(std::string_view text, Number& number) {
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
    return code == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::optional<QuizAnswers::value_type> quiz_answer_from(const std::string& word) {
    const auto equals = word.find('=');
    std::size_t number = 0;
    std::uint64_t value = 0;
    if (equals == std::string::npos || !read_number(std::string_view(word).substr(0, equals), number) || number == 0 ||
        !read_number(std::string_view(word).substr(equals + 1), value))
        return std::nullopt;
    return QuizAnswers::value_type{number, value};
}

QuizAnswers quiz_answers_in(const std::string& source) {
    QuizAnswers answers;
    const auto [begin, end] = quiz_line_in(source);
    if (begin == std::string::npos) return answers;
    std::istringstream words(source.substr(begin + line_start.size(), end - begin - line_start.size()));
    for (std::string word; words >> word;)
        if (const auto answer = quiz_answer_from(word)) answers.insert_or_assign(answer->first, answer->second);
    return answers;
}

std::string quiz_line(const QuizAnswers& answers) {
    std::string line(line_start.substr(0, line_start.size() - 1));
    for (const auto& [number, value] : answers) line += fmt::format(" {}={}", number, value);
    return line;
}

std::string with_quiz_line(const std::string& source, const QuizAnswers& answers) {
    const auto [begin, end] = quiz_line_in(source);
    if (begin != std::string::npos) return source.substr(0, begin) + quiz_line(answers) + source.substr(end);
    return source + (source.empty() || source.ends_with('\n') ? "" : "\n") + quiz_line(answers) + "\n";
}

QuizMark quiz_mark(const std::vector<QuizQuestion>& questions, const QuizAnswers& answers) {
    QuizMark mark;
    mark.questions = questions.size();
    for (const auto& [number, value] : answers) {
        if (number > questions.size()) continue;
        ++mark.answered;
        mark.right += questions[number - 1].answer == value;
    }
    return mark;
}

}  // namespace warpgrade
