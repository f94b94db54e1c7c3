#\
include <cuda_runtime.h>
%:include "a.h" // x
#include <cub/cub.cuh>
#if __has_include("b.h") && defined(__has_include)
#define R u8R"x(
#include "raw.h"
)x"
#endif /* " */
??=include <c.h>
# 5 "line.cu"
#line 7
const char* s = "a\"/*"; int n = 1'000; char c = '"'; auto r = LR"(//)";
int main() { return 0; } // ??/
#include MACRO
#include_next <d.h>
