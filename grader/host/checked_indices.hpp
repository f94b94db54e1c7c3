// Indices of local arrays of host code, with a check: what the compiler makes of such an array has no bounds any more.
//
// Each `a[i]` of a function of the host, where `a` is an array that it declares, becomes `a[__warpgrade_inside<...>(i,
// ...)]` (host/include/cuda_runtime.h), which tells an index outside of the array and goes on with it. And clock(),
// which is one thing on the host and another on the GPU, becomes the host's (host/include/ctime) where no kernel calls
// it.
#pragma once

#include <string>
#include <vector>

namespace warpgrade::host {

struct CheckedIndices {
    std::string text;
    struct Insertion {
        int line = 0, column = 0, length = 0;  // in the text before
    };
    std::vector<Insertion> insertions;  // by line and column

    // A column of `text`, in the text before.
    int column_before(int line, int column) const;
    // The same for the places that PTX names, of the file of this path.
    std::string with_columns_before(const std::string& ptx, const std::string& path) const;
};

CheckedIndices with_checked_indices(const std::string& text);

}  // namespace warpgrade::host
