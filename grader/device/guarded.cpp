#include "device/guarded.hpp"

namespace warpgrade {

Diagnostic failed_to(const std::string& what, const std::exception& failure) {
    Diagnostic d;
    d.blame = Blame::kit;
    d.code = "defect";
    d.title = "warpgrade itself failed while " + what;
    d.facts.push_back(std::string("what failed: ") + failure.what());
    d.help = "report the course kit's defect, with the source file; it costs no points";
    return d;
}

bool is_out_of_memory(const Diagnostic& error) { return error.code == "out_of_memory"; }

Diagnostic out_of_memory_while(const std::string& what) {
    Diagnostic d;
    d.blame = Blame::host;
    d.code = "out_of_memory";
    d.title = "this machine has too little free memory for " + what;
    d.help = "close other programs, or use a smaller --shape";
    return d;
}

}  // namespace warpgrade
