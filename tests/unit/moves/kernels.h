// SPDX-License-Identifier: Apache-2.0
//
// Small PTX kernels, and what comes of trying moves on a launch of one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "libcoalcheck/moves/fetched_again.h"
#include "libcoalcheck/moves/try_moves.h"

namespace coalcheck::moves {

// `void k(const float* in, float* out, int width, int height)`: in %rd1, %rd2, %r2, %r3 the
// parameters, in %r10, %r11 the thread's place in the whole grid in x and y; then `body`.
std::string KernelText(std::string_view body);

struct KernelLaunch {
  address::Extent grid;
  address::Extent block;
  std::int32_t width = 256;
  std::int32_t height = 256;
  std::uint64_t in = 0x700000000000;
  std::uint64_t out = 0x700010000000;
};

// Every access that is executed counts as confirmed, but for `unconfirmed`, by their order.
// `lines`: of the source, of each access; all are of one unless said.
TriedMoves Tried(std::string_view body, const KernelLaunch& launch,
                 const std::vector<std::size_t>& unconfirmed = {},
                 const std::vector<std::uint32_t>& lines = {});

// fixtures/repairs.cu as PTX; empty without nvcc.
const std::string& RepairsPtx();
// On a launch of one of its kernels. What data decide counts as a sector for each lane.
// `multiprocessors`: of the GPU; 0: not known.
TriedMoves TriedOn(const std::string& kernel, const KernelLaunch& launch, std::string arguments,
                   std::uint32_t multiprocessors = 0);

// Of all loads: each in a line of its own, or all in one.
std::vector<FetchedAgain> FetchedAgainIn(std::string_view body, const KernelLaunch& launch,
                                         bool is_one_line = false);

// Sectors a request, in the order of the text.
std::vector<double> SectorsBefore(const Move& move);
std::vector<double> SectorsAfter(const Move& move);

// The first of that kind; null when there is none.
const Move* Find(const std::vector<Move>& moves, MoveKind kind);

}  // namespace coalcheck::moves
