#include "cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace warpgrade::cli {

bool is_terminal(int file_descriptor) { return isatty(file_descriptor) == 1; }

RenderStyle style_of(int file_descriptor) {
    RenderStyle style;
    if (!is_terminal(file_descriptor)) return style;
    const char* no_colour = std::getenv("NO_COLOR");
    const char* terminal = std::getenv("TERM");
    const bool is_refused = no_colour != nullptr && *no_colour != '\0';
    style.use_colour = !is_refused && terminal != nullptr && std::string_view(terminal) != "dumb";
    winsize size{};
    if (ioctl(file_descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        style.columns = std::clamp<int>(size.ws_col, 60, 100);
    return style;
}

}  // namespace warpgrade::cli
