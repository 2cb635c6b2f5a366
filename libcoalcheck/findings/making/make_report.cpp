// SPDX-License-Identifier: Apache-2.0
//
// Puts the parts of a report together.
#include "libcoalcheck/findings/making/make_report.h"

#include <absl/container/flat_hash_set.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "libcoalcheck/findings/cost/charging.h"
#include "libcoalcheck/findings/cost/place_cost.h"
#include "libcoalcheck/findings/places/fingerprint.h"
#include "libcoalcheck/findings/places/make_job.h"
#include "libcoalcheck/findings/places/places.h"
#include "libcoalcheck/findings/places/scope.h"
#include "libcoalcheck/findings/sums/ranges.h"
#include "libcoalcheck/findings/sums/uncounted.h"
#include "libcoalcheck/policy/judge.h"

namespace coalcheck::findings {
namespace {

bool IsBefore(const Access& a, const Access& b) {
  if (a.counts.Wasted() != b.counts.Wasted()) return a.counts.Wasted() > b.counts.Wasted();
  if (a.counts.sectors != b.counts.sectors) return a.counts.sectors > b.counts.sectors;
  if (a.shown != b.shown) return a.shown < b.shown;
  return std::tie(a.kernel, a.kind, a.chain) < std::tie(b.kernel, b.kind, b.chain);
}

std::vector<KernelCoverage> Kernels(Aggregate& aggregate, const Attribution& attribution) {
  for (const std::string& name : attribution.kernels_without_lines) {
    KernelCoverage& kernel = aggregate.kernels[name];
    kernel.kernel = name;
    kernel.lacks_lines = true;
  }
  absl::flat_hash_set<std::string_view> with_counts;
  for (const Access& access : attribution.accesses) with_counts.insert(access.kernel);
  for (const Unattributed& row : attribution.unattributed) with_counts.insert(row.function);
  std::vector<KernelCoverage> kernels;
  for (auto& [name, kernel] : aggregate.kernels) {
    kernel.counted_nothing = kernel.checked > Launches(0) && !with_counts.contains(name);
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

// What a move does to an access is kept by the access's number.
void SortAccesses(Report& report) {
  std::vector<std::size_t> order(report.accesses.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return IsBefore(report.accesses[a], report.accesses[b]);
  });
  std::vector<Access> sorted;
  sorted.reserve(order.size());
  std::vector<std::size_t> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    sorted.push_back(std::move(report.accesses[order[i]]));
  }
  report.accesses = std::move(sorted);
  for (KernelMoves& kernel : report.moves) {
    for (KernelMove& move : kernel.moves) {
      for (AccessChange& change : move.accesses) change.access = place[change.access];
    }
  }
  for (FetchedAgain& one : report.fetched_again) one.access = place[one.access];
}

// Of each kernel as many as of the access that knows most.
Launches LaunchesPredicted(const std::vector<Access>& accesses) {
  std::map<std::string_view, Launches> kernels;
  for (const Access& access : accesses) {
    if (!access.uncounted) continue;
    Launches& most = kernels[access.kernel];
    most = std::max(most, access.uncounted->launches);
  }
  Launches sum;
  for (const auto& [kernel, launches] : kernels) sum += launches;
  return sum;
}

void JudgeAccesses(cubin::SourceText& sources, const Policy& policy, Report& report) {
  const policy::Rules none;
  const policy::Rules& rules = policy.rules == nullptr ? none : *policy.rules;
  policy::Judge judge(rules, report, sources);
  for (Access& access : report.accesses) judge.Decide(access);
  if (policy.names_unused) report.policy_notes = judge.Notes();
  report.policy_problem = judge.WhyNotDone();
  report.min_launches = Launches(rules.min_launches);
}

}  // namespace

Report MakeReport(Aggregate aggregate, Code& code, const SourceView& source, const Policy& policy) {
  GiveUncounted(aggregate);
  Attribution attribution = Attribute(aggregate, code, source);
  Report report;
  report.min_wasted_share = policy.min_wasted_share;
  report.scope_asked = policy.scope;
  report.source_root = source.scope.root;
  report.present = aggregate.present;
  report.sectors = aggregate.total.direct.sectors;
  report.ideal = aggregate.total.direct.ideal;
  report.lines = aggregate.total.direct.lines;
  report.kernels = Kernels(aggregate, attribution);
  report.ranges = Sorted(aggregate.ranges);
  report.range_sets.resize(aggregate.range_sets.size());
  for (const auto& [open, number] : aggregate.range_sets) report.range_sets[number] = open;
  for (const KernelCoverage& kernel : report.kernels) {
    report.launches += kernel.launches;
    report.launches_checked += kernel.checked;
  }
  report.programs = std::move(aggregate.programs);
  report.launch = std::move(aggregate.launch);
  report.recordings = std::move(aggregate.recordings);
  report.unreadable = std::move(aggregate.unreadable);
  report.unattributed = std::move(attribution.unattributed);
  report.accesses = std::move(attribution.accesses);
  report.launches_predicted = LaunchesPredicted(report.accesses);
  report.local_memory = std::move(attribution.local_memory);
  report.bulk_copies = std::move(attribution.bulk_copies);
  report.moves = std::move(attribution.moves);
  std::ranges::stable_sort(report.moves, {}, &KernelMoves::kernel);
  report.fetched_again = std::move(attribution.fetched_again);
  report.scope = MarkScope(source.scope, policy.scope, policy.may_fall_back, report.accesses);
  for (Access& access : report.accesses) patterns::SettleShares(access.patterns);
  ChargeSamples(aggregate.sampled, code, report);
  JudgeAccesses(source.text, policy, report);
  SortAccesses(report);
  std::ranges::stable_sort(report.unattributed, [](const Unattributed& a, const Unattributed& b) {
    return a.counts.sectors > b.counts.sectors;
  });
  std::ranges::stable_sort(report.local_memory, [](const LocalMemory& a, const LocalMemory& b) {
    return a.loads + a.stores > b.loads + b.stores;
  });
  std::ranges::stable_sort(report.bulk_copies, std::ranges::greater(), &BulkCopies::all);
  report.places = FoldInstantiations(report.accesses);
  IdentifyPlaces(source.text, report);
  OrderByCost(report);
  report.job = MakeJob(std::move(aggregate.job), report.accesses);
  return report;
}

}  // namespace coalcheck::findings
