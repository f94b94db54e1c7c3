// Linked into every test executable that compiles submissions: names the worker, unless the environment already does.
#include <cstdlib>

namespace {
[[maybe_unused]] const int is_set = setenv("WARPGRADE_WORKER", WARPGRADE_TEST_WORKER, 0);
}
