// SPDX-License-Identifier: Apache-2.0
//
// One array for all domains: the order across domains is part of what a launch was made in.
#include "injection/agent/ranges/range_stack.h"

#include <algorithm>

namespace coalcheck::agent {

RangeStack::Pushed RangeStack::Push(const RangeName& range) {
  const RangeLevel level(LevelsOf(*range.domain));
  TooDeep* deep = FindTooDeep(range.domain);
  if (deep == nullptr && depth_ < kMaxNamedDepth) {
    names_[depth_++] = &range;
    return {level, true};
  }
  if (deep == nullptr) {
    deep = FindTooDeep(nullptr);
    if (deep == nullptr) return {level, false};
    *deep = {range.domain, 0};
  }
  ++deep->ranges;
  return {level, false};
}

RangeStack::Popped RangeStack::Pop(const std::string& domain) {
  if (TooDeep* deep = FindTooDeep(&domain); deep != nullptr) {
    if (--deep->ranges == 0) deep->domain = nullptr;
    return {true, RangeLevel(LevelsOf(domain)), false};
  }
  for (std::size_t i = depth_; i-- > 0;) {
    if (names_[i]->domain != &domain) continue;
    std::copy(names_.begin() + static_cast<std::ptrdiff_t>(i) + 1,
              names_.begin() + static_cast<std::ptrdiff_t>(depth_),
              names_.begin() + static_cast<std::ptrdiff_t>(i));
    --depth_;
    return {true, RangeLevel(LevelsOf(domain)), true};
  }
  return {};
}

std::size_t RangeStack::open() const {
  std::size_t ranges = depth_;
  for (const TooDeep& deep : too_deep_) ranges += deep.ranges;
  return ranges;
}

int RangeStack::LevelsOf(const std::string& domain) const {
  std::size_t levels = 0;
  for (const RangeName* range : named()) levels += range->domain == &domain ? 1 : 0;
  for (const TooDeep& deep : too_deep_) levels += deep.domain == &domain ? deep.ranges : 0;
  return static_cast<int>(levels);
}

// A null domain marks a free entry.
RangeStack::TooDeep* RangeStack::FindTooDeep(const std::string* domain) {
  auto* const found = std::find_if(too_deep_.begin(), too_deep_.end(),
                                   [&](const TooDeep& deep) { return deep.domain == domain; });
  return found == too_deep_.end() ? nullptr : found;
}

}  // namespace coalcheck::agent
