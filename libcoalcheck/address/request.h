// SPDX-License-Identifier: Apache-2.0
//
// One request as it was evaluated: the lanes' addresses, and what of it a run decides.
#pragma once

#include <cstdint>

#include "libcoalcheck/address/lane_values.h"
#include "libcoalcheck/address/unknowns.h"

namespace coalcheck::address {

// Whether lanes take part.
enum class Taking : std::uint8_t {
  kCertain,
  kWarpOpen,  // unknown data decide for all of them together
  kLaneOpen,  // for each of them
};

struct Request {
  std::uint32_t instruction = 0;  // in the function
  LaneMask active = 0;            // that take part, or may
  Taking taking = Taking::kCertain;
  Origins taking_origins = 0;  // of what decides that
  std::uint32_t turn = 0;      // the n-th execution by this warp, from 0
  LaneValues addresses;
};

class RequestSink {
 public:
  virtual ~RequestSink() = default;
  virtual void Take(const Request& request) = 0;
};

// Stands between a warp and who takes its requests, and changes them.
class RequestFilter : public RequestSink {
 public:
  // Before a warp's first request: who gets what becomes of them.
  virtual void Begin(RequestSink& next) { next_ = &next; }
  // After its last one.
  virtual void End() {}

 protected:
  RequestSink& next() { return *next_; }

 private:
  RequestSink* next_ = nullptr;
};

}  // namespace coalcheck::address
