#include "classroom/hand_in_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <regex>

#include "classroom/utf8.hpp"

namespace warpgrade::classroom {
namespace {

// The first letters of a month's name, without accents, in the languages that platforms write them in.
struct Month {
    std::string_view begins;
    int number;
};
constexpr std::array<Month, 28> months{{{"jan", 1},  {"ene", 1},  {"feb", 2},  {"fev", 2},  {"mar", 3},  {"maer", 3},
                                        {"apr", 4},  {"abr", 4},  {"avr", 4},  {"may", 5},  {"mai", 5},  {"jun", 6},
                                        {"juin", 6}, {"juil", 7}, {"jul", 7},  {"aug", 8},  {"aou", 8},  {"ago", 8},
                                        {"sep", 9},  {"oct", 10}, {"okt", 10}, {"out", 10}, {"nov", 11}, {"dec", 12},
                                        {"dez", 12}, {"dic", 12}, {"set", 9},  {"gen", 1}}};

int month_named(const std::string& word) {
    const std::string plain = squeezed(word);
    for (const Month& month : months)
        if (plain.starts_with(month.begins)) return month.number;
    return 0;
}

// The bytes of words, hours and so on as numbers; 0 where there are none.
int captured_number(const std::csub_match& match) { return match.matched ? std::stoi(match.str()) : 0; }

std::optional<HandInTime> instant(int year, int month, int day, int hour, int minute, int second) {
    using namespace std::chrono;
    const year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                              std::chrono::day(static_cast<unsigned>(day))};
    if (!date.ok() || year < 1990 || year > 2200 || hour > 23 || minute > 59 || second > 60) return std::nullopt;
    const auto days = sys_days(date).time_since_epoch();
    return HandInTime{duration_cast<seconds>(days).count() + hour * 3600 + minute * 60 + second};
}

// "-05:00", "+0100"; "Z" and "UTC" are 0.
std::optional<int> offset_in(const std::string& text) {
    static const std::regex form(R"(([+-])(\d{2}):?(\d{2}))");
    if (text == "Z" || text == "UTC") return 0;
    std::smatch match;
    if (!std::regex_match(text, match, form)) return std::nullopt;
    const int offset = std::stoi(match[2].str()) * 3600 + std::stoi(match[3].str()) * 60;
    return match[1].str() == "-" ? -offset : offset;
}

int hour_of_day(int hour, const std::string& half) {
    if (half.empty()) return hour;
    if (hour > 12) return 24;  // no hour at all
    const bool is_afternoon = half[0] == 'p' || half[0] == 'P';
    return hour % 12 + (is_afternoon ? 12 : 0);
}

// A clock behind a date: "1159 PM", "11:59:10 PM", "23.59", "T23:59:10.000Z".
constexpr const char* clock_after_words =
    R"((?:[ ,]+(?:at )?(\d{1,2})[:.]?(\d{2})(?:[:.](\d{2}))?(?: ?([AaPp])\.?[Mm]\b\.?)?)?)";

std::optional<FoundTime> in_words(std::string_view text) {
    static const std::regex month_first(std::string(R"(([A-Za-z\x80-\xff]{3,12})\.? (\d{1,2}),? (\d{4}))") +
                                        clock_after_words);
    static const std::regex day_first(std::string(R"((\d{1,2})\.? ([A-Za-z\x80-\xff]{3,12})\.?,? (\d{4}))") +
                                      clock_after_words);
    std::optional<FoundTime> found;
    for (const bool is_day_first : {false, true}) {
        std::cmatch match;
        if (!std::regex_search(text.data(), text.data() + text.size(), match, is_day_first ? day_first : month_first))
            continue;
        const int month = month_named(match[is_day_first ? 2 : 1].str());
        if (month == 0) continue;
        const auto time = instant(captured_number(match[3]), month, captured_number(match[is_day_first ? 1 : 2]),
                                  hour_of_day(captured_number(match[4]), match[7].str()), captured_number(match[5]),
                                  captured_number(match[6]));
        const auto begin = static_cast<std::size_t>(match.position(0));
        if (time && (!found || begin < found->begin))
            found = FoundTime{*time, begin, begin + static_cast<std::size_t>(match.length(0))};
    }
    return found;
}

std::optional<FoundTime> digits_in(std::string_view text) {
    static const std::regex dashed(
        R"((?:^|[^0-9])(\d{4})-(\d{2})-(\d{2})(?:[-T _](\d{2})[-:.]?(\d{2})(?:[-:.]?(\d{2})(?:\.\d+)?)?)?(?: ?(Z|UTC|[+-]\d{2}:?\d{2}))?(?![0-9]))");
    static const std::regex packed(R"((?:^|[^0-9])(20\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(?:\d{3})?(?![0-9]))");
    for (const std::regex* form : {&dashed, &packed}) {
        std::cmatch match;
        if (!std::regex_search(text.data(), text.data() + text.size(), match, *form)) continue;
        auto time = instant(captured_number(match[1]), captured_number(match[2]), captured_number(match[3]),
                            captured_number(match[4]), captured_number(match[5]), captured_number(match[6]));
        if (!time) continue;
        const std::string zone = form == &dashed ? match[7].str() : "";
        if (!zone.empty()) {
            time->zone = offset_in(zone).value_or(0);
            time->seconds -= *time->zone;
        }
        const auto begin = static_cast<std::size_t>(match.position(1));
        return FoundTime{*time, begin, static_cast<std::size_t>(match.position(0) + match.length(0))};
    }
    return std::nullopt;
}

// Sets the process's time zone until the end of the block. Other threads must not ask for local times meanwhile.
class WithZone {
public:
    explicit WithZone(const std::string& name) {
        if (const char* before = std::getenv("TZ")) before_ = before;
        setenv("TZ", name.c_str(), 1);
        tzset();
    }
    ~WithZone() {
        before_ ? setenv("TZ", before_->c_str(), 1) : unsetenv("TZ");
        tzset();
    }
    WithZone(const WithZone&) = delete;
    WithZone& operator=(const WithZone&) = delete;

private:
    std::optional<std::string> before_;
};

// A unit of time by the first letters of its word, without accents, in the languages of `months`.
struct Unit {
    std::string_view begins;
    std::int64_t seconds;
};
constexpr std::int64_t minute = 60, hour = 60 * minute, day = 24 * hour, week = 7 * day, year = 365 * day;
constexpr std::array<Unit, 23> units{
    {{"year", year}, {"jahr", year},  {"an", year},     {"week", week}, {"woche", week}, {"semaine", week},
     {"sem", week},  {"setti", week}, {"day", day},     {"tag", day},   {"jour", day},   {"dia", day},
     {"giorn", day}, {"hour", hour},  {"stunde", hour}, {"std", hour},  {"heure", hour}, {"hora", hour},
     {"ora", hour},  {"ore", hour},   {"min", minute},  {"sec", 1},     {"sek", 1}}};
constexpr std::array<std::string_view, 7> words_for_late{"late",   "verspat", "zuspat", "retard",
                                                         "retras", "tarde",   "ritard"};

std::int64_t unit_named(const std::string& word) {
    const std::string plain = squeezed(word);
    for (const Unit& unit : units)
        if (plain.starts_with(unit.begins)) return unit.seconds;
    return 0;
}

}  // namespace

