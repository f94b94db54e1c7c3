// The vector types: float4 and the like, dim3, and make_float4 and the like.
#pragma once
#pragma GCC system_header

#define EDITOR_VECTOR(name, type, align2, align4)                                                          \
    struct name##1 {                                                                                       \
        type x;                                                                                            \
    };                                                                                                     \
    struct __attribute__((aligned(align2))) name##2 {                                                      \
        type x, y;                                                                                         \
    };                                                                                                     \
    struct name##3 {                                                                                       \
        type x, y, z;                                                                                      \
    };                                                                                                     \
    struct __attribute__((aligned(align4))) name##4 {                                                      \
        type x, y, z, w;                                                                                   \
    };                                                                                                     \
    EDITOR_BOTH constexpr name##1 make_##name##1(type x) { return {x}; }                                   \
    EDITOR_BOTH constexpr name##2 make_##name##2(type x, type y) { return {x, y}; }                        \
    EDITOR_BOTH constexpr name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; }             \
    EDITOR_BOTH constexpr name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }
EDITOR_VECTOR(char, signed char, 2, 4)
EDITOR_VECTOR(uchar, unsigned char, 2, 4)
EDITOR_VECTOR(short, short, 4, 8)
EDITOR_VECTOR(ushort, unsigned short, 4, 8)
EDITOR_VECTOR(int, int, 8, 16)
EDITOR_VECTOR(uint, unsigned int, 8, 16)
EDITOR_VECTOR(long, long, 16, 16)
EDITOR_VECTOR(ulong, unsigned long, 16, 16)
EDITOR_VECTOR(longlong, long long, 16, 16)
EDITOR_VECTOR(ulonglong, unsigned long long, 16, 16)
EDITOR_VECTOR(float, float, 8, 16)
EDITOR_VECTOR(double, double, 16, 16)
#undef EDITOR_VECTOR

// Numbers that are left out are 1.
struct dim3 {
    unsigned x, y, z;
    __host__ __device__ constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
    __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __host__ __device__ constexpr operator uint3() const { return {x, y, z}; }
};
