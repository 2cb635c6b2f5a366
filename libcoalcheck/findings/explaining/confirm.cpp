// SPDX-License-Identifier: Apache-2.0
//
// Compares totals if everything was evaluated, else sectors per request; bounds if data decide.
#include "libcoalcheck/findings/explaining/confirm.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace coalcheck::findings {
namespace {

using address::EvaluatedAccess;
using address::LaunchEvaluation;
using address::Origin;

bool Has(const EvaluatedAccess& access, Origin::Kind kind) {
  return std::ranges::any_of(access.origins,
                             [&](const Origin& origin) { return origin.kind == kind; });
}

// Standard errors that chosen blocks may be off by.
constexpr double kErrors = 4;
// Those that fit into what counts as agreement, where chosen blocks are said to agree.
constexpr double kErrorsOfSure = 2;

std::string WhyItEnded(address::WarpEnd end) {
  switch (end) {
    case address::WarpEnd::kOutOfSteps:
      return "evaluating it takes more steps than are allowed";
    case address::WarpEnd::kTooManyUnknowns:
      return "the kernel computes with more loaded values than the evaluator holds";
    case address::WarpEnd::kTooDeep:
      return "its branches are nested too deeply";
    case address::WarpEnd::kUnknownTarget:
      return "an indirect branch has no list of labels";
    case address::WarpEnd::kDone:
      break;
  }
  return "no evaluated block reaches it";
}

bool IsNear(double a, double b) { return std::abs(a - b) <= kAgreement * std::max(a, b); }

bool TotalsHold(const Counts& counted, Launches launches, const EvaluatedAccess& access) {
  const auto times = static_cast<double>(launches.count());
  const auto is = [&](double one, std::uint64_t all) {
    return std::abs(one * times - static_cast<double>(all)) < 0.5;
  };
  return is(access.sums.requests, counted.requests.count()) &&
         is(access.sums.sectors, counted.sectors.count());
}

// What differs from the counts; computed with fewer digits on the GPU it may do so rightly.
Verdict Differs(const LaunchEvaluation& evaluation, std::string why) {
  if (!evaluation.is_approximate) return {Standing::kContradicted, std::move(why), false, false};
  return {Standing::kNotEvaluated, "functions that the GPU approximates decide it", false, false};
}

// The most sectors that lanes in rows touch, where data decide in which place each row begins.
double MostOfRows(const address::LaneShape& shape, double lanes, Bytes width) {
  const auto sector = static_cast<double>(kSectorSize.count());
  const double span = std::abs(static_cast<double>(shape.step)) * (shape.row - 1) +
                      static_cast<double>(width.count());
  return (lanes / shape.row + 1) * (span / sector + 2);
}

// The most sectors that a request of any of its shapes can touch. `lanes_counted`: per request.
// `width`: bytes of a lane.
double MostPerRequest(const EvaluatedAccess& access, double lanes_counted, Bytes width) {
  double most = 0;
  for (const address::ShapeShare& share : access.shapes) {
    // Blocks that were not evaluated may have fuller warps.
    const double lanes = std::max(share.sums.lanes / share.sums.requests, lanes_counted);
    const double known = share.sums.sectors / share.sums.requests;
    switch (share.shape.kind) {
      case address::LaneShape::Kind::kByData:
      case address::LaneShape::Kind::kStepByLaunch:
        most = std::max(most, lanes);
        break;
      case address::LaneShape::Kind::kRows:
        most = std::max(most, share.shape.begins_by_data
                                  ? std::min(lanes, MostOfRows(share.shape, lanes, width))
                                  : known);
        break;
      default:
        // From another place in its sector it may touch one more.
        most = std::max(most, share.shape.begins_by_data ? std::min(lanes, known + 1) : known);
    }
  }
  return most;
}

}  // namespace

bool IsSure(const EvaluatedAccess& access) {
  const double evaluated = access.sums.sectors / access.sums.requests;
  return kErrorsOfSure * access.error <= kAgreement * evaluated;
}

bool IsOfData(const EvaluatedAccess& access) {
  return std::ranges::any_of(access.origins, &Origin::IsData);
}

std::string_view ToString(Standing standing) {
  switch (standing) {
    case Standing::kConfirmed:
      return "confirmed";
    case Standing::kDecidedByData:
      return "decided_by_data";
    case Standing::kContradicted:
      return "contradicted";
    case Standing::kNotEvaluated:
      break;
  }
  return "not_evaluated";
}

