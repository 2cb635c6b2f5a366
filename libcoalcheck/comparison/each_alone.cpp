// SPDX-License-Identifier: Apache-2.0
//
// Finds the places of one report in another, by what they are or by where they are.
#include "libcoalcheck/comparison/each_alone.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "libcoalcheck/findings/words/move_words.h"
#include "libcoalcheck/findings/words/words.h"

namespace coalcheck::comparison {
namespace {

using findings::Access;
using findings::FindingAlone;
using findings::Place;
using findings::RateAlone;
using findings::Report;
using findings::WasteRate;

// By wasted sectors per request, or by share where there are no requests.
bool IsMore(const WasteRate& a, const WasteRate& b) {
  return a.sectors_per_request && b.sectors_per_request
             ? *a.sectors_per_request > *b.sectors_per_request
             : a.share > b.share;
}

std::string Because(const Access& access, const Place& place) {
  return place.standing.empty() ? access.decision : place.standing + "; " + access.decision;
}

}  // namespace

EachAlone::Line EachAlone::LineOf(const Report& report, const Place& place) {
  const Access& access = report.accesses[place.accesses.front()];
  const std::string kernel = place.identity.kernel;
  if (!access.shown) return {words::ShortName(access.kernel), access.kind, kernel};
  return {fmt::format("{}:{}", words::PathShown(report, access.shown->file), access.shown->line),
          access.kind, kernel};
}

EachAlone::EachAlone(Report& sum) : sum_(sum) {
  // Of places that share a line those that are no findings stand for it, so that none is hidden.
  const auto put = [&](auto& map, const auto& key, std::size_t place) {
    const auto [entry, is_new] = map.try_emplace(key, place);
    if (!is_new && !sum_.places[place].is_finding) entry->second = place;
  };
  for (std::size_t i = 0; i < sum_.places.size(); ++i) {
    put(by_fingerprint_, sum_.places[i].identity.fingerprint, i);
    put(by_line_, LineOf(sum_, sum_.places[i]), i);
  }
}

const Place* EachAlone::InSum(const Place& place, const Line& line) const {
  const auto same = by_fingerprint_.find(place.identity.fingerprint);
  if (same != by_fingerprint_.end()) return &sum_.places[same->second];
  const auto near = by_line_.find(line);
  return near == by_line_.end() ? nullptr : &sum_.places[near->second];
}

std::string EachAlone::WhatSumSays(const Place* place) const {
  if (place == nullptr) return "it is not found";
  if (!place->in_scope) return "library code, not judged";
  const Access& access = sum_.accesses[words::WorstOf(sum_, *place)];
  if (!place->excuse || place->excuse->by == findings::Excuse::By::kSuppression) {
    return access.decision;
  }
  return "known to the baseline; " + access.decision;
}

void EachAlone::KeepInBaseline(const Place& place) {
  const bool is_known = place.excuse && place.excuse->by == findings::Excuse::By::kBaseline;
  if (place.is_finding || is_known) findings_.insert(place.identity.fingerprint);
  if (place.is_finding) worse_.insert(place.identity.fingerprint);
}

void EachAlone::NoteRate(const Report& alone, const Place& place, const std::string& recording) {
  const auto found = by_fingerprint_.find(place.identity.fingerprint);
  if (found == by_fingerprint_.end()) return;
  std::optional<RateAlone>& worst = sum_.places[found->second].worst_alone;
  const WasteRate waste = findings::WasteRateOf(place.counts, alone.present.requests);
  if (!worst || IsMore(waste, worst->waste)) worst = RateAlone{recording, waste};
}

void EachAlone::Add(const Report& alone, const std::string& recording) {
  // Nothing in it lies under the source root, and everything was judged for that.
  const bool is_judged_whole =
      alone.scope == findings::Scope::kAll && sum_.scope == findings::Scope::kUser;
  std::vector<std::pair<Line, FindingAlone>> found;
  for (const Place& place : alone.places) {
    KeepInBaseline(place);
    NoteRate(alone, place, recording);
    if (!place.is_finding) continue;
    Line line = LineOf(alone, place);
    const Place* in_sum = InSum(place, line);
    if (in_sum != nullptr && in_sum->is_finding) continue;
    const Access& access = alone.accesses[words::WorstOf(alone, place)];
    FindingAlone one{
        recording,          line.where, line.kind, access.counts, Because(access, place),
        WhatSumSays(in_sum)};
    found.emplace_back(std::move(line), std::move(one));
  }
  if (is_judged_whole && found.size() > 1) {
    std::ranges::partial_sort(found, found.begin() + 1, std::ranges::greater(),
                              [](const auto& one) { return one.second.counts.Wasted(); });
    found.front().second.because +=
        fmt::format("; so would {} more, as nothing in it lies under the source root",
                    words::Grouped(found.size() - 1));
    found.resize(1);
  }
  for (auto& [line, one] : found) {
    const auto [entry, is_new] = found_.try_emplace(std::move(line), one);
    if (is_new || entry->second.counts.WastedShare() >= one.counts.WastedShare()) continue;
    entry->second = std::move(one);
  }
}

void EachAlone::LeaveOut() { ++sum_.not_judged_alone; }

void EachAlone::Finish() {
  std::map<std::string, std::vector<FindingAlone>> by_recording;
  for (auto& [line, one] : found_) by_recording[one.recording].push_back(std::move(one));
  std::vector<std::pair<std::size_t, FindingAlone>> in_turn;
  for (auto& [recording, some] : by_recording) {
    std::ranges::stable_sort(some, std::ranges::greater(),
                             [](const FindingAlone& one) { return one.counts.Wasted(); });
    for (std::size_t i = 0; i < some.size(); ++i) in_turn.emplace_back(i, std::move(some[i]));
  }
  std::ranges::stable_sort(in_turn, [](const auto& a, const auto& b) {
    return std::make_tuple(a.first, b.second.counts.Wasted()) <
           std::make_tuple(b.first, a.second.counts.Wasted());
  });
  for (auto& [turn, one] : in_turn) sum_.alone.push_back(std::move(one));
  if (!sum_.baseline) return;
  findings::BaselineCheck& check = *sum_.baseline;
  const bool is_all_seen = sum_.not_judged_alone == 0;
  const auto keep = [&](const findings::KnownFinding& known) {
    if (is_all_seen && !findings_.contains(known.fingerprint)) return false;
    check.not_seen.push_back(known);
    return true;
  };
  std::erase_if(check.vanished, keep);
  std::erase_if(check.improved, [&](const findings::BaselineCheck::Improved& one) {
    if (!one.is_finding) return keep(one.known);
    return !is_all_seen || worse_.contains(one.known.fingerprint);
  });
}

}  // namespace coalcheck::comparison
