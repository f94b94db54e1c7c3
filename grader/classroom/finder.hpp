// Hand-ins in the folders, archives and files that were named: whose each is, as far as names say.
#pragma once

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "classroom/layout.hpp"

namespace warpgrade::classroom {

// What a folder or an archive looks like from its entries.
struct Look {
    int work = 0;    // stages' files directly inside, or folders of an assignment that have them
    int people = 0;  // entries that are called as somebody is
    int plain = 0;   // folders and archives that may be anybody's
    int plain_with_work = 0;
    int loose = 0;                                       // stages' files with somebody's name in theirs
    std::map<std::string, std::set<std::string>> rests;  // what else their names say, by stage
    // Files of one stage with other words in each name are of as many people, known or not; a student who keeps several
    // versions of each calls one of them as it should be.
    bool is_of_several() const {
        return std::any_of(rests.begin(), rests.end(),
                           [](const auto& one) { return one.second.size() > 2 && !one.second.contains(""); });
    }
    bool is_class() const { return people > 0 || loose > 0; }
};

class Finder {
public:
    Finder(const std::vector<Assignment>& course, const Roster& roster, const std::filesystem::path& scratch,
           Discovery& discovery)
        : course_(course), roster_(roster), scratch_(scratch), discovery_(discovery) {}

    Status add_path(const std::string& path);

private:
    Status look_at(Node& node, int depth, Look& look);
    Status add_class(Node& node, const std::string& container, int depth);
    Status add_entry(Node& child, const std::string& container, int depth);
    void add_hand_in(Node&& node, const std::string& container, const LmsName& name,
                     const std::vector<Person>* people = nullptr, std::optional<HandInTime> time = {});
    void add_loose_file(Node&& node, const std::string& container);
    void read_metadata(const Node& node);
    void read_receipt(const Node& node, const std::string& container);
    void add_receipt(const Node& node, const std::string& container, const LmsName& name);
    bool is_stage_file(const Node& node) const;
    bool is_folder_of_work(const std::string& name) const;
    // Called as a platform calls people, or as somebody on the roster is called.
    bool is_person(const std::string& stem) const;
    std::string shown(const std::string& container, const Node& node) const {
        return container.empty() ? node.name : container + "/" + node.name;
    }

    const std::vector<Assignment>& course_;
    const Roster& roster_;
    const std::filesystem::path& scratch_;
    Discovery& discovery_;
    std::map<std::string, GradescopeFolder> gradescope_;  // of the class that is being read
    std::map<std::string, Person> receipts_;              // Blackboard's, by the attempt's name
};

std::string stem_of(const Node& node);

}  // namespace warpgrade::classroom
