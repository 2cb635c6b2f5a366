// SPDX-License-Identifier: Apache-2.0
//
// A program as programs are: thirty accesses in thirteen kernels, eight of them wasteful. Those
// have to be named, and none of the others.
#include <numeric>
#include <random>

#include "samples/common/sample.h"

using namespace samples;

constexpr unsigned kBlock = 256;
constexpr unsigned kWidth = 512;  // of what is taken for a matrix
constexpr unsigned kFar = 16;     // elements between two lanes of a strided access

struct Record {
  float weight;
  double other;
};

// Two or three accesses of each kernel, in lines that follow each other.
constexpr int kAddLine = __LINE__ + 4;

__global__ void add(const float* a, const float* b, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float left = a[i];   // expect: load clean sectors=4 ideal=4 pattern=coalesced
  const float right = b[i];  // expect: load clean sectors=4 ideal=4 pattern=coalesced
  out[i] = left + right;     // expect: store clean pattern=coalesced
}

constexpr int kStridedLine = __LINE__ + 4;

__global__ void add_strided(const float* a, const float* b, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float left = a[i * kFar];  // expect: load sectors=32 ideal=4 lines=16 pattern=strided:64
  const float right = b[i];        // expect: load clean pattern=coalesced
  out[i] = left + right;           // expect: store clean pattern=coalesced
}

constexpr int kWeightsLine = __LINE__ + 4;

__global__ void weights(const Record* records, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float weight = records[i].weight;  // expect: load sectors=16 ideal=4 pattern=strided:16
  out[i] = weight;                         // expect: store clean pattern=coalesced
}

constexpr int kScaleLine = __LINE__ + 4;

__global__ void scale(const float* by, const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float factor = by[blockIdx.x];  // expect: load clean sectors=1 ideal=1 pattern=broadcast:32
  const float value = in[i];            // expect: load clean pattern=coalesced
  out[i] = factor * value;              // expect: store clean pattern=coalesced
}

constexpr int kGatherLine = __LINE__ + 4;

__global__ void gather_some(const unsigned* index, const float* values, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned from = index[i];    // expect: load clean pattern=coalesced
  const float value = values[from];  // expect: load sectors=31.5..32 ideal=4 pattern=scattered
  out[i] = value;                    // expect: store clean pattern=coalesced
}

constexpr int kTransposeLine = __LINE__ + 5;

__global__ void transpose(const float* in, float* out, unsigned rows) {
  const unsigned col = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
  const float value = in[row * kWidth + col];  // expect: load clean pattern=coalesced
  out[col * rows + row] = value;  // expect: store sectors=32 ideal=4 lines=32 pattern=strided:2048
}

constexpr int kVectorsLine = __LINE__ + 5;

__global__ void copy_vectors(const float4* in, float4* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  // The compiler has both in one line, whatever is written.
  out[i] = in[i];  // expect: load,store clean sectors=16 ideal=16 lines=4
}

constexpr int kShiftedLine = __LINE__ + 4;

__global__ void copy_shifted(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float value = in[i + 1];  // expect: load sectors=5 ideal=4 lines=2 pattern=misaligned:4
  out[i] = value;                 // expect: store clean pattern=coalesced
}

constexpr int kSwappedLine = __LINE__ + 4;

__global__ void swap_neighbours(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float value = in[i ^ 1U];  // expect: load clean sectors=4 ideal=4 lines=1
  out[i] = value;                  // expect: store clean pattern=coalesced
}

constexpr int kTallyLine = __LINE__ + 4;

__global__ void tally(unsigned* packed, unsigned* spread) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&packed[i], 1U);         // expect: reduction clean sectors=4 ideal=4
  atomicAdd(&spread[i * kFar], 1U);  // expect: reduction sectors=32 ideal=4 lines=16
}

constexpr int kNarrowLine = __LINE__ + 5;

__global__ void copy_narrow(const float* in, float* out) {
  const unsigned col = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
  const float value = in[row * kWidth + col];  // expect: load sectors=8 ideal=4 lines=8
  out[row * kWidth + col] = value;             // expect: store sectors=8 ideal=4 lines=8
}

constexpr int kDoublesLine = __LINE__ + 4;

__global__ void copy_doubles(const double* in, double* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const double value = in[i];  // expect: load clean sectors=8 ideal=8 lines=2
  out[i] = value;              // expect: store clean sectors=8 ideal=8 lines=2
}

constexpr int kColumnsLine = __LINE__ + 6;

__global__ void column_sums(const float* in, float* out, unsigned rows) {
  const unsigned col = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (unsigned row = 0; row < rows; ++row) {
    sum += in[row * kWidth + col];  // expect: load clean sectors=4 ideal=4 pattern=coalesced
  }
  out[col] = sum;  // expect: store clean pattern=coalesced
}

