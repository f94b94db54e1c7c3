// stage: histogram/open
// A thread goes through neighbouring elements and remembers one value and how often it came: a cache of one.
#include <cuda_runtime.h>

#include <cstddef>

class Cached {
  public:
    __device__ explicit Cached(unsigned* bins) : bins_(bins) {}
    __device__ ~Cached() { flush(); }
    __device__ void add(unsigned value) {
        if (value != value_) flush();
        value_ = value;
        ++count_;
    }

  private:
    __device__ void flush() {
        if (count_ > 0) atomicAdd(bins_ + value_, count_);
        count_ = 0;
    }
    unsigned* bins_;
    unsigned value_ = 0, count_ = 0;
};

__global__ void cached(const unsigned* in, unsigned* counts, int n) {
    __shared__ unsigned bins[256];
    bins[threadIdx.x] = 0;
    __syncthreads();
    {
        Cached mine(bins);  // what it still has when it goes out of scope is added then
        for (std::size_t i = blockIdx.x * std::size_t(256) + threadIdx.x; i < n; i += gridDim.x * std::size_t(256)) mine.add(in[i]);
    }
    __syncthreads();
    if (bins[threadIdx.x]) atomicAdd(counts + threadIdx.x, bins[threadIdx.x]);
}

void histogram(const unsigned* in, unsigned* counts, int n) {
    cudaMemsetAsync(counts, 0, 1024, 0);
    if (n > 0) cached<<<24, 256>>>(in, counts, n);
}
