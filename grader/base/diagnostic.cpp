#include "base/diagnostic.hpp"

namespace warpgrade {

int exit_code(Blame blame) {
    switch (blame) {
        case Blame::learner: return 1;
        case Blame::usage:
        case Blame::course: return 2;
        case Blame::host: return 3;
        case Blame::kit: break;
    }
    return 70;
}

}  // namespace warpgrade
