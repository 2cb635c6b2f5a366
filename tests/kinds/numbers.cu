// SPDX-License-Identifier: Apache-2.0
//
// Indices by less usual arithmetic: approximate functions, wide integers, digits, packed bytes.
#include <cuda_fp16.h>

#include "kinds.h"

namespace {

__global__ void approximate(float* out, float a) {
  const int i = threadIdx.x;
  out[static_cast<int>(__expf(i * 0.02F) + 0.5F)] = 1;
  out[512 + static_cast<int>(__logf(i + 1.F) * 20)] = 2;
  out[1024 + static_cast<int>(__powf(i, 1.1F))] = 3;
  out[2048 + static_cast<int>(__fdividef(i, a) + 0.01F)] = 4;
  out[4096 + static_cast<int>(rsqrtf(i + 1.F) * 100)] = 5;
  out[8192 + static_cast<int>(__frcp_rn(i + 1.F) * 300)] = 6;
  out[9000 + static_cast<int>(tanhf(i * 0.01F) * 200)] = 7;
  out[9600 + static_cast<int>(cbrtf(i) * 9)] = 8;
}

__global__ void rounded(float* out, float a) {
  const int i = threadIdx.x;
  out[__float2int_ru(i * a)] = 1;
  out[1000 + static_cast<int>(__fmul_rz(i, a))] = 2;
  out[2000 + static_cast<int>(__fadd_ru(i * 0.5F, 0.3F))] = 3;
  out[3000 + static_cast<int>(roundf(i * a))] = 4;
  out[4000 + static_cast<int>(ceilf(i / 7.F))] = 5;
  out[5000 + static_cast<int>(remainderf(i, 9.F) + 9)] = 6;
  out[6000 + static_cast<int>(fabsf(i - 100.F))] = 7;
  out[7000 + (isnan(i - a) ? 0 : ilogbf(i + 1.F) * 32)] = 8;
}

__global__ void logarithms(float* out, double base) {
  const int i = threadIdx.x + 1;
  out[static_cast<int>(log2f(i)) * 8] = 1;
  out[100 + static_cast<int>(log(static_cast<double>(i)) * base)] = 2;
  out[200 + static_cast<int>(pow(base, (i & 7)))] = 3;
  out[1000 + static_cast<int>(floor(i / base))] = 4;
  out[2000 + (31 - __clz(i))] = 5;
}

__global__ void halves_as_numbers(float* out, int n) {
  const int i = threadIdx.x;
  half at = __int2half_rn(i);
  at = __hadd(__hmul(at, __float2half(0.5F)), __float2half(3));
  out[__half2int_rn(at)] = 1;
  if (__hlt(at, __int2half_rn(n))) out[1000 + i] = 2;
  const half2 two = __hmul2(__floats2half2_rn(i, 2 * i), __float2half2_rn(2));
  out[2000 + __half2int_rz(__high2half(two))] = 3;
}

__global__ void wide_products(float* out, unsigned long long n, unsigned long long k) {
  const unsigned long long i = Thread();
  out[__umul64hi(i * k, n)] = 1;
  out[20000 + (i * 0x9e3779b97f4a7c15ULL >> 52U)] = 2;
  out[30000 + static_cast<unsigned>(static_cast<unsigned __int128>(i * k) * n >> 64U)] = 3;
  out[60000 + i * k % n] = 4;
}

// Division by a number that was made ready on the host.
struct Divisor {
  unsigned multiplier;
  unsigned shift;
  unsigned divisor;
};
__global__ void fast_division(const float* in, float* out, Divisor by, unsigned n) {
  const unsigned i = Thread();
  if (i >= n) return;
  const unsigned quotient = (__umulhi(i, by.multiplier) + i) >> by.shift;
  const unsigned rest = i - quotient * by.divisor;
  out[rest * (n / by.divisor + 1) + quotient] = in[i];
}

__global__ void digits(const float* in, float* out, int base, int count) {
  int left = Thread();
  int reversed = 0;
  for (int i = 0; i < count; ++i) {
    reversed = reversed * base + left % base;
    left /= base;
  }
  out[Thread()] = in[reversed];
}

// The permutation with that number, by factorials.
__global__ void permutations(float* out, int n) {
  const int number = Thread();
  int order[6];
  for (int i = 0; i < 6; ++i) order[i] = i;
  int left = number % 720;
  int factorial = 120;
  for (int i = 0; i < 5; ++i) {
    const int which = i + left / factorial;
    left %= factorial;
    if (i < 4) factorial /= 5 - i;
    const int taken = order[which];
    for (int j = which; j > i; --j) order[j] = order[j - 1];
    order[i] = taken;
  }
  int at = 0;
  for (int i = 0; i < 6; ++i) at = at * 6 + order[i];
  out[at % n] = number;
}

__global__ void gray_code(float* out, int n) {
  const unsigned i = Thread();
  unsigned code = i ^ (i >> 1U);
  out[code] = 1;
  code ^= code >> 16U;
  code ^= code >> 8U;
  code ^= code >> 4U;
  code ^= code >> 2U;
  code ^= code >> 1U;
  out[8192 + code % n] = 2;
}

__global__ void collatz(int* steps, int first) {
  long long n = first + Thread();
  int count = 0;
  while (n != 1) {
    n = (n & 1) != 0 ? 3 * n + 1 : n / 2;
    ++count;
  }
  steps[Thread()] = count;
  steps[8192 + count * 4] = 1;
}

__global__ void greatest_divisor(int* out, int n) {
  int a = Thread() + 1;
  int b = n;
  while (b != 0) {
    const int rest = a % b;
    a = b;
    b = rest;
  }
  out[a] = 1;
}

__global__ void modular_power(unsigned* out, unsigned base, unsigned modulus) {
  unsigned exponent = Thread();
  unsigned long long result = 1;
  unsigned long long square = base;
  while (exponent != 0) {
    if ((exponent & 1U) != 0) result = result * square % modulus;
    square = square * square % modulus;
    exponent >>= 1U;
  }
  out[result] = Thread();
}

__global__ void packed_bytes(float* out, unsigned k) {
  const unsigned i = threadIdx.x;
  const unsigned four = i * 0x01010101U;
  out[__vadd4(four, k) & 1023U] = 1;
  out[2000 + (__vabsdiffu4(four, k) & 255U)] = 2;
  out[3000 + __dp4a(four, 0x01020304U, 7U)] = 3;
  out[6000 + (__vmaxu2(i, 40) & 511U)] = 4;
  out[7000 + __usad(i, 100, 3)] = 5;
  out[8000 + __popcll(i * 0x100000001ULL) * 8] = 6;
  out[9000 + (__vcmpgtu4(four, k) & 63U)] = 7;
  out[9500 + __fns(0xffffffffU, 0, (i & 31U) + 1)] = 8;
  out[10000 + __mul24(i, 3) + __uhadd(i, 7)] = 9;
}

struct Bits {
  unsigned low : 5;
  unsigned middle : 11;
  int high : 16;
};
__global__ void bit_fields(float* out, Bits bits) {
  Bits own = bits;
  own.low = threadIdx.x;
  own.high = threadIdx.x * 100;
  out[own.low * 33 + bits.middle] = 1;
  out[8000 + own.high % 512] = 2;
}

__global__ void inline_assembly(float* out, int n) {
  unsigned lane;
  unsigned at;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm("mad.lo.u32 %0, %1, 3, %2;" : "=r"(at) : "r"(lane), "r"(n));
  asm volatile("st.global.cg.f32 [%0], %1;" ::"l"(out + at), "f"(1.F) : "memory");
  unsigned low;
  unsigned high;
  asm("add.cc.u32 %0, %2, %3;\n\taddc.u32 %1, 0, 0;"
      : "=r"(low), "=r"(high)
      : "r"(0xfffffff0U + lane), "r"(static_cast<unsigned>(n)));
  out[1000 + low % 64 + high * 128] = 2;
}

}  // namespace

