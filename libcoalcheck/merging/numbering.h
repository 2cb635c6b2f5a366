// SPDX-License-Identifier: Apache-2.0
//
// Numbers for things that each process numbers in its own way: in the order of arrival while
// recordings are merged, and in the order of the things themselves when all are there.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace coalcheck::merging {

template <typename Thing>
class Numbering {
 public:
  // From 0, in the order of arrival.
  std::uint32_t Of(const Thing& thing) {
    return numbers_.try_emplace(thing, static_cast<std::uint32_t>(numbers_.size())).first->second;
  }

  // By the number of arrival, each one's place among all, from `first` on.
  std::vector<std::uint32_t> Places(std::uint32_t first) const {
    std::vector<std::uint32_t> places(numbers_.size());
    for (const auto& [thing, number] : numbers_) places[number] = first++;
    return places;
  }

  // In order.
  const std::map<Thing, std::uint32_t>& all() const { return numbers_; }

 private:
  std::map<Thing, std::uint32_t> numbers_;
};

}  // namespace coalcheck::merging
