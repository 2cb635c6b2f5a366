// SPDX-License-Identifier: Apache-2.0
//
// Each thread keeps its own stack, the names it pushed lately and its last set, so that it needs
// the lock only for what it has not seen before and after a change.
#include "injection/agent/ranges/range_book.h"

#include <tuple>
#include <type_traits>

namespace coalcheck::agent {
namespace {

std::atomic<std::uint64_t> books_made{0};

// Keys of start/end ranges that are only counted.
constexpr std::uint64_t kUnnamedKeys = std::uint64_t{1} << 63U;

std::size_t HashOf(std::string_view domain, std::string_view name) {
  const std::hash<std::string_view> hash;
  return domain.empty() ? hash(name) : hash(name) * 31 + hash(domain);
}

}  // namespace

// All zero at first: it belongs to no book.
struct RangeBook::ThreadRanges {
  struct CachedName {
    std::size_t hash;
    const RangeName* range;
  };
  std::uint64_t book;
  RangeStack stack;
  bool changed;           // the stack, since `set` was found
  std::uint64_t version;  // of the process's ranges in `set`
  RangeSetId set;
  std::array<CachedName, 32> names;  // direct-mapped
};

thread_local RangeBook::ThreadRanges RangeBook::this_thread_{};

RangeBook::RangeBook() : number_(++books_made) {
  static_assert(std::is_trivially_destructible_v<ThreadRanges>);
}

RangeBook::ThreadRanges& RangeBook::OfThisThread() {
  ThreadRanges& mine = this_thread_;
  if (mine.book != number_) {
    mine = {};
    mine.book = number_;
    mine.changed = true;
  }
  return mine;
}

RangeLevel RangeBook::Push(std::string_view domain, std::string_view name) {
  if (forked_off_.load(std::memory_order_relaxed)) return kNotFollowed;
  ThreadRanges& mine = OfThisThread();
  const RangeName& range = FindName(mine, CutName(domain), CutName(name));
  const RangeStack::Pushed pushed = mine.stack.Push(range);
  Opened(range);
  if (pushed.named) {
    mine.changed = true;
  } else {
    losses_.unnamed.fetch_add(1, std::memory_order_relaxed);
  }
  return pushed.level;
}

void RangeBook::Want(std::function<bool(std::string_view)> wanted) {
  const MutexLock lock(mutex_);
  names_.Want(std::move(wanted));
}

RangeLevel RangeBook::Pop(std::string_view domain) {
  if (forked_off_.load(std::memory_order_relaxed)) return kNotFollowed;
  ThreadRanges& mine = OfThisThread();
  const std::string* known = FindDomain(mine, CutName(domain));
  const RangeStack::Popped popped =
      known == nullptr ? RangeStack::Popped{} : mine.stack.Pop(*known);
  if (!popped.found) {
    losses_.unbalanced_pops.fetch_add(1, std::memory_order_relaxed);
    return kUnbalanced;
  }
  Closed();
  if (popped.named) mine.changed = true;
  return popped.level;
}

RangeKey RangeBook::Start(std::string_view domain, std::string_view name) {
  if (forked_off_.load(std::memory_order_relaxed)) return {};
  const MutexLock lock(mutex_);
  const RangeName& range = names_.Intern(domain, name);
  const std::uint64_t key = ++last_key_;
  if (started_.size() >= kMaxStarted) {
    Opened(range);
    losses_.unnamed.fetch_add(1, std::memory_order_relaxed);
    ++unnamed_started_;
    return RangeKey(kUnnamedKeys | key);
  }
  const auto counted = started_names_.try_emplace(&range, 0).first;
  started_.emplace(RangeKey(key), &range);
  Opened(range);
  if (++counted->second == 1) version_.fetch_add(1, std::memory_order_release);
  return RangeKey(key);
}

void RangeBook::End(RangeKey key) {
  if (forked_off_.load(std::memory_order_relaxed)) return;
  const MutexLock lock(mutex_);
  if ((key.value() & kUnnamedKeys) != 0) {
    EndUnnamed();
    return;
  }
  const auto found = started_.find(key);
  if (found == started_.end()) {
    losses_.unknown_ends.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  const auto counted = started_names_.find(found->second);
  if (--counted->second == 0) {
    started_names_.erase(counted);
    version_.fetch_add(1, std::memory_order_release);
  }
  started_.erase(found);
  Closed();
}

void RangeBook::EndUnnamed() {
  if (unnamed_started_ == 0) {
    losses_.unknown_ends.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  --unnamed_started_;
  Closed();
}

RangeSetId RangeBook::Current() {
  ThreadRanges& mine = OfThisThread();
  if (!mine.changed && mine.version == version_.load(std::memory_order_acquire)) return mine.set;
  if (forked_off_.load(std::memory_order_relaxed)) return {};
  const MutexLock lock(mutex_);
  mine.set = FindSet(mine);
  mine.version = version_.load(std::memory_order_relaxed);
  mine.changed = false;
  return mine.set;
}

RangeSetId RangeBook::FindSet(const ThreadRanges& mine) {
  std::array<SetMember, kMaxNamedDepth + kMaxStartedInSet + 1> members;
  std::size_t size = 0;
  for (const RangeName* range : mine.stack.named()) {
    members[size++] = {range->id, RangeKind::kPushPop};
  }
  bool folded = false;
  std::size_t room = kMaxStartedInSet;
  for (const auto& [range, times] : started_names_) {
    if (times == 0) continue;  // memory ran out in Start
    folded = room == 0;
    if (folded) break;
    members[size++] = {range->id, RangeKind::kStartEnd};
    --room;
  }
  if (folded) members[size++] = {names_.Intern({}, kOtherRanges).id, RangeKind::kStartEnd};
  const std::span<const SetMember> all{members.data(), size};
  const RangeSetId set =
      sets_.Intern(all, [&]() COALCHECK_REQUIRES(mutex_) { return AnyIsWanted(all); });
  if (folded || set == kOtherSets) losses_.folded_sets.fetch_add(1, std::memory_order_relaxed);
  return set;
}

bool RangeBook::AnyIsWanted(std::span<const SetMember> members) const {
  for (const SetMember& one : members) {
    if (names_.IsWanted(names_.at(one.name))) return true;
  }
  return false;
}

std::vector<OpenRange> RangeBook::Describe(RangeSetId set) const {
  if (set == kOtherSets || set == kOtherSetsLeftOut)
    return {{"", std::string(kOtherRanges), RangeKind::kPushPop}};
  std::vector<OpenRange> ranges;
  if (forked_off_.load(std::memory_order_relaxed)) return ranges;
  const MutexLock lock(mutex_);
  for (const SetMember& member : sets_.Find(set)) {
    const RangeName& range = names_.at(member.name);
    ranges.push_back({*range.domain, range.name, member.kind});
  }
  return ranges;
}

Ranges RangeBook::still_open() const {
  const Ranges closed(closed_.load());  // first: what closes meanwhile was opened before
  return opened() - closed;
}

RangeLosses RangeBook::losses() const {
  return {.folded_names = losses_.folded_names.load(),
          .unnamed = losses_.unnamed.load(),
          .folded_sets = losses_.folded_sets.load(),
          .unbalanced_pops = losses_.unbalanced_pops.load(),
          .unknown_ends = losses_.unknown_ends.load()};
}

void RangeBook::Forked() {
  if (!mutex_.TryLock()) {
    forked_off_ = true;
    return;
  }
  opened_ = OfThisThread().stack.open() + started_.size() + unnamed_started_;
  closed_ = 0;
  for (std::atomic<std::uint64_t>* loss :
       {&losses_.folded_names, &losses_.unnamed, &losses_.folded_sets, &losses_.unbalanced_pops,
        &losses_.unknown_ends}) {
    *loss = 0;
  }
  mutex_.Unlock();
}

const RangeName& RangeBook::FindName(ThreadRanges& mine, std::string_view domain,
                                     std::string_view name) {
  const std::size_t hash = HashOf(domain, name);
  ThreadRanges::CachedName& cached = mine.names[hash % mine.names.size()];
  if (cached.range != nullptr && cached.hash == hash && cached.range->name == name &&
      *cached.range->domain == domain) {
    return *cached.range;
  }
  const MutexLock lock(mutex_);
  const RangeName& range = names_.Intern(domain, name);
  cached = {hash, &range};
  return range;
}

// Most pops are from the domain of the last push.
const std::string* RangeBook::FindDomain(const ThreadRanges& mine, std::string_view domain) const {
  const auto named = mine.stack.named();
  if (!named.empty() && *named.back()->domain == domain) return named.back()->domain;
  const MutexLock lock(mutex_);
  return names_.FindDomain(domain);
}

void RangeBook::Opened(const RangeName& range) {
  opened_.fetch_add(1, std::memory_order_relaxed);
  if (range.others) losses_.folded_names.fetch_add(1, std::memory_order_relaxed);
}

bool RangeBook::ByText::operator()(const RangeName* a, const RangeName* b) const {
  return std::tie(*a->domain, a->name) < std::tie(*b->domain, b->name);
}

}  // namespace coalcheck::agent
