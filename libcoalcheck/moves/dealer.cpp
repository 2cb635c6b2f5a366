// SPDX-License-Identifier: Apache-2.0
//
// Keeps a warp's requests until it ends.
#include "libcoalcheck/moves/dealer.h"

#include <algorithm>

namespace coalcheck::moves {
namespace {

using address::LaneMask;
using address::Request;
using address::Value;

constexpr std::size_t kMostKept = 1U << 16;  // requests of a warp

}  // namespace

void Dealer::Begin(address::RequestSink& sink, address::Unknowns& unknowns) {
  RequestFilter::Begin(sink, unknowns);
  kept_.clear();
  size_ = 0;
  turn_ = 0;
}

void Dealer::Take(const Request& request) {
  const auto leader = dealt_.leaders.find(request.instruction);
  fits_ = fits_ && leader != dealt_.leaders.end() && ++size_ < kMostKept;
  if (!fits_ || !rules_.dealt.contains(leader->second)) return next().Take(request);
  Kept& kept = kept_[leader->second];
  kept.taking = std::max(kept.taking, request.taking);
  if (request.taking != address::Taking::kCertain) kept.origins = request.taking_origins;
  address::EachLane(request.active, [&](std::uint32_t lane) {
    kept.threads[lane].push_back(request.addresses.At(lane));
  });
}

void Dealer::End() {
  for (const auto& [leader, kept] : kept_) Note(leader, kept.threads);
  for (const auto& [leader, kept] : kept_) {
    if (rules_.open.contains(leader)) {
      DealOpen(leader, kept);
    } else {
      Deal(leader, kept);
    }
  }
}

void Dealer::Note(std::uint32_t leader, const Threads& threads) {
  if (rules_.repeated.contains(leader) || rules_.open.contains(leader)) return;
  const auto longest = std::ranges::max_element(threads, {}, &Elements::size);
  const auto count = static_cast<std::uint32_t>(longest->size());
  // The array may end within a thread's elements: those behind it have none.
  bool has_ended = false;
  for (const Elements& thread : threads) {
    is_even_ = is_even_ && (thread.empty() || (!has_ended && thread.size() <= count));
    has_ended = has_ended || (!thread.empty() && thread.size() < count);
  }
  is_elementwise_ = is_elementwise_ && (most_ == 0 || most_ == count);
  most_ = std::max(most_, count);
}

void Dealer::Deal(std::uint32_t leader, const Kept& kept) {
  const bool is_repeated = rules_.repeated.contains(leader);
  const std::uint32_t times = is_repeated ? std::max(most_, 1U) : 1;
  if (is_repeated) dealt_.times[leader] = times;
  const std::size_t longest = std::ranges::max_element(kept.threads, {}, &Elements::size)->size();
  Elements row;
  for (const Elements& thread : kept.threads) {
    filled_ = filled_ && rules_.to == To::kWarp;
    fits_ = fits_ && (!is_repeated || thread.size() <= 1);
    for (const Value element : thread) {
      for (std::uint32_t i = 0; i < times; ++i) {
        row.push_back(element);
        if (row.size() == kWarpSize) Send(leader, kept, row);
      }
    }
    // Who has fewer elements than another came to the end of its loop.
    if (rules_.to == To::kThread) Send(leader, kept, row, thread.size() == longest);
  }
  Send(leader, kept, row);
}

// A thread's first two elements say where the next ones lie.
void Dealer::DealOpen(std::uint32_t leader, const Kept& kept) {
  dealt_.open.insert(leader);
  for (const Elements& thread : kept.threads) {
    if (thread.empty()) continue;
    const bool is_steady = thread.size() > 1 && thread[0].form == thread[1].form;
    Elements row{thread.front()};
    if (!is_steady) dealt_.scattered.insert(leader);
    const std::uint64_t step = is_steady ? thread[1].bits - thread[0].bits : 0;
    while (is_steady && row.size() < kWarpSize) {
      row.push_back({row.back().bits + step, row.back().form});
    }
    Send(leader, kept, row);
  }
}

void Dealer::Send(std::uint32_t leader, const Kept& kept, Elements& row, bool may_be_cut) {
  if (row.empty()) return;
  const bool is_rest = may_be_cut && row.size() < kWarpSize;
  if (rules_.drops_rests && is_rest && filled_) return row.clear();
  filled_ = row.size() == kWarpSize;
  has_rests_ = has_rests_ || (is_rest && row.size() > 1);
  Request request;
  request.instruction = leader;
  request.turn = turn_++;
  request.taking = kept.taking;
  request.taking_origins = kept.origins;
  for (std::uint32_t lane = 0; lane < row.size(); ++lane) {
    request.active |= LaneMask{1} << lane;
    request.addresses.Set(lane, row[lane]);
  }
  next().Take(request);
  row.clear();
}

}  // namespace coalcheck::moves
