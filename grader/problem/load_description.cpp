#include "problem/load_description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/files.hpp"
#include "base/near_names.hpp"
#include "base/sha256.hpp"
#include "base/toml_reader.hpp"
#include "problem/contents.hpp"
#include "problem/described_values.hpp"
#include "problem/description_reader.hpp"

namespace warpgrade {

namespace fs = std::filesystem;

namespace {

// Evaluates everything once for a shape of the file, and says where in the file it goes wrong.
class ShapeCheck {
public:
    ShapeCheck(const ProblemDescription& problem, TomlErrors& errors) : problem_(problem), errors_(errors) {}

    // `has_buffers`: of a shape that is run, all of it.
    void list(const std::vector<DescribedShape>& shapes, const char* name, bool is_timed,
              bool has_buffers = true) const {
        if (errors_.first()) return;  // what is wrong there may be asked for here
        ShapeDraw draw{Choices(7), false};
        ExpressionScope scope = draw_scope(problem_, draw);
        // A small card, so that what is wrong there shows as well.
        if (is_timed)
            if (auto status = add_timing_names(problem_, {4 << 20, std::uint64_t{4} << 30, 300}, scope); !status)
                return report(status.error(), 0, 0, "let");
        for (const DescribedShape& source : shapes) {
            const auto drawn = shapes_from(problem_, source, scope, "float");
            if (!drawn) return report(drawn.error(), source.line, source.column, name);
            for (const Shape& shape : *drawn) one(shape, source, name, is_timed, has_buffers);
        }
    }

private:
    void one(const Shape& shape, const DescribedShape& source, const char* name, bool is_timed,
             bool has_buffers) const {
        const auto refuse = [&](std::string code, std::string title, std::string fact, std::string help) {
            errors_.report_at(source.line, source.column, std::move(code), std::move(title), {std::move(fact)},
                              std::move(help));
        };
        if (shape.extents.size() < problem_.extents.size() ||
            shape.extents.size() > problem_.extents.size() + problem_.numbers.size())
            return refuse("bad_shape", fmt::format("a shape of `{}` has {} values", name, shape.extents.size()),
                          fmt::format("the problem has {} extents and {} numbers", problem_.extents.size(),
                                      problem_.numbers.size()),
                          "write a list of expressions, one for each extent");
        for (const auto* extents : {&shape.extents, &shape.previous}) {
            if (extents->empty()) continue;
            const auto values = values_of(problem_, *extents, "float");
            if (!values) return report(values.error(), source.line, source.column, name);
            if (!is_timed && has_buffers &&
                values->all_bytes > most_buffer_bytes)  // a card's own memory says what it can time
                return refuse("shape_too_large", fmt::format("{} of `{}` takes more than 4 GB", to_string(shape), name),
                              fmt::format("{:.1f} GB in all buffers", static_cast<double>(values->all_bytes) / 1e9),
                              "choose a smaller one");
            const std::pair<const char*, const std::string*> expressions[] = {{"useful_bytes", &problem_.useful_bytes},
                                                                              {"flops", &problem_.flops},
                                                                              {"elements", &problem_.elements},
                                                                              {"scatter_over", &problem_.scatter_over},
                                                                              {"compare", &problem_.compare.terms}};
            for (const auto& [key, expression] : expressions) {
                if (expression->empty()) continue;
                const ExpressionValue value = evaluate(*expression, values->scope);
                if (!value.error && value.value >= 0) continue;
                const auto line = problem_.lines.find(key);  // of its own; else the shape's
                return errors_.report_at(line == problem_.lines.end() ? source.line : line->second,
                                         line == problem_.lines.end() ? source.column : 0, "bad_expression",
                                         fmt::format("`{}` has no value on {}", *expression, to_string(shape)),
                                         {value.error ? value.error->says : "it is negative"},
                                         value.error ? value.error->help : "");
            }
        }
        if (shape.contents.empty()) return;
        std::vector<std::string> known;
        for (const DescribedBuffer& buffer : problem_.buffers)
            for (const auto& [variant, contents] : buffer.variants) {
                known.push_back(variant);
                const KnownContents* made = variant == shape.contents ? contents_named(contents) : nullptr;
                if (is_timed && made && !made->is_on_card)
                    refuse("bad_contents", fmt::format("`{}` cannot be timed", contents),
                           "no card makes these contents", "");
            }
        if (std::ranges::find(known, shape.contents) == known.end())
            refuse("unknown_variant", fmt::format("no buffer has contents for `{}`", shape.contents), "",
                   near_or(shape.contents, known, "add it to `variants` of an input"));
    }

