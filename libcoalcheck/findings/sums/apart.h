// SPDX-License-Identifier: Apache-2.0
//
// A sum by recording: a sum over many hides what one of them shows.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace coalcheck::findings {

template <typename T>
class Apart {
 public:
  // Recordings come one after the other; `before` is the sum of all that was added until now. While
  // there is one recording, nothing but its number is kept.
  void Add(std::size_t recording, const T& value, const T& before) {
    if (!first_) first_ = recording;
    if (recordings_.empty()) {
      if (recording == *first_) return;
      recordings_.emplace_back(*first_, before);
    }
    if (recordings_.back().first != recording) recordings_.emplace_back(recording, T());
    recordings_.back().second += value;
  }

  // By the recording's number, ascending. Empty where one has all.
  const std::vector<std::pair<std::size_t, T>>& recordings() const { return recordings_; }
  // The same; `all`, the sum of all, where one has it.
  std::vector<std::pair<std::size_t, T>> OneAtLeast(const T& all) const {
    if (!first_ || !recordings_.empty()) return recordings_;
    return {{*first_, all}};
  }

 private:
  std::optional<std::size_t> first_;
  std::vector<std::pair<std::size_t, T>> recordings_;
};

}  // namespace coalcheck::findings
