// The text of a program: a file, or all of a folder, with the headers beside it, as one text.
//
// Theory of operation. A line `#include "x.h"` becomes the lines of x.h, if that file is beside the one that names it
// or below it. The .cu files of a folder follow each other, the one with main() last. Everything that reads the text
// sees its lines; `Piece` says which line of which file each of them is, and what is told names that one.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/result.hpp"
#include "compile/compiler.hpp"

namespace warpgrade::host {

struct ProgramText {
    std::string path;  // what stands for all of it in messages and in the PTX
    std::string text;
    std::vector<CompilerMessage> notes;  // of read_source_file
    struct Piece {
        int first = 0;  // line of `text`, from which on
        std::string path;
        int line = 0;  // of that file
    };
    std::vector<Piece> pieces;  // by `first`; at least one
    bool is_folder = false;

    bool has_several_files() const { return pieces.size() > 1; }
    Piece place_of(int line) const;
    // Marks, and lines that the words name, as those of the files.
    void place(Diagnostic& finding) const;
};

ProgramText text_of_file(const std::string& path, const std::string& text);

using ReadFile = std::function<Result<SourceFile>(const std::string& path)>;

// Error: usage or the learner's (no such file, no .cu in the folder, headers that include each other, too long a text).
Result<ProgramText> read_program(const std::string& path, const ReadFile& read);

}  // namespace warpgrade::host
