// SPDX-License-Identifier: Apache-2.0
//
// Compares the places that lanes of a warp store to, in the loops that the compiler made of one.
#include "libcoalcheck/prediction/store_facts.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "libcoalcheck/address/warp_steps.h"
#include "libcoalcheck/ptx/slice.h"

namespace coalcheck::prediction {
namespace {

using address::Guard;
using address::Origin;
using address::Request;
using ptx::Op;

constexpr std::size_t kMostStores = 64;
constexpr std::size_t kMostOfLoop = 6;
constexpr std::size_t kDeepestStore = 32;  // in guards
constexpr std::size_t kMostAnswers = 64;
constexpr std::int64_t kMostTried = 64;     // bits of Multiples
constexpr std::uint64_t kPlacesOfStep = 8;  // take about as long

bool MayWait(const ptx::Instruction& one) {
  switch (one.code.op) {
    case Op::kNothing:
    case Op::kBlockVote:
    case Op::kMbarrierWait:
    case Op::kAtom:
    case Op::kShfl:
    case Op::kVote:
    case Op::kMatch:
    case Op::kRedux:
    case Op::kElect:
    case Op::kCall:
      return true;
    default:
      return false;
  }
}

bool IsIn(const Guard* chain, const Guard& one, bool is_taken) {
  for (; chain != nullptr; chain = chain->outer) {
    if (chain->instruction == one.instruction && chain->is_taken == is_taken) return true;
  }
  return false;
}

bool IsLost(const Guard* chain) {
  while (chain != nullptr && !chain->is_lost) chain = chain->outer;
  return chain != nullptr;
}

std::uint64_t LengthOf(const Guard* chain) {
  std::uint64_t length = 0;
  for (; chain != nullptr; chain = chain->outer) ++length;
  return length;
}

// Whether two lanes store to one place whatever the step is.
bool HasSharedPlace(const LaneDistance& distance, address::LaneMask active) {
  std::set<std::pair<std::int64_t, std::int64_t>> places;
  bool is_shared = false;
  address::EachLane(active, [&](std::uint32_t lane) {
    const bool is_new = places.emplace(distance.times[lane], distance.behind[lane]).second;
    is_shared = is_shared || !is_new;
  });
  return is_shared;
}

// The v from 0 to 63 for which number + step * v lies between `low` and `high`, and is neither. Of
// numbers that are far from both nothing is said.
StoreFacts::Multiples Between(std::int64_t low, std::int64_t high, std::int64_t number,
                              std::int64_t step) {
  constexpr std::int64_t kFar = std::int64_t{1} << 50U;
  if (number < -kFar || number > kFar || step < -kFar || step > kFar) return 0;
  if (step < 0) return Between(-high, -low, -number, -step);
  if (step == 0) return number > low && number < high ? ~StoreFacts::Multiples{0} : 0;
  StoreFacts::Multiples found = 0;
  std::int64_t v = number > low ? 0 : (low - number) / step + 1;
  for (; v < kMostTried && number + step * v < high; ++v) {
    found |= StoreFacts::Multiples{1} << static_cast<std::uint64_t>(v);
  }
  return found;
}

}  // namespace

StoreFacts::StoreFacts(const address::Program& program, std::uint64_t& steps)
    : program_(program), steps_(steps) {
  for (const ptx::Instruction& one : program.function().instructions) {
    has_stores_ = has_stores_ || (one.code.op == Op::kSt && ptx::IsGlobalAccess(one));
    has_barriers_ = has_barriers_ || MayWait(one);
  }
}

void StoreFacts::Begin(address::Unknowns& unknowns) {
  unknowns_ = &unknowns;
  is_unclear_ = false;
  stored_.clear();
  known_.clear();
}

void StoreFacts::Note(const Request& request, std::uint32_t width) {
  const ptx::Function& function = program_.function();
  if (function.instructions[request.instruction].code.op != Op::kSt) return;
  if (IsOneForm(request)) return;
  const std::uint32_t loop =
      program_.flow().blocks()[program_.flow().BlockOf(request.instruction)].loop;
  const auto of_loop = std::ranges::count(stored_, loop, &Stored::loop);
  // Two rounds are all that a loop is taken to run.
  const bool is_enough =
      loop != ptx::kNone && (request.turn > 1 || static_cast<std::size_t>(of_loop) >= kMostOfLoop);
  if (is_enough || stored_.size() >= kMostStores) return;
  const auto distance = LaneDistanceOf(request, *unknowns_);
  is_unclear_ = is_unclear_ || (!distance && loop != ptx::kNone);
  if (!distance) return;
  shares_places_ = shares_places_ || HasSharedPlace(*distance, request.active);
  const auto first = static_cast<std::uint32_t>(__builtin_ctz(request.active));
  const address::Value begin = request.addresses.At(first);
  stored_.push_back(
      {*distance, loop, width, begin, request.active, request.guards, request.guards_of_left});
}

StoreFacts::Multiples StoreFacts::Excluded(const Request& access, const LaneDistance& distance) {
  for (const Known& one : known_) {
    const bool is_same = one.guards == access.guards &&
                         one.guards_of_left == access.guards_of_left &&
                         one.distance.IsOfTheSame(distance) && one.stores == stored_.size();
    if (is_same) return one.excluded;
  }
  if (steps_ == 0 || shares_places_) return 0;
  Stores once;
  std::map<std::uint32_t, Stores> of_loops;
  const std::uint64_t guards = LengthOf(access.guards) + LengthOf(access.guards_of_left);
  for (const Stored& one : stored_) {
    if (!one.distance.IsOfTheSame(distance)) continue;
    Charge(guards * std::min<std::uint64_t>(LengthOf(one.guards), kDeepestStore));
    Stores& of_loop = one.loop == ptx::kNone ? once : of_loops[one.loop];
    if (IsExecutedWith(one, access)) of_loop.push_back(&one);
  }
  // The compiler may have made several loops of one, of which a launch need not come to each.
  const bool is_clear = !of_loops.empty() && !is_unclear_ && IsOfArguments(distance);
  Multiples by_loops = is_clear ? ~Multiples{0} : 0;
  for (const auto& [loop, stores] : of_loops) by_loops &= ExcludedBy(stores);
  const Multiples excluded = ExcludedBy(once) | by_loops;
  if (known_.size() >= kMostAnswers) known_.clear();
  known_.push_back({access.guards, access.guards_of_left, distance, stored_.size(), excluded});
  return excluded;
}

void StoreFacts::Charge(std::uint64_t places) {
  steps_ -= std::min(steps_, places / kPlacesOfStep);
}

StoreFacts::Multiples StoreFacts::ExcludedBy(const Stores& stores) {
  Multiples excluded = 0;
  Charge(stores.size() * stores.size() * kWarpSize);
  for (const Stored* a : stores) {
    for (const Stored* b : stores) {
      const bool is_ordered = a != b && has_barriers_;
      if (is_ordered || a->first.form != b->first.form || a->active != b->active) continue;
      // Of lanes that lie alike it is enough to compare one with all.
      const auto first = static_cast<std::uint32_t>(__builtin_ctz(a->active));
      address::EachLane(a->active & ~(1U << first), [&](std::uint32_t lane) {
        const auto number =
            static_cast<std::int64_t>(b->first.bits - a->first.bits + b->distance.behind[lane]);
        const auto step =
            static_cast<std::int64_t>(static_cast<std::uint64_t>(b->distance.times[lane]) *
                                      static_cast<std::uint64_t>(b->distance.step));
        excluded |= Between(-std::int64_t{b->width}, a->width, number, step);
      });
    }
  }
  return excluded;
}

bool StoreFacts::IsExecutedWith(const Stored& stored, const Request& access) const {
  if (IsLost(access.guards) || IsLost(access.guards_of_left)) return false;
  const auto is_open = [&](const Guard* chain) {
    std::size_t depth = 0;
    for (; chain != nullptr; chain = chain->outer) {
      if (chain->is_lost || ++depth > kDeepestStore) return true;
      const bool is_common = IsIn(access.guards, *chain, chain->is_taken) ||
                             IsIn(access.guards_of_left, *chain, chain->is_taken);
      if (is_common) continue;
      const bool is_other = IsIn(access.guards, *chain, !chain->is_taken) ||
                            IsIn(access.guards_of_left, *chain, !chain->is_taken);
      if (is_other || !LeavesOut(*chain, stored)) return true;
    }
    return false;
  };
  return !is_open(stored.guards) && !is_open(stored.guards_of_left);
}

bool StoreFacts::LeavesOut(const Guard& guard, const Stored& stored) const {
  if (!DependsOnArguments(guard)) return false;
  if (IsOfLoop(guard)) return true;
  if (!OnlySkips(guard)) return false;
  if (!guard.is_one) return true;
  // Before a loop: whether it runs at all is decided by what decides how often.
  return std::ranges::all_of(unknowns_->List(guard.origins), [&](const Origin& origin) {
    return std::ranges::any_of(stored_, [&](const Stored& round) {
      return round.loop == stored.loop && GoesOnBy(origin, round.guards);
    });
  });
}

// Whether that decides on a round of a loop.
bool StoreFacts::GoesOnBy(const Origin& origin, const Guard* chain) const {
  for (std::size_t i = 0; chain != nullptr && i < kDeepestStore; ++i, chain = chain->outer) {
    const auto list = unknowns_->List(chain->origins);
    const bool is_by = std::ranges::find(list, origin) != list.end();
    if (is_by && !chain->is_lost && IsOfLoop(*chain)) return true;
  }
  return false;
}

bool StoreFacts::IsOfArguments(const LaneDistance& distance) {
  return std::ranges::all_of(distance.of, [&](const address::Unknowns::Multiple& one) {
    const address::Origins origins = unknowns_->OriginsOf(one.symbol);
    const auto list = unknowns_->List(origins);
    if (list.size() != 1 || list[0].kind != Origin::Kind::kParameter) return false;
    const std::uint32_t place = list[0].place;
    return std::ranges::any_of(std::array{2U, 4U, 8U}, [&](std::uint32_t bytes) {
      return unknowns_->Symbol(address::ArgumentKey(place, bytes), origins) == one.symbol;
    });
  });
}

bool StoreFacts::DependsOnArguments(const Guard& guard) const {
  return std::ranges::all_of(unknowns_->List(guard.origins), [](const Origin& origin) {
    return origin.kind == Origin::Kind::kParameter;
  });
}

// Lanes stayed in the loop that the branch may leave.
bool StoreFacts::IsOfLoop(const Guard& guard) const {
  const ptx::ControlFlow& flow = program_.flow();
  const ptx::Block& block = flow.blocks()[flow.BlockOf(guard.instruction)];
  const bool is_branch = program_.function().instructions[guard.instruction].code.op == Op::kBra;
  if (!is_branch || block.loop == ptx::kNone || block.next.size() != 2) return false;
  const std::uint32_t here = guard.is_taken ? block.next[0] : block.next[1];
  const std::uint32_t other = guard.is_taken ? block.next[1] : block.next[0];
  return flow.IsIn(here, block.loop) && !flow.IsIn(other, block.loop);
}

// Lanes that went the other way store nothing there.
bool StoreFacts::OnlySkips(const Guard& guard) const {
  const ptx::ControlFlow& flow = program_.flow();
  const ptx::Function& function = program_.function();
  if (function.instructions[guard.instruction].code.op != Op::kBra) return true;
  const ptx::Block& block = flow.blocks()[flow.BlockOf(guard.instruction)];
  if (block.next.size() != 2) return false;
  std::uint32_t at = guard.is_taken ? block.next[1] : block.next[0];
  for (int i = 0; i < 4 && at != block.post_dominator; ++i) {
    const ptx::Block& other = flow.blocks()[at];
    for (std::uint32_t k = other.first; k < other.end; ++k) {
      if (function.instructions[k].code.op == Op::kSt) return false;
    }
    if (other.next.empty()) return true;
    if (other.next.size() != 1) return false;
    at = other.next.front();
  }
  return at == block.post_dominator;
}

}  // namespace coalcheck::prediction
