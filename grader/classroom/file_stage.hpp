// Which stage a file is for: by its name with all that people and platforms add to one, and else by what is in it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "course/assignment.hpp"

namespace warpgrade::classroom {

// How a file's name says its stage, the surest first.
enum class NameMatch {
    exactly,    // 4_padding.cu
    decorated,  // 4_padding (1).cu, 04-padding_v2.cu, transpose_4_padding.cu, 4padding.cu.txt
    by_id,      // padding.cu, padding_final.cu
};

struct NamedStage {
    const Stage* stage = nullptr;
    NameMatch how = NameMatch::exactly;
};

struct NameReading {
    std::vector<NamedStage> stages;  // all that fit as well as the best
    std::string contradiction;       // "its number is 5, and `padding` is stage 4"; then no stage
    bool is_set_aside = false;       // "4_padding_old.cu": its own name says that it is not what counts
    std::optional<int> number;       // "stage4.cu": the only number of a name that has no stage's id
};
// `name`: without folders.
NameReading read_name(const std::vector<Assignment>& course, const std::string& name);

// "old", "backup", ..., or an editor's "4_padding.cu~": of a file or of a folder.
bool says_set_aside(const std::string& name);

// Also source text that is not called .cu: it has kernels.
bool is_cuda_text(std::string_view text);

// What the text is of: the assignments whose launcher it defines, and the stage that its first line or its kernel's
// name gives away. `stubs`: the text of each stage's stub.
struct StubWords {
    const Stage* stage = nullptr;
    std::string first_line;              // of the stub
    std::vector<std::string> kernels;    // defined in it and in no other stage's, and called as the stage is
    std::vector<std::string> launchers;  // host functions defined in it
};
std::vector<StubWords> words_of_stubs(const std::vector<Assignment>& course);

struct ContentReading {
    std::vector<const Stage*> stages;         // that first line or kernels are of
    std::vector<std::string> assignments;     // whose launcher is defined in it
    std::vector<const Stage*> with_launcher;  // stages whose own stub has a launcher of that name
};
ContentReading read_content(const std::vector<StubWords>& stubs, std::string_view text);

}  // namespace warpgrade::classroom
