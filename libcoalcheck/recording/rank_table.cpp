// SPDX-License-Identifier: Apache-2.0
//
// Numbers for names, and sorted lists joined.
#include "libcoalcheck/recording/rank_table.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace coalcheck::recording {
namespace {

// Of one host; those of a recording that was made up would take time that grows with their square.
// A process ends with one of 256 codes, by one of 64 signals, or in another program.
constexpr std::size_t kMostOfAnEntry = 1024;

std::optional<std::uint32_t> Known(std::uint32_t number) {
  return number == kNoRank ? std::nullopt : std::optional(number);
}

// The smaller of two that differ, so that the order of merging does not matter.
std::uint32_t Joined(std::uint32_t a, std::optional<std::uint32_t> b) {
  return std::min(a, b.value_or(kNoRank));
}

// The larger one, so that no recording takes away ranks that another one of its rank misses.
std::uint32_t JoinedSize(std::uint32_t a, std::optional<std::uint32_t> b) {
  return a == kNoRank ? b.value_or(kNoRank) : std::max(a, b.value_or(a));
}

auto WordsOf(const Ending& ending) {
  return std::make_tuple(ending.said_so, ending.kind, ending.number);
}

void AddEnding(const Ending& ending, absl::InlinedVector<Ending, 1>& endings) {
  const auto place = std::ranges::lower_bound(endings, WordsOf(ending), {}, WordsOf);
  if (place != endings.end() && WordsOf(*place) == WordsOf(ending)) {
    const std::uint32_t room = std::numeric_limits<std::uint32_t>::max() - place->processes;
    place->processes += std::min(room, ending.processes);
  } else {
    endings.insert(place, ending);
    if (endings.size() > kMostOfAnEntry) endings.pop_back();
  }
}

void AddGpu(const GpuUuid& gpu, absl::InlinedVector<GpuUuid, 1>& gpus) {
  const auto place = std::ranges::lower_bound(gpus, gpu);
  if (place != gpus.end() && *place == gpu) return;
  gpus.insert(place, gpu);
  if (gpus.size() > kMostOfAnEntry) gpus.pop_back();
}

}  // namespace

RankSums& RankSums::operator+=(const RankSums& other) {
  launches += other.launches;
  checked += other.checked;
  sectors += other.sectors;
  ideal += other.ideal;
  return *this;
}

std::uint32_t RankTable::NumberOf(const std::string& name) {
  const auto number = static_cast<std::uint32_t>(names_.size());
  const auto [found, is_new] = numbers_.try_emplace(name, number);
  if (is_new) names_.push_back(name);
  return found->second;
}

void RankTable::Add(const RankEntry& entry) {
  const Key key{NumberOf(entry.job.id), NumberOf(entry.host), entry.job.rank.value_or(kNoRank)};
  if (rows_ == nullptr) rows_ = std::make_unique<Rows>();
  const auto [found, is_new] = rows_->of.try_emplace(key);
  Row& row = found->second;
  if (is_new) row.local_rank = row.world_size = kNoRank;
  row.local_rank = Joined(row.local_rank, entry.job.local_rank);
  row.world_size = JoinedSize(row.world_size, entry.job.world_size);
  for (const GpuUuid& gpu : entry.gpus) AddGpu(gpu, row.gpus);
  for (const Ending& ending : entry.endings) AddEnding(ending, row.endings);
  row.sums += entry.sums;
}

void RankTable::Add(const RankTable& other) {
  if (other.empty()) return;
  for (const auto& [key, row] : other.rows_->of) Add(other.EntryOf(key, row));
}

RankEntry RankTable::EntryOf(const Key& key, const Row& row) const {
  RankEntry entry;
  entry.job = {Known(key.rank), Known(row.local_rank), Known(row.world_size), names_[key.job]};
  entry.host = names_[key.host];
  entry.gpus.assign(row.gpus.begin(), row.gpus.end());
  entry.endings.assign(row.endings.begin(), row.endings.end());
  entry.sums = row.sums;
  return entry;
}

void RankTable::ForEach(const std::function<void(const RankEntry&)>& each) const {
  std::vector<const std::pair<const Key, Row>*> sorted;
  if (empty()) return;
  sorted.reserve(size());
  for (const auto& row : rows_->of) sorted.push_back(&row);
  std::ranges::sort(sorted, {}, [this](const auto* row) {
    const Key& key = row->first;
    return std::tuple<const std::string&, std::optional<std::uint32_t>, const std::string&>(
        names_[key.job], Known(key.rank), names_[key.host]);
  });
  for (const auto* row : sorted) each(EntryOf(row->first, row->second));
}

}  // namespace coalcheck::recording
