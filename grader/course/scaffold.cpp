#include "course/scaffold.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/files.hpp"
#include "base/make_diagnostic.hpp"
#include "base/near_names.hpp"
#include "course/source_text.hpp"
#include "problem/problem.hpp"

namespace warpgrade {

namespace {

namespace fs = std::filesystem;

Diagnostic usage_error(std::string code, std::string title, std::string help) {
    return make_error(Blame::usage, std::move(code), std::move(title), {}, {}, std::move(help));
}

// NAME and TITLE stand for the problem's.
constexpr const char* problem_toml =
    R"text(# What NAME is: its launcher, its buffers, its shapes. All keys: handouts/authoring.md.
format = 1
name = "NAME"
title = "TITLE"
# TODO: the launcher of your problem. Every pointer has a [[buffer]] below, every number is one of the extents.
launcher = "void NAME(const float* in, float* out, int n)"
extents = ["n"]
useful_bytes = "bytes(in) + bytes(out)"
compare = "bits"
reference = "gather"

[[buffer]]
name = "in"
role = "in"
extents = "n"
contents = "pattern"

[[buffer]]
name = "out"
role = "out"
extents = "n"

[shapes]
check = [
    4097, 4096, 1000, 1025, 0, 1, 31, 32, 33, 255, 256, 257,
    { extents = "rough(5000, 200000)", count = 3 },
    { extents = "rough(5000, 9000)", offset = 1 },
    { extents = "rough(300, 3000)", previous = "rough(5000, 9000)" },
]
planned = [100000, "(1 << 29) + 4099", "(1 << 30) + 4099"]
few = [4097, 33, "rough(20000, 40000)"]
technique = "1 << 20"
large = "1 << 24"
let = { most = "pow2(wanted)" }
timing = [
    { class = "aligned", extents = "most + 4096 * near(0, 0, most / 65536)" },
    { class = "odd", extents = "rough_near(most - 12347, most - most / 16, most - 1)" },
    { class = "small", extents = "(1 << 20) + 4096 * near(0, -16, 16)" },
]
bench = ["1 << 16", "1 << 18", "1 << 20", "1 << 22", "1 << 24", "1 << 26"]

# What a usual mistake leaves is a function of this name in problem.cu.
[[mistake]]
name = "not_doubled"
title = "the elements are copied, not doubled"
help = "multiply by 2 before you store"
)text";

constexpr const char* problem_cu =
    R"text(// The plainest program there is: what is right, and what mistakes leave. Students get this file.
// TODO: what element i of the output should be.
float reference(u64 i, const float* in, float* out, int n) { return 2.0f * in[i]; }

float not_doubled(u64 i, const float* in, float* out, int n) { return in[i]; }
)text";

constexpr const char* assignment_toml = R"text(name = "NAME"
title = "TITLE"
problem = "NAME"

[[stage]]
id = "naive"
number = 1
title = "One thread, one element"
file = "1_naive.cu"
stub = "DIGEST"
points = { correctness = 50, technique = 30, performance = 20 }
first_step = "Fill TODO 1: the element of this thread."
hints = [
    "Which elements have the threads of block 0, which those of block 1?",
    "The number of a thread among all is blockIdx.x * blockDim.x + threadIdx.x; the last block may have too many.",
    "if (i < n) out[i] = 2.0f * in[i];",
]

[[stage.rule]]
expect = "global_load_sectors_per_request <= 4.1"
says = "the threads of a warp read elements far apart: let neighbours read neighbouring elements."
)text";

// Of all three of them.
constexpr const char* launcher_cu = R"text(
void NAME(const float* in, float* out, int n) {
    if (n > 0) NAME_kernel<<<(n + 255) / 256, 256>>>(in, out, n);
}
)text";

constexpr const char* stub_cu = R"text(// Stage 1 of NAME: one thread, one element (one TODO).
// When it is done, `./grader/warpgrade check NAME/naive` shows that all shapes pass.
__global__ void NAME_kernel(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    // TODO 1: store twice the element of this thread, if it has one.
}
)text";

constexpr const char* solution_cu = R"text(// Stage 1 of NAME: one thread, one element.
__global__ void NAME_kernel(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2.0f * in[i];
}
)text";

constexpr const char* wrong_cu = R"text(// expect: stage=naive verdict=wrong kind=wrong_output pattern=not_doubled
__global__ void NAME_kernel(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}
)text";

std::string replaced(std::string text, const std::string& word, const std::string& with) {
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += with.size())
        text.replace(at, word.size(), with);
    return text;
}

// "vector_max" -> "Vector max"
std::string title_of(std::string name) {
    std::replace(name.begin(), name.end(), '_', ' ');
    name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
    return name;
}