std::optional<std::int64_t> seconds_between(const HandInTime& due, const HandInTime& time) {
    if (time.zone && !due.zone) return std::nullopt;
    return time.zone ? time.seconds - due.seconds : time.on_the_wall() - due.on_the_wall();
}

Result<TimeZone> TimeZone::named(const std::string& text) {
    TimeZone zone;
    if (const auto offset = offset_in(text)) {
        zone.offset_seconds_ = *offset;
        return zone;
    }
    const auto is_letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' || c == '_' ||
               c == '-' || c == '+';
    };
    std::error_code error;
    const bool is_name = !text.empty() && text.front() != '/' && std::all_of(text.begin(), text.end(), is_letter);
    if (is_name && std::filesystem::is_regular_file("/usr/share/zoneinfo/" + text, error)) {
        zone.name_ = text;
        return zone;
    }
    return Diagnostic{.blame = Blame::usage,
                      .code = "unknown_zone",
                      .title = fmt::format("this machine knows no time zone `{}`", text),
                      .marks = {},
                      .facts = {},
                      .help = "write a name such as America/New_York, or what its clock is ahead of UTC: -05:00"};
}

HandInTime TimeZone::of(const HandInTime& on_the_wall) const {
    if (on_the_wall.zone) return on_the_wall;
    int offset = offset_seconds_;
    if (!name_.empty()) {
        const WithZone with(name_);
        const auto shown = static_cast<std::time_t>(on_the_wall.seconds);
        std::tm clock{};
        gmtime_r(&shown, &clock);
        clock.tm_isdst = -1;  // whether it is summer there is what the zone says
        offset = static_cast<int>(on_the_wall.seconds - std::mktime(&clock));
    }
    return {on_the_wall.seconds - offset, offset};
}

std::optional<std::int64_t> lateness_in(std::string_view text) {
    constexpr std::size_t longest = 512;  // of what is looked through: std::regex is recursive
    text = text.substr(0, longest);
    static const std::regex clock(R"(\s*(\d{1,6}):(\d{2}):(\d{2})\s*)");
    static const std::regex part(R"((\d{1,6}) ?([A-Za-z\x80-\xff]+))");
    std::cmatch match;
    if (std::regex_match(text.data(), text.data() + text.size(), match, clock))
        return captured_number(match[1]) * hour + captured_number(match[2]) * minute + captured_number(match[3]);
    const std::string plain = squeezed(text);
    const bool is_about_lateness =
        std::any_of(words_for_late.begin(), words_for_late.end(),
                    [&](std::string_view word) { return plain.find(word) != std::string::npos; });
    if (!is_about_lateness) return std::nullopt;
    std::int64_t seconds = 0;
    for (std::cregex_iterator at(text.data(), text.data() + text.size(), part), end; at != end; ++at)
        seconds += captured_number((*at)[1]) * unit_named((*at)[2].str());
    return seconds > 0 ? std::optional(seconds) : std::nullopt;
}

std::string text_of(const HandInTime& time) {
    using namespace std::chrono;
    const sys_seconds instant{seconds(time.seconds)};
    const auto day = floor<days>(instant);
    const year_month_day date(day);
    const hh_mm_ss clock(instant - day);
    return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}{}", static_cast<int>(date.year()),
                       static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), clock.hours().count(),
                       clock.minutes().count(), clock.seconds().count(), time.zone ? " UTC" : "");
}

std::optional<FoundTime> find_time(std::string_view text) {
    constexpr std::size_t longest = 512;  // of what is looked through: std::regex is recursive
    text = text.substr(0, longest);
    const auto words = in_words(text), digits = digits_in(text);
    if (!words || !digits) return words ? words : digits;
    return words->begin < digits->begin ? words : digits;
}

std::optional<HandInTime> time_in(std::string_view text) {
    const auto found = find_time(text);
    return found ? std::optional(found->time) : std::nullopt;
}

}  // namespace warpgrade::classroom
