// SPDX-License-Identifier: Apache-2.0
//
// Lane by lane.
#include "libcoalcheck/moves/relocation.h"

#include <utility>

#include "libcoalcheck/ptx/slice.h"

namespace coalcheck::moves {

void Relocation::Lay(const Array& array, Layout layout) {
  layouts_.push_back(std::move(layout));
  for (const auto* accesses : {&array.accesses, &array.together}) {
    for (const std::uint32_t one : *accesses) of_[one] = layouts_.size() - 1;
  }
}

void Relocation::Take(const address::Request& request) {
  const auto layout = of_.find(request.instruction);
  if (layout == of_.end()) return next().Take(request);
  address::Request moved = request;
  const std::uint32_t width = ptx::WidthOf(function_, function_.instructions[request.instruction]);
  address::EachLane(request.active, [&](std::uint32_t lane) {
    const address::Value value = request.addresses.At(lane);
    const auto place = layouts_[layout->second](value, width, unknowns());
    fits_ = fits_ && (place || value.form != address::kNoForm);
    if (place) moved.addresses.Set(lane, *place);
  });
  next().Take(moved);
}

void Probe::Show(const Array& array, Fields& fields) {
  for (const std::uint32_t one : array.accesses) fields_[one] = &fields;
}

void Probe::Take(const address::Request& request) {
  const auto found = fields_.find(request.instruction);
  if (found != fields_.end() && request.addresses.is_known) {
    const ptx::Instruction& one = function_.instructions[request.instruction];
    found->second->Note(request, ptx::WidthOf(function_, one));
  }
  next().Take(request);
}

}  // namespace coalcheck::moves
