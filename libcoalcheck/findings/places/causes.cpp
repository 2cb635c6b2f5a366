// SPDX-License-Identifier: Apache-2.0
//
// What one change mends is one cause, where lanes have one step; so is what is of one array with
// one step, and what one index decides. Where nothing of that is known, a finding stays alone.
#include "libcoalcheck/findings/places/causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

namespace coalcheck::findings {
namespace {

// What findings of one cause have in common: the kernel and either the change that mends them, or
// the array, or neither; then the step, or the lines that load the index.
using Key = std::tuple<std::string, const KernelMove*, std::uint32_t, std::string>;
constexpr std::uint32_t kNoArray = ~std::uint32_t{0};
using Advised = std::map<std::size_t, const KernelMove*>;

// The kernel, the change and the step of what wastes most.
std::optional<Key> KeyOfMove(const Report& report, const Advised& advised, const Place& place) {
  const std::size_t number = place.accesses.front();
  const auto move = advised.find(number);
  if (move == advised.end()) return std::nullopt;
  const Access& access = report.accesses[number];
  const auto worst = std::ranges::max_element(
      access.instructions, {}, [](const Instruction& one) { return one.counts.Wasted(); });
  if (worst == access.instructions.end() || worst->address_text.apart.empty()) return std::nullopt;
  return Key{access.kernel, move->second, kNoArray, worst->address_text.apart};
}

// The kernel, the array and the step; without a step, what loads the index.
std::optional<Key> KeyOfText(const std::string& kernel, const AddressText& text) {
  if (!text.apart.empty()) {
    if (!text.pointer) return std::nullopt;
    return Key{kernel, nullptr, *text.pointer, text.apart};
  }
  if (text.loads.empty()) return std::nullopt;
  std::string lines;
  for (const Frame& one : text.loads) lines += fmt::format("{}:{}\n", one.file, one.line);
  return Key{kernel, nullptr, kNoArray, lines};
}

// Empty where the instructions of the access have not one.
std::optional<Key> KeyOfAddress(const Report& report, const Place& place) {
  const Access& access = report.accesses[place.accesses.front()];
  std::optional<Key> key;
  for (const Instruction& one : access.instructions) {
    std::optional<Key> mine = KeyOfText(access.kernel, one.address_text);
    if (!mine || (key && *key != *mine)) return std::nullopt;
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
    const auto keys = {KeyOfMove(report, advised, place), KeyOfAddress(report, place)};
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
