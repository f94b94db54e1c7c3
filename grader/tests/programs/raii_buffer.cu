// A class template that owns memory of the GPU, as larger programs write it.
#include <cstdio>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

template <typename T> class DeviceBuffer {
public:
    explicit DeviceBuffer(size_t n) : n_(n) { cudaMalloc(&data_, n * sizeof(T)); }
    explicit DeviceBuffer(const std::vector<T> &host) : DeviceBuffer(host.size()) {
        cudaMemcpy(data_, host.data(), n_ * sizeof(T), cudaMemcpyHostToDevice);
    }
    DeviceBuffer(const DeviceBuffer &) = delete;
    DeviceBuffer &operator=(const DeviceBuffer &) = delete;
    DeviceBuffer(DeviceBuffer &&other) noexcept : data_(other.data_), n_(other.n_) { other.data_ = nullptr; }
    ~DeviceBuffer() { cudaFree(data_); }
    T *get() { return data_; }
    std::vector<T> toHost() const {
        std::vector<T> host(n_);
        cudaMemcpy(host.data(), data_, n_ * sizeof(T), cudaMemcpyDeviceToHost);
        return host;
    }
    size_t size() const { return n_; }

private:
    T *data_ = nullptr;
    size_t n_ = 0;
};

template <typename T> __global__ void axpy(T a, const T *x, T *y, size_t n) {
    size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}

template <typename T> void test(const std::string &name, T a) {
    std::vector<T> x(100), y(100, T(1));
    for (size_t i = 0; i < x.size(); ++i) x[i] = T(i);
    DeviceBuffer<T> dx(x);
    auto dy = std::make_unique<DeviceBuffer<T>>(y);
    axpy<<<1, 128>>>(a, dx.get(), dy->get(), dx.size());
    const auto result = dy->toHost();
    printf("%s: %g\n", name.c_str(), double(result.back()));
}

int main() {
    test<float>("float", 2.0f);
    test<double>("double", 0.5);
    test<int>("int", -1);
}
