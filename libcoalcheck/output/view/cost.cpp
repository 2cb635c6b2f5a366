// SPDX-License-Identifier: Apache-2.0
//
// Shares of time, and ranges of gain, in words.
#include "libcoalcheck/output/view/cost.h"

#include <fmt/format.h>

#include <optional>

#include "libcoalcheck/findings/cost/place_cost.h"
#include "libcoalcheck/findings/words/words.h"

namespace coalcheck::output {
namespace {

using findings::Report;

std::string GainText(const std::optional<findings::Gain>& gain) {
  if (!gain) return "gain not known: there are no measurements of its GPU";
  if (gain->most < findings::kNoGainBelow) {
    return fmt::format("no gain expected: at most {} of the kernel's time",
                       words::Percent(gain->most));
  }
  return fmt::format("fixing it could save {} to {} of the kernel's time",
                     words::Percent(gain->least), words::Percent(gain->most));
}

}  // namespace

std::string CostSentence(const Report& report, const findings::Place& place) {
  if (!report.cost) return {};
  const findings::PlaceCost cost = findings::CostOf(report, place);
  const Cycles kernel = cost.kernel.all;
  const Cycles waiting = cost.stalls.Sum().all;
  if (kernel == Cycles(0)) return "stalls: its kernel was not sampled";
  return fmt::format("stalls: {} of the kernel's samples, {} of the program's, wait for it; {}",
                     words::Percent(findings::ShareOf(waiting, kernel)),
                     words::Percent(findings::ShareOf(waiting, report.cost->Sum().all)),
                     GainText(cost.gain));
}

std::string CostNote(const Report& report) {
  if (report.places.empty() || !report.places.front().is_finding) return {};
  if (!report.cost) {
    return fmt::format("cost not known: {}",
                       report.why_no_cost.empty()
                           ? "what warps wait for was not sampled (--cost auto)"
                           : words::Printable(report.why_no_cost));
  }
  const findings::ProgramCost& cost = *report.cost;
  const Cycles all = cost.Sum().all;
  std::string note = fmt::format(
      "{} of the program's samples wait for the accesses above and other counted ones, {} could "
      "not "
      "be attributed",
      words::Percent(findings::ShareOf(cost.accesses.all, all)),
      words::Percent(findings::ShareOf(cost.unattributed.all, all)));
  if (cost.is_partial) note += "; part of the run was not sampled";
  return note;
}

}  // namespace coalcheck::output
