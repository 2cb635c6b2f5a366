// SPDX-License-Identifier: Apache-2.0
//
// What decides an access that is not known, in words, and what would settle it.
#pragma once

#include <string>
#include <vector>

#include "libcoalcheck/cubin/accesses_by_line.h"
#include "libcoalcheck/findings/sources/attribution.h"
#include "libcoalcheck/prediction/predict_function.h"

namespace coalcheck::prediction {

// What some words hold under, beside what all do.
struct AssumedOfSome {
  bool by_stores = false;     // AccessPrediction::by_stores of one of them
  bool by_constants = false;  // FunctionPrediction::has_constants
};
std::vector<std::string> Assumptions(const AssumedOfSome& of_some);

void Join(const Open& other, Open& open);

struct OpenWords {
  std::string why;     // "parameter 3 (int) decides"
  std::string settle;  // "--launch 'copy: arg3=…' or --launches settles it"; may be empty
};
// `lines` of the function.
OpenWords WordsOf(const Open& open, const cubin::AccessesByLine& lines,
                  const findings::SourceView& source);

}  // namespace coalcheck::prediction
