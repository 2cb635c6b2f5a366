// SPDX-License-Identifier: Apache-2.0
//
// What a warp's stores say of distances that nobody knows: as no two of its threads store to one
// place, the rows that they write do not overlap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "libcoalcheck/address/program.h"
#include "libcoalcheck/address/request.h"
#include "libcoalcheck/prediction/lane_distance.h"

namespace coalcheck::prediction {

class StoreFacts {
 public:
  // What takes long counts as steps, which are taken from `steps`.
  StoreFacts(const address::Program& program, std::uint64_t& steps);

  // Whether the function stores to global memory at all.
  bool has_stores() const { return has_stores_; }
  // A new warp: all is forgotten. `unknowns` has to outlive it.
  void Begin(address::Unknowns& unknowns);
  // Notes a request of this warp if it is a store.
  void Note(const address::Request& request, std::uint32_t width);

  // Bit v: the distance is not v times its step, as far as stores say that are executed in every
  // launch in which the access is. That is what a guard does not choose which the access is not
  // behind, but for those that only leave out work: threads beyond a parameter, or a loop.
  using Multiples = std::uint64_t;
  Multiples Excluded(const address::Request& access, const LaneDistance& distance);

 private:
  struct Stored {
    LaneDistance distance;
    std::uint32_t loop = 0;  // the innermost one around it, or kNone
    std::uint32_t width = 0;
    address::Value first;  // address of the first lane
    address::LaneMask active = 0;
    const address::Guard* guards = nullptr;
    const address::Guard* guards_of_left = nullptr;
  };
  using Stores = std::vector<const Stored*>;

  bool IsExecutedWith(const Stored& stored, const address::Request& access) const;
  bool OnlySkips(const address::Guard& guard) const;
  bool IsOfLoop(const address::Guard& guard) const;
  bool LeavesOut(const address::Guard& guard, const Stored& stored) const;
  bool GoesOnBy(const address::Origin& origin, const address::Guard* chain) const;
  bool DependsOnArguments(const address::Guard& guard) const;
  // Whether it is made of arguments as they are: a quotient of them is often 1.
  bool IsOfArguments(const LaneDistance& distance);
  // Of stores that are all executed.
  Multiples ExcludedBy(const Stores& stores);
  // So many places were compared.
  void Charge(std::uint64_t places);

  const address::Program& program_;
  std::uint64_t& steps_;
  address::Unknowns* unknowns_ = nullptr;
  bool has_stores_ = false;
  bool has_barriers_ = false;   // threads may wait for each other between two stores
  bool is_unclear_ = false;     // a loop stores to places that are not understood
  bool shares_places_ = false;  // threads do store to one place, whatever the distance is
  std::vector<Stored> stored_;
  struct Known {
    const address::Guard* guards = nullptr;
    const address::Guard* guards_of_left = nullptr;
    LaneDistance distance;
    std::size_t stores = 0;
    Multiples excluded = 0;
  };
  std::vector<Known> known_;
};

}  // namespace coalcheck::prediction
