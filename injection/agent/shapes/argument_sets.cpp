// SPDX-License-Identifier: Apache-2.0
//
// Equal sets are found by comparing: there are few.
#include "injection/agent/shapes/argument_sets.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace coalcheck::agent {
namespace {

constexpr std::string_view kTooMany = "too many launches with different arguments in one window";

}  // namespace

void ArgumentSets::Add(recording::LaunchArguments arguments, Bytes& room) {
  const auto known =
      std::ranges::find_if(sets_, [&](const auto& one) { return one.What() == arguments.What(); });
  if (known != sets_.end()) {
    known->launches += Launches(1);
    return;
  }
  const Bytes size(arguments.bytes.size());
  if (full_ || sets_.size() == kMostSets || size > room) return AddUnread();
  room = room - size;
  arguments.launches = Launches(1);
  sets_.push_back(std::move(arguments));
}

// They are the last set.
void ArgumentSets::AddUnread() {
  if (!std::exchange(full_, true)) sets_.push_back({.missing = std::string(kTooMany)});
  sets_.back().launches += Launches(1);
}

}  // namespace coalcheck::agent
