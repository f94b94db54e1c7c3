// cuda::std has in it what std has; a kernel may call all of it.
#pragma once
#pragma GCC system_header
namespace cuda {
namespace std {
using namespace ::std;
}
}  // namespace cuda
