// What this processor can do, asked of it directly: a compiler's own question needs a run-time library that not every
// compiler brings.
#pragma once

namespace warpgrade {

// AVX2 with the instructions that came with it (FMA, BMI1, BMI2), of which the system saves the registers. False on
// other processors than x86-64.
bool has_avx2();

}  // namespace warpgrade
