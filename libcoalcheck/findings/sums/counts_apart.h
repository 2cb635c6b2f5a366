// SPDX-License-Identifier: Apache-2.0
//
// The counts of one instruction by recording: a sum over many hides what one of them shows.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "libcoalcheck/findings/sums/raw_counts.h"

namespace coalcheck::findings {

class CountsApart {
 public:
  // Recordings come one after the other; `before` is the sum of all that was added until now. While
  // there is one recording, nothing but its number is kept.
  void Add(std::size_t recording, const RawCounts& counts, const RawCounts& before) {
    if (!first_) first_ = recording;
    if (recordings_.empty()) {
      if (recording == *first_) return;
      recordings_.emplace_back(*first_, before);
    }
    if (recordings_.back().first != recording) recordings_.emplace_back(recording, RawCounts());
    recordings_.back().second += counts;
  }

  // Those of an instruction of that kind, by the recording's number. Empty where one has all.
  std::vector<std::pair<std::size_t, Counts>> Of(cubin::AccessKind kind) const {
    std::vector<std::pair<std::size_t, Counts>> counts;
    counts.reserve(recordings_.size());
    for (const auto& [recording, raw] : recordings_) counts.emplace_back(recording, raw.Of(kind));
    return counts;
  }

 private:
  std::optional<std::size_t> first_;
  std::vector<std::pair<std::size_t, RawCounts>> recordings_;
};

}  // namespace coalcheck::findings
