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

// What words may rest on beside what all of them do.
struct Reliance {
  bool is_on_stores = false;  // AccessPrediction::by_stores is set
  bool is_on_rounds = false;  // AccessPrediction::by_rounds is set
  bool is_on_ptx = false;     // some of the code is PTX that no assembler has read
  bool is_on_calls = false;   // FunctionPrediction::calls_unseen is set
};

// Under which every word holds.
std::vector<std::string> Assumptions(const Reliance& reliance);

void Join(const Open& other, Open& open);

struct OpenWords {
  std::string why;     // "parameter 3 (int) decides"
  std::string settle;  // "--launch 'copy: arg3=…' or --launches settles it"; may be empty
};
// `lines` of the function.
OpenWords WordsOf(const Open& open, const cubin::AccessesByLine& lines,
                  const findings::SourceView& source);

}  // namespace coalcheck::prediction
