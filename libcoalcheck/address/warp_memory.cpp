// SPDX-License-Identifier: Apache-2.0
//
// Steps of a warp that load and store.
#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>

#include "libcoalcheck/address/warp_steps.h"

namespace coalcheck::address {
namespace {

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

Value AddressIn(const WarpState& warp, const Step& step, std::uint32_t lane) {
  Value address = warp.Source(step, 0).At(lane);
  address.bits += static_cast<std::uint64_t>(step.offset);
  return address;
}

Value UnknownResult(WarpState& warp, const Step& step, Origin::Kind kind, Value key,
                    std::uint32_t element) {
  warp.Spend(WarpState::kUnknownCost);
  const Origins origins = warp.unknowns.One({kind, step.instruction});
  const std::uint64_t which = std::uint64_t{warp.turns[step.instruction]} << 8U | element;
  return {0, warp.unknowns.Symbol({Unknowns::Of::kLoad, step.instruction, which, {key}}, origins)};
}

Value ArgumentAt(WarpState& warp, std::uint64_t offset, std::uint32_t bytes) {
  if (IsGiven(warp.launch, offset, bytes)) {
    std::uint64_t value = 0;
    std::memcpy(&value, warp.launch.arguments->data() + offset, bytes);
    return {value, kNoForm};
  }
  const auto place = static_cast<std::uint32_t>(offset);
  const Origins origins = warp.unknowns.One({Origin::Kind::kParameter, place});
  const Form form = warp.unknowns.Symbol(ArgumentKey(offset, bytes), origins);
  const bool is_pointer =
      bytes == sizeof(std::uint64_t) && std::ranges::binary_search(warp.launch.pointers, place);
  return {0, is_pointer ? warp.unknowns.Scale(form, kPointerAlignment) : form};
}

// What is known of an element of a load: an argument, or what the lane itself has stored.
std::optional<Value> KnownAt(WarpState& warp, const Step& step, Value address, std::uint32_t lane,
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
  if (parameter && *parameter < kCallParameters) return ArgumentAt(warp, *parameter, bytes);
  const auto local = parameter ? parameter : offset_in(ptx::Space::kLocal, kLocalWindow);
  if (!local) return std::nullopt;
  const auto stored = warp.own_memory.find(*local << 5U | lane);
  if (stored == warp.own_memory.end() || stored->second.second != bytes) return std::nullopt;
  return stored->second.first;
}

Value LoadedFrom(WarpState& warp, const Step& step, std::uint32_t lane, std::uint32_t element) {
  const Value address = AddressIn(warp, step, lane);
  if (const std::optional<Value> known = KnownAt(warp, step, address, lane, element)) return *known;
  const std::uint64_t at = address.bits + std::uint64_t{element} * step.element_bytes;
  const auto kind = step.kind == StepKind::kAtomic ? Origin::Kind::kAtomic : Origin::Kind::kLoaded;
  // Atomics give each lane another value.
  const bool is_own = step.kind == StepKind::kAtomic || IsOwnMemory(step.space, address);
  const Value key{at + (is_own ? std::uint64_t{lane} << 56U : 0), address.form};
  return UnknownResult(warp, step, kind, key, element);
}

// Each lane's part of the step is looked up, or kept, by itself: quickly where all of it fits into
// a cache.
void SpendOnOwnMemory(WarpState& warp, const Step& step, LaneMask lanes, std::uint32_t elements) {
  std::uint64_t own = 0;
  EachLane(lanes, [&](std::uint32_t lane) {
    own += IsOwnMemory(step.space, AddressIn(warp, step, lane)) ? 1 : 0;
  });
  constexpr std::size_t kInCache = std::size_t{256} * kWarpSize;
  const bool is_in_cache = warp.own_memory.size() < kInCache;
  warp.Spend(is_in_cache ? own * elements / 4 : own * elements * 4);
}

// Whether the address lies in an array that the launch or the module brings: it is no thread's own.
bool PointsOutside(const WarpState& warp, Form form) {
  return std::ranges::any_of(warp.unknowns.MultiplesOf(form), [&](const Unknowns::Multiple& one) {
    const auto origins = warp.unknowns.List(warp.unknowns.OriginsOf(one.symbol));
    if (origins.size() != 1) return false;
    if (origins[0].kind == Origin::Kind::kVariable) return one.factor == 1;
    return origins[0].kind == Origin::Kind::kParameter &&
           one.factor == std::int64_t{kPointerAlignment} &&
           std::ranges::find(warp.launch.pointers, origins[0].place) != warp.launch.pointers.end();
  });
}

// Whatever shares a byte with what is stored.
void ForgetOverlapping(WarpState& warp, std::uint64_t at, std::uint32_t bytes, std::uint32_t lane) {
  constexpr std::uint64_t kWidest = 16;
  if (warp.own_memory.empty()) return;
  if (bytes == 0 || bytes > kWidest || at % bytes != 0) {
    warp.own_memory.clear();  // no GPU does that
    return;
  }
  // All that is kept is aligned to its size.
  for (std::uint64_t size = kWidest; size > bytes; size /= 2) {
    const std::uint64_t begin = at / size * size;
    const auto wider =
        begin == at ? warp.own_memory.end() : warp.own_memory.find(begin << 5U | lane);
    if (wider != warp.own_memory.end() && begin + wider->second.second > at) {
      warp.own_memory.erase(wider);
    }
  }
  for (std::uint64_t i = 0; i < bytes; ++i) warp.own_memory.erase((at + i) << 5U | lane);
}

// What memory holds of a value that is stored; empty where it is not known.
std::optional<Value> KeptOf(Value value, std::uint32_t bytes) {
  constexpr std::uint32_t kLeastOfForms = 4;
  if (value.form == kNoForm) return Value{Truncate(value.bits, bytes), kNoForm};
  return bytes >= kLeastOfForms ? std::optional(value) : std::nullopt;
}

// Whether nothing is known of what any of the lanes loads, and no two of them load the same.
bool BringsLaneSymbols(WarpState& warp, const Step& step, LaneMask lanes, std::uint32_t element) {
  bool are_unknown = true;
  bool are_own = true;
  bool ascend = true;
  std::optional<Value> before;
  EachLane(lanes, [&](std::uint32_t lane) {
    const Value now = AddressIn(warp, step, lane);
    are_unknown = are_unknown && !KnownAt(warp, step, now, lane, element);
    are_own = are_own && (step.kind == StepKind::kAtomic || IsOwnMemory(step.space, now));
    ascend = ascend && (!before || before->form < now.form ||
                        (before->form == now.form && before->bits < now.bits));
    before = now;
  });
  return are_unknown && (are_own || ascend);
}

}  // namespace

void Load(WarpState& warp, const Step& step, LaneMask lanes, const LaneCondition& guard) {
  const bool is_own = step.kind == StepKind::kAtomic || step.space == ptx::Space::kGeneric ||
                      IsOwnMemory(step.space, AddressIn(warp, step, 0));
  if (is_own && step.kind == StepKind::kLoad) SpendOnOwnMemory(warp, step, lanes, step.results);
  const auto kind = step.kind == StepKind::kAtomic ? Origin::Kind::kAtomic : Origin::Kind::kLoaded;
  for (std::uint32_t element = 0; element < step.results; ++element) {
    if (step.result[element] == kNoSlot) continue;
    LaneValues values;
    const auto loaded = [&](std::uint32_t lane) {
      Value value = LoadedFrom(warp, step, lane, element);
      // Registers may be wider than what is loaded into them.
      const ptx::Type type = step.code.type;
      if (value.form == kNoForm && type.IsSigned()) {
        value.bits = static_cast<std::uint64_t>(SignExtend(value.bits, type.bytes));
      }
      return value;
    };
    if (warp.Source(step, 0).is_uniform && !is_own) {
      values.Fill(loaded(0));
    } else if (BringsLaneSymbols(warp, step, lanes, element)) {
      warp.Spend(WarpState::kUnknownCost);
      values.FillWithLaneSymbols(
          {0, warp.unknowns.LaneSymbols(warp.unknowns.One({kind, step.instruction}))});
    } else {
      EachLane(lanes, [&](std::uint32_t lane) { values.Set(lane, loaded(lane)); });
    }
    warp.Write(step.result[element], values, lanes, guard);
  }
  if (step.kind == StepKind::kLoad) ++warp.turns[step.instruction];
}

// Only what goes to memory of the thread's own is remembered.
void Store(WarpState& warp, const Step& step, LaneMask lanes, LaneMask open) {
  const bool may_be_local = step.space == ptx::Space::kLocal || step.space == ptx::Space::kParam ||
                            step.space == ptx::Space::kGeneric;
  if (!may_be_local || step.sources == 0) return;  // or it has no address
  SpendOnOwnMemory(warp, step, lanes, std::max(step.sources - 1, 1));
  // 4096 numbers of each lane; where there are more, all are forgotten, and what is loaded there is
  // not known.
  constexpr std::size_t kMostKept = std::size_t{4096} * kWarpSize;
  if (warp.own_memory.size() > kMostKept) warp.own_memory.clear();
  EachLane(lanes, [&](std::uint32_t lane) {
    Value address = AddressIn(warp, step, lane);
    if (step.space == ptx::Space::kGeneric) {
      const bool is_local = IsInWindow(address.bits, kLocalWindow);
      if (!is_local && (address.form == kNoForm || PointsOutside(warp, address.form))) return;
      address.bits -= kLocalWindow;
    }
    if (address.form != kNoForm) {
      warp.own_memory.clear();  // anywhere
      return;
    }
    // A store that is an access has no sources but its address.
    const std::uint32_t elements = std::max<std::uint32_t>(step.sources - 1U, step.code.vector);
    for (std::uint32_t i = 1; i <= elements; ++i) {
      const std::uint64_t at = address.bits + std::uint64_t{i - 1} * step.element_bytes;
      std::optional<Value> kept;
      const bool may_be_kept = i < step.sources && (open >> lane & 1U) == 0;
      if (may_be_kept) kept = KeptOf(warp.Source(step, i).At(lane), step.element_bytes);
      const std::uint32_t bytes = step.element_bytes;
      // Of values of one size, each aligned to it, none overlaps another.
      const bool takes_its_place =
          kept && warp.stored_sizes == bytes && bytes > 0 && at % bytes == 0;
      if (!takes_its_place) ForgetOverlapping(warp, at, bytes, lane);
      if (!kept) continue;
      warp.own_memory[at << 5U | lane] = {*kept, bytes};
      warp.stored_sizes |= bytes;
    }
  });
}

}  // namespace coalcheck::address
