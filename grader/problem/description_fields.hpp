// What the keys of a problem.toml hold: words, names, expressions, and the shapes made of those. What is wrong is
// reported.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/near_names.hpp"
#include "base/toml_reader.hpp"
#include "problem/description.hpp"

namespace warpgrade {

// One word of a few. The first is what stands where the key is left out.
std::string choice(TomlTable& table, const char* key, bool is_required, const std::vector<std::string>& words,
                   TomlErrors& errors);
// `at` of a [[mistake]].
MistakePlace mistake_place(TomlTable& table, TomlErrors& errors);
// A name that CUDA C++ can have.
void identifier(const std::string& word, const toml::node* node, TomlErrors& errors);

// An expression is text, or a whole number that stands for itself.
std::vector<std::string> expressions(const toml::node* node, const char* key, TomlErrors& errors);
std::string expression(TomlTable& table, const char* key, bool is_required, TomlErrors& errors);
// `reals`: where those that are no whole numbers go; without it they are wrong.
std::map<std::string, std::int64_t> whole_numbers(TomlTable& table, const char* key, TomlErrors& errors,
                                                  std::map<std::string, double>* reals = nullptr);

// [shapes]
void read_all_shapes(TomlTable& root, ProblemDescription& problem, TomlErrors& errors);

}  // namespace warpgrade
