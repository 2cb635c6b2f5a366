// SPDX-License-Identifier: Apache-2.0
//
// A volume of 16-bit samples whose x and z change places: lanes load along x and store whole planes
// apart. The repair takes a tile of x and z through shared memory.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

using Sample = std::uint16_t;

constexpr unsigned kX = 384;
constexpr unsigned kY = 256;
constexpr unsigned kZ = 320;
constexpr unsigned kTile = 32;
constexpr unsigned kRows = 8;  // of a tile at a time
constexpr unsigned kPad = 2;   // samples: lanes of a column are in banks of their own

__global__ void permute_volume_bad(const Sample* in, Sample* out) {
  const unsigned x = blockIdx.x * kTile + threadIdx.x;
  const unsigned y = blockIdx.z;
  for (unsigned row = threadIdx.y; row < kTile; row += kRows) {
    const unsigned z = blockIdx.y * kTile + row;
    out[(x * kY + y) * kZ + z] = in[(z * kY + y) * kX + x];
  }
}

__global__ void permute_volume_good(const Sample* in, Sample* out) {
  __shared__ Sample tile[kTile][kTile + kPad];
  const unsigned y = blockIdx.z;
  for (unsigned row = threadIdx.y; row < kTile; row += kRows) {
    const unsigned z = blockIdx.y * kTile + row;
    tile[row][threadIdx.x] = in[(z * kY + y) * kX + blockIdx.x * kTile + threadIdx.x];
  }
  __syncthreads();
  for (unsigned row = threadIdx.y; row < kTile; row += kRows) {
    const unsigned x = blockIdx.x * kTile + row;
    out[(x * kY + y) * kZ + blockIdx.y * kTile + threadIdx.x] = tile[threadIdx.x][row];
  }
}

template <typename Kernel>
Side Make(Kernel kernel) {
  const auto in = MakeArray<Sample>(std::size_t{kX} * kY * kZ);
  in->FillWithPattern();
  const auto out = MakeArray<Sample>(in->size());
  const dim3 grid(kX / kTile, kZ / kTile, kY);
  return {[=] { kernel<<<grid, dim3(kTile, kRows)>>>(in->data(), out->data()); },
          [=] { return Values(*out); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"permute_volume", [] { return Make(permute_volume_bad); },
               [] { return Make(permute_volume_good); }});
}
