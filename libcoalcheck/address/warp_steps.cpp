// SPDX-License-Identifier: Apache-2.0
//
// Steps of a warp that load and store, and what is common to all steps.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <string_view>

#include "libcoalcheck/address/warp.h"

namespace coalcheck::address {
namespace {

// What symbols stand for, as Unknowns::Key::what; the low half is an instruction.
constexpr std::uint64_t kResult = std::uint64_t{2} << 56U;
constexpr std::uint64_t kArgument = std::uint64_t{3} << 56U;

bool IsGiven(const LaunchValues& launch, std::uint64_t offset, std::uint32_t bytes) {
  const bool is_there = launch.arguments && bytes <= sizeof(std::uint64_t) &&
                        offset + bytes <= launch.arguments->size();
  if (!is_there || !launch.known) return is_there;
  const bool is_said = offset + bytes <= launch.known->size();
  return is_said && launch.known->substr(offset, bytes).find('\0') == std::string_view::npos;
}

// Whether each lane has its own: local memory, and the parameters of calls.
bool IsOwnMemory(ptx::Space space, const Value& address) {
  if (space == ptx::Space::kLocal) return true;
  if (space == ptx::Space::kGeneric) return IsInWindow(address.bits, kLocalWindow);
  return space == ptx::Space::kParam &&
         (address.form != kNoForm || address.bits >= kCallParameters);
}

}  // namespace

const LaneValues& Warp::Source(const Step& step, std::uint32_t index) const {
  const bool is_there = index < step.sources && step.source[index] != kNoSlot;
  return is_there ? slots_[step.source[index]] : nothing_;
}

void Warp::Execute(const Step& step, LaneMask lanes, Openness open) {
  const Condition guard = ConditionOf(step.guard, step.guard_negated, lanes);
  const LaneMask active = guard.holds | guard.open;
  if (active == 0) return;
  switch (step.kind) {
    case StepKind::kCompute:
      return Compute(step, active, guard);
    case StepKind::kOfData:
      return GiveNew(step, active, guard, unknowns_.One({Origin::Kind::kLoaded, step.instruction}));
    case StepKind::kPack:
      return Pack(step, active, guard);
    case StepKind::kUnpack:
      return Unpack(step, active, guard);
    case StepKind::kAccess:
    case StepKind::kAtomic:
      return Access(step, active, guard, open);
    case StepKind::kLoad:
      return Load(step, active, guard);
    case StepKind::kStore:
      return Store(step, active);
    case StepKind::kCall:
      local_.clear();  // it may have been handed pointers to it
      return;
    default:
      return Exchange(step, active, guard);
  }
}

// Lanes of which it is open whether they take part may keep what they had.
void Warp::Write(Slot slot, const LaneValues& values, LaneMask lanes, const Condition& guard) {
  if (slot == kNoSlot) return;
  LaneValues& to = slots_[slot];
  if (lanes == existing_ && guard.open == 0) {
    to = values;
    return;
  }
  to.Take(lanes & ~guard.open, values);
  if ((lanes & guard.open) == 0) return;
  // Each lane that has a guard of its own may have kept another one.
  const Form new_one = unknowns_.LaneSymbols(guard.origins);
  EachLane(lanes & guard.open, [&](std::uint32_t lane) {
    const Value a = values.At(lane);
    const Value b = to.At(lane);
    if (a == b) return;
    const Origins of_both =
        unknowns_.Join(unknowns_.OriginsOf(a.form), unknowns_.OriginsOf(b.form));
    const Origins origins = unknowns_.Join(of_both, guard.origins);
    const Value which{0, new_one + (guard.is_uniform ? 0 : lane)};
    to.Set(lane, {0, unknowns_.Symbol({5, slot, {a, b, which}}, origins)});
  });
}

Value Warp::AddressIn(const Step& step, std::uint32_t lane) const {
  Value address = Source(step, 0).At(lane);
  address.bits += static_cast<std::uint64_t>(step.offset);
  return address;
}

Value Warp::UnknownResult(const Step& step, Origin::Kind kind, Value key, std::uint32_t element) {
  Spend(kUnknownCost);
  const Origins origins = unknowns_.One({kind, step.instruction});
  const std::uint64_t which = std::uint64_t{turns_[step.instruction]} << 8U | element;
  return {0, unknowns_.Symbol({kResult | step.instruction, which, {key}}, origins)};
}

void Warp::Access(const Step& step, LaneMask lanes, const Condition& guard, Openness open) {
  Request request;
  request.instruction = step.instruction;
  request.addresses = Source(step, 0);
  for (std::uint64_t& bits : request.addresses.bits)
    bits += static_cast<std::uint64_t>(step.offset);
  bool is_known = true;  // of lanes that take part
  EachLane(request.addresses.is_known ? 0 : lanes, [&](std::uint32_t lane) {
    is_known = is_known && request.addresses.FormAt(lane) == kNoForm;
  });
  request.addresses.is_known = is_known;
  LaneMask elsewhere = 0;
  const auto is_elsewhere = [&](std::uint32_t lane) {
    const Value address = request.addresses.At(lane);
    return address.form == kNoForm && address.bits >= kSharedWindow &&
           address.bits - kSharedWindow < 4 * kWindowBytes;
  };
  EachLane(step.space == ptx::Space::kGeneric ? lanes : 0, [&](std::uint32_t lane) {
    if (is_elsewhere(lane)) elsewhere |= 1U << lane;
  });
  const bool is_load = step.code.op == ptx::Op::kLd;
  if (is_load || step.kind == StepKind::kAtomic) Load(step, lanes, guard);
  if (step.code.op == ptx::Op::kSt && elsewhere != 0) Store(step, elsewhere);
  request.active = lanes & ~elsewhere;
  const Openness mine = Joined(open, guard);
  request.bounds = mine.bounds;
  if (guard.open != 0) {
    request.bounds =
        conditions_.With(mine.bounds, slots_[step.guard], guard.open, !step.guard_negated);
  }
  request.bounds_of_left = left_.bounds;
  request.conditions = &conditions_;
  request.taking = std::max(mine.taking, left_.taking);
  request.taking_origins = unknowns_.Join(mine.origins, left_.origins);
  request.turn = turns_[step.instruction]++;
  if (request.active != 0) sink_->Take(request);
}

Value Warp::ArgumentAt(std::uint64_t offset, std::uint32_t bytes) {
  if (IsGiven(launch_, offset, bytes)) {
    std::uint64_t value = 0;
    std::memcpy(&value, launch_.arguments->data() + offset, bytes);
    return {value, kNoForm};
  }
  const auto place = static_cast<std::uint32_t>(offset);
  const Origins origins = unknowns_.One({Origin::Kind::kParameter, place});
  const Form form = unknowns_.Symbol({kArgument | offset, bytes}, origins);
  const bool is_pointer = bytes == sizeof(std::uint64_t) &&
                          std::ranges::find(launch_.pointers, place) != launch_.pointers.end();
  return {0, is_pointer ? unknowns_.Scale(form, kPointerAlignment) : form};
}

// What is known of an element of a load: an argument, or what the lane itself has stored.
std::optional<Value> Warp::KnownAt(const Step& step, Value address, std::uint32_t lane,
                                   std::uint32_t element) {
  if (step.kind == StepKind::kAtomic || address.form != kNoForm) return std::nullopt;
  const std::uint32_t bytes = step.element_bytes;
  const std::uint64_t at = address.bits + std::uint64_t{element} * bytes;
  const auto offset_in = [&](ptx::Space space,
                             std::uint64_t window) -> std::optional<std::uint64_t> {
    if (step.space == space) return at;
    if (step.space == ptx::Space::kGeneric && IsInWindow(at, window)) return at - window;
    return std::nullopt;
  };
  const auto parameter = offset_in(ptx::Space::kParam, kParameterWindow);
  if (parameter && *parameter < kCallParameters) return ArgumentAt(*parameter, bytes);
  const auto local = parameter ? parameter : offset_in(ptx::Space::kLocal, kLocalWindow);
  if (!local) return std::nullopt;
  const auto stored = local_.find(*local << 5U | lane);
  if (stored == local_.end() || stored->second.second != bytes) return std::nullopt;
  return stored->second.first;
}

Value Warp::LoadedFrom(const Step& step, std::uint32_t lane, std::uint32_t element) {
  const Value address = AddressIn(step, lane);
  if (const std::optional<Value> known = KnownAt(step, address, lane, element)) return *known;
  const std::uint64_t at = address.bits + std::uint64_t{element} * step.element_bytes;
  const auto kind = step.kind == StepKind::kAtomic ? Origin::Kind::kAtomic : Origin::Kind::kLoaded;
  // Atomics give each lane another value.
  const bool is_own = step.kind == StepKind::kAtomic || IsOwnMemory(step.space, address);
  const Value key{at + (is_own ? std::uint64_t{lane} << 56U : 0), address.form};
  return UnknownResult(step, kind, key, element);
}

// Whether nothing is known of what any of the lanes loads, and no two of them load the same.
bool Warp::BringsLaneSymbols(const Step& step, LaneMask lanes, std::uint32_t element) {
  bool are_unknown = true;
  bool are_own = true;
  bool ascend = true;
  std::optional<Value> before;
  EachLane(lanes, [&](std::uint32_t lane) {
    const Value now = AddressIn(step, lane);
    are_unknown = are_unknown && !KnownAt(step, now, lane, element);
    are_own = are_own && (step.kind == StepKind::kAtomic || IsOwnMemory(step.space, now));
    ascend = ascend && (!before || before->form < now.form ||
                        (before->form == now.form && before->bits < now.bits));
    before = now;
  });
  return are_unknown && (are_own || ascend);
}

void Warp::Load(const Step& step, LaneMask lanes, const Condition& guard) {
  const bool is_own = step.kind == StepKind::kAtomic || step.space == ptx::Space::kGeneric ||
                      IsOwnMemory(step.space, AddressIn(step, 0));
  const auto kind = step.kind == StepKind::kAtomic ? Origin::Kind::kAtomic : Origin::Kind::kLoaded;
  for (std::uint32_t element = 0; element < step.results; ++element) {
    if (step.result[element] == kNoSlot) continue;
    LaneValues values;
    const auto loaded = [&](std::uint32_t lane) {
      Value value = LoadedFrom(step, lane, element);
      // Registers may be wider than what is loaded into them.
      const ptx::Type type = step.code.type;
      if (value.form == kNoForm && type.IsSigned()) {
        value.bits = static_cast<std::uint64_t>(SignExtend(value.bits, type.bytes));
      }
      return value;
    };
    if (Source(step, 0).is_uniform && !is_own) {
      values.Fill(loaded(0));
    } else if (BringsLaneSymbols(step, lanes, element)) {
      Spend(kUnknownCost);
      values.FillWithLaneSymbols(
          {0, unknowns_.LaneSymbols(unknowns_.One({kind, step.instruction}))});
    } else {
      EachLane(lanes, [&](std::uint32_t lane) { values.Set(lane, loaded(lane)); });
    }
    Write(step.result[element], values, lanes, guard);
  }
  if (step.kind == StepKind::kLoad) ++turns_[step.instruction];
}

// Of what is stored, thread-private memory alone is known later.
void Warp::Store(const Step& step, LaneMask lanes) {
  const bool may_be_local = step.space == ptx::Space::kLocal || step.space == ptx::Space::kParam ||
                            step.space == ptx::Space::kGeneric;
  if (!may_be_local) return;
  EachLane(lanes, [&](std::uint32_t lane) {
    Value address = AddressIn(step, lane);
    if (step.space == ptx::Space::kGeneric) {
      if (!IsInWindow(address.bits, kLocalWindow)) return;
      address.bits -= kLocalWindow;
    }
    if (address.form != kNoForm) {
      local_.clear();  // anywhere
      return;
    }
    for (std::uint32_t i = 1; i < step.sources; ++i) {
      const std::uint64_t at = address.bits + std::uint64_t{i - 1} * step.element_bytes;
      local_[at << 5U | lane] = {Source(step, i).At(lane), step.element_bytes};
    }
  });
}

}  // namespace coalcheck::address
