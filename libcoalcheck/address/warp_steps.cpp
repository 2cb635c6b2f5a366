// SPDX-License-Identifier: Apache-2.0
//
// Steps of a warp that compute, load and store.
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
  if (lanes == ~LaneMask{0} && guard.open == 0) {
    to = values;
    return;
  }
  EachLane(lanes & ~guard.open, [&](std::uint32_t lane) { to.Set(lane, values.At(lane)); });
  EachLane(lanes & guard.open, [&](std::uint32_t lane) {
    const Value a = values.At(lane);
    const Value b = to.At(lane);
    if (a == b) return;
    const Origins of_both =
        unknowns_.Join(unknowns_.OriginsOf(a.form), unknowns_.OriginsOf(b.form));
    const Origins origins = unknowns_.Join(of_both, guard.origins);
    to.Set(lane, {0, unknowns_.Symbol({5, slot, {a, b}}, origins)});
  });
}

Value Warp::ComputeOne(const Step& step, const std::array<Value, 4>& values) {
  bool known = step.compute != nullptr;
  for (const Value& value : values) known = known && value.form == kNoForm;
  if (!known) Spend(kUnknownCost);
  if (!known) return linear_.Compute(step.code, step.compute, values, step.instruction);
  const auto& [a, b, c, d] = values;
  return {step.compute({&step.code, a.bits, b.bits, c.bits, d.bits}), kNoForm};
}

void Warp::Compute(const Step& step, LaneMask lanes, const Condition& guard) {
  std::array<const LaneValues*, 4> sources{&nothing_, &nothing_, &nothing_, &nothing_};
  bool all_known = step.compute != nullptr;
  bool all_uniform = true;
  for (std::uint32_t i = 0; i < sources.size(); ++i) {
    sources[i] = &Source(step, i);
    all_known = all_known && sources[i]->is_known;
    all_uniform = all_uniform && sources[i]->is_uniform;
  }
  LaneValues result;
  const auto in_lane = [&](std::uint32_t lane) {
    std::array<Value, 4> values;
    for (std::uint32_t i = 0; i < values.size(); ++i) {
      values[i] = sources[i]->At(lane);
      values[i].bits ^= step.negated >> i & 1U;
    }
    return values;
  };
  if (all_uniform) {
    result.Fill(ComputeOne(step, in_lane(0)));
  } else if (all_known) {
    const auto& [a, b, c, d] = sources;
    const std::uint64_t flip = step.negated >> 2U & 1U;
    EachLane(lanes, [&](std::uint32_t lane) {
      result.bits[lane] = step.compute(
          {&step.code, a->bits[lane], b->bits[lane], c->bits[lane] ^ flip, d->bits[lane]});
    });
  } else {
    // Neighbours often have the same.
    std::optional<std::array<Value, 4>> before;
    Value same;
    EachLane(lanes, [&](std::uint32_t lane) {
      const std::array<Value, 4> values = in_lane(lane);
      if (before != values) same = ComputeOne(step, values);
      before = values;
      result.Set(lane, same);
    });
  }
  Write(step.result[0], result, lanes, guard);
  if (step.results < 2 || step.result[1] == kNoSlot) return;
  // `setp d|q`: the second result is of the opposite comparison.
  LaneValues opposite;
  EachLane(lanes, [&](std::uint32_t lane) {
    const Value value = result.At(lane);
    const bool is_plain = step.code.combine == ptx::Combine::kNone && value.form == kNoForm;
    opposite.Set(lane, is_plain
                           ? Value{value.bits ^ 1U, kNoForm}
                           : linear_.Opaque(step.code, {value, {1, kNoForm}}, step.instruction));
  });
  Write(step.result[1], opposite, lanes, guard);
}

// mov.b64 %rd, {%r1, %r2}: elements of equal size, the lowest first.
void Warp::Pack(const Step& step, LaneMask lanes, const Condition& guard) {
  LaneValues result;
  const unsigned bytes = step.sources == 0 ? 0 : step.code.type.bytes / step.sources;
  EachLane(lanes, [&](std::uint32_t lane) {
    Value packed;
    for (std::uint32_t i = 0; i < step.sources; ++i) {
      const Value part = Source(step, i).At(lane);
      const unsigned shift = 8 * bytes * i;
      packed.bits |= shift >= 64 ? 0 : Truncate(part.bits, bytes) << shift;
      if (part.form == kNoForm) continue;
      packed.form = unknowns_.Add(
          packed.form, unknowns_.Scale(part.form, shift >= 64 ? 0 : std::uint64_t{1} << shift));
    }
    result.Set(lane, packed);
  });
  Write(step.result[0], result, lanes, guard);
}