Verdict Confirm(const Counts& counted, Bytes width, Launches launches,
                const ptx::Function& function, const LaunchEvaluation& evaluation,
                const EvaluatedAccess* access) {
  if (counted.requests == Requests(0))
    return {Standing::kNotEvaluated, "it was not executed", false, false};
  if (access == nullptr) {
    if (!evaluation.is_complete)
      return {Standing::kNotEvaluated, WhyItEnded(evaluation.end), false, false};
    return Differs(evaluation, "its guard never holds as evaluated");
  }
  const double per_request = Per(counted.sectors, counted.requests);
  const double evaluated = access->sums.sectors / access->sums.requests;
  const double most = MostPerRequest(*access, Per(counted.lanes, counted.requests), width);
  const bool by_data = access->by_data > 0 || access->lane_open > 0;
  if (Has(*access, Origin::Kind::kNotComputed) && !IsOfData(*access)) {
    const auto origin =
        std::ranges::find(access->origins, Origin::Kind::kNotComputed, &Origin::kind);
    const bool is_there = origin->place < function.instructions.size();
    // Wherever lanes begin by it, they ask for as many sectors.
    const bool is_settled = access->most <= evaluated * (1 + kAgreement);
    if (is_settled && IsNear(per_request, evaluated)) {
      return {Standing::kConfirmed, {}, false, true};
    }
    if (evaluation.is_cut()) {
      return {Standing::kNotEvaluated, WhyItEnded(address::WarpEnd::kOutOfSteps), false, false};
    }
    return {Standing::kNotEvaluated,
            is_there
                ? fmt::format("{} is not interpreted", function.instructions[origin->place].text)
                : "a special register decides it",
            false, false};
  }
  if (by_data) {
    if (per_request <= most * (1 + kAgreement)) {
      return {Standing::kDecidedByData, {}, false, true};
    }
    return Differs(
        evaluation,
        fmt::format("{:.3f} sectors a request were counted, and at most {:.3f} are possible",
                    per_request, most));
  }
  if (Has(*access, Origin::Kind::kParameter)) {
    const bool agrees = per_request <= most * (1 + kAgreement);
    return {Standing::kNotEvaluated, "the launch's arguments were not recorded", false, agrees};
  }
  const bool totals = evaluation.is_complete && TotalsHold(counted, launches, *access);
  if (totals || IsNear(per_request, evaluated)) return {Standing::kConfirmed, {}, totals, true};
  if (access->warp_open > 0) return {Standing::kDecidedByData, {}, false, true};
  if (access->variable_base > 0) {
    return {Standing::kNotEvaluated, "the address of a variable is not known", false, false};
  }
  if (!evaluation.is_complete && (!evaluation.covers || evaluation.is_cut())) {
    return {Standing::kNotEvaluated, WhyItEnded(address::WarpEnd::kOutOfSteps), false, false};
  }
  // How much the warps of one block differ was not looked at.
  const bool is_in_error = std::abs(per_request - evaluated) <= kErrors * access->error;
  if (!evaluation.is_complete && (is_in_error || evaluation.are_warps_left_out)) {
    return {Standing::kNotEvaluated, "its blocks differ, and too few of them were evaluated", false,
            is_in_error};
  }
  return Differs(evaluation, fmt::format("{:.3f} sectors a request were counted, {:.3f} evaluated",
                                         per_request, evaluated));
}

Verdict ConfirmAlone(const Counts& counted, const EvaluatedAccess* evaluated) {
  const Verdict too_long{Standing::kNotEvaluated, WhyItEnded(address::WarpEnd::kOutOfSteps), false,
                         false};
  if (evaluated == nullptr) return too_long;
  const EvaluatedAccess& access = *evaluated;
  if (counted.requests == Requests(0)) return too_long;
  // Of lanes that lie in one sector, and of lanes of which no two share one, any may take part.
  const bool are_together = access.sums.sectors == access.sums.requests;
  const bool are_apart = access.sums.sectors == access.sums.lanes;
  const double sectors = Per(counted.sectors, counted.requests);
  const bool agrees =
      (are_together && IsNear(sectors, 1)) ||
      (are_apart && counted.sectors.count() == counted.lanes.count()) ||
      (IsNear(Per(counted.lanes, counted.requests), access.sums.lanes / access.sums.requests) &&
       IsNear(sectors, access.sums.sectors / access.sums.requests));
  return agrees ? Verdict{Standing::kConfirmed, {}, false, true} : too_long;
}

}  // namespace coalcheck::findings
