// SPDX-License-Identifier: Apache-2.0
//
// The textbook's experiment: the same copy with its loads 0, 1, 2, … 32 floats apart. Sectors per
// request grow by four with each step up to 32 at stride 8, lines by one up to 32 at stride 32.
#include <utility>

#include "samples/common/sample.h"

using namespace samples;

constexpr int kLargestStride = 32;
constexpr int kCopyLine = __LINE__ + 25;

template <int kStride>
__global__ void copy_stride(const float* in, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    // expect: load kernel=<0> clean sectors=1 ideal=1 lines=1 pattern=broadcast:32
    // expect: load kernel=<1> clean sectors=4 ideal=4 lines=1 pattern=coalesced
    // expect: load kernel=<2> sectors=8 ideal=4 lines=2 pattern=strided:8
    // expect: load kernel=<3> sectors=12 ideal=4 lines=3 pattern=strided:12
    // expect: load kernel=<4> sectors=16 ideal=4 lines=4 pattern=strided:16
    // expect: load kernel=<5> sectors=20 ideal=4 lines=5 pattern=strided:20
    // expect: load kernel=<6> sectors=24 ideal=4 lines=6 pattern=strided:24
    // expect: load kernel=<7> sectors=28 ideal=4 lines=7 pattern=strided:28
    // expect: load kernel=<8..31> sectors=32 ideal=4 pattern=strided; load kernel=<32> sectors=32
    // expect: load kernel=<8> lines=8; load kernel=<9> lines=9; load kernel=<10> lines=10
    // expect: load kernel=<11> lines=11; load kernel=<12> lines=12; load kernel=<13> lines=13
    // expect: load kernel=<14> lines=14; load kernel=<15> lines=15; load kernel=<16> lines=16
    // expect: load kernel=<17> lines=17; load kernel=<18> lines=18; load kernel=<19> lines=19
    // expect: load kernel=<20> lines=20; load kernel=<21> lines=21; load kernel=<22> lines=22
    // expect: load kernel=<23> lines=23; load kernel=<24> lines=24; load kernel=<25> lines=25
    // expect: load kernel=<26> lines=26; load kernel=<27> lines=27; load kernel=<28> lines=28
    // expect: load kernel=<29> lines=29; load kernel=<30> lines=30; load kernel=<31> lines=31
    // expect: load kernel=<32> lines=32 ideal=4 pattern=strided:128
    // expect: store clean pattern=coalesced
    out[i] = in[std::size_t(i) * kStride];
  }
}

namespace {

constexpr unsigned kBlock = 256;

template <int kStride>
void Measured(const Arguments& arguments, DeviceArray<float>& in, DeviceArray<float>& out) {
  const unsigned n = static_cast<unsigned>(arguments.n);
  const double bytes = 2.0 * n * sizeof(float);
  const std::string name = "copy_stride<" + std::to_string(kStride) + ">";
  const Timing timing = Measure(arguments.launches, [&] {
    copy_stride<kStride><<<n / kBlock, kBlock>>>(in.data(), out.data(), n);
  });
  Verify(name.c_str(), out, [](std::size_t i) { return PatternAt<float>(i * kStride); });
  if (arguments.csv) {
    std::printf("%d,%.6f,%.3f\n", kStride, timing.median_ms, GigabytesPerSecond(timing, bytes));
  } else {
    PrintBandwidth(name.c_str(), timing, bytes);
  }
}

template <int... kStrides>
void MeasureAll(const Arguments& arguments, std::integer_sequence<int, kStrides...>) {
  const std::size_t n = static_cast<std::size_t>(arguments.n);
  DeviceArray<float> in(n * kLargestStride);
  DeviceArray<float> out(n);
  in.FillWithPattern();
  (Measured<kStrides>(arguments, in, out), ...);
}

void Run(const Arguments& arguments) {
  if (arguments.csv) {
    cudaDeviceProp properties{};
    Check(cudaGetDeviceProperties(&properties, 0));
    std::printf("# %s, %lld floats, median of %lld launches\n", properties.name,
                static_cast<long long>(arguments.n), static_cast<long long>(arguments.launches));
    std::printf("stride_elements,median_ms,useful_gb_per_s\n");
  }
  MeasureAll(arguments, std::make_integer_sequence<int, kLargestStride + 1>());
}

void CountAccesses(const Arguments& arguments, Reference& reference) {
  const unsigned grid = static_cast<unsigned>(arguments.n) / kBlock;
  for (int stride = 0; stride <= kLargestStride; ++stride) {
    const std::string kernel = "copy_stride<" + std::to_string(stride) + ">";
    reference.Add({kCopyLine, kernel, "load", 4}, grid, kBlock,
                  [=](const Thread& t) { return At<float>(GlobalX(t) * stride); });
    reference.Add({kCopyLine, kernel, "store", 4}, grid, kBlock,
                  [=](const Thread& t) { return At<float>(GlobalX(t)); });
  }
}

}  // namespace

int main(int argc, char** argv) {
  return Main(argc, argv,
              {.name = "stride_sweep",
               .summary = "copies n floats that lie 0, 1, 2, ... 32 floats apart",
               .source = __FILE__,
               .size = {"floats to copy", 1 << 22, kBlock, 1 << 28},
               .run = Run,
               .count = CountAccesses,
               .has_csv = true});
}
