// SPDX-License-Identifier: Apache-2.0
//
// Which NVTX ranges are open, and so the set of them that a launch is made in.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "injection/agent/ranges/range_names.h"
#include "injection/agent/ranges/range_sets.h"
#include "injection/agent/ranges/range_stack.h"
#include "libcoalcheck/base/ids.h"
#include "libcoalcheck/base/mutex.h"
#include "libcoalcheck/base/ranges.h"
#include "libcoalcheck/base/units.h"

namespace coalcheck::agent {

using Ranges = Quantity<struct RangesTag>;
// One start/end range, from 1.
using RangeKey = Id<struct RangeKeyTag, std::uint64_t>;

inline constexpr RangeLevel kUnbalanced{-1};  // a pop without a push
inline constexpr RangeLevel kNotFollowed{-2};

inline constexpr std::size_t kMaxStarted = 4096;     // start/end ranges open with their names
inline constexpr std::size_t kMaxStartedInSet = 64;  // names of start/end ranges in one set

// What the book's bounds, and the program's mistakes, cost.
struct RangeLosses {
  std::uint64_t folded_names = 0;  // ranges opened under "(other ranges)" or "(other domains)"
  std::uint64_t unnamed = 0;       // opened while too many were open, and only counted
  // How often Current found a set that has no number of its own or lacks members.
  std::uint64_t folded_sets = 0;
  std::uint64_t unbalanced_pops = 0;
  std::uint64_t unknown_ends = 0;
  friend bool operator==(const RangeLosses&, const RangeLosses&) = default;
};

// Any thread. Everything in it is bounded. A thread follows one book at a time: calls to another
// book (tests have more than one) make it forget what it had open in the first.
class RangeBook {
 public:
  RangeBook();

  // Names that `wanted` is true for, and sets with them, are told apart where others have no room
  // any more. To be called once, before threads are at work; what was opened before stays as it is.
  void Want(std::function<bool(std::string_view)> wanted);

  // A push/pop range of the calling thread. An empty domain is NVTX's default one.
  RangeLevel Push(std::string_view domain, std::string_view name);
  // The level of the range that ends, or kUnbalanced.
  RangeLevel Pop(std::string_view domain);
  // A range of the process, until somebody ends it.
  RangeKey Start(std::string_view domain, std::string_view name);
  void End(RangeKey key);

  // The set of ranges open now: the calling thread's, from the outermost on, then the process's,
  // each once, in the order of their domains and names. Takes no lock while nothing has changed.
  RangeSetId Current();
  // The members of a set that Current returned; its number means the same for good.
  std::vector<OpenRange> Describe(RangeSetId set) const;

  // Of all threads. What was still open when its thread ended was never closed.
  Ranges opened() const { return Ranges(opened_.load(std::memory_order_relaxed)); }
  Ranges still_open() const;
  RangeLosses losses() const;

  // This is a forked child: the other threads, and their ranges, are gone, and counting begins anew
  // with what is open. If one of them was at work in the book just then, its state is not known:
  // the book follows nothing from here on.
  void Forked();

 private:
  struct ThreadRanges;
  struct Losses {
    std::atomic<std::uint64_t> folded_names{0};
    std::atomic<std::uint64_t> unnamed{0};
    std::atomic<std::uint64_t> folded_sets{0};
    std::atomic<std::uint64_t> unbalanced_pops{0};
    std::atomic<std::uint64_t> unknown_ends{0};
  };
  struct ByText {
    bool operator()(const RangeName* a, const RangeName* b) const;
  };

  ThreadRanges& OfThisThread();
  const RangeName& FindName(ThreadRanges& mine, std::string_view domain, std::string_view name);
  const std::string* FindDomain(const ThreadRanges& mine, std::string_view domain) const;
  RangeSetId FindSet(const ThreadRanges& mine) COALCHECK_REQUIRES(mutex_);
  bool AnyIsWanted(std::span<const SetMember> members) const COALCHECK_REQUIRES(mutex_);
  void Opened(const RangeName& range);
  void Closed() { closed_.fetch_add(1, std::memory_order_relaxed); }
  void EndUnnamed() COALCHECK_REQUIRES(mutex_);

  static thread_local ThreadRanges this_thread_;
  const std::uint64_t number_;  // never the same twice in a process
  std::atomic<bool> forked_off_{false};
  std::atomic<std::uint64_t> opened_{0};
  std::atomic<std::uint64_t> closed_{0};
  Losses losses_;
  // Changes with the names of the start/end ranges that are open.
  std::atomic<std::uint64_t> version_{1};

  mutable Mutex mutex_;  // of what follows
  RangeNames names_ COALCHECK_GUARDED_BY(mutex_);
  RangeSets sets_ COALCHECK_GUARDED_BY(mutex_);
  std::unordered_map<RangeKey, const RangeName*> started_ COALCHECK_GUARDED_BY(mutex_);
  std::map<const RangeName*, std::size_t, ByText> started_names_
      COALCHECK_GUARDED_BY(mutex_);  // how often each is open
  std::uint64_t unnamed_started_ COALCHECK_GUARDED_BY(mutex_) = 0;
  std::uint64_t last_key_ COALCHECK_GUARDED_BY(mutex_) = 0;
};

}  // namespace coalcheck::agent
