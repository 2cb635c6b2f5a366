// SPDX-License-Identifier: Apache-2.0
//
// What code says of an access of the source, to be compared with what other code says of it.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "libcoalcheck/cubin/cubin.h"
#include "libcoalcheck/prediction/predict_function.h"

namespace coalcheck::prediction {

// An access of the source: its function, kind and lines.
using SourceRow = std::tuple<std::string_view, cubin::AccessKind,
                             std::vector<std::pair<std::string_view, std::uint32_t>>>;
SourceRow RowOf(std::string_view function, const cubin::GlobalAccess& access);

// What a row's word depends on.
class RowVerdict {
 public:
  void Add(const AccessPrediction& one);
  // Loops that one of them unrolls are more instructions, and no other word.
  bool IsAs(const RowVerdict& other) const;

  // Of its sectors, what every launch wastes, and what one may: 0 to 1.
  double LeastShare() const { return by_data_ ? 0 : least_.WastedShare(); }
  double MostShare() const { return most_.WastedShare(); }
  bool IsReached() const { return most_.requests > Requests(0); }

 private:
  Counts least_, most_;
  bool by_data_ = false;
  std::set<std::string> why_;
};

}  // namespace coalcheck::prediction
