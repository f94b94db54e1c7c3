// stage: reduction/open
// says: compiler
// A template that instantiates itself without end.
#include <cstddef>

template <int N>
struct Deeper {
    static constexpr int value = Deeper<N + 1>::value + 1;  // <--
};

void reduce(const float*, std::size_t, float*, float* out) { (void)out, (void)Deeper<0>::value; }
