// Names that somebody chose for a folder, an archive or a file, and what of them is a person's: all that is left when
// the words of a course ("hw3", "week 2", "final"), a date, a stage's name, and what every name beside it begins with
// are taken away. What is left is a person's only as a whole.
#pragma once

#include <string>
#include <vector>

#include "classroom/hand_in.hpp"
#include "course/assignment.hpp"

namespace warpgrade::classroom {

// What stands between the first and the last word that is no course's.
std::string without_course_words(const std::string& name, const std::vector<Assignment>& course);
// True where only words of a course are there: it can be nobody's name.
bool says_nobody(const std::string& name, const std::vector<Assignment>& course);

// "annlee_4_padding (1).cu" -> "annlee"; empty where nothing is left.
std::string without_stage(const std::string& file_name, const std::vector<Assignment>& course);

// Of the hand-ins from `first` on that are in the container: Blackboard's, whose names all begin with the assignment's
// title, and those with names that somebody chose.
void settle_titles(std::vector<HandIn>& hand_ins, std::size_t first, const std::string& container);
// Moodle's, whose names all have the name of a team before the person's: "Group A-Ann Lee".
void settle_teams(std::vector<HandIn>& hand_ins, std::size_t first, const std::string& container);
void settle_prefixes(std::vector<HandIn>& hand_ins, std::size_t first, const std::string& container,
                     const std::vector<Assignment>& course);

// The words of a name, without what stands between them.
std::vector<std::string> words_in(const std::string& name);

}  // namespace warpgrade::classroom
