// SPDX-License-Identifier: Apache-2.0
//
// Chooses how to look, and adds what no form of the address can exclude.
#include "libcoalcheck/patterns/fitting.h"

namespace coalcheck::patterns {
namespace {

// So many requests do not divide every sum by chance.
constexpr std::uint64_t kManyRequests = 1024;

bool IsAtomic(cubin::AccessKind kind) {
  return kind == cubin::AccessKind::kAtomic || kind == cubin::AccessKind::kReduction;
}

// An index that follows nothing makes requests differ, unless no two of its lanes ever meet in one
// line. It costs more than the one sector that any other beginning of consecutive elements would.
bool MayBeScattered(const Averages& request) {
  if (request.clean || request.sectors - request.ideal <= 1) return false;
  const bool never_met = request.lane_each && request.line_each;
  return !request.alike || request.requests < kManyRequests || never_met;
}

}  // namespace

std::vector<Candidate> PatternsWithCounts(const Evidence& evidence) {
  const Averages request(evidence);
  CandidateSet fitting;
  // Each lane, on average nearly so, has a line of its own.
  if (IsAtomic(evidence.kind) && request.lanes >= 2 && request.lines > request.lanes - 0.5) {
    fitting.Add(Pattern::kAtomicsApart);
    return fitting.InOrder();
  }
  if (request.full && request.alike) FitFullRequests(request, fitting);
  // Sums of requests that differ may happen to divide.
  if (fitting.empty()) FitAverages(request, fitting);
  if (evidence.block_row) FitOddRows(request, *evidence.block_row, fitting);
  if (MayBeScattered(request)) fitting.Add(Pattern::kScattered);
  return fitting.InOrder();
}

}  // namespace coalcheck::patterns