void LaunchNumbers(const Arrays& arrays) {
  const auto& [a, b, out, random, rows, zero] = arrays;
  Launch(approximate, 2, 256, arrays, out, 3.F);
  Launch(rounded, 2, 256, arrays, out, 1.3F);
  Launch(logarithms, 2, 256, arrays, out, 2.5);
  Launch(halves_as_numbers, 2, 256, arrays, out, 100);
  Launch(wide_products, 32, 128, arrays, out, 4099ULL, 0x123456789abcdefULL);
  Launch(fast_division, 32, 128, arrays, a, out, Divisor{613566757U, 3U, 7U}, 4000U);
  Launch(digits, 27, 243, arrays, a, out, 3, 8);
  Launch(permutations, 10, 72, arrays, out, 50000);
  Launch(gray_code, 32, 128, arrays, out, 4096);
  Launch(collatz, 16, 128, arrays, zero, 1);
  Launch(greatest_divisor, 16, 128, arrays, zero, 720);
  Launch(modular_power, 16, 128, arrays, reinterpret_cast<unsigned*>(out), 3U, 4093U);
  Launch(packed_bytes, 2, 256, arrays, out, 0x05030201U);
  Launch(bit_fields, 2, 256, arrays, out, Bits{3, 900, -5});
  Launch(inline_assembly, 2, 256, arrays, out, 5);
}
