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

// Under which every word holds. `by_stores`: those for which AccessPrediction::by_stores is set,
// too. `of_ptx`: some of the code is PTX that no assembler has read.
std::vector<std::string> Assumptions(bool by_stores, bool of_ptx);

void Join(const Open& other, Open& open);

struct OpenWords {
  std::string why;     // "parameter 3 (int) decides"
  std::string settle;  // "--launch 'copy: arg3=…' or --launches settles it"; may be empty
};
// `lines` of the function.
OpenWords WordsOf(const Open& open, const cubin::AccessesByLine& lines,
                  const findings::SourceView& source);

}  // namespace coalcheck::prediction
