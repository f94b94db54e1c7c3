#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

#include "base/characters.hpp"
#include "base/json_members.hpp"
#include "base/sha256.hpp"
#include "classroom/platform_formats.hpp"

namespace warpgrade::classroom {
namespace {

using Json = nlohmann::ordered_json;

struct Rule {
    const char* code;
    const char* meaning;
    const char* help;
};

// What a message can be about. A code without a row gets one of its own message's.
constexpr std::array rules{
    Rule{"compile", "The file does not compile", "Read the first message: those after it are often its consequence."},
    Rule{"out_of_bounds", "An access of global memory outside every buffer",
         "Compare the index with the size of the buffer, and guard the access."},
    Rule{"out_of_bounds_shared", "An access outside the shared memory of the block",
         "Compare the index with the size of the shared array."},
    Rule{"out_of_bounds_local", "An access outside the local memory of the thread",
         "Compare the index with the size of the array."},
    Rule{"misaligned", "An address that is not a multiple of the access's size",
         "Start a wide access only where the address is a multiple of its width."},
    Rule{"uninitialized", "A read of memory that nothing wrote", "Write the element before it is read."},
    Rule{"race_shared", "Two accesses of one shared element, one of them a write, and nothing orders them",
         "Separate the two by __syncthreads()."},
    Rule{"race_global", "Two accesses of one global element, one of them a write, and nothing orders them",
         "Use an atomic operation, or let one thread write each element."},
    Rule{"barrier_divergence", "A barrier that not all threads of the block reach",
         "Move __syncthreads() out of the branch or the loop that only some threads run."},
    Rule{"inactive_lane", "A warp operation names or reads a lane that takes no part",
         "Name the lanes that take part in the mask."},
    Rule{"host_dereference", "The launcher accesses memory of the GPU", "Access it in a kernel."},
    Rule{"write_to_input", "A store into a buffer that is only to be read", "Write to the output."},
    Rule{"trap", "The kernel stopped itself", "Look for the __trap() that it ran."},
    Rule{"assertion", "An assert() is false", "Look for why the condition is false."},
    Rule{"timeout", "The program did not end in the work that it may take",
         "Look for a loop that does not end, or is far longer than the data."},
    Rule{"unsupported", "Something that the virtual GPU does not have", "No points are lost by it; please report it."},
    Rule{"invalid_launch", "A launch that CUDA would refuse",
         "Check the sizes of the grid, of the block and of shared memory."},
    Rule{"deadlock", "Warps wait for each other and none can go on",
         "Look for what should let the first of them continue."},
    Rule{"invalid_call", "A call of something that a kernel may not call", "Call a __device__ function."},
    Rule{"undefined_operand", "An operand for which the instruction has no meaning",
         "Check the value before the operation."},
    Rule{"wrong", "The output is not the expected one",
         "Run check without --format: it shows which elements are wrong."},
    Rule{"fault", "The program failed on a shape", "Run check without --format: it shows where."},
    Rule{"launch_error", "The launch failed on a shape", "Check the sizes of the grid and of the block."},
    Rule{"technique", "A rule of the stage about memory traffic does not hold",
         "Run explain on the file: it shows what a warp touches, line by line."},
    Rule{"uncoalesced_load", "Loads of a warp touch more sectors than the data need",
         "Let neighbouring threads load neighbouring elements."},
    Rule{"uncoalesced_store", "Stores of a warp touch more sectors than the data need",
         "Let neighbouring threads store neighbouring elements."},
    Rule{"bank_conflict", "Threads of a warp access different words of one bank",
         "Change the layout of the shared array, for example by one more column."},
    Rule{"divergence", "Threads of a warp take different branches", "Let whole warps take one branch."},
    Rule{"not_attempted", "The file is still the stub as it was handed out", "Begin at its first TODO."},
    Rule{"impossible", "A bandwidth that no device has", "A person has to look at the file."},
    Rule{"internal_error", "The kit failed", "No points are lost by it; please report it."}};

const char* level_name(Level level) { return level == Level::note ? "note" : to_string(level).data(); }

Json text_json(const std::string& text) { return {{"text", escape(text.empty() ? "no more is known" : text)}}; }

Json rule_json(const std::string& code, const std::string& meaning, const std::string& help) {
    return {{"id", escape(code)}, {"shortDescription", text_json(meaning)}, {"help", text_json(help)}};
}

// RFC 3986: relative to the folder that the command ran in, or a file's.
std::string uri_of(const std::string& path) {
    std::string uri = path.starts_with('/') ? "file://" : "";
    for (const char c : path) {
        const auto byte = static_cast<unsigned char>(c);
        const bool is_plain =
            (byte < 0x80 && std::isalnum(byte) != 0) || std::string_view("-._~/").find(c) != std::string_view::npos;
        uri += is_plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
    }
    return uri;
}

Json location_json(const ResultStage& stage, int line, int column) {
    Json place{{"artifactLocation", {{"uri", uri_of(stage.source)}}}};
    if (line > 0) place["region"] = {{"startLine", line}};
    if (line > 0 && column > 0) place["region"]["startColumn"] = column;
    return {{"physicalLocation", std::move(place)}};
}

std::string text_of_line(const ResultStage& stage, int line) {
    if (line < 1 || line > std::ssize(stage.source_lines)) return "";
    const std::string& text = stage.source_lines[static_cast<std::size_t>(line - 1)];
    const auto begin = text.find_first_not_of(" \t\r"), end = text.find_last_not_of(" \t\r");
    return begin == std::string::npos ? "" : text.substr(begin, end + 1 - begin);
}

// The same when lines are added above; a second one of the same line is apart.
std::string fingerprint(const ResultStage& stage, const ResultMessage& message, std::map<std::string, int>& seen) {
    Sha256 digest;
    digest.add_field(message.code);
    digest.add_field(stage.name);
    digest.add_field(text_of_line(stage, message.line));
    const std::string hex = digest.hex().substr(0, 32);
    return fmt::format("{}:{}", hex, ++seen[hex]);
}

}  // namespace

std::string sarif_document(const Json& result) {
    Json known = Json::array(), results = Json::array(), notifications = Json::array();
    std::map<std::string, std::size_t> index;
    const auto index_of = [&](const ResultMessage& message) {
        const auto [at, is_new] = index.try_emplace(message.code, known.size());
        if (is_new) known.push_back(rule_json(message.code, message.text, message.help));
        return at->second;
    };
    for (const Rule& rule : rules) {
        index.emplace(rule.code, known.size());
        known.push_back(rule_json(rule.code, rule.meaning, rule.help));
    }
    std::map<std::string, int> seen;
    for (const ResultStage& stage : stages_of(result)) {
        for (const ResultMessage& message : stage.messages) {
            std::string text = message.text;
            if (!message.help.empty()) text += "; try: " + message.help;
            // Of the run, not of the file.
            if (stage.is_pending || !stage.error_code.empty()) {
                notifications.push_back({{"level", level_name(message.level)},
                                         {"message", text_json(stage.name + ": " + text)},
                                         {"descriptor", {{"id", escape(message.code)}}},
                                         {"locations", Json::array({location_json(stage, 0, 0)})}});
                continue;
            }
            const std::size_t rule = index_of(message);
            Json one{{"ruleId", escape(message.code)},
                     {"ruleIndex", rule},
                     {"level", level_name(message.level)},
                     {"message", text_json(text)},
                     {"locations", Json::array({location_json(stage, message.line, message.column)})}};
            if (message.other_line > 0) {
                Json other = location_json(stage, message.other_line, 0);
                other["message"] = text_json("the other access");
                one["relatedLocations"] = Json::array({std::move(other)});
            }
            one["partialFingerprints"] = {{"warpgrade/v1", fingerprint(stage, message, seen)}};
            results.push_back(std::move(one));
        }
    }
    Json driver{{"name", "warpgrade"}};
    if (const std::string version = text_in(member(result, "tool"), "version"); !version.empty())
        driver["semanticVersion"] = version;
    driver["rules"] = std::move(known);
    Json invocation{{"executionSuccessful", notifications.empty()}};
    if (!notifications.empty()) invocation["toolExecutionNotifications"] = std::move(notifications);
    Json run{{"tool", {{"driver", std::move(driver)}}},
             {"invocations", Json::array({std::move(invocation)})},
             {"columnKind", "utf16CodeUnits"},
             {"results", std::move(results)}};
    return document_text({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                          {"version", "2.1.0"},
                          {"runs", Json::array({std::move(run)})}});
}

}  // namespace warpgrade::classroom