namespace {

const dim3 kTall(4, 64);
const dim3 kFlat(32, 8);

dim3 GridOf(unsigned n, dim3 block) { return dim3(kWidth / block.x, n / kWidth / block.y); }

// Every index once, in an order that is random and the same everywhere.
std::vector<unsigned> Indices(unsigned n) {
  std::vector<unsigned> index(n);
  std::iota(index.begin(), index.end(), 0U);
  std::mt19937_64 random(20240229);
  for (std::size_t i = n - 1; i > 0; --i) std::swap(index[i], index[random() % (i + 1)]);
  return index;
}

struct Arrays {
  explicit Arrays(unsigned n)
      : n(n), in(std::size_t{n} * kFar), other(n), out(n), index(Indices(n)) {
    in.FillWithPattern();
    other.FillWithSmallPattern();
  }
  unsigned n;
  DeviceArray<float> in;
  DeviceArray<float> other;
  DeviceArray<float> out;
  DeviceArray<unsigned> index;
};

float In(std::size_t i) { return PatternAt<float>(i); }
float Other(std::size_t i) { return SmallPatternAt<float>(i); }

template <typename Launch, typename Expected>
void Do(const Arguments& arguments, Arrays& arrays, const char* name, Launch launch,
        Expected expected) {
  const Timing timing = Measure(arguments.launches, launch);
  Verify(name, arrays.out, expected);
  PrintBandwidth(name, timing, 2.0 * arrays.n * sizeof(float));
  arrays.out.Zero();
}

void RunLines(const Arguments& arguments, Arrays& arrays) {
  const unsigned n = arrays.n;
  const unsigned grid = n / kBlock;
  const float* in = arrays.in.data();
  const float* other = arrays.other.data();
  float* out = arrays.out.data();
  Do(
      arguments, arrays, "add", [=] { add<<<grid, kBlock>>>(in, other, out); },
      [](std::size_t i) { return In(i) + Other(i); });
  Do(
      arguments, arrays, "add_strided", [=] { add_strided<<<grid, kBlock>>>(in, other, out); },
      [](std::size_t i) { return In(i * kFar) + Other(i); });
  Do(
      arguments, arrays, "scale", [=] { scale<<<grid, kBlock>>>(other, in, out); },
      [](std::size_t i) { return Other(i / kBlock) * In(i); });
  const std::vector<unsigned> indices = Indices(n);
  const unsigned* index = arrays.index.data();
  Do(
      arguments, arrays, "gather_some", [=] { gather_some<<<grid, kBlock>>>(index, in, out); },
      [&](std::size_t i) { return In(indices[i]); });
  Do(
      arguments, arrays, "copy_shifted", [=] { copy_shifted<<<grid, kBlock>>>(in, out); },
      [](std::size_t i) { return In(i + 1); });
  Do(
      arguments, arrays, "swap_neighbours", [=] { swap_neighbours<<<grid, kBlock>>>(in, out); },
      [](std::size_t i) { return In(i ^ 1U); });
}

void RunMatrices(const Arguments& arguments, Arrays& arrays) {
  const unsigned n = arrays.n;
  const unsigned rows = n / kWidth;
  const float* in = arrays.in.data();
  float* out = arrays.out.data();
  Do(
      arguments, arrays, "transpose",
      [=] { transpose<<<GridOf(n, kFlat), kFlat>>>(in, out, rows); },
      [=](std::size_t i) { return In(i % rows * kWidth + i / rows); });
  Do(
      arguments, arrays, "copy_narrow", [=] { copy_narrow<<<GridOf(n, kTall), kTall>>>(in, out); },
      In);
  const float* small = arrays.other.data();  // its sums are exact
  Do(
      arguments, arrays, "column_sums",
      [=] { column_sums<<<kWidth / kBlock, kBlock>>>(small, out, rows); },
      [=](std::size_t i) {
        float sum = 0;
        for (std::size_t row = 0; i < kWidth && row < rows; ++row) sum += Other(row * kWidth + i);
        return sum;
      });
}

void RunWide(const Arguments& arguments, Arrays& arrays) {
  const unsigned n = arrays.n;
  const unsigned grid = n / kBlock;
  DeviceArray<Record> records(n);
  float* out = arrays.out.data();
  Do(
      arguments, arrays, "weights", [&] { weights<<<grid, kBlock>>>(records.data(), out); },
      [](std::size_t) { return 0.0F; });
  DeviceArray<float> vectors(std::size_t{n} * 4);
  const auto* four = reinterpret_cast<const float4*>(arrays.in.data());
  auto* to_four = reinterpret_cast<float4*>(vectors.data());
  Measure(arguments.launches, [=] { copy_vectors<<<grid, kBlock>>>(four, to_four); });
  Verify("copy_vectors", vectors, In);
  DeviceArray<double> doubles(n), copies(n);
  doubles.FillWithPattern();
  Measure(arguments.launches,
          [&] { copy_doubles<<<grid, kBlock>>>(doubles.data(), copies.data()); });
  Verify("copy_doubles", copies, [](std::size_t i) { return PatternAt<double>(i); });
  DeviceArray<unsigned> packed(n), spread(std::size_t{n} * kFar);
  Measure(arguments.launches, [&] { tally<<<grid, kBlock>>>(packed.data(), spread.data()); });
  const auto launches = static_cast<unsigned>(arguments.launches);
  Verify("tally", packed, [=](std::size_t) { return launches; });
  Verify("tally", spread, [=](std::size_t i) { return i % kFar == 0 ? launches : 0; });
}

void Run(const Arguments& arguments) {
  Arrays arrays(static_cast<unsigned>(arguments.n));
  RunLines(arguments, arrays);
  RunMatrices(arguments, arrays);
  RunWide(arguments, arrays);
}

// What the kernels of one thread for each element do.
void CountLines(unsigned n, Reference& reference) {
  const unsigned grid = n / kBlock;
  const auto add_up = [&](int line, const char* kernel, const char* kind, std::uint32_t width,
                          std::uint64_t step) {
    reference.Add({line, kernel, kind, width}, grid, kBlock,
                  [=](const Thread& t) { return GlobalX(t) * step; });
  };
  for (const int line : {0, 1}) add_up(kAddLine + line, "add", "load", 4, 4);
  add_up(kAddLine + 2, "add", "store", 4, 4);
  add_up(kStridedLine, "add_strided", "load", 4, 4 * kFar);
  add_up(kStridedLine + 1, "add_strided", "load", 4, 4);
  add_up(kStridedLine + 2, "add_strided", "store", 4, 4);
  add_up(kWeightsLine, "weights", "load", 4, sizeof(Record));
  add_up(kWeightsLine + 1, "weights", "store", 4, 4);
  reference.Add({kScaleLine, "scale", "load", 4}, grid, kBlock,
                [](const Thread& t) { return At<float>(t.blockIdx.x); });
  add_up(kScaleLine + 1, "scale", "load", 4, 4);
  add_up(kScaleLine + 2, "scale", "store", 4, 4);
  const std::vector<unsigned> indices = Indices(n);
  add_up(kGatherLine, "gather_some", "load", 4, 4);
  reference.Add({kGatherLine + 1, "gather_some", "load", 4}, grid, kBlock,
                [&](const Thread& t) { return At<float>(indices[GlobalX(t)]); });
  add_up(kGatherLine + 2, "gather_some", "store", 4, 4);
  add_up(kVectorsLine, "copy_vectors", "load", 16, 16);
  add_up(kVectorsLine, "copy_vectors", "store", 16, 16);
  reference.Add({kShiftedLine, "copy_shifted", "load", 4}, grid, kBlock,
                [](const Thread& t) { return At<float>(GlobalX(t) + 1); });
  add_up(kShiftedLine + 1, "copy_shifted", "store", 4, 4);
  reference.Add({kSwappedLine, "swap_neighbours", "load", 4}, grid, kBlock,
                [](const Thread& t) { return At<float>(GlobalX(t) ^ 1U); });
  add_up(kSwappedLine + 1, "swap_neighbours", "store", 4, 4);
  add_up(kTallyLine, "tally", "reduction", 4, 4);
  add_up(kTallyLine + 1, "tally", "reduction", 4, 4 * kFar);
  add_up(kDoublesLine, "copy_doubles", "load", 8, 8);
  add_up(kDoublesLine + 1, "copy_doubles", "store", 8, 8);
}

void CountMatrices(unsigned n, Reference& reference) {
  const unsigned rows = n / kWidth;
  const auto by_rows = [](const Thread& t) { return At<float>(GlobalY(t) * kWidth + GlobalX(t)); };
  reference.Add({kTransposeLine, "transpose", "load", 4}, GridOf(n, kFlat), kFlat, by_rows);
  reference.Add({kTransposeLine + 1, "transpose", "store", 4}, GridOf(n, kFlat), kFlat,
                [=](const Thread& t) { return At<float>(GlobalX(t) * rows + GlobalY(t)); });
  reference.Add({kNarrowLine, "copy_narrow", "load", 4}, GridOf(n, kTall), kTall, by_rows);
  reference.Add({kNarrowLine + 1, "copy_narrow", "store", 4}, GridOf(n, kTall), kTall, by_rows);
  reference.AddRepeated(
      {kColumnsLine, "column_sums", "load", 4}, kWidth / kBlock, kBlock, rows,
      [](const Thread& t, std::int64_t row) {
        return Offset(At<float>(static_cast<std::uint64_t>(row) * kWidth + GlobalX(t)));
      });
  reference.Add({kColumnsLine + 2, "column_sums", "store", 4}, kWidth / kBlock, kBlock,
                [](const Thread& t) { return At<float>(GlobalX(t)); });
}

void CountAccesses(const Arguments& arguments, Reference& reference) {
  const auto n = static_cast<unsigned>(arguments.n);
  CountLines(n, reference);
  CountMatrices(n, reference);
}

}  // namespace

int main(int argc, char** argv) {
  return Main(argc, argv,
              {.name = "mixed",
               .summary = "runs thirteen small kernels over n elements each",
               .source = __FILE__,
               .size = {"elements", 1 << 18, kWidth * 64, 1 << 22},
               .run = Run,
               .count = CountAccesses});
}
