// SPDX-License-Identifier: Apache-2.0
//
// Levenshtein distance of 65536 short DNA reads (80 bases) to one 64-base primer, one
// read per thread, with a rolling dynamic-programming row in a device work area.
#include "harness.h"

struct ReadSet {
  const uint8_t* __restrict__ bases;     // [position][read]
  const uint8_t* __restrict__ read_len;  // [read]
  int reads;
};

struct Primer {
  const uint8_t* __restrict__ bases;
  int len;
};

__global__ void edit_distance_batch_naive(ReadSet set, Primer pr, uint16_t* __restrict__ work,
                                          uint16_t* __restrict__ dist) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= set.reads) return;
  uint16_t* row = work + (size_t)r * (pr.len + 1);
  for (int j = 0; j <= pr.len; ++j) row[j] = (uint16_t)j;
  const int len = set.read_len[r];
  for (int i = 0; i < len; ++i) {
    const uint8_t base = set.bases[(size_t)i * set.reads + r];
    int diag = i, left = i + 1;
    for (int j = 1; j <= pr.len; ++j) {
      const int up = row[j];
      const int sub = diag + (base != pr.bases[j - 1]);
      left = min(min(left, up) + 1, sub);
      diag = up;
      row[j] = (uint16_t)left;
    }
  }
  dist[r] = row[pr.len];
}

__global__ void edit_distance_batch_repaired(ReadSet set, Primer pr, uint16_t* __restrict__ work,
                                             uint16_t* __restrict__ dist) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= set.reads) return;
  uint16_t* col = work + r;
  const size_t step = set.reads;
  for (int j = 0; j <= pr.len; ++j) col[j * step] = (uint16_t)j;
  const int len = set.read_len[r];
  for (int i = 0; i < len; ++i) {
    const uint8_t base = set.bases[(size_t)i * set.reads + r];
    int diag = i, left = i + 1;
    for (int j = 1; j <= pr.len; ++j) {
      const int up = col[j * step];
      const int sub = diag + (base != pr.bases[j - 1]);
      left = min(min(left, up) + 1, sub);
      diag = up;
      col[j * step] = (uint16_t)left;
    }
  }
  dist[r] = col[pr.len * step];
}

static int host_distance(const uint8_t* read, int step, int len,
                         const std::vector<uint8_t>& primer) {
  std::vector<int> row(primer.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (int i = 0; i < len; ++i) {
    int diag = row[0];
    row[0] = i + 1;
    for (size_t j = 1; j < row.size(); ++j) {
      const int up = row[j];
      const int sub = diag + (read[(size_t)i * step] != primer[j - 1]);
      row[j] = std::min(std::min(row[j - 1], up) + 1, sub);
      diag = up;
    }
  }
  return row.back();
}

int main(int argc, char** argv) {
  const int reads = 65536, max_len = 80, primer_len = 64;
  Random random{555};
  auto rnd = [&] { return random() >> 16; };
  auto base = [&](int) { return (uint8_t) "ACGT"[rnd() & 3]; };
  const auto primer = Generate(primer_len, base);
  std::vector<uint8_t> bases((size_t)max_len * reads), lens(reads);
  for (int r = 0; r < reads; ++r) {
    lens[r] = (uint8_t)(max_len - (rnd() % 8 == 0 ? rnd() % 4 : 0));
    for (int i = 0; i < max_len; ++i) {
      const bool keep = rnd() % 8 != 0 && i < primer_len;
      bases[(size_t)i * reads + r] = keep ? primer[i] : base(i);
    }
  }
  const ReadSet set{Upload(bases), Upload(lens), reads};
  const Primer pr{Upload(primer), primer_len};
  const auto work = Allocate<uint16_t>((size_t)reads * (primer_len + 1));
  const auto a = Allocate<uint16_t>(reads), b = Allocate<uint16_t>(reads);

  const auto naive = [&] { edit_distance_batch_naive<<<reads / 128, 128>>>(set, pr, work, a); };
  const auto repaired = [&] {
    edit_distance_batch_repaired<<<reads / 128, 128>>>(set, pr, work, b);
  };
  return Run(argc, argv, naive, repaired, [&] {
    const auto dist = Host(a);
    return Near(a, b) && All(reads / 4099 + 1, [&](size_t i) {  // a few on the host, too
             const size_t r = i * 4099;
             return host_distance(&bases[r], reads, lens[r], primer) == dist[r];
           });
  });
}
