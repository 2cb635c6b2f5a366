// SPDX-License-Identifier: Apache-2.0
//
// Adds up machine instructions by their PTX, and compares shares.
#include "libcoalcheck/findings/places/worst_part.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace coalcheck::findings {
namespace {

constexpr double kLeastShareOfRequests = 0.05;

}  // namespace

std::optional<WorstPart> WorstPartOf(const Access& access) {
  if (access.instructions.size() < 2) return std::nullopt;
  std::map<std::pair<std::string, PcOffset>, Counts> parts;
  for (const Instruction& one : access.instructions) {
    parts[{one.ptx, one.ptx.empty() ? one.pc : PcOffset(0)}] += one.counts;
  }
  const double least = kLeastShareOfRequests * static_cast<double>(access.counts.requests.count());
  std::optional<WorstPart> worst;
  double share = access.counts.WastedShare();
  for (const auto& [key, counts] : parts) {
    const bool matters = static_cast<double>(counts.requests.count()) >= least;
    if (!matters || counts.WastedShare() <= share) continue;
    share = counts.WastedShare();
    worst = WorstPart{counts, parts.size()};
  }
  return worst;
}

double WorstWastedShare(const Access& access) {
  const std::optional<WorstPart> worst = WorstPartOf(access);
  return worst ? worst->counts.WastedShare() : access.counts.WastedShare();
}

}  // namespace coalcheck::findings
