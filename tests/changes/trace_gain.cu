// SPDX-License-Identifier: Apache-2.0
//
// Seismology: the traces of a SEG-Y file (240 bytes of header, then big-endian samples) as they
// follow the header of the file, to native floats with a gain that grows with time; dead traces
// become zero.
#include "harness.h"

constexpr int kTraceHeader = 240;

struct TraceFile {
  const unsigned char* bytes;
  int samples;
  __device__ const unsigned char* Header(int trace) const {
    return bytes + (size_t)trace * (kTraceHeader + samples * sizeof(uint32_t));
  }
  __device__ const uint32_t* Samples(int trace) const {
    return reinterpret_cast<const uint32_t*>(Header(trace) + kTraceHeader);
  }
  __device__ bool Dead(int trace) const {
    const unsigned char* code = Header(trace) + 28;
    return (code[0] << 8 | code[1]) == 2;
  }
};

__device__ __forceinline__ float native(uint32_t word) {
  return __uint_as_float(__byte_perm(word, 0, 0x0123));
}

__global__ void trace_gain_naive(TraceFile file, float* __restrict__ out, int pitch, float dt,
                                 float power) {
  const int trace = blockIdx.x;
  const uint32_t* samples = file.Samples(trace);
  float* row = out + (size_t)trace * pitch;
  const float alive = file.Dead(trace) ? 0.f : 1.f;
  for (int i = threadIdx.x; i < file.samples; i += blockDim.x) {
    const float gain = alive * __powf(1.f + i * dt, power);
    row[i] = gain * native(__ldg(&samples[i]));
  }
}

// file.bytes begins 16 bytes after a multiple of 32, so that all samples begin at one.
__global__ void trace_gain_repaired(TraceFile file, float* __restrict__ out, int pitch, float dt,
                                    float power) {
  const int trace = blockIdx.x;
  const uint32_t* samples = file.Samples(trace);
  float* row = out + (size_t)trace * pitch;
  const float alive = file.Dead(trace) ? 0.f : 1.f;
  for (int i = threadIdx.x; i < file.samples; i += blockDim.x) {
    const float gain = alive * __powf(1.f + i * dt, power);
    row[i] = gain * native(__ldg(&samples[i]));
  }
}

int main(int argc, char** argv) {
  const int traces = 14000, samples = 1500, pitch = 1504;
  const int trace_bytes = kTraceHeader + samples * 4;  // 6240, a multiple of 32
  Random rnd{2};
  std::vector<unsigned char> bytes((size_t)traces * trace_bytes, 0);
  for (int t = 0; t < traces; ++t) {
    unsigned char* p = &bytes[(size_t)t * trace_bytes];
    p[29] = t % 50 == 7 ? 2 : 1;
    p += kTraceHeader;
    for (int i = 0; i < samples; ++i, p += 4) {
      const float value = 2.f * Unit(rnd()) - 1.f;
      uint32_t word;
      memcpy(&word, &value, 4);
      for (int k = 0; k < 4; ++k) p[k] = (unsigned char)(word >> (24 - 8 * k));
    }
  }
  const int lead = 16;
  std::vector<unsigned char> shifted(lead + bytes.size(), 0);
  std::copy(bytes.begin(), bytes.end(), shifted.begin() + lead);
  const auto plain = Upload(bytes), aligned = Upload(shifted);
  const size_t n = (size_t)traces * pitch;
  const auto a = Upload(std::vector<float>(n, 0.f)), b = Upload(std::vector<float>(n, 0.f));

  const TraceFile file_a{plain, samples}, file_b{aligned + lead, samples};
  const auto naive = [&] { trace_gain_naive<<<traces, 256>>>(file_a, a, pitch, 0.004f, 1.6f); };
  const auto repaired = [&] {
    trace_gain_repaired<<<traces, 256>>>(file_b, b, pitch, 0.004f, 1.6f);
  };
  return Run(argc, argv, naive, repaired, [&] { return Near(a, b, 1e-5, 1e-5); });
}