// The comment that names the stage it was, in the files it begins with.
std::string as_stage(std::string text, int old_number, int number) {
    return replaced(std::move(text), fmt::format("Stage {}", old_number), fmt::format("Stage {}", number));
}

}  // namespace

Status check_new_name(const std::string& name) {
    const bool is_one =
        !name.empty() && name.size() <= 40 && name[0] >= 'a' && name[0] <= 'z' &&
        std::ranges::all_of(name, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; });
    if (is_one) return Nothing{};
    return usage_error("bad_name", fmt::format("`{}` can be no name of a folder and a function", name),
                       "small letters, digits and _, a letter first: vector_max");
}

Result<std::vector<ScaffoldFile>> new_problem(const std::vector<Assignment>& course, const std::string& name) {
    if (auto status = check_new_name(name); !status) return status.error();
    const bool is_there = find_problem(name) != nullptr ||
                          std::ranges::any_of(course, [&](const Assignment& a) { return a.name == name; });
    if (is_there)
        return usage_error("name_taken", fmt::format("there is a problem or an assignment `{}`", name),
                           "choose another name");
    const auto text = [&](std::string form) {
        return replaced(replaced(std::move(form), "NAME", name), "TITLE", title_of(name));
    };
    const std::string folder = "assignments/" + name + "/", solutions = "solutions/" + name + "/";
    const std::string stub = text(std::string(stub_cu) + launcher_cu);
    return std::vector<ScaffoldFile>{
        {folder + "problem.toml", text(problem_toml)},
        {folder + "problem.cu", text(problem_cu)},
        {folder + "assignment.toml", replaced(text(assignment_toml), "DIGEST", text_digest(stub))},
        {folder + "1_naive.cu", stub},
        {solutions + "1_naive.cu", text(std::string(solution_cu) + launcher_cu)},
        {solutions + "wrong/not_doubled.cu", text(std::string(wrong_cu) + launcher_cu)}};
}

Result<std::vector<ScaffoldFile>> new_stage(const std::vector<Assignment>& course, const std::string& assignment,
                                            const std::string& name) {
    if (auto status = check_new_name(name); !status) return status.error();
    const auto found = std::ranges::find_if(course, [&](const Assignment& a) { return a.name == assignment; });
    if (found == course.end()) {
        std::vector<std::string> names;
        for (const Assignment& each : course) names.push_back(each.name);
        return usage_error("unknown_assignment", fmt::format("no assignment is called `{}`", assignment),
                           near_or(assignment, names, "`warpgrade list` shows them"));
    }
    for (const Stage& stage : found->stages)
        if (stage.id == name)
            return usage_error("name_taken", fmt::format("there is a stage `{}`", stage.name()), "choose another name");
    const Stage& last = found->stages.back();
    const auto stub = read_whole_file(fs::path(found->folder) / last.file),
               solution = read_whole_file(fs::path(found->solutions) / last.file),
               toml = read_whole_file(fs::path(found->folder) / "assignment.toml");
    for (const auto* text : {&stub, &solution, &toml})
        if (!*text) return text->error();
    const int number = last.number + 1;
    const std::string file = fmt::format("{}_{}.cu", number, name);
    const std::string own_stub = replaced(as_stage(*stub, last.number, number), last.name(), assignment + "/" + name);
    std::string types;
    for (const std::string& type : last.types) types += fmt::format("{}\"{}\"", types.empty() ? "" : ", ", type);
    std::string sweep;
    for (const int threads : last.sweep_threads) sweep += fmt::format("{}{}", sweep.empty() ? "" : ", ", threads);
    const std::string block = fmt::format(
        "\n[[stage]]\nid = \"{}\"\nnumber = {}\ntitle = \"{}\"\nfile = \"{}\"\n{}{}{}stub = \"{}\"\n"
        "# TODO: the points of all stages add up to 100. Rules ([[stage.rule]]) say what the stage is about.\n"
        "points = {{ correctness = 0, technique = 0, performance = 0 }}\n"
        "first_step = \"Fill TODO 1.\"\nhints = [\n    \"TODO: a nudge.\",\n    \"TODO: a direction.\",\n    \"TODO: "
        "nearly the answer.\",\n]\n",
        name, number, title_of(name), file,
        last.problem == found->problem ? "" : fmt::format("problem = \"{}\"\n", last.problem),
        last.types == std::vector<std::string>{"float"} ? "" : fmt::format("types = [{}]\n", types),
        last.sweep_threads.empty() ? "" : fmt::format("sweep_threads = [{}]\n", sweep), text_digest(own_stub));
    const std::string folder = "assignments/" + assignment + "/";
    return std::vector<ScaffoldFile>{
        {folder + "assignment.toml", *toml + block, false},
        {folder + file, own_stub},
        {"solutions/" + assignment + "/" + file, as_stage(*solution, last.number, number)}};
}

}  // namespace warpgrade
