// SPDX-License-Identifier: Apache-2.0
//
// Draws accesses of every pattern that has addresses, with what their code would say of them.
#pragma once

#include <bit>
#include <cstdint>
#include <random>
#include <vector>

#include "libcoalcheck/patterns/pattern.h"
#include "tests/unit/patterns/evidence_of.h"

namespace coalcheck::patterns {

struct DrawnShape {
  Pattern pattern = Pattern::kUnknown;
  std::uint64_t parameter = 0;
  bool has_parameter = false;
  bool is_affine = true;
  std::vector<sectors::WarpRequest> requests;
  std::uint64_t times = 0;  // that each was made
  AddressFact code;
};

class ShapeDraw {
 public:
  explicit ShapeDraw(std::uint64_t seed) : random_(seed) {}

  DrawnShape Next() {
    shape_ = {};
    width_ = 1U << Below(5);
    shape_.code.form = AddressFact::Form::kAffine;
    shape_.code.siblings.emplace();
    places_.assign(1, Place());
    if (Below(2) == 0) {  // requests begin at different places in a line
      while (places_.size() < 64) places_.push_back(Place());
    }
    shape_.times = 4096 / places_.size();
    switch (Below(8)) {
      case 0:
        return Consecutive(0);
      case 1:
        return Consecutive(width_ * (1 + Below(31)));
      case 2:
        return Shared(2U << Below(5));
      case 3:
        return Runs(4U << Below(3));
      case 4:
        return Stepped(Below(2) == 0 ? 2 + Below(40) : 2 + Below(4000));
      case 5:
        return Field(2 + Below(14));
      case 6:
        return Scattered();
      default:
        return Partial();
    }
  }

 private:
  std::uint64_t Below(std::uint64_t limit) { return random_() % limit; }
  std::uint64_t Place() { return (1ULL << 30) + width_ * Below(1U << 16); }

  template <typename AddressFrom>
  void Request(AddressFrom address_from, std::uint32_t active = kAllActive) {
    for (const std::uint64_t place : places_) {
      shape_.requests.push_back(MakeRequest(
          width_, [&](std::uint64_t lane) { return address_from(place, lane); }, active));
    }
  }

  DrawnShape Named(Pattern pattern, std::uint64_t parameter) {
    shape_.pattern = pattern;
    shape_.parameter = parameter;
    shape_.has_parameter = UnitOf(pattern) != ParameterUnit::kNone;
    return std::move(shape_);
  }

  // From `off` bytes after places on a sector: misaligned when that costs one.
  DrawnShape Consecutive(std::uint64_t off) {
    for (std::uint64_t& place : places_) place -= place % kSectorSize.count();
    Request([&](std::uint64_t place, std::uint64_t lane) { return place + off + lane * width_; });
    shape_.code.lane_step = ByteStep(width_);
    shape_.code.offset = Bytes(off % kSectorSize.count());
    if (off % kSectorSize.count() != 0) {
      return Named(Pattern::kMisaligned, off % kSectorSize.count());
    }
    return Named(width_ <= 2 ? Pattern::kNarrow : Pattern::kCoalesced, 0);
  }

  DrawnShape Shared(std::uint64_t lanes) {
    const std::uint64_t apart = Below(2) == 0 ? width_ : 4096;
    Request([&](std::uint64_t place, std::uint64_t lane) { return place + lane / lanes * apart; });
    shape_.code.lane_step = ByteStep(0);
    shape_.code.row_lanes = Lanes(lanes);
    return Named(Pattern::kBroadcast, lanes);
  }

  // Rows of a narrow block, each a multiple of its length off a line, or anywhere where requests
  // differ. Where that costs nothing they are consecutive elements to everybody.
  DrawnShape Runs(std::uint64_t lanes) {
    const std::uint64_t size = lanes * width_;
    const bool anywhere = places_.size() > 1 && Below(2) == 0;
    for (std::uint64_t& place : places_) {
      if (!anywhere) place -= place % size;
    }
    Request([&](std::uint64_t place, std::uint64_t lane) {
      return place + lane / lanes * 8192 + lane % lanes * width_;
    });
    shape_.code.lane_step = ByteStep(width_);
    shape_.code.row_lanes = Lanes(lanes);
    const bool costs = anywhere || size % kCacheLineSize.count() != 0;
    if (costs) return Named(Pattern::kRuns, lanes);
    return Named(Pattern::kCoalesced, 0);
  }

  void Step(std::uint64_t step) {
    const std::uint32_t active = Below(4) == 0 ? Prefix() : kAllActive;
    const bool down = Below(4) == 0;
    Request([&](std::uint64_t place,
                std::uint64_t lane) { return down ? place - lane * step : place + lane * step; },
            active);
    const auto bytes = static_cast<std::int64_t>(step);
    shape_.code.lane_step = ByteStep(down ? -bytes : bytes);
  }

  DrawnShape Stepped(std::uint64_t elements) {
    Step(elements * width_);
    return Named(Pattern::kStrided, elements * width_);
  }

  // One field of a structure of equal fields, of which the kernel uses all or some.
  DrawnShape Field(std::uint64_t fields) {
    const std::uint64_t size = fields * width_;
    Step(size);
    const std::uint64_t used = Below(2) == 0 ? fields : 2 + Below(fields - 1);
    for (std::uint64_t field = 1; field < used; ++field) {
      shape_.code.siblings->push_back({ByteStep(field * width_), Bytes(width_)});
    }
    return Named(used == fields ? Pattern::kStructField : Pattern::kPaddedStruct, size);
  }

  DrawnShape Scattered() {
    const std::uint64_t elements = (1ULL << 12) << Below(18);
    while (places_.size() < 64) places_.push_back(0);
    shape_.times = 1;
    Request([&](std::uint64_t, std::uint64_t) { return width_ * Below(elements); });
    shape_.is_affine = false;
    shape_.code.form = AddressFact::Form::kLoaded;
    return Named(Pattern::kScattered, 0);
  }

  // The first lanes, or any.
  DrawnShape Partial() {
    const std::uint32_t some = static_cast<std::uint32_t>(random_()) & ~(1U << Below(kWarpSize));
    const std::uint32_t active = Below(2) == 0 || some == 0 ? Prefix() : some;
    for (std::uint64_t& place : places_) place -= place % kSectorSize.count();
    Request([&](std::uint64_t place, std::uint64_t lane) { return place + lane * width_; }, active);
    shape_.code.lane_step = ByteStep(width_);
    shape_.code.offset = Bytes(0);
    return Named(Pattern::kPartialWarps, 0);
  }

  std::uint32_t Prefix() { return (1U << (2 + Below(kWarpSize - 2))) - 1; }

  std::mt19937_64 random_;
  std::uint32_t width_ = 4;
  std::vector<std::uint64_t> places_;
  DrawnShape shape_;
};

}  // namespace coalcheck::patterns
