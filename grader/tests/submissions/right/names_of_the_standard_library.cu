// stage: transpose/open
// Types and tables of the standard library, as device code and launchers may use them: <type_traits>, <utility>, <tuple>,
// <array>, <algorithm>, <numeric>, <limits>, <functional>. A fold over a sequence moves the elements of a thread.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <tuple>
#include <type_traits>
#include <utility>

#include <cuda_runtime.h>

struct Place {
    int row, col;
    __device__ int sum(int more) const { return row + col + more; }
};
enum class Way : unsigned char { across, down };

static_assert(std::is_same_v<std::make_signed_t<const unsigned>, const int>);
static_assert(std::is_same_v<std::underlying_type_t<Way>, unsigned char> && std::is_scalar_v<Way>);
static_assert(std::is_same_v<std::invoke_result_t<decltype(&Place::sum), Place, int>, int>);
static_assert(std::is_invocable_v<std::plus<>, int, float> && !std::is_invocable_v<int, int>);
static_assert(std::rank_v<float[4][8]> == 2 && std::extent_v<float[4][8], 1> == 8);
static_assert(std::is_trivial_v<Place> && std::is_standard_layout_v<Place> && std::is_aggregate_v<Place>);
static_assert(std::is_function_v<void(int)> && std::is_member_function_pointer_v<decltype(&Place::sum)>);
static_assert(std::conjunction_v<std::is_class<Place>, std::negation<std::is_empty<Place>>>);
static_assert(std::is_nothrow_move_constructible_v<Place> && !std::is_copy_assignable_v<const Place>);
static_assert(sizeof(std::aligned_storage_t<12, 4>) == 12 && std::alignment_of_v<double> == 8);
static_assert(std::gcd(48, 36u) == 12 && std::lcm(4, 6) == 12);
static_assert(std::clamp(9, 0, 3) == 3 && std::minmax({3, 1, 2}) == std::pair(1, 3));
static_assert(std::get<2>(std::tuple_cat(std::make_tuple(1), std::tuple(2.0f, 3u))) == 3);
static_assert(std::numeric_limits<float>::is_iec559 && std::numeric_limits<short>::digits10 == 4);
static_assert(std::tuple_size_v<std::array<int, 3>> == 3 && std::index_sequence_for<int, char>::size() == 2);

constexpr int ROWS = 8, COUNT = 4;
constexpr std::array<int, COUNT> OFFSETS{0, ROWS, 2 * ROWS, 3 * ROWS};
static_assert(OFFSETS.back() == 24 && OFFSETS.size() == COUNT);

template <int... I>
__device__ void move_all(const float* in, float* out, int rows, int cols, std::integer_sequence<int, I...>) {
    const int band = int(blockIdx.z) * int(gridDim.y) + int(blockIdx.y);
    const int y = band * COUNT * ROWS + int(threadIdx.y), x = int(blockIdx.x) * 32 + int(threadIdx.x);
    const auto move_one = [&](int row) {
        if (const bool is_inside = row < rows && x < cols; is_inside)
            out[static_cast<size_t>(x) * rows + row] = in[static_cast<size_t>(row) * cols + x];
    };
    (move_one(y + std::integral_constant<int, I * ROWS>::value), ...);
}

__global__ void fold(const float* in, float* out, int rows, int cols) {
    move_all(in, out, rows, cols, std::make_integer_sequence<int, COUNT>{});
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (std::min(rows, cols) == 0) return;
    if (*std::lower_bound(OFFSETS.begin(), OFFSETS.end(), 9) != 2 * ROWS) return;
    unsigned across = 0, down = 0;
    for (int side : {cols, rows}) std::tie(across, down) = std::tuple(down, static_cast<unsigned>(side));
    switch (const auto tall = std::div(static_cast<int>(down), COUNT * ROWS); tall.rem) {
        case 0: down = tall.quot; break;
        default: down = tall.quot + 1;
    }
    constexpr unsigned most = 65535;  // blocks in y
    fold<<<dim3((across + 31) / 32, std::min(down, most), (down - 1) / most + 1), dim3(32, ROWS)>>>(in, out, rows, cols);
}
