// SPDX-License-Identifier: Apache-2.0
//
// Parses a log of fixed-width ASCII records (52 bytes each: station 6 digits, unix
// time 10 digits, signed reading 8 characters in 1/1000 units, quality letter,
// remark, newline) into typed columns, with a checksum over each record.
#include "harness.h"

namespace rec {
constexpr int kWidth = 52;
constexpr int kStation = 0, kStationLen = 6;
constexpr int kTime = 6, kTimeLen = 10;
constexpr int kReading = 16, kReadingLen = 8;
constexpr int kQuality = 24;
}  // namespace rec

struct Columns {
  int32_t* station;
  int64_t* time;
  float* reading;
  uint8_t* good;
  uint32_t* checksum;
};

template <typename Int, int LEN>
__device__ __forceinline__ Int digits(const uint8_t* p) {
  Int v = 0;
#pragma unroll
  for (int i = 0; i < LEN; ++i) v = v * 10 + (Int)(p[i] - '0');
  return v;
}

__device__ __forceinline__ uint32_t fletcher(const uint8_t* p) {
  uint32_t a = 1, b = 0;
  for (int i = 0; i < rec::kWidth; ++i) {
    a += p[i];
    b += a;
  }
  return (b << 16) | (a & 0xffffu);
}

__global__ void station_log_parse_naive(const uint8_t* __restrict__ log, Columns col,
                                        uint32_t records) {
  const uint32_t r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= records) return;
  const uint8_t* p = log + (size_t)r * rec::kWidth;

  col.station[r] = digits<int32_t, rec::kStationLen>(p + rec::kStation);
  col.time[r] = digits<int64_t, rec::kTimeLen>(p + rec::kTime);
  const int32_t mag = digits<int32_t, rec::kReadingLen - 1>(p + rec::kReading + 1);
  col.reading[r] = (p[rec::kReading] == '-' ? -mag : mag) * 0.001f;
  col.good[r] = p[rec::kQuality] == 'A' || p[rec::kQuality] == 'B';
  col.checksum[r] = fletcher(p);
}

template <int RECORDS>
__global__ void __launch_bounds__(RECORDS)
    station_log_parse_repaired(const uint8_t* __restrict__ log, Columns col, uint32_t records) {
  constexpr int kWords = RECORDS * rec::kWidth / 4;
  __shared__ uint32_t stage[kWords];
  const uint32_t first = blockIdx.x * RECORDS;
  const int words = (int)min((uint32_t)RECORDS, records - first) * (rec::kWidth / 4);
  const uint32_t* src = reinterpret_cast<const uint32_t*>(log + (size_t)first * rec::kWidth);
  for (int w = threadIdx.x; w < words; w += RECORDS) stage[w] = src[w];
  __syncthreads();

  const uint32_t r = first + threadIdx.x;
  if (r >= records) return;
  const uint8_t* p = reinterpret_cast<const uint8_t*>(stage) + threadIdx.x * rec::kWidth;

  col.station[r] = digits<int32_t, rec::kStationLen>(p + rec::kStation);
  col.time[r] = digits<int64_t, rec::kTimeLen>(p + rec::kTime);
  const int32_t mag = digits<int32_t, rec::kReadingLen - 1>(p + rec::kReading + 1);
  col.reading[r] = (p[rec::kReading] == '-' ? -mag : mag) * 0.001f;
  col.good[r] = p[rec::kQuality] == 'A' || p[rec::kQuality] == 'B';
  col.checksum[r] = fletcher(p);
}

static void put(uint8_t* p, int len, uint64_t v) {
  for (int i = len - 1; i >= 0; --i) {
    p[i] = (uint8_t)('0' + v % 10);
    v /= 10;
  }
}

static std::vector<uint8_t> make_log(uint32_t records) {
  std::vector<uint8_t> text((size_t)records * rec::kWidth);
  Random rnd{77};
  for (uint32_t r = 0; r < records; ++r) {
    uint8_t* p = &text[(size_t)r * rec::kWidth];
    put(p + rec::kStation, rec::kStationLen, (rnd() >> 8) % 1000000u);
    put(p + rec::kTime, rec::kTimeLen, 1700000000ull + r / 3);
    const uint32_t s = rnd();
    p[rec::kReading] = (s >> 31) ? '-' : '+';
    put(p + rec::kReading + 1, rec::kReadingLen - 1, (s >> 7) % 10000000u);
    p[rec::kQuality] = (uint8_t)('A' + (s >> 28) % 5);
    for (int i = rec::kQuality + 1; i < rec::kWidth - 1; ++i)
      p[i] = (uint8_t)(' ' + (s >> (i % 24)) % 64);
    p[rec::kWidth - 1] = '\n';
  }
  return text;
}

static Columns make_columns(uint32_t n) {
  return {Allocate<int32_t>(n), Allocate<int64_t>(n), Allocate<float>(n), Allocate<uint8_t>(n),
          Allocate<uint32_t>(n)};
}

int main(int argc, char** argv) {
  const uint32_t records = 600007;
  const auto log = Upload(make_log(records));
  const Columns a = make_columns(records), b = make_columns(records);

  constexpr int kThreads = 128;
  const unsigned blocks = (records + kThreads - 1) / kThreads;
  const auto naive = [&] { station_log_parse_naive<<<blocks, kThreads>>>(log, a, records); };
  const auto repaired = [&] {
    station_log_parse_repaired<kThreads><<<blocks, kThreads>>>(log, b, records);
  };
  auto same = [&](auto* x, auto* y) { return Near(Device{x, records}, Device{y, records}); };
  return Run(argc, argv, naive, repaired, [&] {
    return same(a.station, b.station) && same(a.time, b.time) && same(a.reading, b.reading) &&
           same(a.good, b.good) && same(a.checksum, b.checksum);
  });
}
