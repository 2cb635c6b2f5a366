// SPDX-License-Identifier: Apache-2.0
//
// One request as it was evaluated: the lanes' addresses, and what of it a run decides.
#pragma once

#include <algorithm>
#include <cstdint>

#include "libcoalcheck/address/conditions.h"
#include "libcoalcheck/address/lane_values.h"
#include "libcoalcheck/address/unknowns.h"

namespace coalcheck::address {

// Whether lanes take part.
enum class Taking : std::uint8_t {
  kCertain,
  kWarpOpen,    // unknown data decide for all of them together
  kLaneOpen,    // for each of them
  kLanesApart,  // the same, and neighbours seldom go together
};

// One of a chain of decisions that nobody knows: the lanes went on as it was decided.
struct Guard {
  const Guard* outer = nullptr;
  std::uint32_t instruction = 0;  // a branch, or one that has a predicate
  bool is_taken = false;          // it was carried out
  bool is_one = false;            // all lanes had the same condition
  bool is_lost = false;           // it stands for decisions that are not kept one by one
  Origins origins = 0;            // of what decides
};

struct Request {
  std::uint32_t instruction = 0;  // in the function
  LaneMask active = 0;            // that take part, or may
  Taking taking = Taking::kCertain;
  Origins taking_origins = 0;  // of what decides that
  std::uint32_t turn = 0;      // the n-th execution by this warp, from 0
  std::uint32_t width = 0;     // bytes of a lane; 0: as many as the instruction says
  LaneValues addresses;
  // What the guards that let the lanes through say of arguments that are not known, and those that
  // other lanes left by. They live as long as the request is taken.
  const Conditions* conditions = nullptr;  // null: nothing
  const Bound* bounds = nullptr;
  const Bound* bounds_of_left = nullptr;
  // The decisions themselves. They live until the warp ends.
  const Guard* guards = nullptr;
  const Guard* guards_of_left = nullptr;

  // 0 where nothing is known.
  std::int64_t LeastOf(Form symbol) const {
    if (conditions == nullptr) return 0;
    return std::max(conditions->LeastOf(bounds, symbol),
                    conditions->LeastOf(bounds_of_left, symbol));
  }
};

// Lanes of an asynchronous copy that read nothing: shared memory gets zeros for them. The counters
// count them as lanes.
struct Filled {
  std::uint32_t instruction = 0;  // in the function
  LaneMask lanes = 0;
  bool alone = false;  // no other lane reads: a request without sectors
  Taking taking = Taking::kCertain;
  Origins taking_origins = 0;
};

class RequestSink {
 public:
  virtual ~RequestSink() = default;
  virtual void Take(const Request& request) = 0;
  virtual void TakeFilled(const Filled& /*filled*/) {}
};

// Stands between a warp and who takes its requests, and changes them.
class RequestFilter : public RequestSink {
 public:
  // Which warp the next requests are of.
  virtual void Enter(std::uint64_t /*block*/, std::uint32_t /*warp*/) {}
  // Before a warp's first request: who gets what becomes of them, and what their forms are of.
  virtual void Begin(RequestSink& next, Unknowns& unknowns) {
    next_ = &next;
    unknowns_ = &unknowns;
  }
  // After its last one.
  virtual void End() {}
  void TakeFilled(const Filled& filled) override { next_->TakeFilled(filled); }

 protected:
  RequestSink& next() { return *next_; }
  Unknowns& unknowns() { return *unknowns_; }

 private:
  RequestSink* next_ = nullptr;
  Unknowns* unknowns_ = nullptr;
};

}  // namespace coalcheck::address
