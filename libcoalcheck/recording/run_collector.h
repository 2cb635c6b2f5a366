// SPDX-License-Identifier: Apache-2.0
//
// Puts the records of one recording where they belong, or says why not.
#pragma once

#include <absl/container/flat_hash_set.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "libcoalcheck/base/running_hash.h"
#include "libcoalcheck/recording/lines.h"
#include "libcoalcheck/recording/recorded_run.h"

namespace coalcheck::recording {

class RunCollector {
 public:
  // `header` was found on line `header_line`, which TakeLine() then passes over.
  // `bytes` are those of the file, of which the lines are parts.
  RunCollector(Header header, std::uint64_t header_line, std::string_view bytes);

  void TakeLine(const Line& line);
  RecordedRun Finish() &&;

 private:
  // Empty when the record was taken.
  using Refusal = std::optional<LineLoss>;
  Refusal Take(Header& header);
  Refusal Take(Device& device);
  Refusal Take(Module& module);
  Refusal Take(RangeSet& set);
  Refusal Take(Window& window);
  Refusal Take(Tally& tally);
  Refusal Take(Uncounted& uncounted);
  Refusal Take(Loss& loss);
  Refusal Take(Unmatched& unmatched);
  Refusal Take(Cost& cost);
  Refusal Take(PcSampling& sampling);
  Refusal Take(PcSamples& samples);
  Refusal Take(Source& source);
  Refusal Take(End& end);
  Refusal Take(ProcessEnd& end);
  void TakeMerged(MergedRecord& record);
  // The line's object as a record that only merged recordings have.
  bool TakeMergedLine(const ParsedLine& parsed, std::string& problem);
  // How the lines before `line` differ from those that its `end` describes; empty: no difference
  // found.
  std::string WhyNotAsWritten(const End& end, const Line& line);
  void Lose(LineLoss why, std::uint64_t line, const std::string& detail);
  // Remembers which ranges the launches of a record were made in; those that no record lists are a
  // line that is missing.
  void NoteRanges(const Record& record, std::uint64_t line);
  void LoseUnlistedRanges();
  // Decides about the line that may have been cut short: it was, if the process is known to have
  // ended right after it.
  void SettleTorn(bool process_ended);

  RecordedRun run_;
  const std::uint64_t header_line_;
  const std::string_view bytes_;
  RunningHash hash_;        // of the first of them, so that many ends take no longer than one
  std::size_t hashed_ = 0;  // so many
  std::map<std::string_view, std::uint64_t> kinds_;  // how many records came of each
  absl::flat_hash_set<WindowId> windows_;
  absl::flat_hash_set<PcSamplingId> pc_samplings_;
  std::size_t open_ranges_ = 0;                   // of all sets
  std::map<RangeSetId, std::uint64_t> ranges_;    // that launches name: the first such line
  std::size_t source_text_ = 0;                   // bytes of it, and of its files' names
  std::map<LaunchShape, std::size_t> tallies_;    // index in run_.tallies
  std::map<std::string, std::size_t> uncounted_;  // by kernel: index in run_.uncounted
  std::map<std::pair<std::string, std::string>, std::size_t> losses_;
  std::map<LineLoss, LostLines> lost_;
  std::optional<std::uint64_t> torn_;  // the line before this one, when it is no JSON
};

}  // namespace coalcheck::recording
