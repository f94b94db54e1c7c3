#include "grade/quiz.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <map>
#include <set>
#include <sstream>

#include "base/text.hpp"
#include "course/source_text.hpp"
#include "explain/say.hpp"
#include "problem/problem.hpp"

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

int times_named(std::string_view line, const std::string& name) {
    int times = 0;
    for (std::size_t at = line.find(name); !name.empty() && at != line.npos; at = line.find(name, at + name.size())) {
        const std::size_t end = at + name.size();
        times += (at == 0 || !is_word(line[at - 1])) && (end == line.size() || !is_word(line[end]));
    }
    return times;
}

// threadIdx of a lane of the first warp.
std::string thread_of(int lane, const vgpu::Dim3& block) {
    const auto at = static_cast<std::uint32_t>(lane);
    return fmt::format("({}, {}, {})", at % block.x, at / block.x % block.y, at / block.x / block.y);
}

class Questions {
public:
    Questions(const StageResult& explained, std::vector<vgpu::BufferSpec> buffers, bool with_banks)
        : result_(explained),
          code_(without_comments(explained.source)),
          buffers_(std::move(buffers)),
          with_banks_(with_banks) {}

    std::vector<QuizQuestion> all() {
        if (result_.launches.empty() || result_.trace.empty()) return {};
        about_launch(result_.launches.front());
        // A later launch may have other arguments for the names that stand in a line.
        const std::size_t end = result_.trace_ends.empty() ? result_.trace.size() : result_.trace_ends.front();
        for (std::size_t i = 0; i < end; ++i)
            if (is_asked_about(result_.trace[i])) about(result_.trace[i]);
        std::vector<QuizQuestion> chosen;
        for (std::size_t i = 0; i < questions_.size(); ++i)
            if (best_.at(kinds_[i]) == i) chosen.push_back(std::move(questions_[i]));
        return chosen;
    }

private:
    void about_launch(const LaunchInfo& launch) {
        const std::string start =
            fmt::format("{} is launched first on shape {}. ", launch.kernel, to_string(result_.counters_shape));
        ask("blocks", {"blocks",
                       launch.line,
                       start + say("how_many_blocks_does"),
                       say("compute_extents_grid_launcher"),
                       launch.grid.count(),
                       "blocks",
                       fmt::format("{} x {} x {}", launch.grid.x, launch.grid.y, launch.grid.z),
                       {}});
        ask("warps", {"warps",
                      launch.line,
                      start + "How many warps does a block have?",
                      say("threads_block_divided_rounded"),
                      (launch.block.count() + 31) / 32,
                      "warps",
                      fmt::format("{} threads / 32", launch.block.count()),
                      {}});
    }

    void about(const vgpu::Access& access) {
        const bool is_global = access.space == ptx::Space::global, is_read = access.kind == vgpu::AccessKind::read;
        if (!is_global && !with_banks_) return;
        // Of a line that names the buffer twice nobody can tell which access comes first.
        if (is_global && times_named(line_of(code_, access.line), access.buffer) > 1) return;
        const std::string verb = is_read ? "reads" : "writes", kind = is_read ? "load" : "store";
        const std::string name = access.buffer.empty() ? "shared memory" : "`" + access.buffer + "`";
        const std::string key = fmt::format("{}:{}:{}", access.line, is_global ? "global" : "shared", kind);
        if (!seen_.insert(key).second) return;  // the first time is asked about
        const std::string who = say("line_first_warp_block", access.line, verb, name);
        if (is_global)
            ask("sectors of a " + kind, {"sectors:" + key,
                                         access.line,
                                         who + say("how_many_sectors_bytes"),
                                         say("write_down_byte_addresses"),
                                         access.units,
                                         "sectors",
                                         {},
                                         access});
        else
            ask("wavefronts", {"wavefronts:" + key,
                               access.line,
                               who + say("how_many_wavefronts_does"),
                               say("write_down_word_lane"),
                               access.units,
                               "wavefronts",
                               {},
                               access});
        if (access.mask != all_lanes)
            ask("lanes", {"lanes:" + key,
                          access.line,
                          who + "How many of its 32 lanes take part?",
                          say("put_threadidx_lanes_into"),
                          static_cast<std::uint64_t>(std::popcount(access.mask)),
                          "lanes",
                          {},
                          access});
        about_lane(access, key, verb, name, is_global);
    }

