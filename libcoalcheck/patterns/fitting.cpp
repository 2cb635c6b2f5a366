// SPDX-License-Identifier: Apache-2.0
//
// Chooses how to look, and adds what no form of the address can exclude.
#include "libcoalcheck/patterns/fitting.h"

#include <cmath>
#include <map>

#include "libcoalcheck/patterns/collisions.h"

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

const CountsTable& CountsOf(std::uint64_t width) {
  static const std::map<std::uint64_t, CountsTable> kTables = [] {
    std::map<std::uint64_t, CountsTable> tables;
    for (std::uint64_t one = 1; one <= kSectorSize.count(); one *= 2) {
      tables[one] = TabulateCounts(Bytes(one));
    }
    return tables;
  }();
  return kTables.at(width);
}

}  // namespace

void FitFullRequests(const Averages& request, CandidateSet& fitting) {
  const CountsTable& table = CountsOf(request.width);
  const auto found =
      table.find({Sectors(static_cast<std::uint64_t>(std::llround(request.sectors))),
                  CacheLines(static_cast<std::uint64_t>(std::llround(request.lines)))});
  if (found == table.end()) return;
  for (const Candidate& one : found->second) {
    if (one.pattern != Pattern::kScattered) fitting.Add(one.pattern, one.parameter);
  }
}

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
