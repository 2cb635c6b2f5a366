// SPDX-License-Identifier: Apache-2.0
//
// Where different kernels of one name come from the same source lines: a report has one row for
// them, of which nothing is certain where they do not say the same.
#pragma once

#include <set>
#include <string_view>

#include "libcoalcheck/cubin/cubin.h"
#include "libcoalcheck/prediction/held_code.h"
#include "libcoalcheck/prediction/predict_code.h"
#include "libcoalcheck/prediction/row_verdict.h"

namespace coalcheck::prediction {

class SharedRows {
 public:
  // `code` has to outlive it.
  SharedRows(const HeldCode& code, const CodePrediction& prediction);

  bool Hold(std::string_view function, const cubin::GlobalAccess& access) const {
    return !rows_.empty() && rows_.contains(RowOf(function, access));
  }

 private:
  std::set<SourceRow> rows_;
};

}  // namespace coalcheck::prediction
