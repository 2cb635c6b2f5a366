// SPDX-License-Identifier: Apache-2.0
//
// Where different kernels of one name come from the same source lines, or a function is called by
// those of several files: a report has one row for them, of which only what all say is certain.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

#include "libcoalcheck/cubin/cubin.h"
#include "libcoalcheck/prediction/held_code.h"
#include "libcoalcheck/prediction/predict_code.h"
#include "libcoalcheck/prediction/row_verdict.h"

namespace coalcheck::prediction {

class SharedRows {
 public:
  // `code` has to outlive it.
  SharedRows(const HeldCode& code, const CodePrediction& prediction);

  // Shares of a row's sectors, 0 to 1: what every kernel wastes, and what one of them may.
  struct Wasted {
    double least = 1;
    double most = 0;
    bool is_reached = true;  // in each kernel, by a warp that was followed
  };
  // In code of that architecture; 0: of all. Null where one kernel has the row, or all of them say
  // the same of it.
  const Wasted* Of(std::uint32_t sm, std::string_view function,
                   const cubin::GlobalAccess& access) const {
    if (rows_.empty()) return nullptr;
    const auto found = rows_.find({sm, RowOf(function, access)});
    return found == rows_.end() ? nullptr : &found->second;
  }

 private:
  std::map<std::pair<std::uint32_t, SourceRow>, Wasted> rows_;
};

}  // namespace coalcheck::prediction
