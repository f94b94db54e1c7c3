// Stage 7, any type: one template for elements of 1, 2, 4, 8 and 16 bytes.
//
// The grader instantiates the launcher for unsigned char, unsigned short, float, double and float4. A transpose moves
// bits and never looks at them, so only the size matters, in three places:
//
//   - in global memory: 32 neighbouring elements fill 1, 2, 4, 8 or 16 sectors. "Coalesced" means no more than that, so
//     the number to watch is sectors over the ideal, which is 1;
//   - in shared memory: a bank is 4 bytes. A warp that reads 8-byte elements is served in 2 wavefronts, with 16
//     bytes in 4, at best. Four 1-byte elements share a word. Does a pitch of 33 *elements* still keep every column
//     free of conflicts? Work it out for 8 bytes, and for columns 0 and 1 with 1 byte; then let the tool count;
//   - in the amount: 33 * 32 elements of 16 bytes are 16896 bytes, within the 48 KiB a block gets.
//
// The task: make a template of your kernel of stage 5. (If you would rather start from stage 6: `extern __shared__ T
// tile[]` in a template declares one name with five types, which does not compile. Declare bytes and cast.)
//
// When it is done, `./grader/warpgrade check any_type` should show every shape right for every type, and sectors and
// wavefronts over their ideal of about 1.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int TILE = 32;
constexpr int ROWS = 8;

// TODO 1: the kernel, as a template over T.

// TODO 2: how large a grid?

template <typename T>
void transpose(const T* in, T* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;

    // TODO 3: launch the kernel for T.
    (void)in, (void)out, (void)TILE, (void)ROWS;  // remove this line
}
