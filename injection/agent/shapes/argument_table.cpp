// SPDX-License-Identifier: Apache-2.0
//
// The parameters are hashed and compared where the application keeps them, a word at a time.
#include "injection/agent/shapes/argument_table.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace coalcheck::agent {
namespace {

constexpr std::size_t kWord = sizeof(std::uint64_t);

template <typename Word>
std::uint64_t LoadWord(const char* from) {
  Word word{};
  std::memcpy(&word, from, sizeof word);
  return word;
}

std::uint64_t LoadSome(const char* from, std::size_t size) {
  std::uint64_t word = 0;
  std::memcpy(&word, from, size);
  return word;
}

// Where the application keeps the parameter with this number.
const char* PlaceOf(const CalledWith& with, const ParameterLayout& layout, std::size_t index) {
  if (with.pointers != nullptr) return static_cast<const char*>(with.pointers[index]);
  return with.block + layout.parameters[index].offset;
}

std::uint64_t Mix(std::uint64_t hash, std::uint64_t word) {
  constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15ULL;
  constexpr int kTurn = 23;
  return ((hash << kTurn | hash >> (64 - kTurn)) ^ word) * kFactor;
}

std::uint64_t HashOfLaunch(const LaunchMade& launch) {
  std::uint64_t hash = launch.shape_hash ^ launch.with.shared_bytes;
  for (std::size_t i = 0; i < launch.layout.parameters.size(); ++i) {
    const char* from = PlaceOf(launch.with, launch.layout, i);
    std::size_t size = launch.layout.parameters[i].size;
    if (size == kWord) {
      hash = Mix(hash, LoadWord<std::uint64_t>(from));
      continue;
    }
    if (size == kWord / 2) {
      hash = Mix(hash, LoadWord<std::uint32_t>(from));
      continue;
    }
    for (; size >= kWord; size -= kWord, from += kWord) {
      hash = Mix(hash, LoadWord<std::uint64_t>(from));
    }
    if (size > 0) hash = Mix(hash, LoadSome(from, size));
  }
  return hash ^ hash >> 32;
}

bool HasBytes(const std::string& bytes, const LaunchMade& launch) {
  for (std::size_t i = 0; i < launch.layout.parameters.size(); ++i) {
    const auto [offset, size] = launch.layout.parameters[i];
    const char* known = bytes.data() + offset;
    const char* from = PlaceOf(launch.with, launch.layout, i);
    const bool same = size == kWord
                          ? LoadWord<std::uint64_t>(known) == LoadWord<std::uint64_t>(from)
                          : std::memcmp(known, from, size) == 0;
    if (!same) return false;
  }
  return true;
}

// Zeros fill the gaps.
std::string BytesOf(const LaunchMade& launch) {
  std::string bytes(launch.layout.kept(), '\0');
  for (std::size_t i = 0; i < launch.layout.parameters.size(); ++i) {
    const auto [offset, size] = launch.layout.parameters[i];
    std::memcpy(bytes.data() + offset, PlaceOf(launch.with, launch.layout, i), size);
  }
  return bytes;
}

}  // namespace

bool ArgumentTable::IsSame(const Set& set, std::uint64_t hash, const LaunchMade& launch) {
  const recording::LaunchArguments& arguments = set.what.arguments;
  return set.hash == hash && set.layout == &launch.layout && set.what.grid == launch.grid &&
         set.what.block == launch.block &&
         arguments.shared_memory == Bytes(launch.with.shared_bytes) &&
         arguments.cluster == launch.with.cluster && HasBytes(arguments.bytes, launch);
}

ArgumentTable::Set* ArgumentTable::Find(std::uint64_t hash, const LaunchMade& launch) const {
  Slots* slots = slots_.load(std::memory_order_acquire);
  if (slots == nullptr) return nullptr;
  for (std::size_t slot = hash % kSlots;; slot = (slot + 1) % kSlots) {
    Set* set = (*slots)[slot].load(std::memory_order_acquire);
    if (set == nullptr || IsSame(*set, hash, launch)) return set;
  }
}

void ArgumentTable::Add(const LaunchMade& launch, ArgumentRoom& room) {
  const std::uint64_t hash = HashOfLaunch(launch);
  if (Set* set = Find(hash, launch)) {
    set->launches.fetch_add(1, std::memory_order_relaxed);
  } else if (is_full_.load(std::memory_order_relaxed)) {
    AddOthers(Launches(1));
  } else {
    AddNew(hash, launch, room);
  }
}

void ArgumentTable::AddNew(std::uint64_t hash, const LaunchMade& launch, ArgumentRoom& room) {
  auto made = std::make_unique<Set>();
  made->hash = hash;
  made->layout = &launch.layout;
  made->what = {launch.grid,
                launch.block,
                {.shared_memory = Bytes(launch.with.shared_bytes),
                 .cluster = launch.with.cluster,
                 .size = Bytes(launch.layout.size),
                 .bytes = BytesOf(launch)}};
  const MutexLock lock(mutex_);
  // Another thread may have made it meanwhile.
  Set* set = Find(hash, launch);
  if (set == nullptr) set = Keep(std::move(made), room);
  if (set == nullptr) return AddOthers(Launches(1));
  set->launches.fetch_add(1, std::memory_order_relaxed);
}

ArgumentTable::Set* ArgumentTable::Keep(std::unique_ptr<Set> set, ArgumentRoom& room) {
  if (sets_.size() == kMostSets || !room.Take(sizeof(Set) + set->what.arguments.bytes.size())) {
    is_full_.store(true, std::memory_order_relaxed);
    return nullptr;
  }
  if (own_slots_ == nullptr) own_slots_ = std::make_unique<Slots>();
  Set* kept = sets_.emplace_back(std::move(set)).get();
  std::size_t slot = kept->hash % kSlots;
  while ((*own_slots_)[slot].load(std::memory_order_relaxed) != nullptr) slot = (slot + 1) % kSlots;
  (*own_slots_)[slot].store(kept, std::memory_order_release);
  slots_.store(own_slots_.get(), std::memory_order_release);
  return kept;
}

void ArgumentTable::AddRead(const recording::Dim3& grid, const recording::Dim3& block,
                            const recording::LaunchArguments& arguments, Launches launches,
                            ArgumentRoom& room) {
  if (!arguments.missing.empty()) return AddOthers(launches);
  const MutexLock lock(mutex_);
  const auto known = std::ranges::find_if(sets_, [&](const std::unique_ptr<Set>& set) {
    return set->what.grid == grid && set->what.block == block &&
           set->what.arguments.What() == arguments.What();
  });
  Set* set = known == sets_.end() ? nullptr : known->get();
  if (set == nullptr) {
    auto made = std::make_unique<Set>();
    made->what = {grid, block, arguments};
    set = Keep(std::move(made), room);
  }
  if (set == nullptr) return AddOthers(launches);
  set->launches.fetch_add(launches.count(), std::memory_order_relaxed);
}

recording::Uncounted ArgumentTable::Sets() const {
  recording::Uncounted uncounted;
  uncounted.others = Launches(others_.load(std::memory_order_relaxed));
  const MutexLock lock(mutex_);
  for (const std::unique_ptr<Set>& set : sets_) {
    uncounted.sets.push_back(set->what);
    uncounted.sets.back().arguments.launches =
        Launches(set->launches.load(std::memory_order_relaxed));
  }
  return uncounted;
}

}  // namespace coalcheck::agent