void Warp::Unpack(const Step& step, LaneMask lanes, const Condition& guard) {
  const unsigned bytes = step.results == 0 ? 0 : step.code.type.bytes / step.results;
  const LaneValues whole = Source(step, 0);
  for (std::uint32_t i = 0; i < step.results; ++i) {
    LaneValues part;
    EachLane(lanes, [&](std::uint32_t lane) {
      const Value value = whole.At(lane);
      const unsigned shift = 8 * bytes * i;
      const bool is_plain = value.form == kNoForm;
      const std::uint64_t bits = shift >= 64 ? 0 : Truncate(value.bits >> shift, bytes);
      part.Set(lane, is_plain ? Value{bits, kNoForm}
                              : linear_.Opaque(step.code, {value, {i, kNoForm}}, step.instruction));
    });
    Write(step.result[i], part, lanes, guard);
  }
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
  LaneMask elsewhere = 0;
  EachLane(lanes, [&](std::uint32_t lane) {
    const Value address = AddressIn(step, lane);
    request.addresses.Set(lane, address);
    const bool outside = step.space == ptx::Space::kGeneric && address.form == kNoForm &&
                         address.bits >= kSharedWindow &&
                         address.bits - kSharedWindow < 4 * kWindowBytes;
    if (outside) elsewhere |= 1U << lane;
  });
  const bool is_load = step.code.op == ptx::Op::kLd;
  if (is_load || step.kind == StepKind::kAtomic) Load(step, lanes, guard);
  if (step.code.op == ptx::Op::kSt && elsewhere != 0) Store(step, elsewhere);
  request.active = lanes & ~elsewhere;
  const Openness mine = Joined(open, guard);
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

Value Warp::LoadedFrom(const Step& step, Value address, std::uint32_t lane, std::uint32_t element) {
  const std::uint32_t bytes = step.element_bytes;
  const std::uint64_t at = address.bits + std::uint64_t{element} * bytes;
  const bool is_known = address.form == kNoForm;
  const bool generic = step.space == ptx::Space::kGeneric;
  const auto offset_in = [&](ptx::Space space,
                             std::uint64_t window) -> std::optional<std::uint64_t> {
    if (!is_known) return std::nullopt;
    if (step.space == space) return at;
    if (generic && IsInWindow(at, window)) return at - window;
    return std::nullopt;
  };
  if (step.kind != StepKind::kAtomic) {
    const auto parameter = offset_in(ptx::Space::kParam, kParameterWindow);
    if (parameter && *parameter < kCallParameters) return ArgumentAt(*parameter, bytes);
    std::optional<std::uint64_t> local = offset_in(ptx::Space::kLocal, kLocalWindow);
    if (parameter) local = *parameter;
    if (local) {
      const auto stored = local_.find(*local << 5U | lane);
      if (stored != local_.end() && stored->second.second == bytes) return stored->second.first;
    }
  }
  const auto kind = step.kind == StepKind::kAtomic ? Origin::Kind::kAtomic : Origin::Kind::kLoaded;
  // Atomics give each lane another value.
  const bool is_own = step.kind == StepKind::kAtomic || IsOwnMemory(step.space, address);
  const Value key{at + (is_own ? std::uint64_t{lane} << 56U : 0), address.form};
  return UnknownResult(step, kind, key, element);
}

void Warp::Load(const Step& step, LaneMask lanes, const Condition& guard) {
  for (std::uint32_t element = 0; element < step.results; ++element) {
    if (step.result[element] == kNoSlot) continue;
    LaneValues values;
    const auto loaded = [&](std::uint32_t lane) {
      Value value = LoadedFrom(step, AddressIn(step, lane), lane, element);
      // Registers may be wider than what is loaded into them.
      const ptx::Type type = step.code.type;
      if (value.form == kNoForm && type.IsSigned()) {
        value.bits = static_cast<std::uint64_t>(SignExtend(value.bits, type.bytes));
      }
      return value;
    };
    const bool is_own = step.kind == StepKind::kAtomic || step.space == ptx::Space::kGeneric ||
                        IsOwnMemory(step.space, AddressIn(step, 0));
    if (Source(step, 0).is_uniform && !is_own) {
      values.Fill(loaded(0));
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
