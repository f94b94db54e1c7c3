#include "classroom/identities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>

#include "base/files.hpp"
#include "base/json_text.hpp"
#include "base/sha256.hpp"

namespace warpgrade::classroom {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* schema = "warpgrade.identities/1";

constexpr std::array<std::string_view, 40> colours{
    "amber",  "ash",     "azure", "beige", "bronze",  "carmine", "cedar",  "cobalt", "copper", "coral",
    "cream",  "crimson", "cyan",  "ebony", "emerald", "fawn",    "golden", "green",  "grey",   "hazel",
    "indigo", "ivory",   "jade",  "khaki", "lemon",   "lilac",   "lime",   "maroon", "mauve",  "olive",
    "opal",   "peach",   "pearl", "plum",  "rose",    "ruby",    "rust",   "sable",  "silver", "teal"};
constexpr std::array<std::string_view, 40> animals{
    "badger", "beaver", "bison", "crane",  "curlew", "dingo", "dolphin", "eagle",   "egret",  "falcon",
    "ferret", "finch",  "gecko", "gibbon", "heron",  "ibex",  "jackdaw", "koala",   "lemur",  "lynx",
    "magpie", "marten", "newt",  "ocelot", "otter",  "owl",   "panda",   "pelican", "puffin", "quail",
    "raven",  "seal",   "shrew", "stoat",  "swift",  "tapir", "tern",    "vole",    "wren",   "zebra"};

std::size_t number_from(const std::string& hex, std::size_t at) { return std::stoul(hex.substr(at, 6), nullptr, 16); }

Json json_of(const Identity& one) {
    Json json{{"pseudonym", one.pseudonym}, {"id", one.student.id},          {"name", one.student.name},
              {"email", one.student.email}, {"on_roster", one.is_on_roster}, {"role", one.student.role},
              {"cells", one.student.cells}, {"hand_ins", one.hand_ins},      {"said", one.said}};
    json["keys"] = Json::array();
    for (const Key& key : one.student.keys)
        json["keys"].push_back({{"kind", static_cast<int>(key.kind)}, {"text", key.text}});
    return json;
}

Identity identity_from(const Json& json) {
    Identity one;
    one.pseudonym = json.at("pseudonym").get<std::string>();
    one.student.id = json.at("id").get<std::string>();
    one.student.name = json.at("name").get<std::string>();
    one.student.email = json.at("email").get<std::string>();
    one.student.role = json.value("role", "");
    one.student.cells = json.at("cells").get<CsvRow>();
    one.is_on_roster = json.at("on_roster").get<bool>();
    one.hand_ins = json.at("hand_ins").get<std::vector<std::string>>();
    one.said = json.at("said").get<std::vector<std::string>>();
    for (const Json& key : json.at("keys"))
        add_key(one.student.keys, static_cast<Key::Kind>(key.at("kind").get<int>()), key.at("text").get<std::string>());
    return one;
}

// The same for the same hand-in, whoever's it is.
std::string token_for(const std::string& salt, const std::string& hand_in) {
    return hand_in.starts_with("hand-in ") ? hand_in : "hand-in " + sha256_hex(salt + "\n" + hand_in).substr(0, 10);
}

Identity& identity_of(Identities& identities, const Submission& submission) {
    for (Identity& one : identities.all)
        if (one.student.id == submission.student.id) return one;
    std::set<std::string> taken;
    for (const Identity& one : identities.all) taken.insert(one.pseudonym);
    Identity one;
    one.pseudonym = pseudonym_for(identities.salt, submission.student.id, taken);
    identities.all.push_back(std::move(one));
    return identities.all.back();
}

void move_sentences(Submission& submission, Identity& identity) {
    identity.said = submission.notes;
    const auto move = [&](std::string& text) {
        if (text.empty()) return;
        identity.said.push_back(text);
        text = said_elsewhere;
    };
    for (std::string& question : submission.questions) move(question);
    if (submission.questions.size() > 1) submission.questions.resize(1);
    for (auto& [stage, why] : submission.unclear) {
        identity.said.push_back(stage + ": " + why);
        why = said_elsewhere;
    }
    move(submission.problem);
    move(submission.doubt);
    submission.notes.clear();
    submission.decisions.clear();
}

}  // namespace

const Identity* Identities::of_id(const std::string& id) const {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Identity& one) { return one.student.id == id; });
    return found == all.end() ? nullptr : &*found;
}

const Identity* Identities::of_pseudonym(const std::string& pseudonym) const {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Identity& one) { return one.pseudonym == pseudonym; });
    return found == all.end() ? nullptr : &*found;
}

Roster Identities::roster() const {
    Roster roster{columns, {}};
    for (const Identity& one : all)
        if (one.is_on_roster) roster.students.push_back(one.student);
    return roster;
}

