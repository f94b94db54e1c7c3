// What other programs and platforms read, each as one text made of a result JSON ("warpgrade.result/1"). All are valid
// documents whatever the result holds: text of the submission's is escaped, control characters are shown as \x1b.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "classroom/result_tests.hpp"

namespace warpgrade::classroom {

// results.json, with a top-level score of 0 where no test has one.
std::string gradescope_document(const nlohmann::ordered_json& result);

// results.json of an external grader (PrairieLearn documentation, "External grading"); at most 1 MB, which is what it
// takes. Not gradable, so that no attempt is used up, where a stage has no mark.
std::string prairielearn_document(const nlohmann::ordered_json& result);

// JUnit XML (junit-10.xsd of Jenkins' xUnit plugin, with `file` and `line` of a test case beside it, as other programs
// read them). A suite a stage, a case for the compilation, each shape, each rule and the bandwidth. `error` is what is
// not the submission's: a file that cannot be read, a defect of the kit.
std::string junit_document(const nlohmann::ordered_json& result);

// SARIF 2.1.0 (OASIS), one run. Fingerprints are of the code, the stage and the text of the line.
std::string sarif_document(const nlohmann::ordered_json& result);

// Workflow commands of GitHub Actions: at most 10 errors, 10 warnings and 10 notices, which is what a step may have.
std::string github_commands(const nlohmann::ordered_json& result);
// A table in Markdown, for the file that $GITHUB_STEP_SUMMARY names.
std::string github_summary(const nlohmann::ordered_json& result);

// One sentence on a stage without a mark.
std::string not_graded_text(const ResultStage& stage);

// As a file holds it.
std::string document_text(const nlohmann::ordered_json& json);

}  // namespace warpgrade::classroom
