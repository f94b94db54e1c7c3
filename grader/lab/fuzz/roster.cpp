// A roster, and the hand-ins that are looked up in it: an instructor's file, exported by who knows what.
#include "classroom/roster.hpp"
#include "classroom/csv.hpp"
#include "classroom/lms_names.hpp"
#include "classroom/utf8.hpp"
#include "target.hpp"

using namespace warpgrade;
using namespace warpgrade::classroom;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::text_of(data, size);
    (void)parse_gradescope_metadata(std::string(text));
    const auto roster = parse_roster(text, "roster.csv");
    const auto table = parse_csv(text, "roster.csv");
    if (!table) return 0;
    for (const CsvRow& row : table->rows) {
        (void)csv_line(row);
        for (const std::string& cell : row) {
            (void)safe_cell(cell);
            (void)file_name_for(cell);
            const LmsName name = parse_lms_name(cell);
            if (roster) (void)find_student(*roster, name.person);
        }
    }
    return 0;
}