Result<std::optional<Identities>> read_identities(const std::filesystem::path& folder) {
    std::error_code error;
    const auto path = folder / identities_file;
    if (!std::filesystem::exists(path, error)) return std::optional<Identities>();
    const auto text = read_whole_file(path, 256ull << 20);
    if (!text) return text.error();
    try {
        const Json json = Json::parse(*text);
        Identities identities;
        if (json.at("schema").get<std::string>() != schema) throw std::invalid_argument("another schema");
        identities.salt = json.at("salt").get<std::string>();
        identities.columns = json.at("columns").get<CsvRow>();
        identities.said = json.at("said").get<std::vector<std::string>>();
        for (const Json& one : json.at("students")) identities.all.push_back(identity_from(one));
        return std::optional(std::move(identities));
    } catch (const std::exception&) {
        return Diagnostic{.blame = Blame::usage,
                          .code = "bad_identities",
                          .title = fmt::format("`{}` cannot be read", path.string()),
                          .marks = {},
                          .facts = {"without it nobody knows whose the marks in this folder are"},
                          .help = "put back the file as `grade --pseudonyms` wrote it"};
    }
}

Status write_identities(const std::filesystem::path& folder, const Identities& identities) {
    Json json{
        {"schema", schema}, {"salt", identities.salt}, {"columns", identities.columns}, {"said", identities.said}};
    json["students"] = Json::array();
    for (const Identity& one : identities.all) json["students"].push_back(json_of(one));
    return replace_file(folder / identities_file, json_text(json, 1) + "\n");
}

Identities new_identities() {
    std::random_device draw;
    Identities identities;
    for (int i = 0; i < 4; ++i) identities.salt += fmt::format("{:08x}", draw());
    return identities;
}

std::string pseudonym_for(const std::string& salt, const std::string& id, const std::set<std::string>& taken) {
    const std::string hex = sha256_hex(salt + "\n" + id);
    const std::string words = fmt::format("{}-{}", colours[number_from(hex, 0) % colours.size()],
                                          animals[number_from(hex, 6) % animals.size()]);
    std::string pseudonym = words;
    for (int number = 2; taken.contains(pseudonym); ++number) pseudonym = fmt::format("{}-{}", words, number);
    return pseudonym;
}

void take_names_out(std::vector<Submission>& submissions, Roster& roster, Identities& identities) {
    identities.columns = roster.columns;
    for (Submission& submission : submissions) {
        Identity& identity = identity_of(identities, submission);
        identity.student = submission.student;
        identity.is_on_roster = submission.is_on_roster;
        for (const HandIn& hand_in : submission.hand_ins)
            if (std::find(identity.hand_ins.begin(), identity.hand_ins.end(), hand_in.shown) == identity.hand_ins.end())
                identity.hand_ins.push_back(hand_in.shown);
        submission.student = {};
        submission.student.role = identity.student.role;
        submission.student.id = identity.pseudonym;
        submission.student.cells = {identity.pseudonym};
        for (HandIn& hand_in : submission.hand_ins) {
            hand_in.shown = token_for(identities.salt, hand_in.shown);
            hand_in.container.clear();
            hand_in.people.clear();
            hand_in.parts.clear();
            hand_in.part_names.clear();
        }
        for (auto& [stage, source] : submission.sources) {
            source.hand_in = token_for(identities.salt, source.hand_in);
            source.path = stage.substr(stage.find('/') + 1) + ".cu";
        }
        move_sentences(submission, identity);
    }
    // The roster's order would say who is who.
    std::sort(submissions.begin(), submissions.end(),
              [](const Submission& a, const Submission& b) { return a.student.id < b.student.id; });
    roster = {{"pseudonym"}, {}};
}

std::string id_inside(const std::filesystem::path& folder, const std::string& id) {
    const auto identities = read_identities(folder);
    if (!identities || !*identities) return id;
    const Identity* one = (*identities)->of_id(id);
    return one == nullptr ? id : one->pseudonym;
}

Status join_identities(const std::filesystem::path& folder, ExportMarks& marks) {
    const auto identities = read_identities(folder);
    if (!identities) return identities.error();
    if (!*identities) return Nothing{};
    for (ExportStudent& one : marks.students) {
        const Identity* known = (*identities)->of_pseudonym(one.id);
        if (known == nullptr) continue;
        one.id = known->student.id;
        one.name = known->student.name;
        one.keys = known->student.keys;
        one.hand_ins = known->hand_ins;
        std::string said;
        for (const std::string& text : known->said) said += (said.empty() ? "" : "; ") + text;
        if (!said.empty()) one.notes = said + (one.notes.empty() ? "" : "; " + one.notes);
    }
    return Nothing{};
}

}  // namespace warpgrade::classroom
