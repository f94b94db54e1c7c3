// blockIdx, threadIdx, blockDim, gridDim and warpSize are built in.
#pragma once