    void about_lane(const vgpu::Access& access, const std::string& key, const std::string& verb,
                    const std::string& name, bool is_global) {
        const int lane = lane_to_ask(access.mask);
        const std::uint64_t address = access.addresses[static_cast<std::size_t>(lane)];
        const std::string thread = thread_of(lane, result_.launches.front().block);
        if (is_global) {
            const auto buffer = std::ranges::find_if(
                buffers_, [&](const vgpu::BufferSpec& spec) { return spec.name == access.buffer; });
            const std::uint64_t size =
                buffer == buffers_.end() ? bank_bytes : static_cast<std::uint64_t>(buffer->element_bytes);
            ask("index", {"element:" + key,
                          access.line,
                          say("line_index_counted_does", access.line, verb, name, thread),
                          say("put_threadidx_blockidx_into", thread),
                          address / size,
                          "index",
                          {},
                          access});
        } else if (access.width_bytes == bank_bytes) {
            ask("bank", {"bank:" + key,
                         access.line,
                         say("line_banks_word_thread", access.line, verb, name, thread),
                         say("how_many_words_into"),
                         address / bank_bytes % banks,
                         "bank",
                         {},
                         access});
        }
    }

    void ask(const std::string& kind, QuizQuestion question) {
        const auto [best, is_first] = best_.try_emplace(kind, questions_.size());
        const auto rank = [](const QuizQuestion& one) {
            return std::pair(one.answer, one.access ? std::popcount(one.access->mask) : 0);
        };
        if (!is_first && rank(question) >= rank(questions_[best->second])) best->second = questions_.size();
        questions_.push_back(std::move(question));
        kinds_.push_back(kind);
    }

    const StageResult& result_;
    const std::string code_;
    std::vector<vgpu::BufferSpec> buffers_;
    bool with_banks_;
    std::vector<QuizQuestion> questions_;
    std::vector<std::string> kinds_;           // of `questions_`, same order
    std::map<std::string, std::size_t> best_;  // of a kind: the one to ask
    std::set<std::string> seen_;               // lines with a kind of access
};

}  // namespace

std::vector<QuizQuestion> quiz_questions(const StageResult& explained, const Stage& stage) {
    const Problem* problem = find_problem(stage.problem);
    const bool has_run = !explained.counters_shape.extents.empty();
    return Questions(explained,
                     problem && has_run ? problem->buffers(explained.counters_shape) : std::vector<vgpu::BufferSpec>{},
                     stage.quiz_banks)
        .all();
}

std::optional<QuizQuestion> quiz_limit_question(const StageResult& explained) {
    if (!explained.bandwidth || explained.bandwidth->limiter_line <= 0) return std::nullopt;
    const Bandwidth& b = *explained.bandwidth;
    return QuizQuestion{"limit",
                        0,
                        say("shape_line_keeps_kernel", b.shape, b.modelled_gpu),
                        say("look_line_moves_most"),
                        static_cast<std::uint64_t>(b.limiter_line),
                        "line",
                        {},
                        {}};
}

namespace {

constexpr std::string_view line_start = "// quiz ";

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

namespace {

// One line of a file with answers to one version of its code.
struct QuizLine {
    std::size_t begin = 0, end = 0;  // in the source
    std::string digest;              // empty: it says none, and belongs to no code
    QuizAnswers answers;
};

std::vector<QuizLine> quiz_lines_in(const std::string& source) {
    std::vector<QuizLine> lines;
    for (auto at = source.find(line_start); at != std::string::npos; at = source.find(line_start, at + 1)) {
        if (at > 0 && source[at - 1] != '\n') continue;
        QuizLine line{at, std::min(source.find_first_of("\r\n", at), source.size()), {}, {}};
        std::istringstream words(source.substr(at + line_start.size(), line.end - at - line_start.size()));
        for (std::string word; words >> word;)
            if (const auto answer = quiz_answer_from(word))
                line.answers.insert(*answer);
            else if (line.digest.empty())
                line.digest = word;
        if (!line.answers.empty()) lines.push_back(std::move(line));
    }
    return lines;
}

}  // namespace

KeptAnswers quiz_answers_in(const std::string& source) {
    KeptAnswers kept;
    const std::string digest = code_digest(source);
    for (const QuizLine& line : quiz_lines_in(source)) {
        if (line.digest == digest) return {line.answers, false};
        kept.has_those_of_old = true;
    }
    return kept;
}

std::string with_quiz_line(const std::string& source, const QuizAnswers& answers) {
    const std::string digest = code_digest(source);
    std::string text(line_start);
    text += digest;
    for (const auto& [number, value] : answers) text += fmt::format(" {}={}", number, value);
    for (const QuizLine& line : quiz_lines_in(source))
        if (line.digest == digest) return source.substr(0, line.begin) + text + source.substr(line.end);
    return source + (source.empty() || source.ends_with('\n') ? "" : "\n") + text + "\n";
}

QuizMark quiz_mark(const std::vector<QuizQuestion>& questions, const KeptAnswers& kept) {
    QuizMark mark;
    mark.questions = questions.size();
    mark.is_of_old_code = kept.answers.empty() && kept.has_those_of_old;
    for (const auto& [number, value] : kept.answers) {
        if (number > questions.size()) continue;
        ++mark.answered;
        mark.right += questions[number - 1].answer == value;
    }
    return mark;
}

}  // namespace warpgrade
