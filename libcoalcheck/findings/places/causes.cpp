// SPDX-License-Identifier: Apache-2.0
//
// What one change mends is one cause: of the threads' places whatever the arrays, else where lanes
// lie alike. So is what is of one array where lanes lie alike, what one index leads to in any
// array, and what one loaded value decides. Where nothing of that is known, a finding stays alone.
#include "libcoalcheck/findings/places/causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

namespace coalcheck::findings {
namespace {

// What findings of one cause have in common: the kernel and either the change that mends them, or
// the array, or neither; then how lanes lie to each other, or the lines that load the index.
using Key = std::tuple<std::string, const KernelMove*, std::uint32_t, std::string>;
constexpr std::uint32_t kNoArray = ~std::uint32_t{0};
using Advised = std::map<std::size_t, const KernelMove*>;

// What has no line cannot stand for what has one: forms that need a line would show none of them.
std::string KernelOf(const Access& access) {
  return access.shown ? access.kernel : access.kernel + " without lines";
}

// How lanes lie to each other in what wastes most, whatever the pattern is called that has this
// step. Empty where they have no order.
std::string LanesOf(const Access& access) {
  if (!access.patterns.empty() && access.patterns.front().pattern.candidates.size() == 1) {
    const patterns::Candidate& only = access.patterns.front().pattern.candidates.front();
    switch (only.pattern) {
      case patterns::Pattern::kStrided:
      case patterns::Pattern::kStructField:
      case patterns::Pattern::kPaddedStruct:
        if (only.parameter.IsExact()) return fmt::format("step {}", only.parameter.low);
        break;
      case patterns::Pattern::kRuns:
        if (only.parameter.IsExact()) return fmt::format("runs {}", only.parameter.low);
        break;
      case patterns::Pattern::kMisaligned:
        return "misaligned";
      default:
        break;
    }
  }
  const auto worst = std::ranges::max_element(
      access.instructions, {}, [](const Instruction& one) { return one.counts.Wasted(); });
  return worst == access.instructions.end() ? "" : worst->address_text.apart;
}

// Whether it takes away half of what is wasted at least.
bool Mends(const KernelMove& move, std::size_t access) {
  const AccessChange& change = *move.Find(access);
  const double wasted = change.before.sectors - change.before.ideal;
  return 2 * (change.before.sectors - change.after.sectors) >= wasted;
}

// The kernel and the change; of a change that data lie elsewhere, or come wider, how lanes lie,
// too.
std::optional<Key> KeyOfMove(const Report& report, const Advised& advised, const Place& place) {
  const std::size_t number = place.accesses.front();
  const auto move = advised.find(number);
  if (move == advised.end()) return std::nullopt;
  const Access& access = report.accesses[number];
  const moves::MoveKind kind = move->second->move.kind;
  const bool is_of_threads = !moves::IsLayout(kind) && kind != moves::MoveKind::kVector &&
                             kind != moves::MoveKind::kSharedTile;
  if (is_of_threads && Mends(*move->second, number)) {
    return Key{KernelOf(access), move->second, kNoArray, ""};
  }
  std::string lanes = LanesOf(access);
  if (lanes.empty()) return std::nullopt;
  return Key{KernelOf(access), move->second, kNoArray, std::move(lanes)};
}

// What all instructions of an access have in common there; empty where they differ.
template <typename Member>
const Member* CommonOf(const Access& access, Member AddressText::*member) {
  if (access.instructions.empty()) return nullptr;
  const Member& first = access.instructions.front().address_text.*member;
  const bool is_common = std::ranges::all_of(access.instructions, [&](const Instruction& one) {
    return one.address_text.*member == first;
  });
  return is_common ? &first : nullptr;
}

// The kernel, the array and how lanes lie; where they have no order, what loads the index.
std::optional<Key> KeyOfAddress(const Report& report, const Place& place) {
  const Access& access = report.accesses[place.accesses.front()];
  if (std::string lanes = LanesOf(access); !lanes.empty()) {
    const auto* pointer = CommonOf(access, &AddressText::pointer);
    if (pointer == nullptr || !*pointer) return std::nullopt;
    return Key{KernelOf(access), nullptr, **pointer, std::move(lanes)};
  }
  const auto* loads = CommonOf(access, &AddressText::loads);
  if (loads == nullptr || loads->empty()) return std::nullopt;
  std::string lines;
  for (const Frame& one : *loads) lines += fmt::format("{}:{}\n", one.file, one.line);
  return Key{KernelOf(access), nullptr, kNoArray, lines};
}

// The kernel, the index into whatever array, and how lanes lie. Lanes that take no part do so for
// other reasons.
std::optional<Key> KeyOfIndex(const Report& report, const Place& place) {
  const Access& access = report.accesses[place.accesses.front()];
  const bool is_partial = !access.patterns.empty() &&
                          access.patterns.front().pattern.Is(patterns::Pattern::kPartialWarps);
  const std::string lanes = LanesOf(access);
  const auto* index = CommonOf(access, &AddressText::index);
  if (is_partial || lanes.empty() || index == nullptr || *index == 0) return std::nullopt;
  return Key{KernelOf(access), nullptr, kNoArray, fmt::format("{} {}", *index, lanes)};
}

Place WholeOf(const std::vector<const Place*>& members) {
  Place whole = *members.front();
  if (members.size() == 1) return whole;
  whole.accesses.clear();
  whole.counted = 0;
  whole.counts = {};
  std::vector<std::size_t> uncounted;  // behind those of all members that were counted
  for (const Place* member : members) {
    const auto end = member->accesses.begin() + static_cast<std::ptrdiff_t>(member->counted);
    whole.accesses.insert(whole.accesses.end(), member->accesses.begin(), end);
    uncounted.insert(uncounted.end(), end, member->accesses.end());
    whole.counted += member->counted;
    whole.counts += member->counts;
    if (!member->standing.empty()) whole.standing = "new or worse";
  }
  whole.accesses.insert(whole.accesses.end(), uncounted.begin(), uncounted.end());
  return whole;
}

}  // namespace

std::vector<Cause> CausesOf(const Report& report) {
  std::vector<Cause> causes;
  std::map<Key, std::size_t> known;
  const Advised advised = AdvisedMoves(report.moves);
  for (const Place& place : report.places) {
    if (!place.is_finding) continue;
    std::size_t number = causes.size();
    const auto keys = {KeyOfMove(report, advised, place), KeyOfAddress(report, place),
                       KeyOfIndex(report, place)};
    for (const std::optional<Key>& key : keys) {
      const auto found = key ? known.find(*key) : known.end();
      if (found != known.end()) number = std::min(number, found->second);
    }
    for (const std::optional<Key>& key : keys) {
      if (key) known.try_emplace(*key, number);
    }
    if (number == causes.size()) causes.emplace_back();
    causes[number].members.push_back(&place);
  }
  for (Cause& cause : causes) cause.whole = WholeOf(cause.members);
  return causes;
}

}  // namespace coalcheck::findings
