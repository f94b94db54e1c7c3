#include "classroom/feedback_archive.hpp"

#include <array>

#include "base/files.hpp"
#include "classroom/utf8.hpp"

namespace warpgrade::classroom {
namespace {

std::uint32_t crc32(std::string_view bytes) {
    static const auto table = [] {
        std::array<std::uint32_t, 256> all{};
        for (std::uint32_t i = 0; i < 256; ++i) {
            std::uint32_t value = i;
            for (int bit = 0; bit < 8; ++bit) value = value & 1 ? 0xEDB88320u ^ value >> 1 : value >> 1;
            all[i] = value;
        }
        return all;
    }();
    std::uint32_t crc = 0xFFFFFFFFu;
    for (const char c : bytes) crc = table[(crc ^ static_cast<unsigned char>(c)) & 0xFF] ^ crc >> 8;
    return ~crc;
}

void put(std::string& out, std::uint32_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xFF);
}

constexpr std::uint32_t utf8_names = 0x0800;    // general purpose bit 11 (APPNOTE 4.4.4)
constexpr std::uint32_t date_of_1980 = 0x0021;  // the first that there is

// What both headers of a file have in common (APPNOTE 4.3.7, 4.3.12).
void put_facts(std::string& out, const std::string& name, std::string_view bytes) {
    put(out, 20, 2);
    put(out, utf8_names, 2);
    put(out, 0, 2);
    put(out, 0, 2);
    put(out, date_of_1980, 2);
    put(out, crc32(bytes), 4);
    put(out, static_cast<std::uint32_t>(bytes.size()), 4);
    put(out, static_cast<std::uint32_t>(bytes.size()), 4);
    put(out, static_cast<std::uint32_t>(name.size()), 2);
    put(out, 0, 2);
}

// Where the platform looks for what is given back.
std::string place_of(const PlatformTable& file, std::size_t row, const ExportStudent& student) {
    if (file.platform == Platform::moodle) {
        std::string number, name;
        for (std::size_t i = 0; i < file.table.rows[file.header].cells.size(); ++i) {
            const std::string title = squeezed(file.table.value(file.header, i));
            const std::string cell = file.table.value(row, i);
            if (title == "identifier" || title == "id" || title == "identifiant")
                number = cell.substr(cell.find_last_not_of("0123456789") + 1);
            if (title == "fullname" || title == "vollstandigername" || title == "nomcomplet" ||
                title == "nombrecompleto")
                name = cell;
        }
        return name + "_" + number + "_assignsubmission_file_/report.pdf";
    }
    const std::string hand_in = student.hand_ins.empty() ? student.id : student.hand_ins.back();
    const auto slash = hand_in.rfind('/');
    const std::string above = slash == std::string::npos ? "" : hand_in.substr(0, slash + 1);
    const std::string own = slash == std::string::npos ? hand_in : hand_in.substr(slash + 1);
    if (file.platform == Platform::sakai) return hand_in + "/Feedback Attachment(s)/report.pdf";
    const LmsName name = parse_lms_name(own);
    const bool is_file = !name.rest.empty() && own.ends_with(name.rest);
    if (is_file) return above + own.substr(0, own.size() - name.rest.size()) + "report.pdf";
    return hand_in + "/report.pdf";
}

}  // namespace

std::string zip_of(const std::vector<std::pair<std::string, std::string>>& files) {
    std::string out, directory;
    for (const auto& [name, bytes] : files) {
        const auto begin = static_cast<std::uint32_t>(out.size());
        put(out, 0x04034b50, 4);
        put_facts(out, name, bytes);
        out += name + bytes;
        put(directory, 0x02014b50, 4);
        put(directory, 20, 2);
        put_facts(directory, name, bytes);
        put(directory, 0, 2);
        put(directory, 0, 2);
        put(directory, 0, 2);
        put(directory, 0, 4);
        put(directory, begin, 4);
        directory += name;
    }
    const auto begin = static_cast<std::uint32_t>(out.size());
    out += directory;
    put(out, 0x06054b50, 4);
    put(out, 0, 4);
    put(out, static_cast<std::uint32_t>(files.size()), 2);
    put(out, static_cast<std::uint32_t>(files.size()), 2);
    put(out, static_cast<std::uint32_t>(directory.size()), 4);
    put(out, begin, 4);
    put(out, 0, 2);
    return out;
}

Result<FeedbackArchive> feedback_archive(const PlatformTable& file,
                                         const std::vector<std::pair<std::size_t, const ExportStudent*>>& rows,
                                         const std::filesystem::path& folder) {
    std::vector<std::pair<std::string, std::string>> files;
    for (const auto& [row, student] : rows)
        if (auto pdf = read_whole_file(folder / "reports" / student->file / "report.pdf", 64ull << 20))
            files.emplace_back(place_of(file, row, *student), std::move(*pdf));
    if (files.empty())
        return Diagnostic{.blame = Blame::usage,
                          .code = "no_reports",
                          .title = "there are no reports to give back",
                          .marks = {},
                          .facts = {},
                          .help = "run `grade` without --no-reports first"};
    return FeedbackArchive{zip_of(files), files.size()};
}

}  // namespace warpgrade::classroom
