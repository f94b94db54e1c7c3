// What the two kinds of numbers of 16 bits have alike.
#pragma once
#pragma GCC system_header

#define EDITOR_NUMBER16(type, pair, word)                    \
    struct __attribute__((aligned(2))) type {                \
        unsigned short bits_;                                \
        type() = default;                                    \
        __host__ __device__ type(float x);                   \
        __host__ __device__ type(double x);                  \
        __host__ __device__ type(int x);                     \
        __host__ __device__ type(unsigned x);                \
        __host__ __device__ type(long long x);               \
        __host__ __device__ type(unsigned long long x);      \
        __host__ __device__ type(short x);                   \
        __host__ __device__ type(unsigned short x);          \
        __host__ __device__ operator float() const;          \
        __host__ __device__ type& operator+=(type x);        \
        __host__ __device__ type& operator-=(type x);        \
        __host__ __device__ type& operator*=(type x);        \
        __host__ __device__ type& operator/=(type x);        \
    };                                                       \
    struct __attribute__((aligned(4))) pair {                \
        type x, y;                                           \
    };                                                       \
    __host__ __device__ type operator+(type x, type y);      \
    __host__ __device__ type operator-(type x, type y);      \
    __host__ __device__ type operator*(type x, type y);      \
    __host__ __device__ type operator/(type x, type y);      \
    __host__ __device__ type operator-(type x);              \
    __host__ __device__ pair operator+(pair x, pair y);      \
    __host__ __device__ pair operator-(pair x, pair y);      \
    __host__ __device__ pair operator*(pair x, pair y);      \
    __host__ __device__ pair operator/(pair x, pair y);      \
    __host__ __device__ pair operator-(pair x);              \
    __host__ __device__ bool operator==(type x, type y);     \
    __host__ __device__ bool operator!=(type x, type y);     \
    __host__ __device__ bool operator<(type x, type y);      \
    __host__ __device__ bool operator<=(type x, type y);     \
    __host__ __device__ bool operator>(type x, type y);      \
    __host__ __device__ bool operator>=(type x, type y);     \
    __device__ type __hadd(type x, type y);                  \
    __device__ type __hsub(type x, type y);                  \
    __device__ type __hmul(type x, type y);                  \
    __device__ type __hdiv(type x, type y);                  \
    __device__ type __hmin(type x, type y);                  \
    __device__ type __hmax(type x, type y);                  \
    __device__ pair __hadd2(pair x, pair y);                 \
    __device__ pair __hsub2(pair x, pair y);                 \
    __device__ pair __hmul2(pair x, pair y);                 \
    __device__ pair __hmin2(pair x, pair y);                 \
    __device__ pair __hmax2(pair x, pair y);                 \
    __device__ pair __h2div(pair x, pair y);                 \
    __device__ bool __heq(type x, type y);                   \
    __device__ bool __hbeq2(pair x, pair y);                 \
    __device__ bool __hne(type x, type y);                   \
    __device__ bool __hbne2(pair x, pair y);                 \
    __device__ bool __hlt(type x, type y);                   \
    __device__ bool __hblt2(pair x, pair y);                 \
    __device__ bool __hle(type x, type y);                   \
    __device__ bool __hble2(pair x, pair y);                 \
    __device__ bool __hgt(type x, type y);                   \
    __device__ bool __hbgt2(pair x, pair y);                 \
    __device__ bool __hge(type x, type y);                   \
    __device__ bool __hbge2(pair x, pair y);                 \
    __device__ type __hneg(type x);                          \
    __device__ type __habs(type x);                          \
    __device__ bool __hisnan(type x);                        \
    __device__ type __hfma(type x, type y, type z);          \
    __device__ pair __hfma2(pair x, pair y, pair z);         \
    __device__ type hexp2(type x);                           \
    __device__ type hlog2(type x);                           \
    __device__ type hexp10(type x);                          \
    __device__ type hlog10(type x);                          \
    __device__ type htanh(type x);                           \
    __device__ type hrint(type x);                           \
    __device__ type hsqrt(type x);                           \
    __device__ type hrsqrt(type x);                          \
    __device__ type hexp(type x);                            \
    __device__ type hlog(type x);                            \
    __device__ type hsin(type x);                            \
    __device__ type hcos(type x);                            \
    __device__ type htrunc(type x);                          \
    __device__ type hfloor(type x);                          \
    __device__ type hceil(type x);                           \
    __device__ type hrcp(type x);                            \
    __host__ __device__ type __float2##word(float x);        \
    __host__ __device__ type __float2##word##_rn(float x);   \
    __host__ __device__ type __float2##word##_rz(float x);   \
    __host__ __device__ type __float2##word##_ru(float x);   \
    __host__ __device__ type __float2##word##_rd(float x);   \
    __host__ __device__ type __double2##word(double x);      \
    __host__ __device__ float __##word##2float(type x);      \
    __device__ int __##word##2int_rn(type x);                \
    __device__ int __##word##2int_rz(type x);                \
    __device__ int __##word##2int_ru(type x);                \
    __device__ int __##word##2int_rd(type x);                \
    __device__ type __int2##word##_rn(int x);                \
    __device__ unsigned __##word##2uint_rn(type x);          \
    __device__ unsigned __##word##2uint_rz(type x);          \
    __device__ unsigned __##word##2uint_ru(type x);          \
    __device__ unsigned __##word##2uint_rd(type x);          \
    __device__ type __uint2##word##_rn(unsigned x);          \
    __device__ short __##word##2short_rn(type x);            \
    __device__ short __##word##2short_rz(type x);            \
    __device__ short __##word##2short_ru(type x);            \
    __device__ short __##word##2short_rd(type x);            \
    __device__ type __short2##word##_rn(short x);            \
    __device__ unsigned short __##word##2ushort_rn(type x);  \
    __device__ unsigned short __##word##2ushort_rz(type x);  \
    __device__ unsigned short __##word##2ushort_ru(type x);  \
    __device__ unsigned short __##word##2ushort_rd(type x);  \
    __device__ type __ushort2##word##_rn(unsigned short x);  \
    __device__ type __low2##word(pair x);                    \
    __device__ type __high2##word(pair x);                   \
    __device__ float __low2float(pair x);                    \
    __device__ float __high2float(pair x);                   \
    __device__ pair __##word##2##word##2(type x);            \
    __device__ pair __halves2##word##2(type x, type y);      \
    __device__ pair __float2##word##2_rn(float x);           \
    __device__ pair __floats2##word##2_rn(float x, float y); \
    __device__ pair __float22##word##2_rn(float2 x);         \
    __device__ float2 __##word##22float2(pair x);            \
    __device__ unsigned short __##word##_as_ushort(type x);  \
    __device__ type __ushort_as_##word(unsigned short x);    \
    __device__ short __##word##_as_short(type x);            \
    __device__ type __short_as_##word(short x);              \
    __device__ type atomicAdd(type* address, type value);    \
    __device__ pair atomicAdd(pair* address, pair value);
