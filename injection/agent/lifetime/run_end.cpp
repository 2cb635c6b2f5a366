// SPDX-License-Identifier: Apache-2.0
//
// The last records, and those of a flush.
#include "injection/agent/lifetime/run_end.h"

#include "injection/agent/process/say.h"

namespace coalcheck::agent {

namespace loss = recording::loss;

void RunEnd::RangesNotSeen(const std::string& why, bool say) {
  ranges_not_seen_.push_back(why);
  if (say) Say(why);
}

void RunEnd::Flush() {
  if (parts_.IsDeaf() || !parts_.session.begun()) return;
  for (ContextWatch* watch : parts_.contexts.All()) {
    if (parts_.resident.is_wanted()) {
      parts_.windows.FlushResident(*watch);
    } else {
      parts_.windows.TryClose(*watch, std::chrono::milliseconds(0));
    }
  }
  if (parts_.session.Full()) return;  // tallies are written once more at the end
  parts_.WriteNewRanges();
  parts_.session.WriteTallies(parts_.launch_book, /*is_end=*/false);
  WriteSources();
  WriteCost();
}

void RunEnd::CloseContexts() {
  // Closed without the lock, since closing calls the driver; watches live as long as the agent.
  for (ContextWatch* watch : parts_.contexts.All()) {
    parts_.windows.CloseOrDiscard(*watch, "a window was still open when the process ended");
    parts_.sampling.End(*watch,
                        "the last samples of a process that ended while the device was at work");
  }
  parts_.lifecycle.Ended();
}

void RunEnd::CompleteRecording(std::string_view how, const Losses& losses) {
  parts_.WriteNewRanges();
  parts_.session.WriteTallies(parts_.launch_book, /*is_end=*/true);
  for (const recording::Unmatched& one : parts_.launch_book.Unmatched()) parts_.session.Write(one);
  WriteSources();
  parts_.first_windows.NameLeftOut(parts_.launch_book);
  WriteLosses(losses);
  WriteCost();
  parts_.session.End(how);
}

void RunEnd::WriteSources() {
  for (const recording::Source& source : parts_.sources.Take()) {
    if (parts_.options.record_sources && !parts_.session.Full()) parts_.session.Write(source);
  }
}

void RunEnd::WriteCost() {
  parts_.session.Write(parts_.policy.CostOf(parts_.counters.windows_closed.load()));
}

void RunEnd::WriteLosses(const Losses& losses) {
  for (const std::string& what : ranges_not_seen_) {
    parts_.session.WriteLoss(loss::kNvtxTooLate, what, 1);
  }
  const RunCounters& counters = parts_.counters;
  const RangeLosses ranges = parts_.ranges.losses();
  const bool no_ranges = parts_.options.filters.by_ranges() &&
                         parts_.ranges.opened() == Ranges(0) && ranges_not_seen_.empty();
  const struct {
    std::uint64_t count;
    std::string_view what;
    std::string_view detail;
  } kLosses[] = {
      {unknown_callbacks_, loss::kUnknownCallback,
       "driver functions that this CUPTI is too old to know: their calls are not heard"},
      {counters.unseen_graph_launches, loss::kUnseenGraph,
       "launches of graphs whose making was not seen"},
      {counters.unseen_nodes_launches, loss::kUnseenGraph,
       "launches of graphs with conditional nodes: the kernels in their bodies are not seen"},
      {counters.too_late_launches, loss::kCountingEnded,
       "launches after the context was destroyed in which counting had been set up: it cannot be "
       "set up twice on one device"},
      {counters.updated_graphs, loss::kUpdatedGraph,
       "updates in place: such graphs count as what they were instantiated with"},
      {no_ranges ? 1U : 0U, loss::kNoRanges,
       "no NVTX range was seen: the program opens none, or used NVTX before CUDA started; "
       "coalcheck run, or NVTX_INJECTION64_PATH naming the same library, sees those too"},
      {ranges.folded_names, loss::kRangesFolded, "ranges beyond the most that are told apart"},
      {ranges.unnamed, loss::kRangesFolded, "ranges opened while too many were open"},
      {ranges.folded_sets, loss::kRangesFolded,
       "combinations of ranges beyond the most told apart"},
      {ranges.unbalanced_pops, loss::kUnbalancedPop,
       "NVTX pops without a push, or with one before CUDA started"},
      {ranges.unknown_ends, loss::kUnknownRangeEnd, "NVTX range ends without a start"},
      {parts_.launch_book.Folded().count(), loss::kShapesFolded,
       "launches of kernels in more shapes and ranges than are told apart"},
      {losses.captured_nodes_discarded, loss::kRangesFolded,
       "launches captured into graphs beyond the most whose ranges are remembered"},
      {parts_.options.record_sources ? parts_.sources.left_out() : 0, loss::kSourcesLeftOut,
       "sources handed over beyond the 4 MiB and 4096 pieces that a recording has room for"},
      {parts_.ranges.still_open().count(), loss::kOpenRange, "NVTX ranges that were never closed"},
  };
  for (const auto& [count, what, detail] : kLosses) {
    if (count > 0) parts_.session.WriteLoss(what, detail, count);
  }
}

}  // namespace coalcheck::agent
