#include "host/program_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>

#include "base/make_diagnostic.hpp"
#include "compile/source_lines.hpp"

namespace warpgrade::host {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_bytes = 1 << 20, most_files = 200;
constexpr int most_depth = 16;

// The name in `#include "name"`; "" of every other line, and of a name that leads out of the folder.
std::string included_name(const std::string& line) {
    static const std::regex directive(R"re(\s*#\s*include\s*"([\w+-][\w.+-]*(?:/[\w+-][\w.+-]*)*)"\s*)re");
    std::smatch found;
    return line.size() < 1000 && std::regex_match(line, found, directive) ? found[1].str() : "";
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

class Reader {
public:
    Reader(const std::string& path, const ReadFile& read) : read_(read) { all_.path = path; }

    Result<ProgramText> file() {
        if (auto status = add(all_.path, 0); !status) return status.error();
        return std::move(all_);
    }

    Result<ProgramText> folder() {
        all_.is_folder = true;
        std::error_code error;
        std::vector<std::string> files;
        for (const fs::directory_entry& entry : fs::directory_iterator(all_.path, error))
            if (entry.path().extension() == ".cu" && entry.is_regular_file(error))
                files.push_back(entry.path().string());
        if (files.empty())
            return make_error(Blame::usage, "no_program", "no .cu file is in " + all_.path, {}, {},
                              "give a .cu file with main(), or the folder that holds it");
        if (files.size() > most_files) return too_long();
        std::ranges::sort(files);
        std::stable_partition(files.begin(), files.end(), [&](const std::string& file) { return !has_main(file); });
        for (const std::string& file : files)
            if (const auto known = read_(file))
                for (const SourceLine& line : source_lines(known->text))
                    if (const std::string name = included_name(line.text); !name.empty())
                        parts_.insert((fs::path(file).parent_path() / name).string());
        for (const std::string& file : files) {
            if (parts_.contains(file)) continue;
            if (auto status = add(file, 0); !status) return status.error();
        }
        return std::move(all_);
    }

private:
    Diagnostic too_long() const {
        return make_error(Blame::usage, "program_too_long", "the files of the program are too much for `run`", {},
                          {fmt::format("at most {} files, and {} bytes in all, are read", most_files, most_bytes)},
                          "leave out what the program does not need");
    }

    bool has_main(const std::string& file) const {
        static const std::regex of_main(R"re((?:^|.*\W)main\s*\(.*)re");
        const auto known = read_(file);
        if (!known) return false;
        const auto lines = source_lines(known->text);
        return std::ranges::any_of(lines, [](const SourceLine& line) {
            return line.text.size() < 1000 && std::regex_match(line.text, of_main);
        });
    }

    void piece(const std::string& path, int line) { all_.pieces.push_back({next_line_, path, line}); }
    void write(const std::string& line) {
        all_.text += line + "\n";
        ++next_line_;
    }

    Status add(const std::string& path, int depth) {
        auto known = read_(path);
        if (!known) return known.error();
        if (depth > most_depth)
            return make_error(Blame::learner, "include_depth", "headers include each other without an end",
                              {{path, 0, 0, 1, ""}}, {}, "begin each header with `#pragma once`");
        if (all_.text.size() + known->text.size() > most_bytes || all_.pieces.size() > 10 * most_files)
            return too_long();
        std::ranges::move(known->notes, std::back_inserter(all_.notes));
        std::vector<std::string> lines = lines_of(known->text);
        for (const SourceLine& line : source_lines(known->text)) {
            const auto at = static_cast<std::size_t>(line.line) - 1;
            static const std::regex of_pragma(R"(\s*#\s*pragma\s+once\s*)");
            if (depth > 0 && line.text.size() < 100 && std::regex_match(line.text, of_pragma)) {
                if (!once_.insert(path).second) return Nothing{};
                lines[at].clear();
            }
        }
        piece(path, 1);
        std::size_t written = 0;
        for (const SourceLine& line : source_lines(known->text)) {
            const std::string name = included_name(line.text);
            const std::string file = (fs::path(path).parent_path() / name).string();
            std::error_code error;
            if (name.empty() || !fs::is_regular_file(file, error)) continue;
            for (const auto at = static_cast<std::size_t>(line.line) - 1; written < at; ++written)
                write(lines[written]);
            ++written;  // the directive
            if (auto status = add(file, depth + 1); !status) return status;
            piece(path, static_cast<int>(written) + 1);
        }
        for (; written < lines.size(); ++written) write(lines[written]);
        return Nothing{};
    }

    const ReadFile& read_;
    ProgramText all_;
    int next_line_ = 1;
    std::set<std::string> once_;   // with `#pragma once`, and in the text
    std::set<std::string> parts_;  // included by others
};

}  // namespace

ProgramText::Piece ProgramText::place_of(int line) const {
    auto piece = std::ranges::upper_bound(pieces, line, {}, &Piece::first);
    if (piece == pieces.begin()) return {line, path, line};
    --piece;
    return {line, piece->path, piece->line + line - piece->first};
}

void ProgramText::place(Diagnostic& finding) const {
    if (!has_several_files()) return;
    const std::string first = finding.marks.empty() ? path : place_of(finding.marks.front().line).path;
    // "line 57", in facts, help and labels.
    const auto renamed = [&](std::string& words) {
        static const std::regex of_line(R"(\bline (\d{1,7})\b)");
        std::string out;
        auto rest = words.cbegin();
        for (std::sregex_iterator found(words.begin(), words.end(), of_line), end; found != end; ++found) {
            const Piece place = place_of(std::stoi((*found)[1].str()));
            out.append(rest, (*found)[0].first);
            out += fmt::format("line {}", place.line);
            if (place.path != first) out += " of " + place.path;
            rest = (*found)[0].second;
        }
        words = out.append(rest, words.cend());
    };
    for (std::string& fact : finding.facts) renamed(fact);
    renamed(finding.help);
    for (SourceMark& mark : finding.marks) {
        renamed(mark.label);
        if (mark.path != path || mark.line == 0) continue;
        const Piece place = place_of(mark.line);
        mark.path = place.path;
        mark.line = place.line;
    }
}

ProgramText text_of_file(const std::string& path, const std::string& text) { return {path, text, {}, {{1, path, 1}}}; }

Result<ProgramText> read_program(const std::string& path, const ReadFile& read) {
    std::error_code error;
    Reader reader(path, read);
    return fs::is_directory(path, error) ? reader.folder() : reader.file();
}

}  // namespace warpgrade::host
