// SPDX-License-Identifier: Apache-2.0
//
// What the agent writes when the process ends, or when the program asks for it before.
#include <fmt/format.h>

#include <chrono>

#include "injection/agent/agent.h"
#include "injection/agent/base/until.h"
#include "injection/agent/process/say.h"
#include "injection/agent/sampling/gpu_claim.h"

namespace coalcheck::agent {

void Agent::Flush() {
  if (Deaf() || !session_.begun()) return;
  for (ContextWatch* watch : Contexts()) {
    if (options_.collection == options::Collection::kResident) {
      FlushResident(*watch);
    } else {
      TryClose(*watch, std::chrono::milliseconds(0));
    }
  }
  if (session_.Full()) return;  // tallies are written once more at the end
  WriteNewRanges();
  session_.WriteTallies(launch_book_);
  WriteCost();
}

void Agent::Forked() {
  ended_ = stopped_ = forked_ = true;
  GpuClaim::Forked();
}

void Agent::NoMoreReleases() {
  Until(clock_, deadlines_.close, [this] {
    Phase running = Phase::kRunning;
    return phase_.compare_exchange_strong(running, Phase::kEnding) || running == Phase::kEnding;
  });
  phase_ = Phase::kEnding;  // also where a release took too long
}

void Agent::ProcessEnds(std::string_view how) {
  if (!session_.begun() || !session_.IsOurProcess()) return;
  NoMoreReleases();
  // Not under the lock, for closing calls the driver; watches live as long as the agent.
  for (ContextWatch* watch : Contexts()) {
    CloseForGood(*watch, "a window was still open when the process ended");
    EndSampling(*watch, "the last samples of a process that ended while the device was at work");
  }
  ended_ = stopped_ = true;
  WriteProgress();
  graph_book_.FoldReplays();
  WriteNewRanges();
  session_.WriteTallies(launch_book_);
  for (const recording::Unmatched& one : launch_book_.Unmatched()) session_.Write(one);
  WriteLosses();
  WriteCost();
  session_.End(how);
}

void Agent::Charge(Clock::TimePoint since) { budget_.Spent(clock_.Now() - since); }

void Agent::WriteCost() {
  using Seconds = std::chrono::duration<double>;
  const bool has_budget = options_.sampling.kind == selection::Sampling::Kind::kAuto;
  session_.Write(recording::Cost{
      .windows = windows_closed_.load(),
      .seconds = Seconds(budget_.spent()).count(),
      .elapsed = Seconds(clock_.Now() - start_).count(),
      .budget_percent = has_budget ? options_.budget.parts_per_million() / 10000.0 : 0});
}

void Agent::WriteNewRanges() {
  for (const recording::RangeSet& set : launch_book_.TakeNewRanges()) session_.Write(set);
}

void Agent::RangesNotSeen(const std::string& why, bool say) {
  ranges_not_seen_.push_back(why);
  if (say) Say(why);
}

void Agent::WriteLosses() {
  for (const std::string& what : ranges_not_seen_) session_.WriteLoss("nvtx_too_late", what, 1);
  const RangeLosses ranges = ranges_.losses();
  const bool no_ranges =
      options_.filters.by_ranges() && ranges_.opened() == Ranges(0) && ranges_not_seen_.empty();
  const struct {
    std::uint64_t count;
    std::string_view what;
    std::string_view detail;
  } kLosses[] = {
      {unseen_graph_launches_, "unseen_graph", "launches of graphs whose making was not seen"},
      {unseen_nodes_launches_, "unseen_graph",
       "launches of graphs with conditional nodes: the kernels in their bodies are not seen"},
      {too_late_launches_, "counting_ended",
       "launches after the context was destroyed in which counting had been set up: it cannot be "
       "set up twice on one device"},
      {updated_graphs_, "updated_graph",
       "updates in place: such graphs count as what they were instantiated with"},
      {no_ranges ? 1U : 0U, "no_ranges",
       "no NVTX range was seen: the program opens none, or used NVTX before CUDA started; "
       "coalcheck run, or NVTX_INJECTION64_PATH naming the same library, sees those too"},
      {ranges.folded_names, "ranges_folded", "ranges beyond the most that are told apart"},
      {ranges.unnamed, "ranges_folded", "ranges opened while too many were open"},
      {ranges.folded_sets, "ranges_folded", "combinations of ranges beyond the most told apart"},
      {ranges.unbalanced_pops, "unbalanced_pop",
       "NVTX pops without a push, or with one before CUDA started"},
      {ranges.unknown_ends, "unknown_range_end", "NVTX range ends without a start"},
      {launch_book_.Folded().count(), "shapes_folded",
       "launches of kernels in more shapes and ranges than are told apart"},
      {captured_nodes_.forgotten(), "ranges_folded",
       "launches captured into graphs beyond the most whose ranges are remembered"},
      {ranges_.still_open().count(), "open_range", "NVTX ranges that were never closed"},
  };
  for (const auto& [count, what, detail] : kLosses) {
    if (count > 0) session_.WriteLoss(what, detail, count);
  }
}

}  // namespace coalcheck::agent
