// What the standard streams are connected to.
#pragma once

#include "cli/render.hpp"

namespace warpgrade::cli {

// Colour only where the stream is a terminal, NO_COLOR is unset or empty and TERM is not "dumb". Columns: the
// terminal's, between 60 and 100; 80 where there is none.
RenderStyle style_of(int file_descriptor);
bool is_terminal(int file_descriptor);

// Clears the screen and its scrollback position; for terminals only.
inline constexpr const char* clear_screen = "\x1b[H\x1b[2J\x1b[3J";

}  // namespace warpgrade::cli
