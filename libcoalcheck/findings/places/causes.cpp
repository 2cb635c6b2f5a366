// SPDX-License-Identifier: Apache-2.0
//
// What one change mends is one cause, where lanes have one step; else what is of one array. Where
// an address does not say which array it is of, or lanes have no step, a finding stays alone.
#include "libcoalcheck/findings/places/causes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

namespace coalcheck::findings {
namespace {

// What findings of one cause have in common.
using Key = std::tuple<std::string, const KernelMove*, std::uint32_t, std::string>;

// The kernel, the change and the step of what wastes most.
std::optional<Key> KeyOfMove(const Report& report, const Place& place) {
  const std::size_t number = place.accesses.front();
  const KernelMove* move = AdvisedMove(report.moves, number);
  if (move == nullptr) return std::nullopt;
  const Access& access = report.accesses[number];
  const auto worst = std::ranges::max_element(
      access.instructions, {}, [](const Instruction& one) { return one.counts.Wasted(); });
  if (worst == access.instructions.end() || worst->address_text.apart.empty()) return std::nullopt;
  return Key{access.kernel, move, 0, worst->address_text.apart};
}

// The kernel, the array and the step.
std::optional<Key> KeyOf(const Report& report, const Place& place) {
  if (auto of_move = KeyOfMove(report, place)) return of_move;
  const Access& access = report.accesses[place.accesses.front()];
  std::optional<Key> key;
  for (const Instruction& one : access.instructions) {
    const AddressText& text = one.address_text;
    if (!text.pointer || text.apart.empty()) return std::nullopt;
    Key mine{access.kernel, nullptr, *text.pointer, text.apart};
    if (key && *key != mine) return std::nullopt;
    key = std::move(mine);
  }
  return key;
}

Place WholeOf(const std::vector<const Place*>& members) {
  Place whole = *members.front();
  if (members.size() == 1) return whole;
  whole.accesses.clear();
  whole.counted = 0;
  whole.counts = {};
  for (const Place* member : members) {
    const auto counted = static_cast<std::ptrdiff_t>(member->counted);
    whole.accesses.insert(whole.accesses.begin() + static_cast<std::ptrdiff_t>(whole.counted),
                          member->accesses.begin(), member->accesses.begin() + counted);
    whole.accesses.insert(whole.accesses.end(), member->accesses.begin() + counted,
                          member->accesses.end());
    whole.counted += member->counted;
    whole.counts += member->counts;
    if (!member->standing.empty()) whole.standing = "new or worse";
  }
  return whole;
}

}  // namespace

std::vector<Cause> CausesOf(const Report& report) {
  std::vector<Cause> causes;
  std::map<Key, std::size_t> known;
  for (const Place& place : report.places) {
    if (!place.is_finding) continue;
    const std::optional<Key> key = KeyOf(report, place);
    std::size_t number = causes.size();
    if (key) number = known.try_emplace(*key, number).first->second;
    if (number == causes.size()) causes.emplace_back();
    causes[number].members.push_back(&place);
  }
  for (Cause& cause : causes) cause.whole = WholeOf(cause.members);
  return causes;
}

}  // namespace coalcheck::findings
