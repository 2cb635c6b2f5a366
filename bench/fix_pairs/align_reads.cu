// SPDX-License-Identifier: Apache-2.0
//
// Local alignment (Smith, Waterman and Gotoh) of many short reads: a thread to a pair keeps a row
// of its table in global memory, and rows of lanes lie 128 bytes apart. In the repair, the rows of
// all threads are interleaved.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr int kPairs = 1 << 15;
constexpr int kRead = 32;  // bases, of two bits
constexpr int kTargetWords = 3;
constexpr int kTarget = 16 * kTargetWords;
constexpr int kBlock = 128;

struct Scores {
  short match, mismatch, open, extend;
};

// The best score of a read against a target; `row` finds the table's cell of one base of the read.
template <typename Row>
__device__ short BestScore(unsigned long long read, const unsigned* __restrict__ targets, int pair,
                           Scores scores, Row row) {
  for (int i = 0; i < kRead; ++i) row(i) = make_short2(0, scores.open);
  int best = 0;
  for (int j = 0; j < kTarget; ++j) {
    const unsigned base = targets[j / 16 * kPairs + pair] >> (j % 16 * 2) & 3U;
    int diagonal = 0;
    int above = 0;
    int gap = scores.open;
    for (int i = 0; i < kRead; ++i) {
      const short2 cell = row(i);
      const int across = max(cell.x + scores.open, cell.y + scores.extend);
      gap = max(above + scores.open, gap + scores.extend);
      const bool same = (read >> (2 * i) & 3U) == base;
      const int here =
          max(max(0, diagonal + (same ? scores.match : scores.mismatch)), max(across, gap));
      diagonal = cell.x;
      above = here;
      best = max(best, here);
      row(i) = make_short2(static_cast<short>(here), static_cast<short>(across));
    }
  }
  return static_cast<short>(best);
}

__global__ void align_reads_bad(const unsigned long long* reads, const unsigned* targets,
                                Scores scores, short2* table, short* best) {
  const int pair = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (pair >= kPairs) return;
  short2* const own = table + pair * kRead;
  best[pair] =
      BestScore(reads[pair], targets, pair, scores, [=](int i) -> short2& { return own[i]; });
}

__global__ void align_reads_good(const unsigned long long* reads, const unsigned* targets,
                                 Scores scores, short2* table, short* best) {
  const int pair = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (pair >= kPairs) return;
  best[pair] = BestScore(reads[pair], targets, pair, scores,
                         [=](int i) -> short2& { return table[i * kPairs + pair]; });
}

template <typename Kernel>
Side Make(Kernel kernel) {
  std::vector<unsigned long long> all_reads(kPairs);
  std::vector<unsigned> all_targets(std::size_t{kTargetWords} * kPairs);
  for (int i = 0; i < kPairs; ++i) {
    all_reads[i] = static_cast<unsigned long long>(i + 1) * 0x9E3779B97F4A7C15ULL;
    // The read begins somewhere in the target, with a base changed.
    all_targets[i] = static_cast<unsigned>(i) * 2654435761U;
    all_targets[kPairs + i] = static_cast<unsigned>(all_reads[i] >> (i % 8 * 2)) ^ 0x300U;
    all_targets[2 * kPairs + i] = static_cast<unsigned>(all_reads[i] >> (32 + i % 5 * 2));
  }
  const auto reads = std::make_shared<DeviceArray<unsigned long long>>(all_reads);
  const auto targets = std::make_shared<DeviceArray<unsigned>>(all_targets);
  const auto table = MakeArray<short2>(std::size_t{kPairs} * kRead);
  const auto best = MakeArray<short>(kPairs);
  return {[=] {
            kernel<<<kPairs / kBlock, kBlock>>>(reads->data(), targets->data(),
                                                Scores{2, -3, -5, -2}, table->data(), best->data());
          },
          [=] { return Values(*best); }};
}

int main(int argc, char** argv) {
  return Main(
      argc, argv,
      {"align_reads", [] { return Make(align_reads_bad); }, [] { return Make(align_reads_good); }});
}