    void report(Diagnostic error, int line, int column, const char* name) const {
        errors_.report_at(line, column, error.code == "bad_expression" ? error.code : "bad_shape",
                          fmt::format("`{}`: {}", name, error.title), std::move(error.facts), std::move(error.help));
    }

    const ProblemDescription& problem_;
    TomlErrors& errors_;
};

void check_classes(const ProblemDescription& problem, const toml::node* timing, TomlErrors& errors) {
    if (errors.first()) return;
    const auto has = [&](const char* name) {
        return std::ranges::any_of(problem.timing,
                                   [&](const DescribedShape& shape) { return shape.shape_class == name; });
    };
    for (const DescribedShape& shape : problem.timing)
        if (shape.shape_class.empty())
            errors.report_at(shape.line, shape.column, "missing_key", "a shape of `timing` has no `class`", {},
                             "write { class = \"aligned\", extents = [...] }");
    if (problem.timing.empty() || problem.timing.front().shape_class != "aligned" || !has("odd") || !has("small"))
        errors.report(timing, "timing_classes", "`timing` lacks a class",
                      {"the first is aligned, and there are an odd and a small one"}, "thin may be there, too");
}

bool needs_functions(const ProblemDescription& problem) {
    if (has_function(problem.reference) || !problem.mistakes.empty() || !problem.card_check.empty()) return true;
    return std::ranges::any_of(problem.buffers, [](const DescribedBuffer& buffer) {
        const auto is_own = [](const std::string& contents) { return !contents.empty() && !contents_named(contents); };
        return is_own(buffer.contents) ||
               std::ranges::any_of(buffer.variants, [&](const auto& variant) { return is_own(variant.second); });
    });
}

}  // namespace

Result<ProblemDescription> load_description(const std::string& folder) {
    const fs::path base(folder);
    ProblemDescription problem;
    problem.toml_path = (base / "problem.toml").string();
    problem.cuda_path = (base / "problem.cu").string();
    TomlErrors errors(problem.toml_path);
    const auto root = parse_toml(errors);
    if (!root) return *errors.first();
    read_description(*root, problem, errors);
    fs::path bare = base.lexically_normal();
    if (!bare.has_filename()) bare = bare.parent_path();
    if (!problem.name.empty() && problem.name != bare.filename().string())
        errors.report(root->get("name"), "name_differs",
                      fmt::format("the problem `{}` is in the folder `{}`", problem.name, bare.filename().string()), {},
                      "give both one name");
    if (errors.first()) return *errors.first();

    const auto cuda = read_whole_file(problem.cuda_path, 1 << 20);
    std::error_code no_error;
    if (!cuda && fs::exists(problem.cuda_path, no_error)) return cuda.error();
    // What is moved or summed up needs no function, unless something else asks for one.
    if (!cuda && needs_functions(problem)) {
        errors.report(nullptr, "missing_file", fmt::format("`{}` cannot be read", problem.cuda_path),
                      {"it holds the reference as CUDA C++"}, "`warpgrade new problem` writes one to begin with");
        return *errors.first();
    }
    if (cuda) problem.cuda = *cuda;
    const ShapeCheck shape_check(problem, errors);
    const toml::table& shapes = *root->get("shapes")->as_table();
    shape_check.list({problem.technique}, "technique", false);
    shape_check.list({problem.large}, "large", false);
    shape_check.list(problem.check, "check", false);
    shape_check.list(problem.planned, "planned", false, false);
    shape_check.list(problem.sampled, "sampled", false, false);
    shape_check.list(problem.few, "few", false);
    shape_check.list(problem.timing, "timing", true);
    shape_check.list(problem.bench, "bench", true);
    check_classes(problem, shapes.get("timing"), errors);
    if (errors.first()) return *errors.first();
    const auto toml = read_whole_file(problem.toml_path, 1 << 20);
    problem.digest = sha256_hex((toml ? *toml : "") + '\0' + problem.cuda);
    return problem;
}

}  // namespace warpgrade
